"""``python -m tools.links``: what follows from the repository's address, [project.urls] Repository of pyproject.toml.

README's badges and way to install, the tutorial's first cell, and CITATION.cff's ``repository-code``. There are none as
long as the address is not set. The address is that of a repository on GitHub, ``https://github.com/OWNER/NAME``.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from mivspool import __version__

ROOT = Path(__file__).resolve().parents[1]
TUTORIAL = "docs/tutorial.ipynb"
CELL = "install"  # the id of the cell that only a copy elsewhere needs
WHEEL = (
    "MIVSPool is not on the package index yet. `make dist` builds a wheel, which any Python 3.11 or newer installs:"
    f"""

```console
$ make dist
$ pip install dist/mivspool-{__version__}-py3-none-any.whl                 # the library
$ pip install 'dist/mivspool-{__version__}-py3-none-any.whl[app]'          # the library and the app
$ mivspool app
```"""
)
INDEX = """From the package index, with Python 3.11 or newer:

```console
$ pip install mivspool                 # the library
$ pip install 'mivspool[app]'          # the library and the app
$ mivspool app
```"""


def repository() -> str:
    """The address; empty where it is not set."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project.get("urls", {}).get("Repository", "")).rstrip("/")


def badges(address: str) -> str:
    """A line of badges: the package, the tutorial on Binder and in Colab."""
    if not address:
        return ""
    place = address.removeprefix("https://github.com/")
    if place == address or place.count("/") != 1:
        raise SystemExit(f"the repository's address is https://github.com/OWNER/NAME, not {address}")
    binder = f"https://mybinder.org/v2/gh/{place}/HEAD?labpath={TUTORIAL.replace('/', '%2F')}"
    colab = f"https://colab.research.google.com/github/{place}/blob/HEAD/{TUTORIAL}"
    return " ".join(
        [
            "[![PyPI](https://img.shields.io/pypi/v/mivspool)](https://pypi.org/project/mivspool/)",
            f"[![The tutorial on Binder](https://mybinder.org/badge_logo.svg)]({binder})",
            f"[![The tutorial in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab})",
        ]
    )


def readme(text: str, address: str) -> str:
    """README with these parts anew."""
    for name, part in {"badges": badges(address), "install": INDEX if address else WHEEL}.items():
        block = re.compile(rf"(<!-- {name}: python -m tools\.links -->\n).*?(<!-- /{name} -->)", re.S)
        made = f"{part}\n" if part else ""
        text, times = block.subn(lambda found, made=made: f"{found[1]}{made}{found[2]}", text)
        assert times == 1, f"README has lost its place for {name}"
    return text


def notebook(text: str, address: str) -> str:
    """The tutorial, with a cell that installs the package where it is missing, such as in Colab."""
    held: dict[str, Any] = json.loads(text)
    held["cells"] = [cell for cell in held["cells"] if cell.get("id") != CELL]
    if address:
        badges(address)
        source = [f"%pip install --quiet git+{address}  # in Colab; on Binder it is there"]
        cell = {"cell_type": "code", "execution_count": None, "id": CELL, "metadata": {}, "outputs": []}
        held["cells"].insert(1, cell | {"source": source})
    return json.dumps(held, indent=1, ensure_ascii=False) + "\n"


def citation(text: str, address: str) -> str:
    """CITATION.cff of this version, with the repository's address."""
    text = re.sub(r"^version: .*$", f"version: {__version__}", text, flags=re.M)
    text = re.sub(r"^repository-code: .*\n", "", text, flags=re.M)
    return (
        text.replace("license: MIT\n", f'license: MIT\nrepository-code: "{address}"\n', 1)
        if address
        else text
    )


WRITTEN = {"README.md": readme, TUTORIAL: notebook, "CITATION.cff": citation}

if __name__ == "__main__":
    for name, made in WRITTEN.items():
        path = ROOT / name
        path.write_text(made(path.read_text(encoding="utf-8"), repository()), encoding="utf-8")
