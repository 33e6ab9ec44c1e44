"""Test that the turns of a conversation are asked in order, with the model's own earlier answers, while several
conversations run at once."""

import asyncio
import json
from typing import Any
from uuid import UUID

import pytest
from run_world import World, answered, scored
from sqlalchemy import insert, text

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Citation, Outcome, Rejected
from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id


async def version(world: World, *conversations: str, turns: int = 3, name: str = "Talks") -> str:
    """Insert a published version with these conversations, as config-api stores it. The rows of each conversation begin
    with its last turn."""
    dataset_id, version_id, at = new_id(), new_id(), text("now()")
    async with world.engine.begin() as connection:
        values = {"id": dataset_id, "org_id": DEFAULT_ORG_ID, "name": name, "type": "EVALUATION"}
        await connection.execute(insert(t.dataset).values(values))
        await connection.execute(
            insert(t.dataset_version).values(
                id=version_id,
                dataset_id=dataset_id,
                version_number=1,
                status="PUBLISHED",
                published_at=at,
                file_uri="file:x",
                file_format="jsonl",
                file_bytes=1,
                row_count=len(conversations) * turns,
                schema_hash="",
                content_hash="",
                validation_status="VALID",
            )
        )
        places = [(talk, turn) for talk in conversations for turn in range(turns, 0, -1)]
        await connection.execute(
            insert(t.test_case),
            [
                {
                    "id": new_id(),
                    "version_id": version_id,
                    "row_index": index,
                    "digest": b"",
                    "name": f"{talk}-{turn}",
                    "input": {"prompt": f"{talk}, question {turn}?", "conversation_id": talk, "turn": turn},
                    "metadata": {},
                }
                for index, (talk, turn) in enumerate(places)
            ],
        )
    return str(version_id)


async def talking(command: GenerateCompletion) -> Outcome:
    """Answer each question with the text of the question in angle brackets."""
    question = command.request.messages[-1].content
    return answered(f"<{question}>")


async def by_turn(world: World, run_id: UUID) -> dict[str, dict[str, Any]]:
    return {item["task_id"]: item for item in await world.items(run_id)}


def asked_questions(world: World, *, since: int = 0) -> list[str]:
    return [call.request.messages[-1].content for call in world.calls()[since:]]


async def test_each_turn_is_asked_after_the_previous_turn_is_answered(world: World) -> None:
    world.answer = talking
    drawn = await version(world, "a", "b")
    run_id = await world.start(
        "model-a", "model-b", collection_ids=[], dataset_version_ids=[drawn], max_conversation_history=1, epochs=2
    )
    run = await world.until_status(run_id, "FINISHED")
    assert run["counts"] == {"items": 24, "answered": 24, "judged": 24, "failed": 0, "skipped": 0}
    assert run["limits"]["max_conversation_history"] == 1
    # Two targets, two epochs, two conversations of three turns. Both conversations run at once, each in its order.
    calls = world.calls()
    for number in range(0, 24, 12):
        order = [call.request.messages[-1].content for call in calls[number : number + 12]]
        for talk in ("a", "b"):
            turns = [asked for asked in order if asked.startswith(talk)]
            assert sorted(turns) == turns or sorted(turns[:2]) == turns[:2]
    for call in calls:
        contents = [message.content for message in call.request.messages]
        turn = int(contents[-1].split()[-1][0])
        before = contents[-1].replace(str(turn), str(turn - 1))
        assert contents[:-1] == ([] if turn == 1 else [before, f"<{before}>"]), (
            "the last turn alone, as the run wants it"
        )
    items = await world.items(run_id)
    assert [(item["conversation_id"], item["turn"]) for item in items[:3]] == [("a", 3), ("a", 2), ("a", 1)]
    of_b = (await world.http.get(f"/api/runs/{run_id}/items?conversation_id=b")).json()["items"]
    assert {item["conversation_id"] for item in of_b} == {"b"}
    assert len(of_b) == 12
    judged = [command for command in world.seen if isinstance(command, JudgeAnswer) and command.case.turn == 3]
    assert {tuple(message.content for message in judged_command.case.conversation) for judged_command in judged} == {
        (f"{talk}, question 2?", f"<{talk}, question 2?>") for talk in ("a", "b")
    }
    csv = (await world.http.get(f"/api/runs/{run_id}/export?format=csv")).text.splitlines()
    assert "conversation_id,turn" in csv[0]
    assert ",a,3," in csv[1]


