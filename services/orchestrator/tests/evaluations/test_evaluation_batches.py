"""Test `/v1/evaluations/batch`: the outputs of a file or of a dataset version, samples, the queue, and the webhook."""

import base64
import hashlib
import hmac
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from run_versions import insert_version
from run_world import World, contained, open_world, scored
from sqlalchemy import func, select, update
from webhook_receiver import Receiver, receiving

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.db import tables as t

CONTAINS: dict[str, Any] = {"evaluators": [{"kind": "contains", "params": {"text": "42"}}]}
ROWS: list[dict[str, Any]] = [
    {"id": "sum", "question": "17 + 25?", "output": "=42", "expected_output": "42", "category": "sums"},
    {"id": "silence", "question": "Speak!", "output": "", "category": "talk"},
    {"question": "40 + 2?", "output": "43", "ground_truth": {"answer": "42"}, "category": "sums", "by": "hand"},
]


async def by_kind(command: JudgeAnswer) -> Verdict:
    return contained("42" in command.answer) if command.evaluator.kind == "contains" else scored(8)


def jsonl(rows: Sequence[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


async def send(world: World, content: bytes, name: str = "outputs.jsonl", **request: Any) -> Any:
    """POST a file of outputs and the fields of the request."""
    return await world.http.post(
        "/v1/evaluations/batch", files={"file": (name, content)}, data={"request": json.dumps(request)}
    )


async def finished_batch(world: World, answer: Any) -> dict[str, Any]:
    """Wait until the accepted batch is finished, and return it."""
    assert answer.status_code == 202, answer.text
    job_id = answer.json()["job_id"]
    await world.until_status(UUID(job_id), "FINISHED")
    found: dict[str, Any] = (await world.http.get(f"/v1/evaluations/batch/{job_id}")).json()
    return found


async def bad_rows(world: World, content: bytes, **more: Any) -> list[tuple[int, str | None, str]]:
    """Send a file that must be refused. Return line, column and message of each bad row."""
    answer = await send(world, content, **(CONTAINS | more))
    assert answer.status_code == 422, answer.text
    return [(bad_row["line"], bad_row["field"], bad_row["message"]) for bad_row in answer.json()["bad_rows"]]


async def test_outputs_of_a_file_are_scored(world: World) -> None:
    world.judge = by_kind
    answer = await send(world, jsonl(ROWS), **CONTAINS, metadata={"model_name": "mine", "model_version": "2"})
    assert answer.json()["total_items"] == 3
    batch = await finished_batch(world, answer)
    assert (batch["status"], batch["progress"]) == ("completed", {"total": 3, "completed": 3, "failed": 0})
    summary = batch["summary_scores"]["contains"]
    assert (summary["scored"], summary["mean"], summary["p50"]) == (3, pytest.approx(1 / 3), 0)
    assert batch["webhook"] is None
    items = await world.items(UUID(batch["job_id"]))
    assert [item["task_id"] for item in items][:2] == ["sum", "silence"]
    assert items[2]["task_id"].startswith("case-"), "named by what it says"
    assert [(item["target_label"], item["category"]) for item in items] == [
        ("mine 2", "sums"),
        ("mine 2", "talk"),
        ("mine 2", "sums"),
    ]
    # Send the same outputs as CSV, where a formula is prefixed with a quote.
    table = "id,question,output,ground_truth.answer\r\nsum,17 + 25?,'=42,42\r\nsilence,Speak!,,\r\n"
    second = await finished_batch(world, await send(world, table.encode(), "outputs.csv", **CONTAINS))
    (first, silent) = await world.items(UUID(second["job_id"]))
    detail = (await world.http.get(f"/api/runs/{second['job_id']}/items/{first['id']}")).json()
    assert (detail["answer"], detail["case"]["ground_truth"]["answer"]) == ("=42", "42")
    assert (await world.http.get(f"/api/runs/{second['job_id']}/items/{silent['id']}")).json()["answer"] == ""
    # The turns of a conversation are judged with their history, and are one cluster.
    turns = [{"question": f"{turn}?", "output": "42", "conversation_id": "talk", "turn": turn} for turn in (2, 1)]
    talk = await finished_batch(world, await send(world, jsonl(turns), **CONTAINS))
    assert [(item["conversation_id"], item["turn"]) for item in await world.items(UUID(talk["job_id"]))] == [
        ("talk", 2),
        ("talk", 1),
    ]
    await world.http.delete(f"/api/runs/{talk['job_id']}")
    # Batches are listed with the runs, and can be compared like any run.
    runs = (await world.http.get("/api/runs")).json()["items"]
    assert [run["type"] for run in runs] == ["BATCH", "BATCH"]
    columns = [f"{run['id']}:{run['targets'][0]['id']}" for run in runs]
    cases = (await world.http.get("/api/comparisons/cases", params={"column": columns, "q": "=42"})).json()
    assert [cell["answer"] for cell in cases["items"][0]["cells"]] == ["=42", "=42"]


async def test_invalid_file_is_refused_with_line_and_column_and_stores_nothing(world: World) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "question": "?", "output": "x"},
        {"id": "a", "question": "?", "output": "x"},
        {"question": "?"},
        {"question": " ", "output": 7},
        {"id": "b", "question": "?", "output": "a\0b"},
        {"id": "c", "output": "no question"},
        {"id": "c", "question": "?", "output": "x", "conversation_id": "talk", "turn": 2},
        {"question": "?", "output": "x", "conversation_id": "talk", "turn": 2},
    ]
    content = jsonl(rows) + b"[]\n{}{}\n"
    assert [(line, field) for line, field, _ in await bad_rows(world, content)] == [
        (2, "id"),
        (3, "output"),
        (4, "output"),
        (4, "prompt"),
        (5, "output"),
        (6, "prompt"),
        (7, "id"),
        (8, "turn"),
        (9, None),
        (10, None),
    ]
    [gap] = await bad_rows(world, jsonl([rows[-1]]))
    assert gap == (1, "turn", "the conversation 'talk' has a turn 2 and no turn 1")
    for name, broken in (
        ("outputs.jsonl", b"PAR1...."),
        ("outputs.csv", b'id,output\n"a,b'),
        ("outputs.csv", b"id,id\n"),
        ("outputs.jsonl", b"\xff\xfe{}"),
        ("outputs.jsonl", b""),
        ("outputs.xlsx", b"PK\x03\x04"),
    ):
        answer = await send(world, broken, name, **CONTAINS)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "file"), answer.text
    for request in (
        {"metrics": ["contains"], "colour": "red"},
        {"config": {"sample_rate": 0}},
        {"webhook_secret": "x"},
    ):
        answer = await send(world, jsonl(ROWS), **request)
        assert answer.status_code == 422, answer.text
    answer = await world.http.post("/v1/evaluations/batch", json=CONTAINS)
    assert answer.json()["errors"][0]["field"] == "dataset_version_id"
    as_json = {"content-type": "application/json"}
    assert (await world.http.post("/v1/evaluations/batch", content=b"{", headers=as_json)).status_code == 400
    refused = await world.http.post("/v1/evaluations/batch", content=b"{}")
    assert refused.status_code == 415
    assert "curl -F file=@outputs.jsonl" in refused.json()["detail"]
    async with world.engine.connect() as connection:
        for table in (t.run, t.item, t.webhook, t.idempotency_key):
            assert (await connection.execute(select(table))).all() == []


