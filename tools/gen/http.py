"""Generate tables of all HTTP endpoints, from the OpenAPI documents of the services."""

from collections.abc import Iterator
from typing import Any

from tools.gen import DOCS, Generated
from tools.gen.openapi import Document

_METHODS = ("get", "post", "put", "patch", "delete")
_NOTHING = "none"
_CELL = str.maketrans({"|": r"\|", "\n": " "})


def http_page(documents: dict[str, Document]) -> Generated:
    """Return one page: the endpoints of each service by tag, then the fields of the bodies.

    `documents` maps the name of each service to its OpenAPI document. Endpoints without a tag are left out.
    """
    lines = [
        "# HTTP endpoints",
        "",
        "Generated from the services' OpenAPI documents by `make gen`. The running platform shows them with every",
        "type, bound and error at `/docs/api`. A `?` marks what may be left out. Errors are",
        "`application/problem+json`.",
    ]
    for service, document in documents.items():
        lines += _endpoints(service, document)
    for service, document in documents.items():
        lines += _bodies(service, document)
    return {DOCS / "http.md": "\n".join(lines) + "\n"}


def _endpoints(service: str, document: Document) -> Iterator[str]:
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                tag = operation.get("tags", [""])[0]
                by_tag.setdefault(tag, []).append(_row(method, path, operation))
    for tag in sorted(tag for tag in by_tag if tag):
        yield from ("", f"## {service}: {tag}", "", "| endpoint | in | out | what it does |", "|---|---|---|---|")
        yield from by_tag[tag]


def _row(method: str, path: str, operation: Document) -> str:
    cells = (f"`{method.upper()} {path}`", _inputs(operation), _answer(operation), _sentence(operation))
    return f"| {' | '.join(cell.translate(_CELL) for cell in cells)} |"


def _inputs(operation: Document) -> str:
    parameters = [each for each in operation.get("parameters", []) if each["in"] in ("query", "header")]
    query = [_name(each) for each in parameters if each["in"] == "query"]
    headers = [f"`{_name(each)}` (header)" for each in parameters if each["in"] == "header"]
    bodies = [_body(kind, of["schema"]) for kind, of in operation.get("requestBody", {}).get("content", {}).items()]
    return ", ".join([*bodies, *headers, *(f"`{name}`" for name in query)]) or _NOTHING


def _name(parameter: Document) -> str:
    return str(parameter["name"]) + ("" if parameter.get("required") else "?")


def _body(kind: str, schema: Document) -> str:
    name = _shape(schema)
    return f"`{name}`" if kind == "application/json" and name[:1].isupper() else f"`{kind}`"


def _answer(operation: Document) -> str:
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            bodies = [_body(kind, of.get("schema", {})) for kind, of in response.get("content", {}).items()]
            return " ".join([status, *bodies])
    return _NOTHING


def _sentence(operation: Document) -> str:
    text = operation.get("description") or operation.get("summary", "")
    return str(text).split("\n\n", maxsplit=1)[0]


def _bodies(service: str, document: Document) -> Iterator[str]:
    schemas = document.get("components", {}).get("schemas", {})
    rows = [(name, schema) for name, schema in sorted(schemas.items()) if schema.get("properties")]
    if rows and any(operation.get("tags") for methods in document["paths"].values() for operation in methods.values()):
        yield from ("", f"## Bodies of {service}", "", "| body | fields |", "|---|---|")
        for name, schema in rows:
            fields = ", ".join(_field(field, of, schema) for field, of in schema["properties"].items())
            yield f"| `{name}` | {fields.translate(_CELL)} |"


def _field(name: str, schema: Document, of: Document) -> str:
    optional = "" if name in of.get("required", []) else "?"
    shape = _shape(schema)
    return f"`{name}{optional}`" + (f" {shape}" if shape[:1].isupper() or shape.startswith("[") else "")


def _shape(schema: Any) -> str:
    """Return the short form of a field's schema, such as `Task`, `[Task]` for a list of such objects, `list` for any
    other list, or `string or integer`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array":
        inner = _shape(schema.get("items", {}))
        return f"[{inner}]" if inner[:1].isupper() else "list"
    choices = [_shape(each) for each in schema.get("anyOf", schema.get("oneOf", [])) if each.get("type") != "null"]
    return " or ".join(dict.fromkeys(choices)) if choices else str(schema.get("type", "any"))
