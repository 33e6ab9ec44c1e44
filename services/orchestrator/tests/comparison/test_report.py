"""Test the HTML report of a comparison: verdicts in sentences, figures, and the cases that changed."""

from typing import Any
from uuid import uuid4

import pytest
from compared_columns import by_answer, by_name, run_of
from run_world import World, answered

from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Outcome

PATH = "/api/comparisons/report"


async def report(world: World, **query: Any) -> str:
    response = await world.http.get(PATH, params=query)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="comparison.html"'
    return response.text


async def test_report_has_verdicts_then_figures_then_changed_cases(world: World) -> None:
    world.answer, world.judge = by_name, by_answer
    columns = await run_of(world, "model-a", "model-b")
    page = await report(world, column=columns)
    said = [
        "model-b and model-a cannot be told apart (50.0% against 60.0%). -10.0 points (",
        "Of 3 compared cases, 1 is better, 1 worse, and 1 equal.",
        "1 case passed only with model-b, and 1 only with model-a. This may be chance.",
        "model: model-a → model-b",
        "model-a (baseline)",
        "<h2>Worse cases (1)</h2>",
        "score 30.0% · not passed · -50.0 points",
        "<h2>Better cases (1)</h2>",
        "score 60.0% · passed · +20.0 points",
    ]
    places = [page.find(each) for each in said]
    assert -1 not in places, said[places.index(-1)]
    assert places == sorted(places)
    # The case that stayed equal is counted, and not listed.
    assert "task-1" not in page
    assert "is not measured against people" in page


async def test_report_of_two_runs_pairs_their_targets(world: World) -> None:
    world.answer, world.judge = by_name, by_answer
    before = await run_of(world, "model-a", "model-b", name="Before")
    after = await run_of(world, "model-a", "model-c", name="After")
    runs = [columns[0].split(":")[0] for columns in (before, after)]
    page = await report(world, run=runs)
    assert "<title>After compared with Before</title>" in page
    assert "model-a (After) and model-a (Before) cannot be told apart" in page
    assert "All 3 compared cases score the same." in page
    assert "model-b of Before is left out" in page
    pair = f"{before[1].split(':')[1]}:{after[1].split(':')[1]}"
    by_hand = await report(world, run=runs, pair=[pair])
    assert "<h2>Pair 2: model-c against model-b</h2>" in by_hand
    assert "model-c and model-b: no verdict. Only 2 of the 3 cases" in by_hand
    assert '<p class="lead">After and Before' in by_hand


async def test_report_neutralises_hostile_answers(world: World) -> None:
    async def hostile(command: GenerateCompletion) -> Outcome:
        if command.purpose != Purpose.ITEM:
            return answered()
        return answered(f"{command.request.model} <script>alert(1)</script>\u202e</pre>")

    world.answer, world.judge = hostile, by_answer
    page = await report(world, column=await run_of(world, "model-a", "model-b"))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\ufffd&lt;/pre&gt;" in page
    assert "<script" not in page
    assert "\u202e" not in page


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "column"),
        ({"column": [f"{uuid4()}:{uuid4()}"] * 2, "run": [str(uuid4())] * 2}, "column"),
        ({"run": [str(uuid4())]}, "run"),
        ({"run": ["00000000-0000-0000-0000-000000000001"] * 2}, "run"),
        ({"run": [str(uuid4()), str(uuid4())], "baseline": 2}, "baseline"),
        ({"column": [f"{uuid4()}:{uuid4()}", "x"]}, "column"),
        ({"run": [str(uuid4()), str(uuid4())], "pair": ["x"]}, "pair"),
    ],
)
async def test_report_refuses_unclear_requests(world: World, query: dict[str, Any], field: str) -> None:
    response = await world.http.get(PATH, params=query)
    assert response.status_code == 422, response.text
    assert field in response.json()["errors"][0]["field"]


async def test_report_of_an_unknown_run_is_not_found(world: World) -> None:
    for query in ({"run": [str(uuid4()), str(uuid4())]}, {"column": [f"{uuid4()}:{uuid4()}", f"{uuid4()}:{uuid4()}"]}):
        assert (await world.http.get(PATH, params=query)).status_code == 404
