"""Test the protection against server-side request forgery. It checks the resolved address of each connection, not only
the host name."""

import pytest
from listener import LOOPBACK, Listener
from names import Names
from pydantic import SecretStr, ValidationError

from inference_gateway.adapters.http_client import ProviderClient
from inference_gateway.adapters.http_provider import HttpModelProvider
from inference_gateway.domain.faults import FaultKind
from inference_gateway.domain.http_call import Exchange, HttpCall
from inference_gateway.main import Settings
from llmbench.http.addresses import PRIVATE
from llmbench.http.listeners import Listeners
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench.organisation import working_for
from llmbench.service.settings import AuthMode

METADATA = "169.254.169.254"
PRIVATE_URLS = ("http://10.0.0.1/", "http://[fd00::1]/", "http://[fec0::1]/", "http://[::ffff:0:127.0.0.1]/")
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
@pytest.mark.shows("S-08")
async def test_forbidden_address_is_not_connected_to(host: str) -> None:
    async with ProviderClient() as client:
        provider = HttpModelProvider(client)
        assert_refused(await provider.read(f"http://{host}/latest/meta-data/", SECRET))
        assert_refused(await provider.complete(HttpCall(f"http://{host}:8080/v1", {}), SECRET))
        assert_refused(await provider.send(HttpCall(f"https://{host}/v1", {}), SECRET))


