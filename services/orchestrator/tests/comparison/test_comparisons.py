"""Test the comparison of several columns (targets of runs), and the list of compared cases."""

from typing import Any
from uuid import uuid4

import pytest
from compared_columns import by_answer, by_name, cases, compare_columns, run_of, verdicts
from run_world import World, answered, scored
from sqlalchemy import text, update

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome
from llmbench.db import tables as t


@pytest.fixture
async def columns(world: World) -> list[str]:
    """Create a run of three models, and return its targets in the form that the query parameter `column` expects."""
    world.answer, world.judge = by_name, by_answer
    return await run_of(world, "model-a", "model-b", "model-c")


async def test_each_column_is_compared_with_the_baseline(world: World, columns: list[str]) -> None:
    found = await compare_columns(world, columns)
    assert [
        (column["label"], column["figures"]["scored"], column["judge"]["scale_max"]) for column in found["columns"]
    ] == [
        ("model-a", 3, 10),
        ("model-b", 3, 10),
        ("model-c", 2, 10),
    ]
    assert (found["baseline"], found["cases"]) == (0, 3)
    second, third = found["comparisons"]
    score = second["score"]
    # The differences are +0.2, 0 and −0.5.
    assert (score["cases"], score["better"], score["worse"], score["equal"]) == (3, 1, 1, 1)
    assert score["mean"] == pytest.approx(-0.1)
    assert (score["mean_here"], score["mean_baseline"]) == (0.5, 0.6)
    # Three cases prove almost nothing, so the interval is wide.
    assert score["method"] == "betting"
    assert score["interval"]["low"] < -0.5
    assert score["interval"]["high"] > 0.2
    assert score["verdict"] == "not separable"
    assert score["clusters_needed"] > 3
    # The pass threshold is 5: model-b gains task-0 and loses task-2.
    assert (second["passes"]["cases"], second["passes"]["gained"], second["passes"]["lost"]) == (3, 1, 1)
    assert (second["missing"], second["note"], second["questions_differ"]) == (0, None, 0)
    assert (third["score"]["cases"], third["cases_in_both"], third["missing"]) == (2, 3, 1)
    assert third["score"]["mean"] == pytest.approx(0.2)
    # The prompt of task-2 did not fit. This is neither a refusal nor a mistake of the model, so the case does not count
    # as 0, but is missing.
    assert (third["score"]["verdict"], third["coverage"]) == ("low coverage", pytest.approx(2 / 3))


async def test_epochs_of_a_case_count_as_one_case(world: World) -> None:
    asked: dict[str, int] = {}

    async def by_turns(command: JudgeAnswer) -> Verdict:
        """Return a score of 8 for model-b's answer in one epoch, and of 3 in the other: a mean of 5.5. Only one of two
        epochs passes. A case of model-b therefore does not pass: more than half of its epochs would have to."""
        if command.answer.startswith("model-a"):
            return scored(5)
        asked[command.case.task_id] = asked.get(command.case.task_id, 0) + 1
        return scored(8 if asked[command.case.task_id] == 1 else 3)

    world.answer, world.judge = by_name, by_turns
    columns = await run_of(world, "model-a", "model-b", epochs=2)
    (only,) = (await compare_columns(world, columns))["comparisons"]
    assert (only["score"]["cases"], only["score"]["better"]) == (3, 3)
    assert only["score"]["mean"] == pytest.approx(0.05)
    assert (only["passes"]["cases"], only["passes"]["lost"]) == (3, 3)
    cell = (await cases(world, columns))["items"][0]["cells"][1]
    assert (cell["epochs"], cell["scored"], cell["score"], cell["passed"]) == (2, 2, 5.5, False)


async def test_any_column_can_be_the_baseline(world: World, columns: list[str]) -> None:
    found = await compare_columns(world, columns, baseline=1)
    assert [comparison["column"] for comparison in found["comparisons"]] == [0, 2]
    assert found["comparisons"][0]["score"]["mean"] == pytest.approx(0.1)