async def test_batch_scores_outputs_from_a_file_or_from_the_cases(world: World) -> None:
    world.judge = by_kind
    cases = [
        {
            "name": f"case-{index}",
            "input": {"prompt": f"{index}?", "context": "Sums."},
            "expected_output": "42",
            "metadata": {"category": "easy" if index < 6 else "hard", "said": f"{index} or 42"},
            "truth": {"answer": "42"},
        }
        for index in range(8)
    ]
    version = str(await insert_version(world, cases, dataset="Sums"))
    # The file supplies the outputs of the cases that it names.
    rows = [{"id": "case-3", "output": "42"}, {"id": "case-1", "output": "41"}]
    batch = await finished_batch(world, await send(world, jsonl(rows), dataset_version_id=version, **CONTAINS))
    items = await world.items(UUID(batch["job_id"]))
    assert [(item["task_id"], item["score"]) for item in items] == [("case-1", 0), ("case-3", 1)]
    assert batch["dataset_version_id"] == version
    faults = await bad_rows(world, jsonl([*rows, {"id": "case-9", "output": ""}]), dataset_version_id=version)
    assert faults == [(3, "id", "the version has no case 'case-9'")]
    faults = await bad_rows(world, jsonl([rows[0] | {"question": "?"}]), dataset_version_id=version)
    assert [(line, field) for line, field, _ in faults] == [(1, "question")]
    # The cases supply their own outputs in a metadata field. A sample contains the categories in the same shares, and
    # the same seed gives the same sample.
    lacking = await world.http.post("/v1/evaluations/batch", json=CONTAINS | {"dataset_version_id": version})
    assert "8 of 8 cases have no 'output'" in lacking.json()["detail"]
    config = {"output_field": "said", "sample_rate": 0.5, "sample_strategy": "stratified", "seed": 7}
    body = CONTAINS | {"dataset_version_id": version, "config": config}
    samples = []
    for _ in range(2):
        batch = await finished_batch(world, await world.http.post("/v1/evaluations/batch", json=body))
        assert batch["sample"] == {
            "rate": 0.5,
            "strategy": "stratified",
            "stratify_by": "category",
            "seed": 7,
            "of": 8,
        }
        samples.append([(item["task_id"], item["category"]) for item in await world.items(UUID(batch["job_id"]))])
    assert samples[0] == samples[1]
    assert [category for _, category in samples[0]] == ["easy"] * 3 + ["hard"]
    found = (await world.http.get("/v1/evaluations", params={"dataset_version_id": version})).json()
    assert found["total"] == 3


