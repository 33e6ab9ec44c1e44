"""Test which addresses lead to the platform's own listeners."""

import socket
from collections.abc import Sequence

import pytest

from llmbench.http.listeners import FRESH_S, Listeners, places
from llmbench.service.settings import DatabaseSettings

LOOPBACKS = ("127.0.0.1", "127.0.0.2", "::1", "0.0.0.0", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "::127.0.0.1")


class Names:
    """A fake name server that records queries and whose answers can be changed."""

    def __init__(self, **found: Sequence[str]) -> None:
        self.found = found
        self.asked: list[str] = []

    async def look_up(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if host not in self.found:
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return self.found[host]


class Clock:
    """A clock that only the test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "LOCALHOST.", "0.0.0.0", "::"])
@pytest.mark.parametrize("called", LOOPBACKS)
def test_loopback_is_own_in_every_notation(host: str, called: str) -> None:
    own = Listeners([(host, 8400)])
    assert own.has(called, 8400)
    assert not own.has(called, 8401)


@pytest.mark.parametrize("called", ["192.0.2.7", "10.0.0.1", "2001:db8::7", "93.184.215.14"])
def test_another_machine_is_not_own(called: str) -> None:
    """A port of another machine is never taken for a port of the platform."""
    assert not Listeners([("127.0.0.1", 8400), ("0.0.0.0", 8400), ("::", 8400)]).has(called, 8400)


def test_address_is_own_if_a_listener_is_bound_to_it() -> None:
    own = Listeners([("192.0.2.7", 5432)])
    assert own.has("192.0.2.7", 5432)
    assert own.has("::ffff:192.0.2.7", 5432)
    assert not own.has("127.0.0.1", 5432)


async def test_host_names_are_resolved_again_and_earlier_addresses_stay_own() -> None:
    names, clock = Names(judge=["172.18.0.5"]), Clock()
    own = Listeners([("judge", 8000), ("edge", 8400)], look_up=names.look_up, clock=clock)
    assert not own.has("172.18.0.5", 8000), "not asked yet"
    await own.refresh(8000)
    await own.refresh(8000)
    await own.refresh(11434)
    assert own.has("172.18.0.5", 8000)
    assert names.asked == ["judge"]
    clock.now = FRESH_S
    names.found = {"judge": ["172.18.0.9"]}
    await own.refresh(8000)
    assert own.has("172.18.0.9", 8000)
    assert not own.has("172.18.0.5", 8000)
    clock.now = 2 * FRESH_S
    names.found = {}
    await own.refresh(8000)
    assert own.has("172.18.0.9", 8000)


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://127.0.0.1:8400/v1", True),
        ("http://localhost:8400", True),
        ("http://api.localhost:8400", True),
        ("http://[::ffff:7f00:1]:8400", True),
        ("http://EDGE:8000", True),
        ("http://edge:8400", False),
        ("http://127.0.0.1:11434", False),
        ("http://127.0.0.1", True),
        ("https://127.0.0.1", False),
        ("http://example.com:8400", False),
    ],
)
def test_url_is_own_by_its_host_and_port(url: str, own: bool) -> None:
    assert Listeners([("127.0.0.1", 8400), ("edge", 8000), ("127.0.0.1", 80)]).has_url(url) is own


@pytest.mark.parametrize("text", ["8400", "host", "host:", "host:0", "host:99999", "http://h:1", "u@h:1", "1.2:1"])
def test_invalid_list_of_listeners_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no host:port, as in 127\.0\.0\.1:8400"):
        places(f"127.0.0.1:1,{text}")


def test_service_knows_its_own_port_its_database_and_nats() -> None:
    settings = DatabaseSettings(
        database_url="postgresql://u:p@127.0.0.1/db",
        nats_url="nats://u:p@127.0.0.1, nats://192.0.2.7:4333",
        port=7001,
        platform_listeners="127.0.0.1:7002,",
    )
    own = settings.listeners()
    assert [port for port in (5432, 4222, 7001, 7002, 7003, 4333) if own.has("127.0.0.1", port)] == [
        *(5432, 4222, 7001, 7002)
    ]
    assert own.has("192.0.2.7", 4333)
