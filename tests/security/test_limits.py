"""Test that the size of all input is limited: bodies, nested JSON, request heads, messages and names."""

import asyncio
import contextlib
import importlib
import re
from collections.abc import AsyncIterator

import httpx
import nats
import pytest
from fastapi import FastAPI
from nats.errors import MaxPayloadError

from llmbench.contracts.read_call import CallRead, ReadCall
from llmbench.http.web import MAX_BODY_BYTES
from llmbench.messaging.streams import MAX_PAYLOAD_BYTES
from llmbench_cli.embedded.services import SERVICES
from tests.security.test_doors import upstream

MIB = 1024 * 1024
# The limits of files, which may be larger than other bodies. config-api and orchestrator define them.
FILES = {
    "/api/tasks/import": 20 * MIB,
    "/v1/datasets/{dataset_id}/versions": 257 * MIB,
    "/v1/datasets/check-file": 257 * MIB,
    "/v1/documents": 51 * MIB,
    "/v1/evaluations/batch": 50 * MIB,
    "/api/calibrations": 4 * MIB,
}
LARGER = {"/api/judge-checks": 50 * MIB}
"""The limits of further paths that accept larger bodies than usual."""


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_MASTER_KEY", "only-for-tests-only-for-tests-only-for-tests")


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.shows("S-13")
async def test_every_path_refuses_a_body_over_its_limit(name: str) -> None:
    app: FastAPI = importlib.import_module(f"{SERVICES[name]}.main").create_app()
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        for path, operations in app.openapi()["paths"].items():
            named = re.sub(r"\{[^}]+\}", "00000000-0000-7000-8000-000000000001", path)
            for method in operations:
                most = (FILES | LARGER).get(path, MAX_BODY_BYTES)
                headers = {"content-length": str(most + 1), "content-type": "application/json"}
                answer = await http.request(method, named, headers=headers, content=_unsent())
                assert answer.status_code == 413, (method, path)


@pytest.mark.parametrize("name", ["config-api", "orchestrator"])
@pytest.mark.shows("S-13")
async def test_every_path_refuses_json_nested_too_deeply(name: str) -> None:
    app: FastAPI = importlib.import_module(f"{SERVICES[name]}.main").create_app()
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    deep = {"content": b'{"x":' * 600 + b"1" + b"}" * 600, "headers": {"content-type": "application/json"}}
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        for path, operations in app.openapi()["paths"].items():
            named = re.sub(r"\{[^}]+\}", "00000000-0000-7000-8000-000000000001", path)
            for method, operation in operations.items():
                if "application/json" in operation.get("requestBody", {}).get("content", {}) and path not in FILES:
                    answer = await http.request(method, named, **deep)  # type: ignore[arg-type]  # named arguments
                    assert (answer.status_code, "nested more than" in answer.text) == (422, True), (method, path)


async def _unsent() -> AsyncIterator[bytes]:
    if False:
        yield b""


@pytest.mark.shows("S-13")
async def test_oversized_request_head_is_refused() -> None:
    async with upstream("http://127.0.0.1") as port:
        for head in (b"GET / HTTP/1.1\r\nX: " + b"x" * MIB, b"GET /" + b"x" * MIB):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head)
            response = b""
            # A server that closes the connection before it has read everything resets it, so its response may be lost.
            with contextlib.suppress(ConnectionError):
                response = await asyncio.wait_for(reader.read(), 90)
            assert response == b"" or response.split()[1] == b"400"
            writer.close()


async def test_message_over_the_limit_is_refused_by_the_nats_client(nats_url: str) -> None:
    client = await nats.connect(nats_url)
    try:
        assert client.max_payload <= MAX_PAYLOAD_BYTES
        with pytest.raises(MaxPayloadError):
            await client.publish("evt.x", b"x" * (MAX_PAYLOAD_BYTES + 1))
    finally:
        await client.close()


@pytest.mark.parametrize("token", ["a.b", "*", ">", "a b", "", "x" * 201, "a\nb", "é", "a\x00"])
@pytest.mark.shows("I-28", "S-16")
def test_name_that_is_no_nats_token_is_refused_as_part_of_a_subject(token: str) -> None:
    from llmbench.contracts.group_opened import GroupOpened
    from llmbench.contracts.release_model import ReleaseModel

    release = ReleaseModel.model_validate({**ReleaseModel.EXAMPLES[0], "group": token})
    with pytest.raises(ValueError, match="no token of a NATS subject"):
        release.subject()
    # The body may have any value, because it is not part of the subject.
    assert GroupOpened(group=token).subject() == "ctl.group.opened"
    assert ReadCall(call_id=release.call_id).subject() == ReadCall.SUBJECT
    assert CallRead(call_id=release.call_id, content=token).content == token
