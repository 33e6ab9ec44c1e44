"""Test that people can label answers of a run. A fake orchestrator in the test provides the answers."""

from collections.abc import AsyncIterator
from uuid import UUID

import httpx
import nats
import pytest
from annotation_world import PATH, VERDICT, person
from config_api_asserting import assert_problem, create_resource
from nats.aio.client import Client
from nats.aio.msg import Msg
from suite_world import published

from llmbench.contracts.read_answers import AnswerOfRun, AnswersRead, ReadAnswers
from llmbench.contracts.sample_answers import AnswersSampled, ChosenAnswer, NamedAnswer, SampleAnswers
from llmbench.ids import new_id
from llmbench.messaging.fence import fence

RUN, GONE, RUNNING = new_id(), new_id(), new_id()
ITEMS = [new_id() for _ in range(6)]
GOLDEN = new_id()
PAIRWISE = {"type": "pairwise"}
CASES: dict[int, UUID] = {}
"""The ids of cases of a dataset, by number; the cases with other numbers are tasks of a collection."""


@pytest.fixture
async def asked(nats_url: str) -> AsyncIterator[list[SampleAnswers]]:
    """Answer requests about the run `RUN`, in which two targets have answered three cases each. Yield the list of
    requests for a sample of these six answers."""
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
            run_name="Nightly",
            targets=("model-a", "model-b"),
            answers=pairs if question.pairs else singles,
            total=6,
            named=tuple(
                NamedAnswer(item_id=GOLDEN)
                if each.case == "case-9"
                else NamedAnswer(problem="the run has no such case")
                for each in question.named
            ),
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
    place = 19 if id_ == GOLDEN else ITEMS.index(id_)
    target = "model-b" if place % 2 else "model-a"
    return AnswerOfRun(
        item_id=id_,
        case_id=CASES.get(place // 2) or new_id(),
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
    for wrong in (both, pairs, stratified, {**body(), "run": None}):
        assert_problem(await api.post(path, json=wrong), 422, "body")


async def test_gold_answers_measure_people_and_are_named_by_case_and_target(
    api: httpx.AsyncClient, asked: list[SampleAnswers]
) -> None:
    gold = [{"case": "case-9", "target": "model-b", "labels": {"label": "bad"}}]
    made = await create_resource(api, f"{PATH}/tasks", **body(gold=gold))
    assert [(each.case, each.target, each.epoch) for each in asked[-1].named] == [("case-9", "model-b", None)]
    assert made["total_items"] == 6, "gold answers need no labels"
    task = f"{PATH}/tasks/{made['task_id']}"
    await api.post(f"{task}/activate")
    ada = await person(api, task, "Ada")
    item = await ada.next()
    while item is not None:
        item = (await ada.label(item["item_id"]))["next"]
    progress = (await api.get(f"{task}/progress")).json()
    assert (progress["status"], progress["completed_items"]) == ("COMPLETED", 6)
    assert [(one["gold_right"], one["gold_total"]) for one in progress["annotator_stats"]] == [(0, 1)]
    golden = [one for one in (await api.get(f"{task}/items")).json()["items"] if one["gold"]]
    assert [(one["name"], one["gold"]) for one in golden] == [("case-9 · model-b", {"label": "bad"})]

    for wrong, field in (
        ({"case": "case-8", "labels": {"label": "bad"}}, "gold.0.case"),
        ({"case": "case-9", "labels": {"label": "lovely"}}, "gold.0.labels.label"),
    ):
        assert_problem(await api.post(f"{PATH}/tasks", json=body(gold=[wrong])), 422, field)
    pairs = body(run={"run_id": str(RUN), "pairs": True}, annotation_schema=PAIRWISE, gold=gold)
    assert_problem(await api.post(f"{PATH}/tasks", json=pairs), 422, "body")


async def test_accepted_answers_become_the_ground_truth_of_their_cases(
    api: httpx.AsyncClient, asked: list[SampleAnswers]
) -> None:
    version_id = await published(api, "Cases", 3)
    cases = (await api.get(f"/v1/datasets/{await _dataset(api, 'Cases')}/versions/1/cases")).json()["cases"]
    CASES.update(enumerate(UUID(one["test_case_id"]) for one in cases))
    try:
        made = await create_resource(api, f"{PATH}/tasks", **body())
    finally:
        CASES.clear()
    task = f"{PATH}/tasks/{made['task_id']}"
    assert made["dataset_version_id"] is None
    await api.post(f"{task}/activate")
    ada = await person(api, task, "Ada")
    item = await ada.next()
    while item is not None:
        # No answer to the last case is accepted, and both answers to the second are.
        good = item["test_case"]["output"] in ("model-b on 0", "model-a on 1", "model-b on 1")
        item = (await ada.label(item["item_id"], "good" if good else "bad"))["next"]
    path = f"{task}/dataset-version"
    assert_problem(await api.post(path, json={}), 422, "accept")
    assert_problem(await api.post(path, json={"accept": ["lovely"]}), 422, "accept")
    assert_problem(await api.post(path, json={"accept": ["good"], "field": "none"}), 422, "field")
    assert_problem(
        await api.post(path, json={"accept": ["good"], "dataset_version_id": str(new_id())}), 422, "dataset_version_id"
    )
    answer = await api.post(path, json={"accept": ["good"], "dataset_version_id": version_id})
    assert answer.status_code == 201, answer.text
    new = (await api.get(f"{answer.headers['Location']}/cases")).json()["cases"]
    truths = [one["ground_truth"] and one["ground_truth"]["value"].get("answer") for one in new]
    assert truths == ["model-b on 0", "model-a on 1", cases[2]["ground_truth"] and cases[2]["expected_output"]]
    assert (new[0]["expected_output"], new[0]["ground_truth"]["source"]) == ("model-b on 0", "HUMAN_CONSENSUS")
    assert new[0]["metadata"]["labels"] == {"label": "good"}


async def test_better_answers_of_pairs_become_the_ground_truth(
    api: httpx.AsyncClient, asked: list[SampleAnswers]
) -> None:
    await published(api, "Pairs", 2)
    cases = (await api.get(f"/v1/datasets/{await _dataset(api, 'Pairs')}/versions/1/cases")).json()["cases"]
    CASES.update(enumerate(UUID(one["test_case_id"]) for one in cases))
    try:
        source = {"run_id": str(RUN), "pairs": True}
        made = await create_resource(api, f"{PATH}/tasks", **body(run=source, annotation_schema=PAIRWISE))
    finally:
        CASES.clear()
    task = f"{PATH}/tasks/{made['task_id']}"
    await api.post(f"{task}/activate")
    ada = await person(api, task, "Ada")
    first = await ada.next()
    assert first is not None
    second = (await ada.label(first["item_id"], "tie"))["next"]
    await ada.label(second["item_id"], "a")
    path = f"{task}/dataset-version"
    assert_problem(await api.post(path, json={"accept": ["a"]}), 422, "accept")
    answer = await api.post(path, json={})
    assert answer.status_code == 201, answer.text
    new = (await api.get(f"{answer.headers['Location']}/cases")).json()["cases"]
    # In the second pair, model-b was shown first.
    assert [one["expected_output"] for one in new] == [cases[0]["expected_output"], "model-b on 1"]


async def _dataset(api: httpx.AsyncClient, name: str) -> str:
    (found,) = (await api.get("/v1/datasets", params={"q": name})).json()["datasets"]
    return str(found["dataset_id"])
