"""Test the requests that the HTTP client sends: headers, credentials in the URL, proxies."""

import asyncio
import base64
from collections.abc import Mapping
from pathlib import Path

import pytest
from listener import LOOPBACK, Listener
from names import Names
from self_signed import self_signed

from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.domain.faults import FaultKind
from inference_gateway.domain.http_call import Exchange, HttpCall


async def _send(url: str, headers: Mapping[str, str]) -> Exchange:
    async with ProviderClient() as client:
        return await HttpModelProvider(client).send(HttpCall(url, {}), headers)


async def test_providers_header_replaces_the_default_in_any_case() -> None:
    async with Listener().running() as server:
        sent = {"content-TYPE": "application/vnd.vendor+json", "accept-encoding": "gzip", "X-Team": "Zürich"}
        assert (await _send(f"http://{LOOPBACK}:{server.port}/", sent)).status == 200
        assert server.header("content-type") == ["application/vnd.vendor+json"]
        assert server.header("accept-encoding") == ["gzip"]
        assert server.header("user-agent") == ["llmbench"]
        assert server.header("x-team") == ["Zürich"]


@pytest.mark.parametrize(("name", "value"), [("X-Key", "Ключ"), ("X-Key", "a\r\nX-Injected: 1"), ("X-Ключ", "a")])
async def test_invalid_header_is_not_sent(name: str, value: str) -> None:
    async with Listener().running() as server:
        exchange = await _send(f"http://{LOOPBACK}:{server.port}/", {name: value})
    assert exchange.fault is not None
    assert exchange.fault.kind is FaultKind.NOT_SENT
    assert exchange.fault.detail == "its URL or one of its headers cannot be sent as it is"
    assert not server.sent


async def test_credentials_in_a_url_become_the_only_authorization_header() -> None:
    async with Listener().running() as server:
        url = f"http://us%65r:p%40ss%C3%A9@{LOOPBACK}:{server.port}/v1"
        assert (await _send(url, {"authorization": "Bearer sk"})).status == 200
        assert server.header("authorization") == ["Basic " + base64.b64encode("user:p@ssé".encode()).decode()]
        assert b"p%40ss" not in server.sent[0]


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("/v1/models/llama3%3A8b/chat", "/v1/models/llama3%3A8b/chat"),
        ("/v1/models/llama3:8b", "/v1/models/llama3:8b"),
        ("/a%2Fb/c%7e?x=a%20b&y=1+2%2B3", "/a%2Fb/c%7e?x=a%20b&y=1+2%2B3"),
        ("/c d/ü?x=ü&z={q}", "/c%20d/%C3%BC?x=%C3%BC&z=%7Bq%7D"),
        ("?api-version=2024-10-21", "/?api-version=2024-10-21"),
        ("", "/"),
    ],
)
async def test_path_and_query_are_sent_unchanged(written: str, sent: str) -> None:
    async with Listener().running() as server:
        assert (await _send(f"http://{LOOPBACK}:{server.port}{written}", {})).status == 200
    assert server.sent[0].split()[1].decode() == sent


@pytest.mark.parametrize(
    "url", ["v1/chat", "//127.0.0.1/v1", "ftp://127.0.0.1/v1", "http:///v1", "http://127.0.0.1:99999/v1", ""]
)
async def test_invalid_provider_url_is_not_requested(url: str) -> None:
    exchange = await _send(url, {})
    assert exchange.fault is not None
    assert exchange.fault.kind is FaultKind.NOT_SENT
    assert exchange.fault.detail


async def test_host_name_keeps_its_final_dot() -> None:
    """The resolver gets a host name with its final dot. Without the dot, it would also try its search domains."""
    names = Names((LOOPBACK,))
    async with Listener().running() as server, ProviderClient(resolver=names) as client:
        exchange = await HttpModelProvider(client).read(f"http://svc.cluster.local.:{server.port}/", {})
    assert exchange.status == 200
    assert names.asked == ["svc.cluster.local."]
    assert server.header("host")[0].startswith("svc.cluster.local")


async def test_password_of_a_proxy_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Listener().running() as proxy:
        monkeypatch.setenv("https_proxy", f"http://user:s3cret@{LOOPBACK}:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        exchange = await _send("https://providers.example/v1", {})
    assert exchange.fault is not None
    assert "s3cret" not in str(exchange)
    assert proxy.header("proxy-authorization") == ["Basic " + base64.b64encode(b"user:s3cret").decode()]


async def test_ipv6_address_keeps_its_brackets() -> None:
    server = await asyncio.start_server(lambda *_: None, "::1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    exchange = await _send(f"http://[::1]:{port}/v1", {})
    assert exchange.fault is not None
    assert exchange.fault.kind is FaultKind.REFUSED


async def test_undecodable_response_header_is_replaced() -> None:
    async with Listener("200 OK\r\nRetry-After: \xff3").running() as server:
        exchange = await _send(f"http://{LOOPBACK}:{server.port}/", {})
    assert exchange.status == 200
    assert exchange.headers["retry-after"] == "?3"


@pytest.mark.parametrize(
    ("url", "no_proxy", "by_proxy"),
    [
        ("http://providers.example/v1", "", True),
        ("http://providers.example/v1", "other.example", True),
        ("http://api.providers.example/v1", "providers.example", False),
        ("http://providers.example/v1", "*", False),
        ("http://localhost/v1", "", False),
        ("http://[::1]/v1", "", False),
    ],
)
async def test_proxy_of_the_environment_is_used_unless_excluded(
    monkeypatch: pytest.MonkeyPatch, url: str, no_proxy: str, by_proxy: bool
) -> None:
    async with Listener().running() as proxy, Listener().running() as unused:
        monkeypatch.setenv("http_proxy", f"{LOOPBACK}:{proxy.port}")
        monkeypatch.setenv("no_proxy", no_proxy)
        # A request that should not use the proxy fails: port 9 has no listener, or the name does not resolve.
        exchange = await _send(url.replace("/v1", f":{unused.port if by_proxy else 9}/v1"), {})
    assert (exchange.status == 200) is by_proxy
    assert [sent.split()[1] for sent in proxy.sent] == ([_proxied_url(url, unused.port)] if by_proxy else [])
    assert not unused.sent


def _proxied_url(url: str, port: int) -> bytes:
    return url.replace("/v1", f":{port}/v1").encode()


async def test_certificate_authority_can_be_set_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with Listener().running(self_signed(tmp_path)) as server:
        url = f"https://{LOOPBACK}:{server.port}/"
        unknown = await _send(url, {})
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        known = await _send(url, {})
    assert unknown.fault is not None
    assert unknown.fault.kind is FaultKind.TLS
    assert known.status == 200