async def test_clear_difference_has_the_verdict_better_or_worse(world: World) -> None:
    async def tasks() -> None:
        query = text(
            "WITH made AS (INSERT INTO task (id, org_id, task_id, category, question)"
            " SELECT gen_random_uuid(), org_id, 'more-' || n, 'more', 'What is ' || n || ' + 1?'"
            " FROM collection, generate_series(0, 8) AS n RETURNING id)"
            " INSERT INTO collection_task (collection_id, task_id) SELECT :id, id FROM made"
        )
        async with world.engine.begin() as connection:
            await connection.execute(query, {"id": world.collection_id})

    async def judge(command: JudgeAnswer) -> Verdict:
        number = int(command.case.task_id[-1])
        return scored(7 + number % 3 if command.answer.startswith("model-b") else 1 + 2 * number % 3)

    async def answer(command: GenerateCompletion) -> Outcome:
        return answered(f"{command.request.model} answers")

    await tasks()
    world.answer, world.judge = answer, judge
    columns = await run_of(world, "model-a", "model-b")
    (only,) = (await compare_columns(world, columns))["comparisons"]
    assert (only["score"]["verdict"], only["score"]["better"], only["score"]["clusters_needed"]) == ("better", 12, None)
    assert (only["score"]["mean_here"], only["score"]["mean_baseline"]) == (0.8, 0.2)
    # None of the scores 1, 2 and 3 passes; each of 7, 8 and 9 does.
    assert (only["passes"]["verdict"], only["passes"]["gained"], only["passes"]["lost"]) == ("better", 12, 0)
    (back,) = (await compare_columns(world, columns, baseline=1))["comparisons"]
    assert back["score"]["verdict"] == "worse"
    assert back["score"]["mean"] == pytest.approx(-0.6)
    assert [-back["score"]["interval"]["high"], -back["score"]["interval"]["low"]] == [
        only["score"]["interval"]["low"],
        only["score"]["interval"]["high"],
    ]


PATHS = (
    "/api/comparisons",
    "/api/comparisons/cases",
    "/api/comparisons/cases/export",
    "/api/comparisons/categories",
    "/api/comparisons/scores",
)
SHOWN: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["task-0", "task-1", "task-2"]),
    ({"show": "differing"}, ["task-0", "task-1", "task-2"]),
    ({"show": "differing", "of": 1}, ["task-0", "task-2"]),
    ({"show": "better"}, ["task-0", "task-1"]),
    ({"show": "better", "of": 1}, ["task-0"]),
    ({"show": "worse"}, ["task-2"]),
    ({"show": "worse", "of": 2}, []),
    ({"show": "equal"}, []),
    ({"show": "equal", "of": 1}, ["task-1"]),
    ({"show": "missing"}, ["task-2"]),
    ({"show": "missing", "of": 1}, []),
    ({"show": "better", "baseline": 1, "of": 0}, ["task-2"]),
    # The pass threshold is 5.
    ({"show": "gained"}, ["task-0"]),
    ({"show": "lost"}, ["task-2"]),
    ({"show": "lost", "of": 2}, []),
    ({"show": "lost", "baseline": 1, "of": 0}, ["task-0"]),
    ({"show": "gained", "baseline": 1, "of": 2}, []),
    ({"sort": "delta", "of": 1}, ["task-2", "task-1", "task-0"]),
    ({"sort": "-delta", "of": 1}, ["task-0", "task-1", "task-2"]),
    ({"sort": "-delta", "of": 2}, ["task-0", "task-1", "task-2"]),
    ({"sort": "group", "of": 1}, ["task-2", "task-0", "task-1"]),
    ({"sort": "group", "of": 2}, ["task-0", "task-1", "task-2"]),
    ({"sort": "group", "of": 0, "baseline": 1}, ["task-0", "task-2", "task-1"]),
    ({"bin": "8:12", "of": 1}, ["task-0"]),
    ({"bin": "16:6", "of": 1}, ["task-2"]),
    ({"bin": "16:16", "of": 2}, []),
    ({"category": "arithmetic"}, ["task-0", "task-1", "task-2"]),
    ({"category": ["none", "other"]}, []),
    ({"q": "TASK-1"}, ["task-1"]),
    ({"q": "what is 2"}, ["task-2"]),
    ({"q": "model-c says What is 0"}, ["task-0"]),
    ({"q": "100 %"}, ["task-0", "task-1", "task-2"]),
    ({"q": "100_%"}, []),
    ({"q": "\0"}, ["task-0", "task-1", "task-2"]),
    ({"q": "sum is right", "show": "worse"}, ["task-2"]),
]


