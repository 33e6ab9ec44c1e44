"""Try every topic of the WebSocket with every kind of caller on a platform with LLMBENCH_AUTH=on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from llmbench.contracts.run_event import RUN_TOPICS
from tests.security.access_cells import Cell
from tests.security.access_world import Headers, World, access_world
from tools.gen.access_table import Caller, Outcome, topics

pytestmark = [pytest.mark.asyncio(loop_scope="module")]

PATIENCE_S = 90.0
HELD = "mock-0ms-held"
CELLS = [Cell(row, caller) for row in topics() for caller in Caller]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world() -> AsyncIterator[World]:
    async with access_world() as opened:
        yield opened


@dataclass
class Listener:
    """A STOMP client. `heard` are the MESSAGE frames, by subscription."""

    socket: ClientConnection
    heard: dict[str, list[str]] = field(default_factory=dict)
    receipts: list[str] = field(default_factory=list)

    async def subscribe(self, id_: str, destination: str, *more: str) -> None:
        """Subscribe, and wait until the gateway has confirmed it."""
        lines = ("SUBSCRIBE", f"id:{id_}", f"destination:{destination}", f"receipt:{id_}", *more)
        await self.socket.send("\n".join(lines) + "\n\n\0")
        await self.until(lambda: id_ in self.receipts)

    async def until_heard(self, id_: str, words: str = "") -> None:
        await self.until(lambda: any(words in text for text in self.heard.get(id_, ())))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self._take(str(await self.socket.recv()))

    def _take(self, text: str) -> None:
        for frame in filter(None, (part.lstrip("\n") for part in text.split("\0"))):
            command, *lines = frame.partition("\n\n")[0].split("\n")
            headers = dict(line.split(":", 1) for line in lines)
            assert command in ("CONNECTED", "MESSAGE", "RECEIPT", "ERROR"), frame
            if command == "RECEIPT":
                self.receipts.append(headers["receipt-id"])
            if command == "MESSAGE":
                self.heard.setdefault(headers["subscription"], []).append(frame)


@contextlib.asynccontextmanager
async def listening(world: World, headers: Headers) -> AsyncIterator[Listener]:
    """Open a socket with these headers. Raises `InvalidStatus` if it is refused."""
    url = f"ws{world.stack.url.removeprefix('http')}/ws"
    async with connect(url, subprotocols=[Subprotocol("v12.stomp")], additional_headers=dict(headers)) as socket:
        await socket.send("CONNECT\naccept-version:1.2\nhost:llmbench\nheart-beat:0,0\n\n\0")
        yield Listener(socket)


@pytest.mark.shows("S-50")
@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.refused], ids=str)
async def test_refused_caller_gets_no_socket(world: World, cell: Cell) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with listening(world, world.headers(cell.row, cell.caller)):
            pass
    assert str(refused.value.response.status_code) == cell.expected.value


@pytest.mark.shows("S-50")
@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.expected is Outcome.ALLOWED], ids=str)
async def test_allowed_caller_hears_the_organisations_runs(world: World, cell: Cell) -> None:
    run_id = world.has.ids["run_id"]
    async with listening(world, world.headers(cell.row, cell.caller)) as listener:
        await listener.subscribe("topic", cell.row.name.format(run_id=run_id), "from-seq:1")
        if cell.row.name == "/topic/runs":
            run_id = await new_run(world)
            await world.stack.until_status(run_id, "FINISHED")
        await listener.until_heard("topic", run_id)


@pytest.mark.shows("S-50")
@pytest.mark.parametrize("kind", RUN_TOPICS.values())
async def test_stranger_gets_no_replay(world: World, kind: str) -> None:
    """The gateway ends the connection, as it does for a run that does not exist."""
    async with listening(world, world.sessions[Caller.STRANGER]) as stranger:
        await stranger.subscribe("topic", f"/topic/run/{world.has.ids['run_id']}/{kind}", "from-seq:1")
        with pytest.raises(ConnectionClosed, match="There is no run"):
            await stranger.until_heard("topic")
        assert stranger.heard == {}


@pytest.mark.shows("S-50")
async def test_stranger_hears_nothing_of_a_run_that_goes_on(world: World) -> None:
    assert {cell.expected for cell in CELLS if cell.caller is Caller.STRANGER} == {Outcome.OWN_ONLY}
    strangers, owners = world.sessions[Caller.STRANGER], world.sessions[Caller.OWNER]
    await world.stack.control(model=HELD, hold=0)
    async with listening(world, strangers) as stranger, listening(world, owners) as owner:
        run_id = await new_run(world, HELD)
        names = [row.name.format(run_id=run_id) for row in topics()]
        await world.stack.until_held(HELD)
        for listener in (stranger, owner):
            for name in names:
                await listener.subscribe(name, name)
        await world.stack.control(model=HELD, hold=None)
        await world.stack.until_status(run_id, "FINISHED")
        for name in names:
            await owner.until_heard(name, run_id)
        await owner.until_heard(names[0], "FINISHED")
        # The gateway answers in order: what it had for the stranger comes before this receipt.
        await stranger.subscribe("last", names[0])
        assert stranger.heard == {}


async def new_run(world: World, model: str = "mock-0ms") -> str:
    """Start a run of the first organisation, and return its id."""
    body = {
        "targets": [{"provider_id": world.has.provider_id, "model": model}],
        "collection_ids": [world.has.collection_id],
        "evaluators": [{"kind": "contains", "params": {"text": "2"}}],
        "check_providers": False,
    }
    return str((await world.stack.post("/api/runs", body))["id"])