async def test_benchmark_record_of_a_turn_has_the_messages_that_were_sent(world: World) -> None:
    world.answer = talking
    drawn = await version(world, "a", "b")
    run_id = await world.start(collection_ids=[], dataset_version_ids=[drawn], max_conversation_history=1)
    await world.until_status(run_id, "FINISHED")
    sent = {
        call.request.messages[-1].content: [message.model_dump() for message in call.request.messages]
        for call in world.calls()
    }
    # The filter leaves out the earlier turns, which are read all the same.
    for chosen, turns in ({}, 6), ({"task_id": "b-3"}, 1):
        params = {"format": "benchmark-record"} | chosen
        record = (await world.http.get(f"/api/runs/{run_id}/export", params=params)).text.splitlines()
        inputs = [json.loads(line)["data"]["sample"]["input"] for line in record[1:-1]]
        assert len(inputs) == turns
        assert inputs == [sent[messages[-1]["content"]] for messages in inputs]


async def test_confidence_interval_counts_conversations_not_turns(world: World) -> None:
    async def judge(command: JudgeAnswer) -> Verdict:
        return scored({"a": 2.0, "b": 5.0, "c": 8.0}[command.case.conversation_id or ""])

    world.judge = judge
    drawn = await version(world, "a", "b", "c", turns=4)
    run_id = await world.start(collection_ids=[], dataset_version_ids=[drawn])
    run = await world.until_status(run_id, "FINISHED")
    # scipy.stats.t.interval(0.95, 2, loc=0.5, scale=sem([0.2, 0.5, 0.8])): three conversations count as three values.
    for figures in (run["totals"], run["results"][0], run["evaluators"][0]):
        interval = figures["mean_score_interval"]
        assert (interval["low"], interval["high"]) == pytest.approx((0.0, 1.0), abs=1e-9)
    assert run["totals"]["mean_score"] == pytest.approx(0.5)


async def test_comparison_counts_a_conversation_as_one_cluster(world: World) -> None:
    """The comparison has six cases in two clusters. Model-b is better by 0.3 on average in conversation a, where two of
    its three turns pass. It is worse by 0.2 in conversation b."""
    raw = {"model-a": {"a": (4, 4, 4), "b": (6, 6, 6)}, "model-b": {"a": (9, 8, 4), "b": (4, 4, 4)}}

    async def answer(command: GenerateCompletion) -> Outcome:
        return answered(command.request.model)

    async def judge(command: JudgeAnswer) -> Verdict:
        talk, turn = command.case.task_id.split("-")
        return scored(raw[command.answer][talk][int(turn) - 1])

    world.answer, world.judge = answer, judge
    drawn = await version(world, "a", "b")
    run_id = await world.start("model-a", "model-b", collection_ids=[], dataset_version_ids=[drawn])
    run = await world.until_status(run_id, "FINISHED")
    columns = [f"{run_id}:{target['id']}" for target in run["targets"]]
    found = (await world.http.get("/api/comparisons", params={"column": columns})).json()
    (only,) = found["comparisons"]
    assert (found["cases"], only["cases_in_both"], only["missing"]) == (6, 6, 0)
    score, passes = only["score"], only["passes"]
    assert (score["clusters"], score["cases"]) == (2, 6)
    assert (score["better"], score["worse"], score["equal"]) == (2, 3, 1)
    assert score["mean"] == pytest.approx(0.05)
    assert (passes["cases"], passes["gained"], passes["lost"]) == (6, 2, 3)


