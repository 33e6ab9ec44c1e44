"""Deliver one run's events to all its subscribers, in order. A feed exists as long as it has subscribers."""

import asyncio
import logging
from collections.abc import Iterable
from uuid import UUID

from gateway_ws.domain.batch import EVENTS_AT_MOST, Batch
from gateway_ws.domain.event import Event
from gateway_ws.domain.sequence import Sequence
from gateway_ws.handlers.subscription import Subscription
from gateway_ws.ports import NoAnswer, RunEvents

_log = logging.getLogger(__name__)

TRY_AGAIN = "The run's earlier events cannot be read now. Connect again and subscribe with from-seq."


class RunFeed:
    def __init__(self, org_id: UUID | None, run_id: UUID, run_events: RunEvents, *, batch_s: float) -> None:
        self._org_id = org_id
        self.subscriptions: dict[Subscription, None] = {}
        self._run_id = run_id
        self._run_events = run_events
        self._sequence = Sequence()
        self._filling: asyncio.Task[None] | None = None
        self._suspected = False
        self._replays: dict[Subscription, asyncio.Task[None]] = {}
        self._batch_s = batch_s
        self._due: list[Event] = []
        self._flushing: asyncio.TimerHandle | None = None
        self._flushed_at = -batch_s

    def add(self, subscription: Subscription) -> None:
        self._flush()
        self.subscriptions[subscription] = None
        if subscription.has_replay:
            self._sequence.waits_for_replay = True
            self._replays[subscription] = asyncio.create_task(self._replay(subscription))

    def remove(self, subscription: Subscription) -> None:
        self.subscriptions.pop(subscription, None)
        replay = self._replays.pop(subscription, None)
        if replay is not None and replay is not asyncio.current_task():
            replay.cancel()
        self._settle()

    def receive(self, event: Event) -> None:
        self._deliver(self._sequence.offer(event))
        self._fill_if_needed()

    def suspect_gap(self) -> None:
        """Look for missed events, because the connection to the broker was lost and restored."""
        self._suspected = True
        self._fill_if_needed()

    def stop(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
        for task in (*self._replays.values(), self._filling):
            if task is not None:
                task.cancel()

    def _deliver(self, events: Iterable[Event]) -> None:
        """Send events to the subscribers: at once if the last batch was sent long enough ago, otherwise a little later,
        as one batch with the events that follow.

        Sending a batch to a client costs no more than sending a single event.
        """
        self._due += events
        if self._due and self._flushing is None:
            loop = asyncio.get_running_loop()
            self._flushing = loop.call_at(max(loop.time(), self._flushed_at + self._batch_s), self._flush)

    def _flush(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
            self._flushing = None
        due, self._due = self._due, []
        for start in range(0, len(due), EVENTS_AT_MOST):
            batch = Batch(due[start : start + EVENTS_AT_MOST])
            for subscription in list(self.subscriptions):
                subscription.receive(batch)
        if due:
            self._flushed_at = asyncio.get_running_loop().time()

    def _fill_if_needed(self) -> None:
        if self._sequence.position is None or not (self._suspected or self._sequence.has_gap):
            return
        if self._filling is None or self._filling.done():
            self._filling = asyncio.create_task(self._read_missing())

    async def _read_missing(self) -> None:
        try:
            while self._suspected or self._sequence.has_gap:
                self._suspected = False
                await self._read_to_the_end()
        except NoAnswer as error:
            _log.warning("a gap in run %s cannot be filled: %s", self._run_id, error)
            for subscription in [subscription for subscription in self.subscriptions if subscription.has_replay]:
                subscription.client.fail(TRY_AGAIN, retry=True)
            self._deliver(self._sequence.give_up())

    async def _read_to_the_end(self) -> None:
        while True:
            position, ahead_from = self._sequence.position, self._sequence.ahead_from
            assert position is not None
            page = await self._run_events.read(self._org_id, self._run_id, position)
            self._deliver(self._sequence.fill(page.events, page.next_seq))
            if page.next_seq > page.last_seq:
                break
            if page.next_seq <= position and not page.events:
                raise NoAnswer("a page that leads nowhere")
        if self._sequence.has_gap and self._sequence.ahead_from == ahead_from:
            # The missing events are not in the database either, so there is nothing to wait for.
            self._deliver(self._sequence.give_up())

    async def _replay(self, subscription: Subscription) -> None:
        hand_over = subscription.hand_over
        try:
            while hand_over.replaying:
                await subscription.client.room()
                from_seq = hand_over.next_seq
                page = await self._run_events.read(self._org_id, self._run_id, from_seq)
                if not page.found:
                    subscription.client.fail(f"There is no run {self._run_id}.", retry=False)
                    return
                if page.next_seq <= page.last_seq and page.next_seq <= from_seq:
                    raise NoAnswer("a page that leads nowhere")
                # Pages contain all events before this number, and the live sequence starts with it.
                self._deliver(self._sequence.anchor(page.last_seq + 1))
                live_from = self._sequence.position
                assert live_from is not None
                self._flush()  # Events before `live_from` have to be sent before the page.
                subscription.page(page.events, after_page=page.next_seq, last_seq=page.last_seq, live_from=live_from)
                self._fill_if_needed()
        except NoAnswer as error:
            _log.warning("no replay of run %s: %s", self._run_id, error)
            subscription.client.fail(TRY_AGAIN, retry=True)
        finally:
            self._replays.pop(subscription, None)
            self._settle()

    def _settle(self) -> None:
        """Deliver the waiting events if the next expected number is unknown, and no replay is left that could set
        it."""
        if self._sequence.position is None and not self._replays:
            self._deliver(self._sequence.give_up())
