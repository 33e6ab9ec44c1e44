"""Test that each service conforms to its own OpenAPI document for any request.

Requests are generated from the documents, valid and invalid ones, and sent to the running platform. No response is a
5xx, and each has a status, media type, headers and body that the document declares. Each test run generates the same
requests; `--schemathesis-examples=200` generates more.
"""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import httpx
import hypothesis
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.platform import Platform, platform

Operation = schemathesis.APIOperation[Any, Any, Any, Any]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
MOST_HEAD_BYTES = 60_000
LONG_TEXT = 1_000
"""Longer texts are not generated: Hypothesis draws at most 8 KB per request, of all its fields."""
# Destructive methods come last, so that the known ids exist until then.
ORDER = ("GET", "PATCH", "PUT", "POST", "DELETE")


@pytest.mark.timeout(2400)
async def test_every_response_conforms_to_the_openapi_document(request: pytest.FixtureRequest) -> None:
    examples = request.config.getoption("--schemathesis-examples")
    async with platform(tasks=2) as stack:
        run_id = await stack.start_run("mock-0ms")
        await stack.until_status(run_id, "FINISHED")
        known = await _known(stack, run_id)
        faults: list[str] = []
        for name, port in stack.ports.items():
            url = f"http://127.0.0.1:{port}"
            async with httpx.AsyncClient(base_url=url, timeout=90) as client:
                document = (await client.get("/openapi.json")).json()
            for operation in _operations(document):
                faults += await asyncio.to_thread(_try, name, operation, url, known, examples)
        for name, service in stack.services.items():
            # No supervisor restarts a service here, so a crash shows as an exit code.
            assert service.process is not None
            assert service.process.returncode is None, f"{name}: {service.log()[-2000:]}"
    assert not faults, "\n\n".join(faults)


async def _known(stack: Platform, run_id: str) -> dict[str, str]:
    """Return existing ids by resource, for the paths `/<resource>/{id}`."""
    tasks = await stack.get("/api/tasks", limit=1)
    items = await stack.items(run_id)
    preset = await stack.post("/api/evaluation-presets", {"name": "gated", "settings": {"max_retries": 1}})
    baseline = {"subject": {"kind": "preset", "id": preset["id"]}, "run_id": run_id}
    return {
        "baselines": (await stack.post("/api/baselines", baseline))["id"],
        "providers": stack.provider_id,
        "tasks": tasks["items"][0]["id"],
        "collections": stack.collection_id,
        "runs": run_id,
        "items": items[0]["id"],
    }


def _operations(document: dict[str, Any]) -> Iterator[Operation]:
    _drop_limits_of_patterns(document)
    schema = schemathesis.openapi.from_dict(document)
    yield from sorted(
        map(_readable, schema.get_all_operations()), key=lambda operation: ORDER.index(operation.method.upper())
    )


def _drop_limits_of_patterns(part: Any) -> None:
    """Drop `maxLength` from long texts that have a pattern too.

    Schemathesis merges the two into one regular expression such as `^[^\\x00]{0,100000}$`. Compiling it took a third of
    this test's CPU time. The generated texts are never that long.
    """
    if isinstance(part, list):
        for each in part:
            _drop_limits_of_patterns(each)
    elif isinstance(part, dict):
        if isinstance(part.get("pattern"), str) and part.get("maxLength", 0) > LONG_TEXT:
            del part["maxLength"]
        for each in part.values():
            _drop_limits_of_patterns(each)


def _readable(result: Any) -> Operation:
    """Return the operation; raise Schemathesis's error if it cannot be read from the document."""
    operation: Operation = result.ok()
    return operation


def _try(
    service: str,
    operation: Operation,
    url: str,
    known: dict[str, str],
    examples: int,
) -> list[str]:
    """Send generated requests of an operation. Return the errors found: at most one with valid requests and one with
    invalid requests."""
    faults = []
    for mode in schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE:

        @given(case=operation.as_strategy(generation_mode=mode), existing=st.booleans())
        @hypothesis.settings(
            max_examples=examples,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def keeps_to_it(case: schemathesis.Case[Any], existing: bool) -> None:
            if existing:
                _fill(case, known)
            # The server refuses longer heads before it reads all of them, so the client might get no response.
            hypothesis.assume(_head_bytes(case, url) < MOST_HEAD_BYTES)
            answer = case.call(base_url=url, timeout=90)
            case.validate_response(answer, checks=CHECKS)
            declared = operation.definition.raw["responses"]
            assert answer.status_code >= 400 or str(answer.status_code) in declared, (
                f"{answer.status_code} is announced as an error only"
            )

        try:
            keeps_to_it()
        except hypothesis.errors.Unsatisfiable:
            continue  # without parameters and body no request can be invalid
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001  # reported after all operations were tried
            faults.append(f"{service}: {operation.label} ({mode.value}): {error}")
    return faults


def _head_bytes(case: schemathesis.Case[Any], url: str) -> int:
    asked = case.as_transport_kwargs(base_url=url)
    request = requests.Request(asked["method"], asked["url"], params=asked.get("params"), headers=asked.get("headers"))
    prepared = request.prepare()
    return len(prepared.url or "") + sum(len(name) + len(value) for name, value in prepared.headers.items())


def _fill(case: schemathesis.Case[Any], known: dict[str, str]) -> None:
    """Replace the generated ids in the path and the body of a request by ids of existing objects."""
    steps = case.operation.path.strip("/").split("/")
    for before, step in itertools.pairwise(steps):
        if step.startswith("{") and before in known and case.path_parameters is not None:
            case.path_parameters[step.strip("{}")] = known[before]
    _fill_body(case.body, {f"{name.removesuffix('s')}_id": id_ for name, id_ in known.items()})


def _fill_body(part: Any, known: dict[str, str]) -> None:
    """Replace fields such as `provider_id` and `collection_ids` at any depth of the body by existing ids."""
    if isinstance(part, list):
        for each in part:
            _fill_body(each, known)
    elif isinstance(part, dict):
        for name, value in part.items():
            if name in known and isinstance(value, str):
                part[name] = known[name]
            elif name.removesuffix("s") in known and isinstance(value, list):
                part[name] = [known[name.removesuffix("s")]]
            else:
                _fill_body(value, known)
