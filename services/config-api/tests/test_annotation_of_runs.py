"""Test annotation tasks about answers of a run. The test plays the orchestrator."""

from collections.abc import AsyncIterator
from uuid import UUID

import httpx
import nats
import pytest
from annotation_world import PATH, VERDICT, person
from config_api_asserting import assert_problem, create_resource
from nats.aio.client import Client
from nats.aio.msg import Msg

from llmbench.contracts.read_answers import AnswerOfRun, AnswersRead, ReadAnswers
from llmbench.contracts.sample_answers import AnswersSampled, ChosenAnswer, SampleAnswers
from llmbench.ids import new_id
from llmbench.messaging.fence import fence

RUN, GONE, RUNNING = new_id(), new_id(), new_id()
ITEMS = [new_id() for _ in range(6)]
PAIRWISE = {"type": "pairwise"}


@pytest.fixture
async def asked(nats_url: str) -> AsyncIterator[list[SampleAnswers]]:
    """Answer requests about the run `RUN`: six answers of two targets to three cases. Yield the samples that were
    asked for."""
    seen: list[SampleAnswers] = []
    connection: Client = await nats.connect(nats_url)

    async def sample(message: Msg) -> None:
        question = SampleAnswers.model_validate_json(message.data)
        seen.append(question)
        singles = tuple(ChosenAnswer(item_id=id_, is_audit=place < 2) for place, id_ in enumerate(ITEMS))
        # The order of the second pair is swapped.
        pairs = (
            ChosenAnswer(item_id=ITEMS[0], other_item_id=ITEMS[1]),
            ChosenAnswer(item_id=ITEMS[3], other_item_id=ITEMS[2], is_audit=True),
        )
        reply = AnswersSampled(
            run_name="Nightly", targets=("model-a", "model-b"), answers=pairs if question.pairs else singles, total=6
        )
        if question.run_id == GONE:
            reply = AnswersSampled(found=False)
        if question.run_id == RUNNING:
            reply = AnswersSampled(run_name="Now", problem="the run 'Now' is RUNNING: wait until it is over")
        await message.respond(reply.model_dump_json(exclude_none=True).encode())

    async def read(message: Msg) -> None:
        ids = ReadAnswers.model_validate_json(message.data).item_ids
        # Two answers fit in a reply.
        reply = AnswersRead(answers=tuple(_answer(id_) for id_ in ids[:2]), left=ids[2:])
        await message.respond(reply.model_dump_json(exclude_none=True).encode())

    await connection.subscribe(SampleAnswers.SUBJECT, cb=sample)
    await connection.subscribe(ReadAnswers.SUBJECT, cb=read)
    await fence(connection)
    yield seen
    await connection.close()


def _answer(id_: UUID) -> AnswerOfRun:
    place = ITEMS.index(id_)
    target = "model-b" if place % 2 else "model-a"
    return AnswerOfRun(
        item_id=id_,
        case_id=new_id(),
        case=f"case-{place // 2}",
        epoch=1,
        target=target,
        input={"prompt": f"Question {place // 2}"},
        answer=f"{target} on {place // 2}",
        reference="42",
    )


def body(run_id: UUID = RUN, **more: object) -> dict[str, object]:
    return {
        "name": "Which is better?",
        "instructions": "Read.",
        "annotation_schema": VERDICT,
        "required_annotations_per_item": 1,
        "run": {"run_id": str(run_id)},
        **more,
    }


async def test_answers_are_labelled_blind_and_seen_by_name_by_those_who_decide(
    api: httpx.AsyncClient, asked: list[SampleAnswers]
) -> None:
    sampling = {"strategy": "priority", "priority": "pass_mark", "sample_size": 6, "seed": 5}
    made = await create_resource(api, f"{PATH}/tasks", **body(sampling_config=sampling))
    assert (asked[-1].priority, asked[-1].size, asked[-1].seed, asked[-1].audit_share) == ("pass_mark", 6, 5, 0.3)
    assert made["source"] == {
        "run_id": str(RUN),
        "run_name": "Nightly",
        "targets": ["model-a", "model-b"],
        "pairs": False,
        "named": False,
    }
    assert (made["total_items"], made["dataset_version_id"]) == (6, None)
    task = f"{PATH}/tasks/{made['task_id']}"
    await api.post(f"{task}/activate")
    ada = await person(api, task, "Ada")
    item = await ada.next()
    assert item is not None
    assert item["test_case"] == {
        "input": {"prompt": "Question 0"},
        "output": "model-a on 0",
        "reference": None,
        "target": None,
        "answers": [],
    }
    await ada.label(item["item_id"])
    items = (await api.get(f"{task}/items")).json()["items"]
    assert [one["name"] for one in items[:2]] == ["case-0 · model-a", "case-0 · model-b"]
    assert (items[0]["test_case"]["target"], items[0]["is_audit"], items[5]["is_audit"]) == ("model-a", True, False)
    assert_problem(await api.post(f"{task}/dataset-version", json={}), 409)


async def test_pairs_are_shown_side_by_side_in_the_order_that_was_drawn(
    api: httpx.AsyncClient, asked: list[SampleAnswers]
) -> None:
    source = {"run_id": str(RUN), "pairs": True, "named": True}
    made = await create_resource(api, f"{PATH}/tasks", **body(run=source, annotation_schema=PAIRWISE))
    task = f"{PATH}/tasks/{made['task_id']}"
    await api.post(f"{task}/activate")
    ada = await person(api, task, "Ada")
    first = await ada.next()
    assert first is not None
    second = (await ada.label(first["item_id"], "b"))["next"]
    assert second["test_case"]["output"] is None
    assert second["test_case"]["answers"] == [
        {"text": "model-b on 1", "target": "model-b"},
        {"text": "model-a on 1", "target": "model-a"},
    ]


async def test_runs_that_cannot_be_labelled_say_why(api: httpx.AsyncClient, asked: list[SampleAnswers]) -> None:
    path = f"{PATH}/tasks"
    assert_problem(await api.post(path, json=body(GONE)), 404)
    refused = assert_problem(await api.post(path, json=body(RUNNING)), 409)
    assert refused["detail"] == "The run 'Now' is RUNNING: wait until it is over."
    both = body(dataset_version_id=str(new_id()))
    pairs = body(run={"run_id": str(RUN), "pairs": True})
    stratified = body(sampling_config={"strategy": "stratified", "stratify_by": "topic"})
    gold = body(gold=[{"case": "case-0", "labels": {"label": "good"}}])
    for wrong in (both, pairs, stratified, gold, {**body(), "run": None}):
        assert_problem(await api.post(path, json=wrong), 422, "body")
