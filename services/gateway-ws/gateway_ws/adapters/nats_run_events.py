"""Read a run's events from the orchestrator with NATS requests."""

import asyncio
import json
from uuid import UUID

from faststream.nats import NatsBroker
from nats.errors import Error as NatsError

from gateway_ws.domain.event import UnreadableEvent, stored_event
from gateway_ws.ports import NoAnswer, Page
from llmbench.contracts.read_run_events import ReadRunEvents
from llmbench.messaging.broker import client
from llmbench.messaging.publish import request
from llmbench.organisation import working_for

PAGE = 200
ATTEMPTS = 3
PAUSE_S = 0.5


class NatsRunEvents:
    """Implement the port `gateway_ws.ports.RunEvents`.

    A request is sent up to `ATTEMPTS` times, each time with a timeout of `timeout_s` seconds. Pages are not validated
    against the full contract, so clients also receive the fields that a newer orchestrator adds, as in live events.
    """

    def __init__(self, broker: NatsBroker, *, timeout_s: float) -> None:
        self._broker = broker
        self._timeout_s = timeout_s

    async def read(self, org_id: UUID | None, run_id: UUID, from_seq: int) -> Page:
        with working_for(org_id):
            return await self._read(run_id, from_seq)

    async def _read(self, run_id: UUID, from_seq: int) -> Page:
        query = ReadRunEvents(run_id=run_id, from_seq=from_seq, limit=PAGE)
        attempt = 0
        while True:
            attempt += 1
            try:
                raw = await request(client(self._broker), query, service="gateway-ws", timeout_s=self._timeout_s)
                return _page(run_id, raw, from_seq)
            except (NatsError, TimeoutError, OSError) as error:
                if attempt == ATTEMPTS:
                    raise NoAnswer(repr(error)) from error
                await asyncio.sleep(PAUSE_S)


def _page(run_id: UUID, raw: bytes, from_seq: int) -> Page:
    try:
        fields = json.loads(raw)
        events = [stored_event(run_id, event) for event in fields.get("events", ())]
        return Page(
            found=fields.get("found", True),
            events=tuple(sorted((event for event in events if event is not None), key=lambda event: event.seq)),
            next_seq=max(from_seq, int(fields["next_seq"])),
            last_seq=int(fields["last_seq"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, UnreadableEvent) as error:
        raise NoAnswer(f"a page that is none: {error!r}") from error
