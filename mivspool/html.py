"""HTML from Jinja2's templates: every value is escaped, and a name that is missing is an error."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


@lru_cache
def _environment(package: str) -> Environment:
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(package: str, template: str, **values: Any) -> str:
    """A template of ``PACKAGE/templates`` with its values; ``| safe`` marks what is HTML already."""
    return _environment(package).get_template(template).render(**values)