async def test_filtered_and_sorted_cases_occur_once_over_all_pages(world: World, columns: list[str]) -> None:
    for chosen, names in SHOWN:
        complete_page = await cases(world, columns, **chosen)
        assert [case["task_id"] for case in complete_page["items"]] == names, chosen
        assert (complete_page["total"], complete_page["next_cursor"]) == (len(names), None), chosen
        paged: list[Any] = []
        cursor = None
        for _ in names:
            page = await cases(world, columns, **chosen, limit=1, **({"cursor": cursor} if cursor else {}))
            assert page["total"] == len(names)
            paged += page["items"]
            cursor = page["next_cursor"]
        assert (paged, cursor) == (complete_page["items"], None), chosen


async def test_categories_are_compared_over_cases_scored_everywhere(world: World, columns: list[str]) -> None:
    async with world.engine.begin() as connection:
        await connection.execute(update(t.item).where(t.item.c.task_id == "task-0").values(category="easy"))
    response = await world.http.get("/api/comparisons/categories", params={"column": columns})
    # model-c has no score in task-2, which therefore counts for no column.
    assert response.json() == {
        "compared": [True, True, True],
        "total": 2,
        "categories": [
            {"category": "arithmetic", "cases": 2, "shared": 1, "spread": 0.2, "scores": [0.6, 0.6, 0.8]},
            {"category": "easy", "cases": 1, "shared": 1, "spread": 0.2, "scores": [0.4, 0.6, 0.6]},
        ],
    }
    two = await world.http.get("/api/comparisons/categories", params={"column": columns[:2]})
    assert [(one["category"], one["shared"], one["spread"]) for one in two.json()["categories"]] == [
        ("arithmetic", 2, pytest.approx(0.25)),
        ("easy", 1, pytest.approx(0.2)),
    ]


async def test_pairs_of_scores_are_counted_by_bins(world: World, columns: list[str]) -> None:
    response = await world.http.get("/api/comparisons/scores", params={"column": columns, "of": 1})
    assert response.json() == {
        "cases": 3,
        "pairs": [
            {"bin": {"baseline": 8, "here": 12}, "baseline": 0.4, "here": 0.6, "cases": 1},
            {"bin": {"baseline": 12, "here": 12}, "baseline": 0.6, "here": 0.6, "cases": 1},
            {"bin": {"baseline": 16, "here": 6}, "baseline": 0.8, "here": 0.3, "cases": 1},
        ],
    }
    other = await world.http.get("/api/comparisons/scores", params={"column": columns, "of": 2})
    assert other.json()["cases"] == 2


async def test_case_has_one_cell_per_column(world: World, columns: list[str]) -> None:
    first, _, last = (await cases(world, columns))["items"]
    assert (first["category"], first["question"], first["questions_differ"]) == ("arithmetic", "What is 0 + 1?", False)
    a, b, _ = first["cells"]
    assert (a["score"], a["score_normalised"], a["passed"], a["difference"]) == (4, 0.4, False, None)
    assert (b["score"], b["passed"], b["difference"], b["epochs"], b["scored"]) == (6, True, 0.2, 1, 1)
    assert (b["answer"], b["truncated"], b["time_ms"]) == ("model-b says What is 0 + 1? of 100 %", False, 10)
    run_id = columns[1].split(":")[0]
    item = (await world.http.get(f"/api/runs/{run_id}/items/{b['item_id']}")).json()
    assert (item["target_label"], item["epoch"]) == ("model-b", 1)
    lost = last["cells"][2]
    assert (lost["status"], lost["failure"]["kind"], lost["answer"], lost["difference"]) == (
        "FAILED",
        "rejected",
        None,
        None,
    )