async def test_unanswered_turn_fails_the_later_turns_and_a_retry_repeats_them_all(world: World) -> None:
    refusing = True

    async def answer(command: GenerateCompletion) -> Outcome:
        if refusing and command.request.messages[-1].content == "a, question 2?":
            return Rejected(message="No.", http_status=400)
        return await talking(command)

    world.answer = answer
    drawn = await version(world, "a", "b", turns=4)
    run_id = await world.start(collection_ids=[], dataset_version_ids=[drawn])
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("partial", 3)
    items = await by_turn(world, run_id)
    assert [items[f"a-{turn}"]["failure"] and items[f"a-{turn}"]["failure"]["kind"] for turn in (1, 2, 3, 4)] == [
        None,
        "rejected",
        "turn_failed",
        "turn_failed",
    ]
    assert items["a-4"]["failure"]["message"] == "Turn 2 of the conversation was not answered: No."
    assert all(items[f"b-{turn}"]["status"] == "COMPLETED" for turn in (1, 2, 3, 4))
    assert "a, question 3?" not in asked_questions(world)

    refusing, before = False, len(world.calls())
    response = await world.http.post(f"/api/runs/{run_id}/retry-failed", json={"item_ids": [items["a-4"]["id"]]})
    assert response.status_code == 202, response.text
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("complete", 0)
    assert asked_questions(world, since=before) == [f"a, question {turn}?" for turn in (2, 3, 4)], (
        "what was answered stays"
    )
    last = world.calls()[-1]
    assert [message.content for message in last.request.messages[:2]] == ["a, question 1?", "<a, question 1?>"]


async def test_resume_after_a_pause_between_turns_asks_the_first_missing_turn(world: World) -> None:
    second = asyncio.Event()

    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose == Purpose.ITEM and "question 2" in command.request.messages[-1].content:
            await second.wait()
        return await talking(command)

    world.answer = answer
    drawn = await version(world, "a")
    run_id = await world.start(collection_ids=[], dataset_version_ids=[drawn])
    await world.until(run_id, lambda run: run["counts"]["answered"] == 1)
    assert (await world.http.post(f"/api/runs/{run_id}/pause")).status_code == 202
    second.set()
    run = await world.until_status(run_id, "PAUSED")
    assert run["counts"]["answered"] == 2
    assert (await world.http.post(f"/api/runs/{run_id}/resume")).status_code == 202
    await world.until_status(run_id, "FINISHED")
    assert asked_questions(world) == [f"a, question {turn}?" for turn in (1, 2, 3)]


async def test_two_versions_with_the_same_conversation_id_are_refused(world: World) -> None:
    first = await version(world, "a", "b")
    async with world.engine.begin() as connection:
        await connection.execute(text("UPDATE test_case SET name = 'other ' || name"))
    second = await version(world, "b", name="More")
    response = await world.http.post("/api/runs", json=world.body(dataset_version_ids=[first, second]))
    assert response.status_code == 422
    assert "two of the versions have a conversation 'b'" in response.json()["detail"]


async def test_citations_of_a_service_reach_the_judge_and_the_item(world: World) -> None:
    given = (Citation(document="HR.md", section="Leave", relevance=0.9),)

    async def answer(_: GenerateCompletion) -> Outcome:
        return answered().model_copy(update={"citations": given})

    world.answer = answer
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    assert {command.citations for command in world.seen if isinstance(command, JudgeAnswer)} == {given}
    [item, *_] = await world.items(run_id)
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json()
    assert detail["citations"] == [{"document": "HR.md", "section": "Leave", "relevance": 0.9}]


async def test_http_json_targets_default_to_short_timeout_and_two_attempts(world: World) -> None:
    async with world.engine.begin() as connection:
        await connection.execute(text("UPDATE provider SET type = 'HTTP_JSON'"))
    chosen = {"provider_id": str(world.provider_id), "model": "model-a", "timeout_s": 7}
    for more, limits in (
        ({}, (5, 2)),
        ({"timeout_s": 300, "max_attempts": 3}, (300, 3)),
        ({"targets": [chosen]}, (7, 2)),
    ):
        run_id = await world.start(**more)
        [target] = (await world.until_status(run_id, "FINISHED"))["targets"]
        assert (target["timeout_s"], target["max_attempts"]) == limits
