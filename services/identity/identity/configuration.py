"""Record changes of the configuration in the audit log, from the events of config-api.

The headers of an event name the organisation and the person. The event's id becomes the id of the entry, so an event
that is delivered twice gives one entry.
"""

import json
import logging
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from nats.aio.msg import Msg
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.people import find_by_id
from llmbench.db.engine import DATABASE_AWAY
from llmbench.db.tables import audit_entry
from llmbench.messaging.broker import Broker, jetstream
from llmbench.messaging.intake import Intake
from llmbench.messaging.streams import EVENTS, ensure_consumer, ensure_streams
from llmbench.organisation import bound_actor, bound_organisation

DURABLE: Final = "identity-configuration"
_SUBJECTS: Final = "evt.config.>"
_AT_ONCE: Final = 16
_AGAIN_S: Final = 5.0
_PLATFORM: Final = "llmbench"
_log = logging.getLogger(__name__)


class ConfigurationTrail:
    def __init__(self, broker: Broker, engine: AsyncEngine) -> None:
        self._broker = broker
        self._engine = engine
        self._intake = Intake(broker, EVENTS, DURABLE, self._take)

    async def start(self) -> None:
        """Begin to read the events of config-api. Raises nats-py's errors if NATS does not answer."""
        await self.restore()
        await self._intake.start()

    async def restore(self) -> None:
        """Create the streams of NATS and this service's consumer of config-api's events, if they are missing."""
        js = jetstream(self._broker)
        await ensure_streams(js, settle=False)
        await ensure_consumer(js, EVENTS, DURABLE, _SUBJECTS, max_ack_pending=_AT_ONCE)

    async def close(self) -> None:
        await self._intake.close()

    async def _take(self, message: Msg) -> None:
        try:
            entry = _entry(message)
        except (ValueError, KeyError, TypeError) as error:
            _log.error("an event on %s is not recorded: %r", message.subject, error)
            await message.term()
            return
        try:
            await self._write(entry)
        except IntegrityError as error:
            # The organisation does not exist any more.
            _log.warning("an event on %s is not recorded: %r", message.subject, error.orig)
            await message.term()
        except DATABASE_AWAY:
            await message.nak(delay=_AGAIN_S)
        else:
            await message.ack()

    async def _write(self, entry: dict[str, Any]) -> None:
        person_id = bound_actor()
        async with self._engine.begin() as connection:
            person = None if person_id is None else await find_by_id(connection, person_id)
            values = {**entry, "person_id": person_id, "person_name": person.name if person else _PLATFORM}
            await connection.execute(insert(audit_entry).values(values).on_conflict_do_nothing())


def _entry(message: Msg) -> dict[str, Any]:
    """Return the columns of the audit log's entry for a message. Raises `ValueError`, `KeyError` or `TypeError` if the
    message is not an event of config-api."""
    if bound_organisation() is None:
        raise ValueError("it names no organisation")
    body = json.loads(message.data)
    _, _, resource, change, *_ = message.subject.split(".")
    return {
        "id": UUID((message.headers or {})["ce-id"]),
        "at": datetime.fromisoformat(body["at"]),
        "action": change,
        "resource": resource,
        "resource_id": str(UUID(body["id"])),
        "before" if change == "deleted" else "after": {"name": str(body["name"])},
    }