async def test_runs_over_different_cases_are_compared_in_the_shared_cases(world: World, columns: list[str]) -> None:
    """The second run has a changed task-0, no task-1 and an additional task-9. So two of four cases are in both runs,
    and the question of task-0 is reported as different. The answers of the second run are so long
    that the list of cases shows only their beginning."""

    async def at_length(command: GenerateCompletion) -> Outcome:
        return answered("ü" * 3000)

    async def good(command: JudgeAnswer) -> Verdict:
        return scored(9)

    async with world.engine.begin() as connection:
        await connection.execute(update(t.task).where(t.task.c.task_id == "task-0").values(question="What is zero?"))
        await connection.execute(update(t.task).where(t.task.c.task_id == "task-1").values(task_id="task-9"))
    world.answer, world.judge = at_length, good
    mixed = [columns[0], *await run_of(world, "model-a")]
    found = await compare_columns(world, mixed)
    (only,) = found["comparisons"]
    assert found["cases"] == 4
    assert (only["cases_in_both"], only["only_baseline"], only["only_here"]) == (2, 1, 1)
    assert (only["questions_differ"], only["missing"], only["score"]["cases"]) == (1, 2, 2)
    page = await cases(world, mixed)
    assert [(case["task_id"], case["questions_differ"]) for case in page["items"]] == [
        ("task-0", True),
        ("task-1", False),
        ("task-2", False),
        ("task-9", False),
    ]
    assert page["items"][1]["cells"][1] is None
    assert page["items"][3]["cells"][0] is None
    answer = page["items"][0]["cells"][1]
    assert (answer["answer"], answer["truncated"]) == ("ü" * 512, True)
    assert [case["task_id"] for case in (await cases(world, mixed, show="missing"))["items"]] == ["task-1", "task-9"]


async def test_changed_references_are_counted_and_listed(world: World, columns: list[str]) -> None:
    async def change(task_id: str, **values: Any) -> list[str]:
        async with world.engine.begin() as connection:
            await connection.execute(update(t.task).where(t.task.c.task_id == task_id).values(values))
        return [columns[0], *await run_of(world, "model-b")]

    unchanged = await compare_columns(world, columns[:2])
    assert [(one["references_changed"], one["references_note"]) for one in unchanged["comparisons"]] == [(0, None)]
    mended = await change("task-1", excellent="The mended reference.")
    (only,) = (await compare_columns(world, mended))["comparisons"]
    assert (only["questions_differ"], only["references_changed"]) == (0, 1)
    assert only["references_note"] == "The reference of 1 of 3 cases was changed between these runs."
    page = await cases(world, mended)
    assert [case["reference_changed"] for case in page["items"]] == [False, True, False]
    assert page["groups"]["changed"] == 1
    assert [case["task_id"] for case in (await cases(world, mended, show="changed"))["items"]] == ["task-1"]
    for values in ({"accepted_answers": ["yes"]}, {"checks": [{"kind": "contains", "params": {"text": "a"}}]}):
        (only,) = (await compare_columns(world, await change("task-2", **values)))["comparisons"]
        assert only["references_changed"] == 2
    # A field without a value is no reference.
    async with world.engine.begin() as connection:
        await connection.execute(
            text("""UPDATE item SET "case" = "case" || '{"good": null, "checks": []}' WHERE task_id = 'task-0'""")
        )
    (only,) = (await compare_columns(world, mended))["comparisons"]
    assert only["references_changed"] == 1


