"""Whom the gateway connects to: the address itself is looked at, whatever the name stood for a moment ago."""

import pytest
from listener import LOOPBACK, Listener
from names import Names

from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.domain.faults import FaultKind
from inference_gateway.domain.http_call import Exchange, HttpCall

METADATA = "169.254.169.254"
SECRET = {"Authorization": "Bearer sk-test-4f9c2b7a1e8d3065"}


def assert_refused(exchange: Exchange) -> None:
    assert exchange.fault is not None, exchange
    assert exchange.fault.kind is FaultKind.NOT_SENT
    assert "LLMBENCH_LINK_LOCAL_PROVIDERS" in exchange.fault.detail


@pytest.mark.parametrize(
    "host",
    [
        *(METADATA, f"{METADATA}.", "[::ffff:169.254.169.254]", "[fe80::1]", "[64:ff9b::a9fe:a9fe]"),
        *("[2002:a9fe:a9fe::]", "[fd00:ec2::254]", "100.100.100.200", "168.63.129.16", "[::169.254.169.254]"),
    ],
)
async def test_an_address_that_is_refused_is_not_even_connected_to(host: str) -> None:
    async with ProviderClient() as client:
        provider = HttpModelProvider(client)
        assert_refused(await provider.read(f"http://{host}/latest/meta-data/", SECRET))
        assert_refused(await provider.complete(HttpCall(f"http://{host}:8080/v1", {}), SECRET))
        assert_refused(await provider.send(HttpCall(f"https://{host}/v1", {}), SECRET))


@pytest.mark.parametrize(
    "host", ["2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "0xa9.254.169.254"]
)
async def test_an_address_in_another_spelling_is_no_address(host: str) -> None:
    async with ProviderClient() as client:
        exchange = await HttpModelProvider(client).read(f"http://{host}/", SECRET)
    assert exchange.fault is not None
    assert exchange.fault.kind is FaultKind.NOT_SENT


@pytest.mark.parametrize("addresses", [(METADATA,), ("::ffff:a9fe:a9fe",), (METADATA, "fe80::1")], ids=str)
async def test_a_name_is_refused_for_its_address(addresses: tuple[str, ...]) -> None:
    async with ProviderClient(resolver=Names(addresses)) as client:
        assert_refused(await HttpModelProvider(client).read("http://metadata.example/", SECRET))


async def test_a_name_that_changes_its_address_does_not_get_past_the_look() -> None:
    """DNS rebinding: first a server that may be called, then one that may not."""
    names = Names((LOOPBACK,), (METADATA,))
    async with Listener().running() as server, ProviderClient(resolver=names) as client:
        provider = HttpModelProvider(client)
        url = f"http://rebound.example:{server.port}/v1/models"
        assert (await provider.read(url, {})).status == 200
        # Another port is another connection, and so is another look at the name.
        assert_refused(await provider.read(url.replace(str(server.port), str(server.port - 1)), SECRET))
    assert len(names.asked) == 2
    assert len(server.sent) == 1


async def test_of_several_addresses_only_one_that_may_be_called_is() -> None:
    names = Names((METADATA, LOOPBACK))
    async with Listener().running() as server, ProviderClient(resolver=names) as client:
        exchange = await HttpModelProvider(client).read(f"http://both.example:{server.port}/", {})
    assert exchange.status == 200


async def test_a_redirect_carries_nothing_to_anybody() -> None:
    async with Listener().running() as second:
        for to in (f"http://{LOOPBACK}:{second.port}/", f"http://{METADATA}/latest/"):
            async with Listener(f"302 Found\r\nLocation: {to}").running() as first, ProviderClient() as client:
                url = f"http://{LOOPBACK}:{first.port}/v1"
                for exchange in (
                    await HttpModelProvider(client).read(url, SECRET),
                    await HttpModelProvider(client).complete(HttpCall(url, {}), SECRET),
                ):
                    assert exchange.status == 302
                assert len(first.sent) == 2
    assert not second.sent


async def test_a_cookie_of_one_provider_reaches_no_other() -> None:
    cookie = "200 OK\r\nSet-Cookie: session=of-the-first; Path=/"
    async with Listener(cookie).running() as first, Listener().running() as second, ProviderClient() as client:
        for server in (first, first, second):
            # Cookies know no ports: on the same host another port is the same to them.
            exchange = await HttpModelProvider(client).read(f"http://{LOOPBACK}:{server.port}/", {})
            assert exchange.status == 200
    assert not [sent for sent in first.sent + second.sent if b"cookie" in sent.lower()]


async def test_nor_does_it_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Listener("200 OK\r\nSet-Cookie: session=of-the-first; Path=/").running() as proxy:
        monkeypatch.setenv("http_proxy", f"http://{LOOPBACK}:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        async with ProviderClient() as client:
            for port in (8001, 8001, 8002):
                exchange = await HttpModelProvider(client).read(f"http://providers.example:{port}/", {})
                assert exchange.status == 200
    assert len(proxy.sent) == 3
    assert not [sent for sent in proxy.sent if b"cookie" in sent.lower()]
