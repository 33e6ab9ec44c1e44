"""Test which connections are closed when sessions and API keys end."""

from uuid import UUID, uuid4

from gateway_ws.domain.backlog import Limits
from gateway_ws.handlers.clients import Clients
from gateway_ws.handlers.connection import TRY_AGAIN_LATER, Connection
from gateway_ws.handlers.hub import Hub
from gateway_ws.ports import Page

LIMITS = Limits(frames=100, size_bytes=100_000, conflate_from=10)


class NoEvents:
    async def read(self, org_id: UUID | None, run_id: UUID, from_seq: int) -> Page:
        raise AssertionError("no run is subscribed to")


def connection() -> Connection:
    return Connection(Hub(NoEvents(), batch_s=0), limits=LIMITS, heartbeat_ms=0)


def ended(clients: dict[str, Connection]) -> set[str]:
    return {name for name, each in clients.items() if each.ending is not None}


async def test_only_connections_of_ended_credentials_are_closed() -> None:
    ada, key = uuid4(), uuid4()
    clients, opened = Clients(), {name: connection() for name in ("ada", "ada too", "key", "bob", "without sign-in")}
    for each, credential in zip(opened.values(), (ada, ada, key, uuid4(), None), strict=True):
        clients.add(each, credential)
    clients.revoked([ada])
    assert ended(opened) == {"ada", "ada too"}
    assert {opened[name].ending.code for name in ended(opened)} == {TRY_AGAIN_LATER}  # type: ignore[union-attr]
    clients.revoked([key, uuid4()])
    assert ended(opened) == {"ada", "ada too", "key"}


async def test_connections_with_sign_in_are_closed_after_a_lost_connection_to_nats() -> None:
    """All connections with sign-in are closed, because a revocation may have been missed. Their clients connect again,
    and are checked again."""
    clients, opened = Clients(), {name: connection() for name in ("ada", "without sign-in")}
    clients.add(opened["ada"], uuid4())
    clients.add(opened["without sign-in"], None)
    clients.recheck()
    assert ended(opened) == {"ada"}


async def test_closed_connections_are_forgotten() -> None:
    clients, one = Clients(), connection()
    clients.add(one, None)
    assert len(clients) == 1
    clients.discard(one)
    clients.discard(one)
    assert len(clients) == 0
