"""Test that every path, the WebSocket and the reverse proxy refuse requests with a foreign host or origin.

No response allows a page of another origin to read it (CORS).
"""

import asyncio
import contextlib
import importlib
import re
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI, WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from llmbench.http.door import door
from llmbench.http.web import make_app
from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.edge import Edge
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import SERVICES
from tests.servers import running

OURS = "http://127.0.0.1:8400"
FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:8400",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "169.254.169.254",
)
FOREIGN_ORIGINS = ("http://evil.example", "null", "http://127.0.0.1:8401", "https://127.0.0.1:8400", "file://")
PREFLIGHT = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}


def service_app(name: str) -> FastAPI:
    app: FastAPI = importlib.import_module(f"{SERVICES[name]}.main").create_app()
    return app


def routes_of(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Yield method and path of all routes of a service, including health, metrics and its OpenAPI document."""
    yield from (("GET", path) for path in ("/health/live", "/health/ready", "/metrics", "/openapi.json"))
    for path, operations in app.openapi()["paths"].items():
        named = re.sub(r"\{[^}]+\}", "00000000-0000-7000-8000-000000000001", path)
        yield from ((method.upper(), named) for method in operations)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_MASTER_KEY", "only-for-tests-only-for-tests-only-for-tests")


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.shows("S-01")
async def test_every_path_of_a_service_refuses_foreign_hosts_and_origins(name: str) -> None:
    app = service_app(name)
    paths = list(routes_of(app))
    # The application is not started, so a request that passes the check fails with another error.
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=OURS) as http:
        for method, path in [*paths, ("GET", "/nothing"), ("OPTIONS", paths[0][1])]:
            assert (await http.request(method, path, headers={"host": "evil.example"})).status_code == 421, path
            answer = await http.request(method, path, headers={"origin": "http://evil.example"})
            assert (answer.status_code, cors(answer.headers)) == (403, []), (method, path)
        for host in FOREIGN_HOSTS:
            assert (await http.get("/health/live", headers={"host": host})).status_code == 421, host
        for origin in FOREIGN_ORIGINS:
            assert (await http.get("/health/live", headers={"origin": origin})).status_code == 403, origin


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.shows("S-02")
async def test_cross_site_request_that_may_change_something_is_refused(name: str) -> None:
    app = service_app(name)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=OURS) as http:
        for method, path in [*routes_of(app), ("POST", "/nothing")]:
            answer = await http.request(method, path, headers={"sec-fetch-site": "cross-site"})
            assert (answer.status_code == 403) == (method != "GET"), (method, path)
    foreign = {"host": "127.0.0.1:8400", "sec-fetch-site": "cross-site"}
    assert await _handshake(app, "/ws", foreign) == [("websocket.close", 1008)]


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.shows("S-04")
async def test_no_response_has_cors_headers(name: str) -> None:
    transport = httpx.ASGITransport(app=service_app(name), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=OURS) as http:
        for method, origin in (("GET", OURS), ("OPTIONS", OURS), ("OPTIONS", "http://evil.example")):
            answer = await http.request(method, "/health/live", headers={"origin": origin, **PREFLIGHT})
            assert not cors(answer.headers), (method, origin)


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.shows("S-01")
async def test_websocket_from_a_foreign_host_or_origin_is_refused(name: str) -> None:
    app = service_app(name)
    strangers = [("host", host) for host in FOREIGN_HOSTS] + [("origin", origin) for origin in FOREIGN_ORIGINS]
    for path in ("/ws", "/nothing"):
        for header, value in strangers:
            headers = {"host": "127.0.0.1:8400", "origin": OURS} | {header: value}
            assert await _handshake(app, path, headers) == [("websocket.close", 1008)], (path, header, value)


async def _handshake(app: FastAPI, path: str, headers: Mapping[str, str]) -> list[tuple[str, int]]:
    said: list[tuple[str, int]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        said.append((message["type"], message.get("code", 0)))

    scope = {
        "type": "websocket",
        "path": path,
        "query_string": b"",
        "subprotocols": ["v12.stomp"],
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await app(scope, receive, send)
    return said


def cors(headers: Mapping[str, str]) -> list[str]:
    return [name for name in headers if name.lower().startswith("access-control-")]


# The following tests use the edge in front of an application that checks requests as the services do.


@asynccontextmanager
async def _nothing_to_do(_: FastAPI) -> AsyncIterator[None]:
    yield


async def _ready() -> None:
    return None


@asynccontextmanager
async def upstream(origin: str) -> AsyncIterator[int]:
    """Serve a fake service, and yield its port. It checks hosts and origins as a real service does behind the edge of a
    platform that is published at `origin`."""
    asked_by = door(origins=[origin], hosts=["edge"], listens_on="0.0.0.0")
    app = make_app(title="test", door=asked_by, readiness=_ready, lifespan=_nothing_to_do)

    @app.websocket("/ws")
    async def ws(wire: WebSocket) -> None:
        await wire.accept()
        await wire.send_text("in")
        await wire.close()

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, ws="websockets-sansio", log_config=None))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
        listening.close()


@asynccontextmanager
async def edge(folder: Path, **environment: str) -> AsyncIterator[str]:
    """Run the edge in front of the fake application, and yield its URL. `environment` adds variables for it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    (folder / "spa" / "assets").mkdir(parents=True)
    (folder / "spa" / "index.html").write_text("<!doctype html>")
    async with upstream(url) as behind:
        served = Edge(
            program=script("caddy"),
            config=checkout() / "deploy" / "Caddyfile",
            spa=folder / "spa",
            state=folder / "caddy",
            log=folder / "edge.log",
        )
        spec = served.spec(port, dict.fromkeys(SERVICES, behind))
        async with running(replace(spec, env={**spec.env, **environment})):
            yield url


@pytest.mark.shows("S-01", "S-04")
async def test_edge_refuses_foreign_hosts_and_origins(tmp_path: Path) -> None:
    async with edge(tmp_path) as url, httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as http:
        port = url.rpartition(":")[2]
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", "localhost"):
            assert (await http.get("/health/judge", headers={"host": host})).status_code == 200, host
        for path in (
            "/",
            "/index.html",
            "/assets/x.js",
            "/api/runs",
            "/v1/datasets",
            "/health/judge",
            "/ws",
            "/nothing",
        ):
            for host in FOREIGN_HOSTS:
                assert (await http.get(path, headers={"host": host})).status_code == 421, (path, host)
            for method in ("GET", "OPTIONS"):
                for origin in (url, "http://evil.example"):
                    answer = await http.request(method, path, headers={"origin": origin, **PREFLIGHT})
                    assert not cors(answer.headers), (method, path, origin)
        for path in ("/api/runs", "/v1/datasets", "/health/judge", "/openapi/judge.json"):
            assert (await http.get(path, headers={"origin": "http://evil.example"})).status_code == 403, path

        page = await http.get("/")
        assert page.headers["x-frame-options"] == "DENY"
        assert "default-src 'self'" in page.headers["content-security-policy"]
        for path in (
            "/",
            "/assets/none.js",
            "/metrics",
            "/api/nothing",
            "/.env",
            "/health/judge",
            "/openapi/judge.json",
        ):
            # Responses do not name the server's software.
            assert not {"server", "via"} & set((await http.get(path)).headers), path

        for path in ("/api/runs", "/v1/datasets"):
            for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "same-site"}):
                for method in ("POST", "PUT", "DELETE"):
                    assert (await http.request(method, path, headers=headers)).status_code == 403, (method, headers)
            assert (await http.post(path, headers={"origin": url, "sec-fetch-site": "same-origin"})).status_code == 404
            assert (await http.post(path)).status_code == 404, "a program that is no browser"

        wire = url.replace("http", "ws") + "/ws"
        async with connect(wire, origin=Origin(url)) as opened:
            assert await opened.recv() == "in"
        for origin in ("http://evil.example", "null"):
            with pytest.raises(InvalidStatus) as refused:
                await connect(wire, origin=Origin(origin))
            assert refused.value.response.status_code == 403
        with pytest.raises(InvalidStatus) as misdirected:
            await connect(f"ws://evil.example:{port}/ws", host="127.0.0.1", port=int(port), origin=Origin(url))
        assert misdirected.value.response.status_code == 421


