"""Test that no parameter value of any operation leads to a 500: a value out of bounds is the client's fault, and gets a
4xx.

The OpenAPI documents list the parameters. Each request gives one parameter a hostile value, and all other parameters
valid values. An id, a bounded integer, a boolean or a word of a list gets only three hostile values, because one parser
reads all such parameters and refuses every hostile value. With `--every-cell` these parameters get all values, too.
"""

import asyncio
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest

from tests.platform import platform

DOCUMENT = Path(__file__).parents[2] / "web" / "openapi" / "llmbench.json"
SOME_ID = "0198c0de-0000-7000-8000-000000000000"
HOSTILE: tuple[str | bytes, ...] = (
    "9999-12-31T23:59:59-23:00",
    "0001-01-01T00:00:00+23:00",
    "nan",
    "-inf",
    "1e999",
    "9" * 400,
    "-1",
    "2147483648",
    "9223372036854775808",
    "\x00",
    b"\xed\xa0\x80",
    "a" * 3000,
    "🦄'\"%;--",
    "null",
    "[]",
    "W10",
    " ",
)
VALUES_OF_A_CLOSED_TYPE = 3
LEAST_HOSTILE = 2**31
"""The smallest hostile integer above 0."""
AT_ONCE = 8


def _requests(*, every: bool) -> Iterator[tuple[str, str, str, dict[str, str], Any]]:
    """Yield requests that each have one hostile value in one parameter: name, method, URL, headers and body. Without
    `every`, parameters that accept no free text get only a few of the values."""
    in_turn = itertools.cycle(HOSTILE)
    document = json.loads(DOCUMENT.read_text())
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parameters = operation.get("parameters", [])
            body: Any = {} if "requestBody" in operation else None
            for tried in parameters:
                few = not every and _is_closed(tried["schema"], document)
                for value in itertools.islice(in_turn, VALUES_OF_A_CLOSED_TYPE) if few else HOSTILE:
                    if tried["in"] == "header" and not _is_header(value):
                        continue
                    needed = {parameter["name"]: SOME_ID for parameter in parameters if parameter.get("required")}
                    url, headers = _placed(path, parameters, needed | {tried["name"]: value})
                    yield f"{method.upper()} {path} {tried['name']}={value[:40]!r}", method, url, headers, body


def _is_closed(schema: dict[str, Any], document: dict[str, Any]) -> bool:
    """Return whether the schema alone refuses every hostile value, so that no endpoint gets one."""
    if "$ref" in schema:
        return _is_closed(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document)
    if "anyOf" in schema:
        return all(_is_closed(part, document) for part in schema["anyOf"])
    if schema.get("type") == "array":
        return _is_closed(schema["items"], document)
    if schema.get("type") == "integer":
        return bool(schema.get("minimum", -1) >= 0 and schema.get("maximum", LEAST_HOSTILE) < LEAST_HOSTILE)
    return "enum" in schema or schema.get("format") == "uuid" or schema.get("type") in ("boolean", "null")


def _is_header(value: str | bytes) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable() and value.isascii()


def _placed(path: str, parameters: list[dict[str, Any]], given: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the URL and the headers of a request that has the given values as parameters."""
    query: dict[str, Any] = {}
    headers: dict[str, str] = {}
    for parameter in parameters:
        name = parameter["name"]
        if name not in given:
            continue
        if parameter["in"] == "path":
            path = path.replace(f"{{{name}}}", quote(given[name], safe=""))
        elif parameter["in"] == "query":
            query[name] = given[name]
        else:
            headers[name] = given[name]
    return f"{path}?{urlencode(query)}" if query else path, headers


@pytest.mark.timeout(1200)
async def test_no_parameter_value_causes_a_server_error(request: pytest.FixtureRequest) -> None:
    made = _requests(every=request.config.getoption("--every-cell"))
    async with platform(tasks=1) as stack, httpx.AsyncClient(base_url=stack.url, timeout=90) as client:
        places = asyncio.Semaphore(AT_ONCE)

        async def fault(shown: str, method: str, url: str, headers: dict[str, str], body: Any) -> str | None:
            async with places:
                answer = await client.request(method, url, headers=headers, json=body)
            return f"{shown}: {answer.status_code} {answer.text[:200]}" if answer.status_code >= 500 else None

        found = await asyncio.gather(*(fault(*each) for each in made))
    faults = [fault for fault in found if fault is not None]
    assert not faults, "\n".join(faults[:20])