async def test_scores_of_different_judges_are_not_subtracted(world: World, columns: list[str]) -> None:
    judge = {"provider_id": str(world.provider_id), "model": "another-judge"}
    other = await run_of(world, "model-b", judge=judge)
    mixed = [columns[0], *other, columns[2]]
    found = await compare_columns(world, mixed)
    unlike, alike = found["comparisons"]
    assert (unlike["score"], unlike["passes"], unlike["missing"]) == (None, None, 3)
    assert "another-judge and judge" in unlike["note"]
    assert alike["score"]["cases"] == 2
    for case in (await cases(world, mixed, sort="-delta"))["items"]:
        assert case["cells"][1]["score"] is not None
        assert case["cells"][1]["difference"] is None
    assert (await cases(world, mixed, show="differing", of=1))["total"] == 0
    by_category = (await world.http.get("/api/comparisons/categories", params={"column": mixed})).json()
    assert by_category["compared"] == [True, False, True]
    assert by_category["categories"][0]["scores"] == [0.5, None, 0.7]
    pairs = (await world.http.get("/api/comparisons/scores", params={"column": mixed, "of": 1})).json()
    assert pairs == {"cases": 0, "pairs": []}


async def test_runs_scored_by_different_judges_have_no_winner(world: World, columns: list[str]) -> None:
    judge = {"provider_id": str(world.provider_id), "model": "another-judge"}
    other = await run_of(world, "model-b", judge=judge)
    found = await verdicts(world, {"run_ids": [columns[0].split(":")[0], other[0].split(":")[0]]})
    assert found["winner"] is None
    assert "Two different measures" in found["winner_reason"]


async def test_comparison_with_an_unfinished_run_has_no_verdict(world: World, columns: list[str]) -> None:
    async def never(_: GenerateCompletion) -> None:
        """Ignore the command, so that the call is never answered."""

    world.answer = never
    run_id = await world.start("model-a")
    (target,) = (await world.http.get(f"/api/runs/{run_id}")).json()["targets"]
    mixed = [columns[0], f"{run_id}:{target['id']}"]
    (only,) = (await compare_columns(world, mixed))["comparisons"]
    assert (only["cases_in_both"], only["score"]["cases"], only["score"]["mean"]) == (3, 0, None)
    assert (only["score"]["verdict"], only["score"]["interval"]) == (None, None)
    assert only["withheld"].startswith("'model-a' is running: ")
    assert (await cases(world, mixed))["items"][0]["cells"][1]["answer"] is None
    found = await verdicts(world, {"run_ids": [columns[0].split(":")[0], str(run_id)]})
    assert (found["winner"], found["regressed"]) == (None, False)
    assert found["winner_reason"].startswith("'model-a' is running: ")


async def test_invalid_comparison_is_refused_with_its_field(world: World, columns: list[str]) -> None:
    run_id, target_id = columns[0].split(":")
    refused: list[tuple[dict[str, Any], str]] = [
        ({}, "column"),
        ({"column": columns[:1]}, "column"),
        ({"column": [columns[0]] * 9}, "column"),
        ({"column": [columns[0], "x"]}, "column.1"),
        ({"column": [columns[0], columns[0]]}, "column"),
        ({"column": columns, "baseline": 3}, "baseline"),
        ({"column": columns, "baseline": -1}, "baseline"),
    ]
    of_cases: list[tuple[dict[str, Any], str]] = [
        ({"of": 3}, "of"),
        ({"of": 0}, "of"),
        ({"show": "some"}, "show"),
        ({"sort": "score"}, "sort"),
        ({"limit": 501}, "limit"),
        ({"cursor": "x"}, "cursor"),
        ({"bin": "8:21", "of": 1}, "bin"),
        ({"bin": "8:12"}, "bin"),
    ]
    refused += [({"column": columns} | chosen, field) for chosen, field in of_cases]
    for asked, field in refused:
        path = "/api/comparisons" if set(asked) <= {"column", "baseline"} else "/api/comparisons/cases"
        response = await world.http.get(path, params=asked)
        assert (response.status_code, response.json()["errors"][0]["field"]) == (422, field), asked
    by_position = (await cases(world, columns, limit=1))["next_cursor"]
    response = await world.http.get(
        "/api/comparisons/cases", params={"column": columns, "sort": "delta", "cursor": by_position}
    )
    assert response.status_code == 422
    for gone in (f"{uuid4()}:{target_id}", f"{run_id}:{uuid4()}"):
        for path in PATHS:
            response = await world.http.get(path, params={"column": [columns[0], gone]})
            assert response.status_code == 404
            assert gone.split(":")[0] in response.json()["detail"]