@pytest.mark.parametrize(
    "host", ["2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "0xa9.254.169.254"]
)
async def test_ip_address_in_an_unusual_notation_is_not_requested(host: str) -> None:
    async with ProviderClient() as client:
        exchange = await HttpModelProvider(client).read(f"http://{host}/", SECRET)
    assert exchange.fault is not None
    assert exchange.fault.kind is FaultKind.NOT_SENT


@pytest.mark.parametrize("addresses", [(METADATA,), ("::ffff:a9fe:a9fe",), (METADATA, "fe80::1")], ids=str)
async def test_host_name_of_a_forbidden_address_is_refused(addresses: tuple[str, ...]) -> None:
    async with ProviderClient(resolver=Names(addresses)) as client:
        assert_refused(await HttpModelProvider(client).read("http://metadata.example/", SECRET))


@pytest.mark.shows("I-26", "S-08")
async def test_dns_rebinding_does_not_bypass_the_address_check() -> None:
    """A name may resolve to an allowed address at first, and to a forbidden address later (DNS rebinding). The later
    connection is refused."""
    names = Names((LOOPBACK,), (METADATA,))
    async with Listener().running() as server, ProviderClient(resolver=names) as client:
        provider = HttpModelProvider(client)
        url = f"http://rebound.example:{server.port}/v1/models"
        assert (await provider.read(url, {})).status == 200
        # Another port means another connection, so the name is resolved and checked again.
        assert_refused(await provider.read(url.replace(str(server.port), str(server.port - 1)), SECRET))
    assert len(names.asked) == 2
    assert len(server.sent) == 1


async def test_only_allowed_addresses_of_a_host_name_are_used() -> None:
    names = Names((METADATA, LOOPBACK))
    async with Listener().running() as server, ProviderClient(resolver=names) as client:
        exchange = await HttpModelProvider(client).read(f"http://both.example:{server.port}/", {})
    assert exchange.status == 200


@pytest.mark.shows("S-12")
async def test_redirect_is_not_followed_and_leaks_nothing() -> None:
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


@pytest.mark.shows("S-12")
async def test_cookies_are_neither_stored_nor_sent() -> None:
    cookie = "200 OK\r\nSet-Cookie: session=of-the-first; Path=/"
    async with Listener(cookie).running() as first, Listener().running() as second, ProviderClient() as client:
        for server in (first, first, second):
            # Cookies are not bound to a port, so `second` would receive the cookie of `first`.
            exchange = await HttpModelProvider(client).read(f"http://{LOOPBACK}:{server.port}/", {})
            assert exchange.status == 200
    assert not [sent for sent in first.sent + second.sent if b"cookie" in sent.lower()]


async def test_cookies_are_not_sent_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Listener("200 OK\r\nSet-Cookie: session=of-the-first; Path=/").running() as proxy:
        monkeypatch.setenv("http_proxy", f"http://{LOOPBACK}:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        async with ProviderClient() as client:
            for port in (8001, 8001, 8002):
                exchange = await HttpModelProvider(client).read(f"http://providers.example:{port}/", {})
                assert exchange.status == 200
    assert len(proxy.sent) == 3
    assert not [sent for sent in proxy.sent if b"cookie" in sent.lower()]


@pytest.mark.parametrize("host", [LOOPBACK, "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1.2.3", "own.example"])
@pytest.mark.shows("I-27", "S-10")
async def test_listeners_of_the_platform_are_not_connected_to(host: str) -> None:
    """Providers on the loopback address are allowed, but not the platform's own listeners there."""
    async with Listener().running() as service, Listener().running() as model:
        own = Listeners([(LOOPBACK, service.port)])
        resolver = Names((LOOPBACK,)) if host == "own.example" else None
        async with ProviderClient(own=own, resolver=resolver) as client:
            provider = HttpModelProvider(client)
            for exchange in (
                await provider.read(f"http://{host}:{service.port}/api/tasks", SECRET),
                await provider.complete(HttpCall(f"http://{host}:{service.port}/api/tasks", {}), SECRET),
                await provider.send(HttpCall(f"http://{host}:{service.port}/api/tasks", {}), SECRET),
            ):
                assert exchange.fault is not None, exchange
                assert exchange.fault.kind is FaultKind.NOT_SENT
                assert "llmbench itself listens there" in exchange.fault.detail
            assert (await provider.read(f"http://{LOOPBACK}:{model.port}/v1/models", {})).status == 200
    assert not service.sent


async def test_address_of_a_platform_container_is_refused() -> None:
    """The gateway resolves the host names of the platform's own servers, and refuses providers at their addresses."""

    async def look_up(host: str, port: int) -> list[str]:
        return [LOOPBACK]

    async with Listener().running() as service:
        own = Listeners([("judge", service.port)], look_up=look_up)
        async with ProviderClient(own=own) as client:
            exchange = await HttpModelProvider(client).read(f"http://{LOOPBACK}:{service.port}/", {})
    assert exchange.fault is not None
    assert "llmbench itself listens there" in exchange.fault.detail
    assert not service.sent


async def test_platform_is_not_reached_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Listener().running() as proxy:
        monkeypatch.setenv("http_proxy", f"http://{LOOPBACK}:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        async with ProviderClient(own=Listeners([("edge", 8400)])) as client:
            exchange = await HttpModelProvider(client).read("http://edge:8400/api/tasks", SECRET)
    assert exchange.fault is not None
    assert "llmbench itself listens there" in exchange.fault.detail
    assert not proxy.sent


def settings(auth: AuthMode, private_providers: str = "") -> Settings:
    return Settings(
        nats_url="nats://127.0.0.1",
        database_url="postgresql://nobody@127.0.0.1/nothing",
        master_key=SecretStr("only-for-tests-only-for-tests-only-for-tests"),
        auth=auth,
        private_providers=private_providers,
    )


@pytest.mark.shows("S-35")
async def test_organisation_reaches_private_addresses_only_if_the_operator_allows_it() -> None:
    other, allowed = new_id(), new_id()
    names = Names((LOOPBACK,), (LOOPBACK,))
    signed_in = settings("on", f"{allowed}, ")
    async with (
        Listener().running() as server,
        ProviderClient(private_allowed=signed_in.private_allowed, resolver=names) as client,
    ):
        provider = HttpModelProvider(client)
        urls = [f"http://{host}:{server.port}/v1/models" for host in (LOOPBACK, "inside.example")]
        for org_id in (DEFAULT_ORG_ID, allowed):
            with working_for(org_id):
                assert [(await provider.read(url, {})).status for url in urls] == [200, 200]
        # A connection that is open already is not used, either.
        for forbidden in (other, None):
            with working_for(forbidden):
                refused = [await provider.read(url, SECRET) for url in (*urls, *PRIVATE_URLS)]
            for exchange in refused:
                assert exchange.fault is not None
                assert (exchange.fault.kind, exchange.fault.detail) == (FaultKind.NOT_SENT, PRIVATE)
    assert len(server.sent) == 4


@pytest.mark.parametrize(("auth", "private_providers"), [("off", ""), ("on", "all"), ("proxy", " all ")])
def test_everybody_reaches_private_addresses_without_sign_in_or_if_all_may(
    auth: AuthMode, private_providers: str
) -> None:
    with working_for(new_id()):
        assert settings(auth, private_providers).private_allowed()


def test_only_the_operator_knows_ports_where_people_sign_in() -> None:
    with working_for(new_id()):
        assert settings("off").may_know_ports()
        assert not settings("on", "all").may_know_ports()
        assert not settings("proxy").may_know_ports()
    with working_for(DEFAULT_ORG_ID):
        assert settings("on").may_know_ports()


def test_list_of_organisations_that_has_other_texts_than_ids_is_refused() -> None:
    with pytest.raises(ValidationError, match="ids of organisations"):
        settings("on", "second-team")
