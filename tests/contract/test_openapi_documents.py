"""Test that the OpenAPI documents are valid, limit the values of every parameter, and declare each error by its
status."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

FOLDER = Path(__file__).parents[2] / "web" / "openapi"
DOCUMENTS = sorted(FOLDER.glob("*.json"))
EVERYWHERE = {"403", "421", "422", "500", "503"}


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text())
    return document


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_document_is_valid_openapi(path: Path) -> None:
    faults = [
        f"{list(fault.absolute_path)}: {fault.message}" for fault in OpenAPIV31SpecValidator(_read(path)).iter_errors()
    ]
    assert not faults


def _operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, operations in _read(FOLDER / "llmbench.json")["paths"].items():
        for method, operation in operations.items():
            yield f"{method.upper()} {path}", operation


def test_combined_document_has_the_paths_of_all_services() -> None:
    paths = {path for document in DOCUMENTS for path in _read(document)["paths"]}
    assert set(_read(FOLDER / "llmbench.json")["paths"]) == paths


def test_each_operation_declares_its_errors_by_status() -> None:
    for name, operation in _operations():
        declared = operation["responses"]
        assert "default" not in declared, name
        assert declared.keys() >= EVERYWHERE, name
        if "{" in name:
            assert "404" in declared, name
        if "requestBody" in operation:
            assert declared.keys() >= {"400", "413", "415"}, name
        for status, response in declared.items():
            if status >= "400":
                assert list(response["content"]) == ["application/problem+json"], (name, status)


def test_each_parameter_is_bounded() -> None:
    unbounded = [
        f"{name}: {parameter['name']}"
        for name, operation in _operations()
        for parameter in operation.get("parameters", ())
        for schema in _choices(parameter["schema"])
        if not _is_bounded(schema)
    ]
    assert not unbounded


def _choices(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    inner = schema.get("anyOf") or schema.get("oneOf")
    if inner is None:
        yield schema
    for each in inner or ():
        yield from _choices(each)


def _is_bounded(schema: dict[str, Any]) -> bool:
    match schema.get("type"):
        case "array":
            return "maxItems" in schema and _is_bounded(schema["items"])
        case "string":
            return bool({"maxLength", "enum", "const", "format", "pattern"} & schema.keys())
        case "integer" | "number":
            low, high = {"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}
            return bool(low & schema.keys() and high & schema.keys())
    return True
