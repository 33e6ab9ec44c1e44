"""Each service's OpenAPI document: `web/openapi/<service>.json`, from which the SPA's client is made."""

import importlib
import json
from pathlib import Path

from fastapi import FastAPI

from llmbench_cli.embedded.services import SERVICES
from llmbench_cli.gen import Generated


def openapi() -> Generated:
    """Return the document of every service. Creating an application connects to nothing."""
    documents = {service: _app(package).openapi() for service, package in SERVICES.items()}
    return {
        Path("web/openapi") / f"{service}.json": json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        for service, document in documents.items()
    }


def _app(package: str) -> FastAPI:
    # By name: this package imports no service.
    app = importlib.import_module(f"{package}.main").create_app()
    assert isinstance(app, FastAPI)
    return app
