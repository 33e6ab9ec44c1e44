"""Test the HTTP application of every service: problems, health, limits, and the host and origin check."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Annotated

import httpx
import pytest
from fastapi import FastAPI, Query, WebSocket
from pydantic import BaseModel, field_validator

from llmbench.errors import FieldError, Problem
from llmbench.http.door import door
from llmbench.http.openapi import PROBLEM_TYPE
from llmbench.http.web import make_app

LIMIT = 1000
# A proxy may read a different host name from such a header than the service does.
ODD_HOSTS = (
    "localhost@evil.example",
    "[::1",
    "evil@127.0.0.1",
    "127.0.0.1/.evil.example",
    "127.0.0.1#evil",
    "127.0.0.1:80:80",
    "127.0.0.1 evil",
)


class Order(BaseModel):
    lines: list["Line"]


class Line(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def _odd(cls, number: int) -> int:
        if number % 2 == 0:
            raise ValueError("must be odd")
        return number


@asynccontextmanager
async def _no_lifespan(_: FastAPI) -> AsyncIterator[None]:
    yield


def _app(lacking: str | None = None, listens_on: str = "127.0.0.1") -> FastAPI:
    async def readiness() -> str | None:
        return lacking

    app = make_app(
        title="test",
        door=door(origins=["https://bench.example"], hosts=["edge"], listens_on=listens_on),
        readiness=readiness,
        lifespan=_no_lifespan,
        max_body_bytes=LIMIT,
    )

    @app.post("/orders")
    async def create_order(order: Order, limit: Annotated[int, Query(le=5)] = 1) -> Order:
        return order

    @app.get("/conflict")
    async def conflict() -> None:
        fault = FieldError("name", "is taken")
        raise Problem(409, "Taken", "It is taken.", errors=[fault], extra={"active_run_id": "7"})

    @app.post("/full")
    async def full() -> None:
        raise Problem(507, "The disk is full", "No room is left.")

    @app.get("/broken")
    async def broken() -> None:
        raise RuntimeError("a secret detail")

    @app.websocket("/ws")
    async def ws(socket: WebSocket) -> None:
        await socket.accept()

    return app


@pytest.fixture
async def api() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8400") as client:
        yield client


def _fields(answer: httpx.Response, status: int) -> list[str]:
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM_TYPE)
    body = answer.json()
    assert (body["status"], body["type"]) == (status, "about:blank")
    assert body["title"]
    assert body["detail"]
    return [error["field"] for error in body.get("errors", [])]


async def test_problem_has_its_fields_and_extra_members(api: httpx.AsyncClient) -> None:
    answer = await api.get("/conflict")
    assert _fields(answer, 409) == ["name"]
    assert answer.json()["active_run_id"] == "7"


async def test_invalid_input_is_named_by_dotted_paths(api: httpx.AsyncClient) -> None:
    answer = await api.post("/orders", json={"lines": [{"number": 1}, {"number": "x"}, {"number": 2}]})
    assert _fields(answer, 422) == ["lines.1.number", "lines.2.number"]
    assert answer.json()["errors"][1]["message"] == "must be odd"
    assert _fields(await api.post("/orders?limit=9", json={"lines": []}), 422) == ["limit"]


async def test_unknown_query_parameter_is_refused_with_the_known_ones(api: httpx.AsyncClient) -> None:
    answer = await api.post("/orders?limti=1&x=2", json={"lines": []})
    assert _fields(answer, 422) == ["limti", "x"]
    messages = [error["message"] for error in answer.json()["errors"]]
    assert messages == [
        "there is no parameter 'limti' here; did you mean 'limit'?",
        "there is no parameter 'x' here; there is 'limit'",
    ]
    assert _fields(await api.get("/conflict?q=1"), 422) == ["q"]
    assert (await api.get("/health/live?probe=1")).status_code == 200


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "json", None])
async def test_body_of_another_content_type_is_a_415_with_an_example(
    api: httpx.AsyncClient, content_type: str | None
) -> None:
    headers = {"content-type": content_type} if content_type else {}
    answer = await api.post("/orders", content=b'{"lines": []}', headers=headers)
    _fields(answer, 415)
    assert "curl -H 'Content-Type: application/json'" in answer.json()["detail"]
    assert (content_type or "no Content-Type") in answer.json()["detail"]
    for json in ("application/json; charset=utf-8", "application/vnd.x+json"):
        answer = await api.post("/orders", content=b'{"lines": []}', headers={"content-type": json})
        assert answer.status_code == 200


async def test_body_that_is_not_json_is_a_400(api: httpx.AsyncClient) -> None:
    for body in (b"nope", b"\xff", b"[" * 40):
        answer = await api.post("/orders", content=body, headers={"content-type": "application/json"})
        assert _fields(answer, 400) == []


async def test_unknown_path_is_a_404_and_unknown_method_a_405(api: httpx.AsyncClient) -> None:
    _fields(await api.get("/nothing"), 404)
    answer = await api.get("/orders")
    _fields(answer, 405)
    assert answer.headers["allow"] == "POST"


async def test_unexpected_error_is_logged_and_hides_its_details(
    api: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await api.get("/broken")
    _fields(answer, 500)
    assert "secret" not in answer.text
    assert "a secret detail" in caplog.text


async def test_body_over_the_limit_is_a_413(api: httpx.AsyncClient) -> None:
    def in_parts() -> Iterator[bytes]:
        for _ in range(LIMIT):
            yield b" " * 10

    async def parts() -> AsyncIterator[bytes]:
        for part in in_parts():
            yield part

    json = {"content-type": "application/json"}
    _fields(await api.post("/orders", content=b" " * (LIMIT + 1), headers=json), 413)
    _fields(await api.post("/orders", content=parts(), headers=json), 413)
    _fields(await api.post("/orders", content=b"{}", headers={**json, "content-length": "-1"}), 413)
    exactly = b'{"lines": []}'.ljust(LIMIT)
    assert (await api.post("/orders", content=exactly, headers=json)).status_code == 200


@pytest.mark.parametrize(
    ("path", "headers", "status", "parts_read"),
    [("/full", {}, 507, 20), ("/orders", {}, 413, 11), ("/full", {"expect": "100-continue"}, 507, 0)],
)
async def test_rest_of_the_body_is_read_before_an_error_response(
    api: httpx.AsyncClient, path: str, headers: dict[str, str], status: int, parts_read: int
) -> None:
    read = 0

    async def parts() -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(20):
            read += 1
            yield b" " * (LIMIT // 10)

    _fields(await api.post(path, content=parts(), headers={"content-type": "application/json", **headers}), status)
    assert read == parts_read


@pytest.mark.parametrize("depth", [51, 600, 990])
async def test_json_nested_too_deeply_is_refused(api: httpx.AsyncClient, depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    for headers in ({"content-type": "application/json"}, {"content-type": "application/vnd.x+json"}, {}):
        for body in (nested, nested.decode().encode("utf-16-le")):
            answer = await api.post("/orders", content=body[:LIMIT], headers=headers)
            _fields(answer, 422)
            assert answer.json()["detail"] == "The body is nested more than 50 deep."
    fifty = b"[" * 50 + b"]" * 50
    assert "nested" not in (await api.post("/orders", content=fifty)).text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8400", "[::1]:1", "LOCALHOST", "bench.example"])
async def test_own_hosts_are_answered(api: httpx.AsyncClient, host: str) -> None:
    assert (await api.get("/health/live", headers={"host": host})).json() == {"status": "live"}


@pytest.mark.parametrize(
    "host", ["evil.example", "", "127.0.0.1.evil.example", "localhost@evil.example", "[::1", *ODD_HOSTS]
)
async def test_foreign_host_is_refused(api: httpx.AsyncClient, host: str) -> None:
    _fields(await api.get("/health/live", headers={"host": host}), 421)


@pytest.mark.shows("S-01")
async def test_request_with_several_hosts_or_origins_is_refused(api: httpx.AsyncClient) -> None:
    for hosts in (("127.0.0.1", "evil.example"), ("evil.example", "127.0.0.1")):
        _fields(await api.get("/health/live", headers=[("host", host) for host in hosts]), 421)
    for origins in (("https://bench.example", "null"), ("null", "https://bench.example")):
        _fields(await api.get("/health/live", headers=[("origin", origin) for origin in origins]), 403)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "https://bench.example.evil.example"])
async def test_foreign_origin_is_refused(api: httpx.AsyncClient, origin: str) -> None:
    _fields(await api.get("/health/live", headers={"origin": origin}), 403)
    ours = await api.get("/health/live", headers={"origin": "https://bench.example"})
    assert ours.status_code == 200


async def test_foreign_websocket_is_closed_before_it_opens() -> None:
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def receive() -> dict[str, object]:
        return {"type": "websocket.connect"}

    headers = [(b"host", b"127.0.0.1"), (b"origin", b"https://evil.example")]
    scope = {"type": "websocket", "path": "/ws", "headers": headers, "query_string": b"", "subprotocols": []}
    await _app()(scope, receive, send)  # type: ignore[arg-type]
    assert [(message["type"], message.get("code")) for message in sent] == [("websocket.close", 1008)]


async def test_readiness_names_what_is_missing() -> None:
    transport = httpx.ASGITransport(app=_app("NATS does not answer."))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/health/ready")
        _fields(answer, 503)
        assert answer.json()["detail"] == "NATS does not answer."
        assert (await client.get("/health/live")).status_code == 200


def test_openapi_document_declares_problems_as_they_are_sent() -> None:
    document = _app().openapi()
    order = document["paths"]["/orders"]["post"]
    assert order["operationId"] == "create_order"
    reference = {"schema": {"$ref": "#/components/schemas/ProblemBody"}}
    declared = {status: response["content"] for status, response in order["responses"].items()}
    assert sorted(declared) == ["200", "400", "401", "403", "413", "415", "421", "422", "500", "503"]
    assert all(content == {PROBLEM_TYPE: reference} for status, content in declared.items() if status >= "400")
    looking = document["paths"]["/conflict"]["get"]["responses"]
    assert sorted(looking) == ["200", "401", "403", "421", "422", "500", "503"]
