"""The API's page for people: plain HTML made from the OpenAPI document, no script, nothing from outside."""

from __future__ import annotations

import json
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow-x: auto; padding: .7rem; border: 1px solid #8884; border-radius: .4rem }
summary { cursor: pointer; padding: .4rem 0 } details { border-top: 1px solid #8884 }
table { border-collapse: collapse } td, th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
.verb { display: inline-block; min-width: 4.5rem; font-weight: 600 }
"""


def page(document: dict[str, Any]) -> str:
    """The page: each route with its parameters, an example as a curl command, and its answers."""
    info = document["info"]
    title = escape(f"{info['title']} {info['version']}: HTTP API")
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>",
        *(f"<p>{escape(text)}</p>" for text in info["description"].split("\n\n")),
        "<p>The same for machines: <a href='v1/openapi.json'>OpenAPI document</a>.</p>",
    ]
    by_tag: dict[str, list[str]] = {}
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            entry = _operation(document, path, verb, operation)
            by_tag.setdefault((operation.get("tags") or ["other"])[0], []).append(entry)
    for tag, entries in by_tag.items():
        parts += [f"<h2>{escape(tag)}</h2>", *entries]
    return "\n".join([*parts, "</body></html>"])


def _operation(document: dict[str, Any], path: str, verb: str, operation: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(p['name'])}</code></td><td>{escape(p['in'])}</td>"
        f"<td>{escape(p.get('description', ''))}</td></tr>"
        for p in operation.get("parameters", [])
    )
    answers = "".join(
        f"<tr><td>{escape(status)}</td><td>{escape(answer['description'])}</td></tr>"
        for status, answer in operation["responses"].items()
    )
    return (
        f"<details><summary><span class='verb'>{verb.upper()}</span> <code>{escape(path)}</code> "
        f"{escape(operation.get('summary', ''))}</summary><p>{escape(operation.get('description', ''))}</p>"
        f"<table>{rows}</table><pre>{escape(_curl(document, path, verb, operation))}</pre>"
        f"<table>{answers}</table></details>"
    )


def _curl(document: dict[str, Any], path: str, verb: str, operation: dict[str, Any]) -> str:
    for parameter in operation.get("parameters", []):
        examples = parameter.get("schema", {}).get("examples") or parameter.get("examples") or []
        if parameter["in"] == "path" and examples:
            path = path.replace("{" + parameter["name"] + "}", str(examples[0]))
    command = (
        f"curl -X {verb.upper()} http://127.0.0.1:8630{path}"
        if verb != "get"
        else f"curl http://127.0.0.1:8630{path}"
    )
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = _resolved(document, content.get("schema", {}))
        if kind == "application/json":
            examples = schema.get("examples") or []
            body = json.dumps(examples[0], ensure_ascii=False) if examples else "{…}"
            command += f" \\\n  -H 'Content-Type: application/json' -d '{body}'"
        elif kind == "multipart/form-data":
            command += "".join(
                f" -F {name}=" + ("@FILE" if name == "file" else "…")
                for name in schema.get("properties", {})
                if name in schema.get("required", ())
            )
    return command


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "")
    if reference:
        found = document["components"]["schemas"][reference.rsplit("/", 1)[-1]]
        assert isinstance(found, dict)
        return found
    if schema.get("oneOf") or schema.get("anyOf"):
        return _resolved(document, (schema.get("oneOf") or schema["anyOf"])[0])
    return schema
