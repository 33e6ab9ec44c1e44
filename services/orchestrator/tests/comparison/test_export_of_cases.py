"""Test the CSV file of compared cases: it has exactly the cases that the filters choose."""

import csv
import io
from typing import Any

from compared_columns import by_answer, by_name, cases, run_of
from run_world import World, answered, open_world, scored

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome
from orchestrator.comparison.adapters.compared_cases import CELLS_AT_ONCE, PREVIEW_BYTES

PATH = "/api/comparisons/cases/export"


async def by_name_of_model(command: GenerateCompletion) -> Outcome:
    return answered(command.request.model)


async def better_by_model(command: JudgeAnswer) -> Verdict:
    """Score the answers of model-0 with 1, those of model-1 with 2, and so on."""
    return scored(int(command.answer[-1]) + 1)


async def exported(world: World, columns: list[str], **query: Any) -> list[dict[str, str]]:
    response = await world.http.get(PATH, params={"column": columns, **query})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="compared-cases.csv"'
    return list(csv.DictReader(io.StringIO(response.text, newline="")))


async def test_file_has_the_values_of_each_column(world: World) -> None:
    world.answer, world.judge = by_name, by_answer
    columns = await run_of(world, "model-a", "model-b", "model-c")
    lines = await exported(world, columns)
    assert [line["task_id"] for line in lines] == ["task-0", "task-1", "task-2"]
    last = lines[-1]
    assert (last["category"], last["question"]) == ("arithmetic", "What is 2 + 1?")
    a, b, c = ({name.split(".")[1]: last[name] for name in last if name.startswith(f"model-{at}.")} for at in "abc")
    assert (a["status"], float(a["score"]), a["passed"]) == ("COMPLETED", 8, "True")
    assert "difference" not in a
    assert (float(b["score_normalised"]), b["passed"], float(b["difference"])) == (0.3, "False", -0.5)
    assert b["answer"].startswith("model-b says What is 2")
    assert (c["status"], c["score"], c["answer"], c["difference"]) == ("FAILED", "", "", "")


async def test_file_has_the_filtered_cases_in_their_order(world: World) -> None:
    world.answer, world.judge = by_name, by_answer
    columns = await run_of(world, "model-a", "model-b", "model-c")
    filters: list[dict[str, Any]] = [
        {"show": "lost"},
        {"show": "better", "of": 2},
        {"sort": "delta", "of": 1},
        {"q": "task-1"},
        {"category": "none"},
        {"bin": "8:12", "of": 1},
    ]
    for query in filters:
        listed = [case["task_id"] for case in (await cases(world, columns, **query))["items"]]
        assert [line["task_id"] for line in await exported(world, columns, **query)] == listed, query


async def test_answers_are_full_and_no_formulas(world: World) -> None:
    long = "=1+1 " + "a" * 2 * PREVIEW_BYTES

    async def formula(command: GenerateCompletion) -> Outcome:
        return answered(long if command.purpose == Purpose.ITEM else "yes")

    world.answer = formula
    columns = await run_of(world, "model-a", "model-b")
    lines = await exported(world, columns)
    assert {line["model-b.answer"] for line in lines} == {f"'{long}"}


async def test_columns_of_one_label_are_told_apart_by_their_run(world: World) -> None:
    world.answer, world.judge = by_name, by_answer
    before = await run_of(world, "model-a", name="Before")
    after = await run_of(world, "model-a", name="After")
    (line, *_) = await exported(world, before + after)
    assert {"model-a (Before).score", "model-a (After).difference"} <= set(line)


async def test_cases_that_are_read_in_several_blocks_occur_once(postgres_url: str, nats_url: str) -> None:
    names = [f"model-{at}" for at in range(8)]
    per_block = CELLS_AT_ONCE // len(names)
    async with open_world(postgres_url, nats_url, tasks=2 * per_block + 1) as world:
        world.answer, world.judge = by_name_of_model, better_by_model
        columns = await run_of(world, *names)
        lines = await exported(world, columns, sort="-delta")
        assert sorted(line["task_id"] for line in lines) == sorted(f"task-{at}" for at in range(2 * per_block + 1))
        assert {(line["model-0.score"], line["model-7.difference"]) for line in lines} == {("1.0", "0.7")}
