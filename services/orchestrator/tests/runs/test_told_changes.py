"""Test that changes which the gateway makes to requests and answers are visible: in the item, the judge's score, the
log, warnings and exports."""

import csv
import io
import json
from typing import Any

import pytest
from run_world import World, answered, scored

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Answered, Outcome, Refused
from llmbench.ids import call_id

NOT_SENT = "temperature 0.2 was not sent: the model refuses it and uses its own default."
NO_SCHEMA = "The JSON Schema was not enforced: the model refuses it, and was asked for JSON mode instead."
OF_ONE_ANSWER = "The content was no text: it is kept as JSON."
REPEATED = (
    "model-a: the provider repeats a secret of its headers in its answers. Each is replaced by •••, and the answers "
    "are scored so. Use another key, and ask the provider why."
)


def changed(*adaptations: str, text: str = "42", redactions: int = 0) -> Answered:
    notes = (*adaptations, OF_ONE_ANSWER)
    return answered(text).model_copy(update={"notes": notes, "adaptations": adaptations, "redactions": redactions})


async def log_lines(world: World, run_id: object) -> list[tuple[str, str]]:
    lines = (await world.http.get(f"/api/runs/{run_id}/log", params={"limit": 500})).json()["lines"]
    return [(line["level"], line["text"]) for line in lines if line["level"] != "info"]


async def exported(world: World, run_id: object, format_: str) -> str:
    return (await world.http.get(f"/api/runs/{run_id}/export", params={"format": format_})).text


@pytest.mark.shows("I-18")
async def test_adapted_request_is_reported_once_per_target_and_with_each_item(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        return changed(NOT_SENT) if command.request.model == "model-a" else answered()

    world.answer = answer
    run_id = await world.start("model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    # A note that concerns one answer only does not become a warning of the run.
    assert run["warnings"] == [{"kind": "adapted_request", "message": f"model-a: {NOT_SENT}"}]
    assert await log_lines(world, run_id) == [("warning", f"model-a: {NOT_SENT}")]
    adapted, *_, as_asked = await world.items(run_id)
    detail = (await world.http.get(f"/api/runs/{run_id}/items/{adapted['id']}")).json()
    assert detail["notes"] == [NOT_SENT, OF_ONE_ANSWER]
    assert (await world.http.get(f"/api/runs/{run_id}/items/{as_asked['id']}")).json()["notes"] == []
    records = [json.loads(line) for line in (await exported(world, run_id, "jsonl")).splitlines()]
    assert [record["notes"] for record in records] == [[NOT_SENT, OF_ONE_ANSWER]] * 3 + [[]] * 3
    rows = list(csv.DictReader(io.StringIO(await exported(world, run_id, "csv"), newline="")))
    assert [row["notes"] for row in rows] == [f"{NOT_SENT}\n{OF_ONE_ANSWER}"] * 3 + [""] * 3
    assert json.loads(await exported(world, run_id, "json"))["run"]["warnings"] == run["warnings"]


async def test_adapted_judge_request_is_reported_with_its_scores(world: World) -> None:
    async def judge(command: JudgeAnswer) -> Any:
        assert command.judge is not None
        asked = GenerateCompletion(
            call_id=call_id(command.score_id, dispatch=command.dispatch),
            run_id=command.run_id,
            group=command.judge.group,
            group_id=command.judge.group_id,
            purpose=Purpose.SCORE,
            item_id=command.item_id,
            score_id=command.score_id,
            dispatch=command.dispatch,
            provider=command.judge.provider,
            request={"model": "judge", "messages": [{"role": "user", "content": "Grade it."}]},
            timeout_s=60,
        )
        # The second report of a call changes nothing.
        await world.finish_call(asked, changed(NO_SCHEMA, redactions=1))
        await world.finish_call(asked, changed(NO_SCHEMA, redactions=1))
        return scored()

    world.judge = judge
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert {"kind": "adapted_request", "message": f"judge judge: {NO_SCHEMA}"} in run["warnings"]
    lines = (await world.http.get(f"/api/runs/{run_id}/log", params={"limit": 500})).json()["lines"]
    assert [line["kind"] for line in lines].count("judge_prompt") == 3
    assert len([line for line in lines if "judge judge repeated a secret" in line["text"]]) == 3
    (item, *_) = await world.items(run_id)
    (score,) = (await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json()["scores"]
    assert (score["notes"], score["redactions"]) == ([NO_SCHEMA, OF_ONE_ANSWER], 1)


async def test_answers_that_repeat_a_secret_are_counted_and_reported(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        if command.purpose != Purpose.ITEM:
            return answered()
        number = int(command.request.messages[-1].content.split()[2])
        return (answered(), changed(text="It is •••.", redactions=2), Refused(message="No, •••.", redactions=1))[number]

    world.answer = answer
    run_id = await world.start()
    run = await world.until_status(run_id, "FINISHED")
    assert run["warnings"] == [{"kind": "repeated_secret", "message": REPEATED}]
    items = await world.items(run_id)
    details = [(await world.http.get(f"/api/runs/{run_id}/items/{item['id']}")).json() for item in items]
    assert [detail["redactions"] for detail in details] == [0, 2, 1]
    warnings = [text for level, text in await log_lines(world, run_id) if level == "warning"]
    assert sorted(warnings) == sorted(
        [
            REPEATED,
            f"{items[1]['task_id']}: model-a repeated a secret in 2 places, each replaced by •••",
            f"{items[2]['task_id']}: model-a repeated a secret in 1 place, each replaced by •••",
        ]
    )
    records = [json.loads(line) for line in (await exported(world, run_id, "jsonl")).splitlines()]
    assert [record["redactions"] for record in records] == [0, 2, 0]
    # Redacted text can be searched for by its replacement mark.
    marked = (await world.http.get(f"/api/runs/{run_id}/items", params={"q": "•••"})).json()["items"]
    assert [item["id"] for item in marked] == [items[1]["id"]]
