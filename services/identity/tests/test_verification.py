"""Test the service's answers to the edge, and that its sessions and signing key survive a restart."""

import httpx
import pytest
from asgi_lifespan import LifespanManager
from identity_world import World, assert_problem
from pydantic import SecretStr
from starlette.requests import Request

from identity.main import create_app
from identity.rates import OF_ACCOUNT, Attempts
from identity.requests import address_of, cookie_of
from identity.settings import Settings
from llmbench.errors import BadSettings, LlmbenchError, Problem
from llmbench.http.identity_keys import IdentityKeys, reader
from llmbench.http.principal_token import HEADER


async def test_principal_of_the_edge_is_verified_by_the_published_keys(world: World) -> None:
    owner = await world.owner()
    verified = await owner.http.get("/verify", headers={"X-Forwarded-Method": "GET"})
    assert verified.status_code == 200

    async def fetch() -> bytes:
        return (await world.browser().http.get("/jwks")).content

    principal = await reader(IdentityKeys(fetch))(verified.headers[HEADER])
    session = await owner.session()
    assert (str(principal.person_id), principal.role) == (session["person"]["id"], "owner")


async def test_question_without_a_credential_is_answered_with_a_problem(world: World) -> None:
    stranger = world.browser().http
    assert_problem(await stranger.get("/verify"), 401)
    assert_problem(await stranger.get("/api/members"), 401)
    assert_problem(await stranger.get("/api/members", headers={HEADER: "x"}), 401)


async def test_unknown_method_counts_as_a_change(world: World) -> None:
    owner = await world.owner()
    for method in ("POST", "PUT", "PATCH", "DELETE", "post", "BREW"):
        assert_problem(await owner.http.get("/verify", headers={"X-Forwarded-Method": method}), 403)
    for method in ("GET", "HEAD", "OPTIONS"):
        assert (await owner.http.get("/verify", headers={"X-Forwarded-Method": method})).status_code == 200


async def test_restart_keeps_sessions_and_signing_key(world: World, settings: Settings) -> None:
    owner = await world.owner()
    before = (await owner.http.get("/jwks")).json()
    app = create_app(settings)
    async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager:
        transport = httpx.ASGITransport(app=manager.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as again:
            while (await again.get("/health/ready")).status_code != 200:
                continue
            assert (await again.get("/jwks")).json() == before
            again.cookies = owner.http.cookies
            assert (await again.get("/api/auth/session")).json()["signed_in"] is True


async def test_other_master_key_stops_the_start(world: World, settings: Settings) -> None:
    changed = settings.model_copy(update={"master_key": SecretStr("another master key 0123456789012345")})
    with pytest.raises(LlmbenchError):
        async with LifespanManager(create_app(changed), startup_timeout=240):
            pass


async def test_superuser_login_stops_the_start(settings: Settings, postgres_url: str) -> None:
    """The service refuses to start with a superuser's login of the database. Row-level security does not apply to a
    superuser, so the service would see the data of all organisations."""
    changed = settings.model_copy(update={"database_url": postgres_url})
    with pytest.raises(BadSettings, match="superuser"):
        async with LifespanManager(create_app(changed), startup_timeout=240):
            pass


def request(host: str, **headers: str) -> Request:
    listed = [
        (b"host", host.encode()),
        *((name.replace("_", "-").encode(), each.encode()) for name, each in headers.items()),
    ]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": listed, "scheme": "http", "client": None})


@pytest.mark.parametrize("host", ["127.0.0.1:8400", "localhost:8400", "[::1]:8400"])
def test_cookie_on_loopback_needs_no_tls(host: str) -> None:
    assert (cookie_of(request(host)).name, cookie_of(request(host)).secure) == ("llmbench-session", False)


@pytest.mark.parametrize(
    "host", ["bench.example.org", "10.0.0.7:8400", "127.0.0.1.evil.example", "localhost.evil.example"]
)
def test_cookie_beyond_loopback_is_bound_to_host_and_tls(host: str) -> None:
    assert (cookie_of(request(host)).name, cookie_of(request(host)).secure) == ("__Host-llmbench-session", True)


def test_address_is_the_one_that_the_edge_saw() -> None:
    assert address_of(request("localhost", x_forwarded_for="6.6.6.6, 203.0.113.9")) == "203.0.113.9"
    assert address_of(request("localhost")) == ""


def test_attempts_return_with_time_and_neighbours_do_not_suffer() -> None:
    seconds = [0.0]
    attempts = Attempts(clock=lambda: seconds[0])
    for _ in range(OF_ACCOUNT.size):
        attempts.take("203.0.113.9", "ada")
    with pytest.raises(Problem):
        attempts.take("203.0.113.9", "ada")
    attempts.take("203.0.113.9", "bob")
    attempts.take("198.51.100.1", "ada")
    seconds[0] += OF_ACCOUNT.refill_s
    attempts.take("203.0.113.9", "ada")


def test_addresses_of_one_ipv6_household_share_their_attempts() -> None:
    attempts = Attempts(clock=lambda: 0.0)
    for number in range(OF_ACCOUNT.size):
        attempts.take(f"2001:db8::{number:x}", "ada")
    with pytest.raises(Problem):
        attempts.take("2001:db8::ffff", "ada")
    attempts.take("2001:db8:0:1::1", "ada")
