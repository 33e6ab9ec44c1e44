"""Test that truncated answers, and answers that are not plain text, are stored, shown, filtered, counted, exported and
warned about."""

import csv
import io
import json
from typing import Any

import pytest
from run_world import World, answered

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Refused
from orchestrator.results.domain.cut_answers import cut_warning

CALLS = '{"tool_calls":[{"arguments":{},"name":"f"}]}'
KINDS: tuple[dict[str, Any], ...] = (
    {"answer_kind": "reasoning", "finish_reason": "length", "preview": ""},
    {"answer_kind": "tool_calls", "finish_reason": "tool_calls", "preview": CALLS},
    {"answer_kind": "text", "finish_reason": None, "preview": "42"},
)


@pytest.fixture
async def world(world: World) -> World:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose != Purpose.ITEM:
            return answered()
        number = int(command.request.messages[-1].content.split()[2])
        notes = ("The content was no text.",) if number == 1 else ()
        return answered().model_copy(update=KINDS[number] | {"notes": notes})

    world.answer = answer
    world.reasoning = "Let me think."
    return world


async def listed_kinds(world: World, run_id: Any, **params: Any) -> list[str]:
    answer = await world.http.get(f"/api/runs/{run_id}/items", params=params)
    assert answer.status_code == 200, answer.text
    count = (await world.http.get(f"/api/runs/{run_id}/items/count", params=params)).json()["items"]
    found = [item["answer_kind"] for item in answer.json()["items"]]
    assert len(found) == count
    return found


async def test_kind_and_truncation_of_answers_are_listed_filtered_counted_and_exported(world: World) -> None:
    run_id = await world.start("model-a", "model-b", params={"max_tokens": 256})
    run = await world.until_status(run_id, "FINISHED")
    assert (run["totals"]["cut"], [result["cut"] for result in run["results"]]) == (2, [1, 1])
    assert [
        (warning["kind"], warning["message"]) for warning in run["warnings"] if warning["kind"] == "cut_answers"
    ] == [
        (
            "cut_answers",
            f"{model}: 1 of 3 answers was cut at max_tokens=256: raise it. A cut answer is scored as it stands.",
        )
        for model in ("model-a", "model-b")
    ]
    assert await listed_kinds(world, run_id, cut=True) == ["reasoning"] * 2
    assert await listed_kinds(world, run_id, cut=False) == ["tool_calls", "text"] * 2
    assert await listed_kinds(world, run_id, finish_reason="tool_calls") == ["tool_calls"] * 2
    assert await listed_kinds(world, run_id, answer_kind=["tool_calls", "reasoning"]) == ["reasoning", "tool_calls"] * 2
    assert (await world.http.get(f"/api/runs/{run_id}/items", params={"answer_kind": "song"})).status_code == 422
    cut, called, _ = (await world.items(run_id))[:3]
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{cut['id']}")).json()
    assert (detail["answer"], detail["reasoning"], detail["refusal"]) == ("", "Let me think.", None)
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{called['id']}")).json()
    assert (detail["answer"], detail["answer_kind"]) == (CALLS, "tool_calls")
    assert detail["notes"] == ["The content was no text."]
    judged = [
        (command.answer_kind, command.cut, command.answer) for command in world.seen if isinstance(command, JudgeAnswer)
    ]
    assert sorted(set(judged), key=str) == [
        ("reasoning", True, ""),
        ("text", False, "42"),
        ("tool_calls", False, CALLS),
    ]
    lines = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "jsonl"})).text.splitlines()
    records = [json.loads(line) for line in lines]
    assert {(record["answer_kind"], record["finish_reason"], record["reasoning"]) for record in records} == {
        (kind["answer_kind"], kind["finish_reason"], "Let me think.") for kind in KINDS
    }
    table = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "csv", "cut": True})).text
    assert [row["answer_kind"] for row in csv.DictReader(io.StringIO(table))] == ["reasoning"] * 2


async def test_refusal_is_shown_in_the_models_words(world: World) -> None:
    async def refuse(command: GenerateCompletion) -> Outcome:
        return answered() if command.purpose != Purpose.ITEM else Refused(message="I cannot help with that.")

    world.answer = refuse
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert (run["totals"]["cut"], run["warnings"]) == (0, [])
    (item, *_) = await world.items(run_id)
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json()
    assert (detail["status"], detail["answer"]) == ("FAILED", None)
    assert detail["refusal"] == "I cannot help with that."


def test_warning_about_truncated_answers_names_the_token_limit() -> None:
    assert cut_warning("a", cut=0, answers=9, params={}) is None
    assert "12 of 100 answers were cut at max_tokens=64: raise it" in str(
        cut_warning("a", cut=12, answers=100, params={"max_tokens": 64, "options": {}})
    )
    assert "num_predict=5" in str(cut_warning("a", cut=1, answers=1, params={"options": {"num_predict": 5}}))
    assert "the provider's own token limit: set max_tokens higher" in str(
        cut_warning("a", cut=1, answers=1, params={"max_tokens": None})
    )
