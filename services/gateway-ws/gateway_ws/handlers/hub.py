"""Receive each event of every run and experiment once, and pass it to the clients that subscribed to it."""

import itertools
import logging
from uuid import UUID

from gateway_ws.domain.destinations import ALL_RUNS_KINDS, Destination
from gateway_ws.domain.event import UnreadableEvent, experiment_event, live_event, streamed_answer
from gateway_ws.handlers.run_feed import RunFeed
from gateway_ws.handlers.subscription import Subscription
from gateway_ws.ports import RunEvents
from llmbench.access import Resource

_log = logging.getLogger(__name__)


class Hub:
    def __init__(self, run_events: RunEvents, *, batch_s: float) -> None:
        self._run_events = run_events
        self._batch_s = batch_s
        # The key is (organisation, run): a subscription to the run of another organisation gets a feed without events.
        self._feeds: dict[tuple[UUID | None, UUID], RunFeed] = {}
        self._overviews: dict[Subscription, None] = {}
        self._of_experiments: dict[Subscription, None] = {}
        self._numbers = itertools.count(1)
        self._watchers: dict[tuple[UUID | None, UUID], dict[Subscription, None]] = {}

    def subscribe(self, subscription: Subscription) -> None:
        run_id = subscription.destination.run_id
        if run_id is None:
            self._lists(subscription.destination)[subscription] = None
            return
        key = (subscription.org_id, run_id)
        if subscription.destination.is_answers:
            self._watchers.setdefault(key, {})[subscription] = None
            return
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = RunFeed(*key, self._run_events, batch_s=self._batch_s)
        feed.add(subscription)

    def unsubscribe(self, subscription: Subscription) -> None:
        run_id = subscription.destination.run_id
        if run_id is None:
            self._lists(subscription.destination).pop(subscription, None)
            return
        key = (subscription.org_id, run_id)
        if subscription.destination.is_answers:
            watchers = self._watchers.get(key, {})
            watchers.pop(subscription, None)
            if not watchers:
                self._watchers.pop(key, None)
            return
        feed = self._feeds.get(key)
        if feed is None:
            return
        feed.remove(subscription)
        if not feed.subscriptions:
            feed.stop()
            del self._feeds[key]

    def receive(self, subject: str, body: bytes, *, org_id: UUID | None) -> None:
        """Pass an event of a run to the subscribers of this run. Status and progress events also go to the subscribers
        of the topic of all runs.

        `subject` and `body` are those of a message on `evt.run.>`. Only subscribers of the organisation `org_id` get
        the event. An unreadable message is logged and dropped.
        """
        if not self._feeds and not self._overviews:
            return
        try:
            event = live_event(subject, body)
        except UnreadableEvent as error:
            _log.error("unreadable event dropped: %s", error)
            return
        if event.kind in ALL_RUNS_KINDS:
            for subscription in list(self._overviews):
                if subscription.org_id == org_id:
                    subscription.receive_of_any_run(event)
        feed = self._feeds.get((org_id, event.run_id))
        if feed is not None:
            feed.receive(event)

    def receive_of_experiment(self, subject: str, body: bytes, *, org_id: UUID | None) -> None:
        """Pass an event of an experiment to the subscribers of the organisation `org_id`.

        `subject` and `body` are those of a message on `evt.experiment.>`. An unreadable message is logged and dropped.
        """
        if not self._of_experiments:
            return
        try:
            event = experiment_event(subject, body, number=next(self._numbers))
        except UnreadableEvent as error:
            _log.error("unreadable event dropped: %s", error)
            return
        for subscription in list(self._of_experiments):
            if subscription.org_id == org_id:
                subscription.receive_of_experiment(event)

    def _lists(self, destination: Destination) -> dict[Subscription, None]:
        return self._of_experiments if destination.resource is Resource.EXPERIMENTS else self._overviews

    def receive_answer(self, subject: str, body: bytes, *, org_id: UUID | None) -> None:
        """Pass a message about an answer that is still arriving to the subscribers of the answer's run.

        `subject` and `body` are those of a message on `ctl.answer.>`. Only subscribers of the organisation `org_id` get
        it. An unreadable message is logged and dropped.
        """
        if not self._watchers:
            return
        try:
            answer = streamed_answer(subject, body)
        except UnreadableEvent as error:
            _log.error("unreadable message dropped: %s", error)
            return
        for subscription in list(self._watchers.get((org_id, answer.run_id), ())):
            subscription.receive_answer(answer)

    async def reconnected(self) -> None:
        for feed in list(self._feeds.values()):
            feed.suspect_gap()

    async def stop(self) -> None:
        for feed in self._feeds.values():
            feed.stop()
