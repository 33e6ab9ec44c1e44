"""Test that the identity service sees the client's address that a trusted proxy in front of the edge sends in a header.

If another sender sets the header, it is ignored.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI, Request, Response

from identity.requests import address_of
from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.edge import Edge, networks
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import SERVICES
from tests.servers import running

PROXY, STRANGER = "127.0.0.2", "127.0.0.3"


@asynccontextmanager
async def _upstream() -> AsyncIterator[int]:
    """Serve one fake application in the place of all services, and yield its port.

    It answers with the client's address as two services would read it: the one to which the edge forwards the request,
    and the identity service, which the edge asks before.
    """
    app = FastAPI()

    @app.get("/verify")
    async def verify(request: Request) -> Response:
        return Response(headers={"Llmbench-Principal": address_of(request)})

    @app.get("/{path:path}")
    async def see(request: Request) -> list[str]:
        return [address_of(request), request.headers.get("llmbench-principal", "not asked")]

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
        listening.close()


@asynccontextmanager
async def _edge(folder: Path, trusted: str) -> AsyncIterator[str]:
    port = free_port()
    (folder / "spa").mkdir()
    (folder / "spa" / "index.html").write_text("<!doctype html>")
    async with _upstream() as behind:
        served = Edge(
            program=script("caddy"),
            config=checkout() / "deploy" / "Caddyfile",
            spa=folder / "spa",
            state=folder / "caddy",
            log=folder / "edge.log",
            auth="on",
            trusted_proxies=networks(trusted),
        )
        spec = served.spec(port, dict.fromkeys(SERVICES, behind))
        async with running(spec):
            yield f"http://127.0.0.1:{port}"


async def _seen(url: str, path: str, forwarded: str | None, *, came_from: str) -> list[str]:
    """Send a request from an address of this machine, and return the addresses that the services see."""
    transport = httpx.AsyncHTTPTransport(local_address=came_from)
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    async with httpx.AsyncClient(base_url=url, transport=transport, timeout=90) as http:
        answer = await http.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    seen: list[str] = answer.json()
    return seen


@pytest.mark.shows("S-33")
async def test_only_a_trusted_proxy_says_who_the_client_is(tmp_path: Path) -> None:
    async with _edge(tmp_path, f"{PROXY}, 10.0.0.0/8, 2001:db8:1::/48") as url:
        for forwarded, client in (
            ("203.0.113.9", "203.0.113.9"),
            # The client has sent the first address itself: the proxy has added the second one.
            ("198.51.100.1, 203.0.113.9", "203.0.113.9"),
            # A second proxy of ours stands in between.
            ("198.51.100.1, 203.0.113.9, 10.1.2.3", "203.0.113.9"),
            ("2001:db8::9, 2001:db8:1::7", "2001:db8::9"),
            (None, PROXY),
            ("nonsense", PROXY),
        ):
            assert await _seen(url, "/api/runs", forwarded, came_from=PROXY) == [client, client], forwarded
            assert (await _seen(url, "/api/auth/session", forwarded, came_from=PROXY))[0] == client, forwarded
        for forged in ("203.0.113.9", f"203.0.113.9, {PROXY}", "10.1.2.3", "", None):
            assert await _seen(url, "/api/runs", forged, came_from=STRANGER) == [STRANGER, STRANGER], forged
            assert (await _seen(url, "/api/auth/session", forged, came_from=STRANGER))[0] == STRANGER, forged


@pytest.mark.shows("S-33")
async def test_without_trusted_proxies_the_header_is_ignored(tmp_path: Path) -> None:
    async with _edge(tmp_path, "") as url:
        for forged in ("203.0.113.9", "203.0.113.9, 127.0.0.1", None):
            assert await _seen(url, "/api/runs", forged, came_from="127.0.0.1") == ["127.0.0.1"] * 2, forged


@pytest.mark.parametrize("wrong", ["10.0.0.0/33", "bench.example.org", "10.0.0.1/8", "0.0.0.0/0", "::/0", "10.0.0.1;"])
def test_networks_that_are_none_or_everybody_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"is no network such as|is everybody"):
        networks(f"192.168.0.0/16, {wrong}")