async def test_local_judge_has_a_concurrency_of_one_by_default(world: World) -> None:
    world.judge = by_kind
    config: dict[str, Any] = {"evaluator_model": "judge", "parallelism": 10}
    answer = await send(world, jsonl(ROWS), metrics=["rubric"], config=config)
    assert answer.json()["parallelism"] == 1
    batch = await finished_batch(world, answer)
    assert batch["summary_scores"]["rubric"]["mean"] == pytest.approx(0.8)
    more = {"judge": {"provider_id": str(world.provider_id), "model": "judge", "concurrency": 4}, "parallelism": 10}
    assert (await send(world, jsonl(ROWS), metrics=["rubric"], config=more)).json()["parallelism"] == 4


def _signed_by(secret: str, receiver: Receiver, index: int) -> bool:
    """Return whether the webhook with this index has a signature made with `secret`, as Standard Webhooks defines
    it."""
    request = receiver.requests[index]
    content = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + request.body
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), content, hashlib.sha256).digest()
    return request.headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


async def test_webhook_is_signed_and_retried(postgres_url: str, nats_url: str) -> None:
    settings: dict[str, Any] = {"private_webhooks": True, "webhook_retry_s": 0.01}
    async with open_world(postgres_url, nats_url, **settings) as world, receiving() as receiver:
        world.judge = by_kind
        receiver.answers = ["500 Internal Server Error", "302 Found"]
        answer = await send(world, jsonl(ROWS), **CONTAINS, webhook_url=receiver.url)
        secret = answer.json()["webhook_secret"]
        batch = await finished_batch(world, answer)
        await receiver.until(3)
        assert len({request.headers["webhook-id"] for request in receiver.requests}) == 1
        assert all(_signed_by(secret, receiver, index) for index in range(3))
        said = json.loads(receiver.requests[2].body)
        assert said["type"] == "evaluation.batch.completed"
        assert (said["data"]["job_id"], said["data"]["progress"]["completed"]) == (batch["job_id"], 3)
        shown = await world.until(UUID(batch["job_id"]), lambda _: True)
        assert secret not in json.dumps(shown) + json.dumps(batch)
        hook = await _settled(world, batch["job_id"])
        assert (hook["status"], hook["attempts"], hook["last_error"]) == ("DELIVERED", 3, None)
        async with world.engine.connect() as connection:
            sealed = (await connection.execute(select(t.webhook.c.sealed_secret))).scalar_one()
        assert base64.b64decode(secret.removeprefix("whsec_")) not in bytes(sealed)
        # A user's own secret is accepted and not returned. A receiver that answers 410 is not called again.
        receiver.answers = ["410 Gone"]
        own = "whsec_" + base64.b64encode(b"k" * 32).decode()
        answer = await send(world, jsonl(ROWS), **CONTAINS, webhook_url=receiver.url, webhook_secret=own)
        assert answer.json()["webhook_secret"] is None
        await receiver.until(4)
        assert _signed_by(own, receiver, 3)
        hook = await _settled(world, answer.json()["job_id"])
        assert (hook["status"], hook["last_error"]) == (
            "FAILED",
            "the receiver asks for no further deliveries (HTTP 410)",
        )


