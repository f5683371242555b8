"""The API's page for people: plain HTML made from the OpenAPI document, no script, nothing from outside."""

from __future__ import annotations

import json
from typing import Any

from mivspool.html import render


def page(document: dict[str, Any], *, token: bool = False) -> str:
    """The page: each route with its parameters, an example as a curl command, and its answers.

    ``token``: whether a request needs one.
    """
    info = document["info"]
    by_tag: dict[str, list[dict[str, Any]]] = {}
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            curl = _curl(document, path, verb, operation)
            if token:
                curl += ' \\\n  -H "Authorization: Bearer $MIVSPOOL_TOKEN"'
            shown = {"parameters": [], "summary": "", "description": ""} | operation
            shown |= {"verb": verb.upper(), "path": path, "curl": curl}
            by_tag.setdefault((operation.get("tags") or ["other"])[0], []).append(shown)
    return render(
        "mivspool.service",
        "api.html",
        title=f"{info['title']} {info['version']}: HTTP API",
        about=info["description"].split("\n\n"),
        by_tag=by_tag,
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
