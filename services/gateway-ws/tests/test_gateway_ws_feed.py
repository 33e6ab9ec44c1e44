"""Test that no subscriber misses an event or gets one twice.

Live events, lost events, replays and the pages of stored events that replays read may come in any order.
"""

import asyncio
import re
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gateway_ws.domain.backlog import Outgoing
from gateway_ws.domain.destinations import KINDS, Destination
from gateway_ws.domain.event import Event
from gateway_ws.handlers.run_feed import RunFeed
from gateway_ws.handlers.subscription import Subscription
from gateway_ws.ports import NoAnswer, Page

pytestmark = pytest.mark.never_rerun

RUN = UUID(int=1)
ALL_KINDS = Destination(run_id=RUN, kinds=frozenset(KINDS))
# A subscription without progress events, which may be conflated, gets its events in batches.
BY_BATCH = Destination(run_id=RUN, kinds=frozenset(KINDS) - {"progress"})
PAGE = 3


def event(seq: int) -> Event:
    return Event(run_id=RUN, kind=KINDS[seq % 4], seq=seq, body=b"{}")


@dataclass
class Client:
    """A fake subscriber. `seqs` are the numbers of the received events, `failed` is the message of its last failure."""

    destination: Destination = ALL_KINDS
    seqs: list[int] = field(default_factory=list)
    failed: str | None = None

    def put(self, outgoing: Outgoing, *, gathered: bool) -> None:
        found = re.findall(rb"message-id:(\d+)", outgoing.data)
        assert len(found) == outgoing.frames
        self.seqs += map(int, found)

    def fail(self, message: str, *, retry: bool) -> None:
        self.failed = message

    async def room(self) -> None:
        await asyncio.sleep(0)

    def expected_seqs(self, first: int, last: int) -> list[int]:
        return [seq for seq in range(first, last + 1) if event(seq).kind in self.destination.kinds]


@dataclass
class Stored:
    """A fake store of events. Reading a page takes two waits: one before the read, one before the return.

    `delays` has the length of each wait, in turns of the event loop. Each wait removes the last length; when none is
    left, there is no wait.
    """

    delays: list[int]
    last: int = 0
    answering: bool = True

    async def read(self, org_id: UUID | None, run_id: UUID, from_seq: int) -> Page:
        await turns(self._delay())
        if not self.answering:
            raise NoAnswer("silent")
        last = self.last
        events = tuple(event(seq) for seq in range(max(1, from_seq), last + 1))[:PAGE]
        await turns(self._delay())
        return Page(found=True, events=events, next_seq=events[-1].seq + 1 if events else from_seq, last_seq=last)

    def _delay(self) -> int:
        return self.delays.pop() if self.delays else 0


async def turns(number: int) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


STEPS = st.lists(
    st.one_of(
        st.sampled_from(["heard", "lost", "twice", "late", "subscribe live", "reconnect"]),
        st.integers(1, 30).map(lambda seq: ("subscribe", seq)),
        st.integers(1, 6),
    ),
    max_size=40,
)


@settings(max_examples=400, deadline=None)
@given(
    steps=STEPS,
    delays=st.lists(st.integers(0, 6), max_size=40),
    before=st.integers(0, 10),
    last_is_lost=st.booleans(),
)
# A page may be older than an event that is already known. Such a page must not end a replay, nor the filling of a gap.
@example(steps=[("subscribe", 1), 2, "lost", ("subscribe", 1)], delays=[3, 0], before=0, last_is_lost=False)
@example(steps=[("subscribe", 1), 2, ("subscribe", 1)], delays=[3, 0], before=0, last_is_lost=True)
@example(steps=["subscribe live", "reconnect", "heard", 1, "lost"], delays=[1, 0], before=0, last_is_lost=False)
def test_subscriber_gets_every_event_once(
    steps: list[object], delays: list[int], before: int, *, last_is_lost: bool
) -> None:
    asyncio.run(_scenario(steps, Stored(delays=delays, last=before), last_is_lost=last_is_lost))


@pytest.mark.parametrize("turns_between", range(8))
def test_event_lost_during_the_first_page_is_noticed(turns_between: int) -> None:
    steps: list[object] = [("subscribe", 1), turns_between, "lost", "heard"]
    asyncio.run(_scenario(steps, Stored(delays=[6, 0], last=3), last_is_lost=False))


async def _scenario(steps: list[object], stored: Stored, *, last_is_lost: bool) -> None:
    feed = RunFeed(None, RUN, stored, batch_s=0)
    replaying: list[tuple[int, Client]] = []
    live: list[Client] = []
    late: list[int] = []
    for step in steps:
        if isinstance(step, int):
            await turns(step)
        elif isinstance(step, tuple):
            client = Client(BY_BATCH if len(replaying) % 2 else ALL_KINDS)
            replaying.append((step[1], client))
            feed.add(Subscription(client, "1", client.destination, step[1], org_id=None))
        elif step == "subscribe live":
            live.append(Client(ALL_KINDS if len(live) % 2 else BY_BATCH))
            feed.add(Subscription(live[-1], "1", live[-1].destination, None, org_id=None))
        elif step == "reconnect":
            feed.suspect_gap()
        else:
            stored.last += 1
            if step == "late":
                late.append(stored.last)
            elif step != "lost":
                for _ in range(2 if step == "twice" else 1):
                    feed.receive(event(stored.last))
                while late:
                    feed.receive(event(late.pop()))
    stored.last += 1
    if last_is_lost:
        feed.suspect_gap()
    else:
        feed.receive(event(stored.last))
    await turns(500)

    for from_seq, client in replaying:
        assert client.failed is None
        assert client.seqs == client.expected_seqs(from_seq, stored.last)
    for client in live:
        # A live subscription may begin with any number. From there on its numbers are contiguous.
        assert not client.seqs or client.seqs == client.expected_seqs(client.seqs[0], stored.last)
    feed.stop()


def test_unfillable_gap_fails_replaying_clients_and_is_skipped_for_live_ones() -> None:
    async def scenario() -> None:
        stored = Stored(delays=[], last=1)
        feed = RunFeed(None, RUN, stored, batch_s=0)
        replaying, live = Client(), Client()
        feed.add(Subscription(replaying, "1", ALL_KINDS, 1, org_id=None))
        feed.add(Subscription(live, "1", ALL_KINDS, None, org_id=None))
        await turns(20)
        stored.answering = False
        feed.receive(event(3))
        await turns(20)
        assert replaying.failed is not None
        assert live.seqs == [3]
        feed.receive(event(4))
        await turns(2)
        assert live.seqs == [3, 4]
        feed.stop()

    asyncio.run(scenario())