async def test_webhook_is_delivered_after_a_restart_of_the_orchestrator(postgres_url: str, nats_url: str) -> None:
    settings: dict[str, Any] = {"private_webhooks": True, "webhook_retry_s": 3600}
    async with receiving() as receiver:
        receiver.answers = ["503 Service Unavailable"]
        async with open_world(postgres_url, nats_url, **settings) as world:
            world.judge = by_kind
            answer = await send(world, jsonl(ROWS), **CONTAINS, webhook_url=receiver.url)
            secret, job_id = answer.json()["webhook_secret"], answer.json()["job_id"]
            await finished_batch(world, answer)
            hook = await _settled(world, job_id)
            assert (hook["status"], hook["attempts"], hook["last_error"]) == ("PENDING", 1, "HTTP 503")
        async with open_world(postgres_url, nats_url, seeded=True, **settings) as world:
            assert (await _settled(world, job_id))["attempts"] == 1, "not due yet"
            # Move the due time into the past, as if the wait of an hour were over.
            async with world.engine.begin() as connection:
                await connection.execute(update(t.webhook).values(next_attempt_at=func.now(), last_error=None))
            world.judge = by_kind
            # The end of any run makes the service look for due webhooks.
            await world.http.post("/v1/evaluations", json={"input": "?", "output": "42"} | CONTAINS)
            await receiver.until(2)
            assert _signed_by(secret, receiver, 1)
            assert receiver.requests[0].headers["webhook-id"] == receiver.requests[1].headers["webhook-id"]
            assert (await _settled(world, job_id))["status"] == "DELIVERED"


async def test_webhook_to_a_private_address_is_refused(world: World) -> None:
    world.judge = by_kind
    for url in (
        "http://127.0.0.1:1/",
        "http://[::1]/",
        "http://localhost/",
        "ftp://example.com",
        "http://u@example.com",
        "http://169.254.169.254/latest",
    ):
        answer = await send(world, jsonl(ROWS), **CONTAINS, webhook_url=url)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "webhook_url"), url


async def test_allowed_private_webhooks_exclude_metadata_addresses_and_the_platform(
    postgres_url: str, nats_url: str
) -> None:
    settings: dict[str, Any] = {"private_webhooks": True, "platform_listeners": "127.0.0.1:8400"}
    async with open_world(postgres_url, nats_url, **settings) as world:
        own = (f"http://127.0.0.1:{urlsplit(nats_url).port}/", "http://localhost:8400/api/tasks")
        for url in ("http://100.100.100.200/latest", "http://[fd00:ec2::254]/", *own):
            answer = await send(world, jsonl(ROWS), **CONTAINS, webhook_url=url)
            assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "webhook_url"), url


async def _settled(world: World, job_id: str) -> dict[str, Any]:
    """Return the batch's webhook as soon as it is delivered or given up, or a first delivery attempt has failed."""
    hook: dict[str, Any] = {}

    async def read() -> dict[str, Any]:
        found: dict[str, Any] = (await world.http.get(f"/v1/evaluations/batch/{job_id}")).json()["webhook"]
        return found

    async def settled() -> bool:
        nonlocal hook
        hook = await read()
        return hook["status"] != "PENDING" or hook["last_error"] is not None

    await world.eventually(settled)
    return hook


async def test_known_columns_of_other_tools_are_read_and_unknown_ones_reported(world: World) -> None:
    world.judge = by_kind
    rows = [{"question": "17 + 25?", "output": "42", "expected": "42"}]
    batch = await finished_batch(world, await send(world, jsonl(rows), **CONTAINS))
    [item] = await world.items(UUID(batch["job_id"]))
    detail = (await world.http.get(f"/api/runs/{batch['job_id']}/items/{item['id']}")).json()
    assert detail["case"]["expected_output"] == "42"
    said = [{"ask": "17 + 25?", "said": "42", "right": "43", "note": "x"}]
    named = ["ask=prompt", "said=output", "right=expected_output"]
    batch = await finished_batch(world, await send(world, jsonl(said), **CONTAINS, map=named))
    [item] = await world.items(UUID(batch["job_id"]))
    detail = (await world.http.get(f"/api/runs/{batch['job_id']}/items/{item['id']}")).json()
    assert (detail["answer"], detail["case"]["expected_output"]) == ("42", "43")
    assert detail["case"]["metadata"] == {"note": "x"}
    answer = await send(world, jsonl([{"question": "?", "output": "42", "rihgt": "42"}]), **CONTAINS)
    [warning] = answer.json()["warnings"]
    assert "became metadata: rihgt" in warning
    assert (await send(world, jsonl([{"question": "?", "output": "x"}]), **CONTAINS)).json()["warnings"] == []
    refused = await send(world, jsonl(rows), **CONTAINS, map=["expected=nothing"])
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "map")
    assert await bad_rows(world, jsonl([{"question": "?", "answer": "x"}])) == [
        (1, "output", "is missing: the text to score; where another column has it, say so: map <column>=output")
    ]
