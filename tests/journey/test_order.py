"""Test the order of calls on the real platform: one at a time, grouped by model, warmed up, and judged at the end."""

import csv
import io
import itertools
import json

import nats
import pytest
from nats.aio.msg import Msg

from llmbench.messaging.fence import fence
from tests.journey.conftest import Seeded
from tests.platform import JUDGE_MODEL, overlaps

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

WARM_UP = "Hello, World!"


@pytest.mark.shows("I-03")
async def test_calls_run_one_at_a_time_grouped_by_target_and_judged_last(seeded: Seeded) -> None:
    stack = await seeded(tasks=6)
    run_id = await stack.start_run("mock-5ms-alpha", "mock-5ms-beta")
    run = await stack.until_status(run_id, "FINISHED")
    calls = await stack.ledger()

    assert run["outcome"] == "complete"
    assert list(overlaps(calls)) == []
    groups = [(model, list(of_model)) for model, of_model in itertools.groupby(calls, lambda call: call["model"])]
    assert [model for model, _ in groups] == ["mock-5ms-alpha", "mock-5ms-beta", JUDGE_MODEL]
    assert [len(of_model) for _, of_model in groups] == [1 + 6, 1 + 6, 1 + 12]
    for _, of_model in groups:
        assert WARM_UP in of_model[0]["prompt"]
        assert not any(WARM_UP in call["prompt"] for call in of_model[1:])
    assert len({call["call_id"] for call in calls}) == len(calls)

    items = await stack.items(run_id)
    assert {item["status"] for item in items} == {"COMPLETED"}
    assert all(item["reason"] and item["score"] is not None for item in items)
    assert all(item["time_ms"] >= 5 and item["first_token_ms"] is not None for item in items)
    assert all(item["completion_tokens"] and item["prompt_tokens"] for item in items)

    exported = await stack.http.get(f"/api/runs/{run_id}/export", params={"format": "csv"})
    rows = list(csv.DictReader(io.StringIO(exported.text)))
    assert len(rows) == 12
    assert all(row["answer"] and row["score"] for row in rows)


@pytest.mark.shows("I-13")
async def test_plain_nats_client_receives_the_run_events_in_order(seeded: Seeded) -> None:
    stack = await seeded(tasks=4)
    connection = await nats.connect(stack.nats_url)
    heard: list[Msg] = []

    async def seen(message: Msg) -> None:
        heard.append(message)

    await connection.subscribe("evt.run.>", cb=seen)
    await fence(connection)
    run_id = await stack.start_run("mock-0ms")
    await stack.until_status(run_id, "FINISHED")

    def of_this_run() -> list[Msg]:
        return [message for message in heard if message.subject.startswith(f"evt.run.{run_id}.")]

    run = await stack.until(run_id, lambda run: len(of_this_run()) >= run["last_seq"])
    await connection.close()
    messages = of_this_run()

    bodies = [json.loads(message.data) for message in messages]
    assert [body["run_seq"] for body in bodies] == list(range(1, run["last_seq"] + 1))
    for message, body in zip(messages, bodies, strict=True):
        headers = message.headers or {}
        assert headers["ce-specversion"] == "1.0"
        assert headers["ce-type"] == body["type"]
        assert headers["ce-source"] == "/llmbench/orchestrator"
        assert headers["ce-id"] == headers["Nats-Msg-Id"]
        assert headers["ce-time"].endswith("Z")
        assert headers["traceparent"].startswith("00-")
    assert len({(message.headers or {})["ce-id"] for message in messages}) == len(messages)