async def test_published_edge_answers_health_probes_of_any_host_name(tmp_path: Path) -> None:
    async with (
        edge(tmp_path, EDGE_BIND="0.0.0.0", EDGE_HOSTS="edge bench.example") as url,
        httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as http,
    ):
        pod = {"host": "10.42.0.17:8400"}
        assert (await http.get("/health/judge", headers=pod)).status_code == 200
        for path in ("/", "/api/runs", "/openapi/judge.json", "/health", "/ws"):
            assert (await http.get(path, headers=pod)).status_code == 421, path
        # The command line in the containers' network uses the edge's name as host. As an origin it is refused.
        assert (await http.get("/api/runs", headers={"host": "edge:8400"})).status_code == 404
        by_name = {"host": "edge:8400", "origin": "http://edge:8400"}
        assert (await http.get("/api/runs", headers=by_name)).status_code == 403


TWO_READINGS = {
    "two hosts": ("GET /api/runs HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n", 400),
    "a host within a host": ("GET /api/runs HTTP/1.1\r\nHost: evil.example@{host}\r\n\r\n", 400),
    "a host in the line": ("GET http://evil.example/api/runs HTTP/1.1\r\nHost: {host}\r\n\r\n", 421),
    "no host": ("GET /api/runs HTTP/1.0\r\n\r\n", 421),
    "two lengths": (
        "POST /api/runs HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{{}}",
        400,
    ),
    "another coding": ("POST /api/runs HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501),
}
"""Requests that the edge and a service might interpret differently, each with the status of the edge's response."""


OUT_OF_THEIR_PLACE = (
    "/api/runs/..%2f..%2fmetrics",
    "/api/tasks/../../metrics",
    "//metrics",
    "/metrics",
    "/openapi.json",
    "/health/live",
    "/assets/..%2f..%2f..%2fetc/passwd",
    "/..%5c..%5cetc/passwd",
    "/assets/%00",
)


@pytest.mark.shows("S-03")
async def test_edge_refuses_ambiguous_requests(tmp_path: Path) -> None:
    async with edge(tmp_path) as url:
        host = url.partition("//")[2]
        for name, (request, status) in TWO_READINGS.items():
            reader, writer = await asyncio.open_connection(*host.split(":"))
            writer.write(request.format(host=host).encode())
            assert int((await reader.readline()).split()[1]) == status, name
            writer.close()
        for path in OUT_OF_THEIR_PLACE:
            reader, writer = await asyncio.open_connection(*host.split(":"))
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            said = await reader.read()
            # The response is the application's page or an error, but never a file from outside its folder.
            assert said.endswith(b"<!doctype html>") or said.split()[1] in (b"400", b"404"), (path, said)
            writer.close()


async def test_edge_refuses_a_body_over_the_limit(tmp_path: Path) -> None:
    async with edge(tmp_path) as url:
        host = url.partition("//")[2]
        for path, megabytes in (("/api/tasks/import", 65), ("/v1/datasets/x/versions", 301)):
            reader, writer = await asyncio.open_connection(*host.split(":"))
            head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {megabytes}000000\r\n\r\n"
            writer.write(head.encode())
            # Send the complete body, as clients do. If a client stops sending, the edge closes the connection only
            # after a minute.
            sending = asyncio.create_task(_send_zeros(writer, megabytes))
            assert (await reader.readline()).split()[1] == b"413", path
            sending.cancel()
            writer.close()


async def _send_zeros(writer: asyncio.StreamWriter, megabytes: int) -> None:
    with contextlib.suppress(ConnectionError):
        for _ in range(megabytes):
            writer.write(bytes(1_000_000))
            await writer.drain()
