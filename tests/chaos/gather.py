"""Gather the data for the auditor from PostgreSQL, NATS, the API and the provider's ledger."""

import asyncio
import json
from typing import Any
from uuid import UUID

import nats
from nats.js.errors import NotFoundError
from sqlalchemy import text

from llmbench.db.engine import open_engine
from llmbench.messaging.streams import COMMANDS, EVENTS, REPORTS
from tests.chaos.browser import View
from tests.chaos.evidence import Broken, Evidence, Neighbours, Queue, Row
from tests.platform import Platform
from tests.recount import rows_to_count

_TABLES = {
    "items": "SELECT item.*, target.label FROM item JOIN target ON target.id = target_id WHERE item.run_id = :run_id",
    "scores": "SELECT * FROM score WHERE run_id = :run_id",
    "evaluators": "SELECT * FROM run_evaluator WHERE run_id = :run_id ORDER BY position",
    "calls": "SELECT id, purpose, item_id, score_id, group_id, dispatch, model, cached_from, outcome->>'kind' AS kind "
    "FROM model_call WHERE run_id = :run_id",
    "events": "SELECT run_seq, type, body FROM run_event WHERE run_id = :run_id ORDER BY run_seq",
    "gates": "SELECT gate.*, target.label FROM run_task_gate gate JOIN target ON target.id = target_id "
    "WHERE gate.run_id = :run_id",
    "verdicts": "SELECT verdict FROM gate_verdict WHERE run_id = :run_id",
    "groups": "SELECT * FROM run_group WHERE run_id = :run_id ORDER BY phase, position",
}
_CLEAN_WITHIN_S = 30.0
_PAGE = 500


async def gather(
    stack: Platform,
    run_id: str,
    *,
    ledger: list[Row],
    view: View,
    broken: list[Broken],
    neighbours: Neighbours | None,
    queue: Queue | None,
) -> Evidence:
    """Return the evidence of a run. Wait first, because duplicate messages are still consumed from the broker after the
    run's end."""
    remains = await until_clean(stack)
    stream = await _stream(stack, run_id)
    async with open_engine(stack.database_url, application_name="auditor") as engine, engine.connect() as connection:

        async def read(query: str) -> list[Row]:
            found = await connection.execute(text(query), {"run_id": UUID(run_id)})
            return [{name: _plain(value) for name, value in row.items()} for row in found.mappings()]

        [run] = await read("SELECT * FROM run WHERE id = :run_id")
        rows: dict[str, Any] = {name: await read(query) for name, query in _TABLES.items()}
        to_count = await rows_to_count(connection, UUID(run_id))
        [finished] = await read("SELECT extract(epoch FROM finished_at)::float8 AS at FROM run WHERE id = :run_id")
    return Evidence(
        run=run,
        **rows,
        stream=stream,
        to_count=to_count,
        detail=await stack.get(f"/api/runs/{run_id}"),
        ledger=ledger,
        view=view,
        broken=broken,
        neighbours=neighbours,
        queue=queue,
        finished_at=finished["at"],
        **remains,
    )


async def _stream(stack: Platform, run_id: str) -> list[Row]:
    """Return the run's events in the stream, in order."""
    connection = await nats.connect(stack.nats_url)
    found: list[Row] = []
    try:
        js = connection.jetstream()
        reading = await js.pull_subscribe(f"evt.run.{run_id}.>", stream=EVENTS)
        info = await reading.consumer_info()
        left = info.num_pending or 0
        while left:
            for message in await reading.fetch(min(left, _PAGE), timeout=_CLEAN_WITHIN_S):
                left -= 1
                found.append({"kind": message.subject.rsplit(".", 1)[1], "body": json.loads(message.data)})
        await js.delete_consumer(EVENTS, info.name)
    except NotFoundError:
        pass
    finally:
        await connection.close()
    return found


async def until_clean(stack: Platform) -> dict[str, Any]:
    """Wait for a limited time until streams, consumers and outboxes are empty. Return the numbers of messages that
    remain in each of them."""
    remains: dict[str, Any] = {}
    for _ in range(round(_CLEAN_WITHIN_S / 0.25)):
        remains = await _remains(stack)
        if not (remains["commands"] or remains["outbox"] or any(remains["consumers"].values())):
            break
        await asyncio.sleep(0.25)
    return remains


async def _remains(stack: Platform) -> dict[str, Any]:
    connection = await nats.connect(stack.nats_url)
    try:
        js = connection.jetstream()
        consumers = {}
        try:
            commands = (await js.stream_info(COMMANDS)).state.messages
            for stream in (COMMANDS, REPORTS):
                for info in await js.consumers_info(stream):
                    # A finished run has no consumer of a model group, so count such a consumer even without messages.
                    lane = info.name.startswith("infer-")
                    consumers[info.name] = (info.num_pending or 0) + (info.num_ack_pending or 0) + lane
        except NotFoundError:
            commands = -1
    finally:
        await connection.close()
    async with open_engine(stack.database_url, application_name="auditor") as engine, engine.connect() as rows:
        # A verdict that is due will publish another event, so it counts as unpublished.
        query = (
            "SELECT (SELECT count(*) FROM run_outbox) + (SELECT count(*) FROM config_outbox) "
            "+ (SELECT count(*) FROM run WHERE gate_due AND status = 'FINISHED')"
        )
        outbox = (await rows.execute(text(query))).scalar_one()
    return {"commands": commands, "consumers": consumers, "outbox": outbox}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return str(value) if isinstance(value, UUID) else value
