"""Generate each service's OpenAPI document, from which the web application's API client is generated.

`web/openapi/llmbench.json` combines the documents of all services; the edge shows it at `/docs/api`.
"""

import importlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from llmbench_cli.embedded.services import SERVICES
from tools.gen import Generated

Document = dict[str, Any]
_REFERENCE = "#/components/schemas/"


def openapi() -> Generated:
    """Return the text of each service's document, `web/openapi/<service>.json`, and of the combined document."""
    return {
        Path("web/openapi") / f"{name}.json": json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        for name, document in {**documents(), "llmbench": merged(documents())}.items()
    }


@cache
def documents() -> dict[str, Document]:
    """Return the OpenAPI document of each service, by the service's name. No service is started."""
    return {service: _app(package).openapi() for service, package in SERVICES.items()}


def _app(package: str) -> FastAPI:
    # Import the module by its name: a static import would make this package depend on a service.
    app = importlib.import_module(f"{package}.main").create_app()
    assert isinstance(app, FastAPI)
    return app


def merged(documents: dict[str, Document]) -> Document:
    """Return one document with the paths and schemas of all services. `documents` maps the name of each service to its
    document.

    If a later service defines a schema of the same name differently, the name of its schema gets a prefix: the name of
    the service.
    """
    combined: Document = {
        "openapi": next(iter(documents.values()))["openapi"],
        "info": {
            "title": "llmbench",
            "version": "v1",
            "description": "Every HTTP API behind the edge. Errors are `application/problem+json` (RFC 9457): `detail` "
            "says what to do, `errors` names the fields at fault.",
        },
        "paths": {},
        "components": {"schemas": {}},
    }
    schemas = combined["components"]["schemas"]
    for service, document in documents.items():
        own = document.get("components", {}).get("schemas", {})
        prefix = "".join(part.capitalize() for part in service.split("-"))
        renamed = {name: f"{prefix}{name}" for name, schema in own.items() if schemas.get(name, schema) != schema}
        schemas |= {renamed.get(name, name): _pointing(schema, renamed) for name, schema in own.items()}
        combined["paths"] |= _pointing(document["paths"], renamed)
    return combined


def _pointing(part: Any, renamed: dict[str, str]) -> Any:
    """Return this part of a document with its references to renamed schemas updated. `renamed` maps old names to new
    names."""
    if isinstance(part, list):
        return [_pointing(each, renamed) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        name: _REFERENCE + renamed.get(value.removeprefix(_REFERENCE), value.removeprefix(_REFERENCE))
        if name == "$ref" and isinstance(value, str)
        else _pointing(value, renamed)
        for name, value in part.items()
    }
