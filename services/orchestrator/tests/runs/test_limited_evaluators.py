"""Test evaluators that score only some cases of a run: which scores exist, and how statistics treat the other cases."""

from typing import Any
from uuid import UUID

import httpx
import pytest
from run_versions import insert_version
from run_world import World, contained, scored

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.judge_answer import JudgeAnswer

PARIS = {"kind": "contains", "params": {"text": "Paris"}}
PLAIN: dict[str, Any] = {"expected_output": None, "metadata": {}, "truth": None}
CASES: list[dict[str, Any]] = [
    {**PLAIN, "name": "checked", "input": {"prompt": "France?"}, "checks": [{**PARIS, "negate": True}]},
    {**PLAIN, "name": "plain", "input": {"prompt": "Why?"}, "metadata": {"tags": ["open", "hard"]}},
    {**PLAIN, "name": "both", "input": {"prompt": "And?"}, "metadata": {"tags": ["open"]}, "checks": [PARIS]},
]
OPEN = {"metadata": {"tags": ["open"]}}


async def by_kind(command: JudgeAnswer) -> Verdict:
    return contained(command.case.task_id == "checked") if command.evaluator.kind == "case_checks" else scored(8)


async def _scored_cases(world: World, run_id: UUID) -> set[tuple[str, str]]:
    assert run_id
    return {
        (command.case.task_id, command.evaluator.kind) for command in world.seen if isinstance(command, JudgeAnswer)
    }


async def _start(world: World, *, cases: list[dict[str, Any]], **more: Any) -> UUID:
    world.judge = by_kind
    version = await insert_version(world, cases, dataset=f"Cases {len(world.seen)} {len(cases)}")
    return await world.start(collection_ids=[], dataset_version_ids=[str(version)], **more)


async def test_judge_receives_the_checks_of_a_case_as_stored(world: World) -> None:
    await world.until_status(await _start(world, cases=CASES[:1], judge=None, evaluators=None), "FINISHED")
    (command,) = [message for message in world.seen if isinstance(message, JudgeAnswer)]
    assert [check.model_dump() for check in command.case.checks] == [{**PARIS, "weight": 1.0, "negate": True}]


async def test_without_evaluators_checks_score_their_cases_and_the_rubric_the_rest(world: World) -> None:
    run_id = await _start(world, cases=CASES)
    run = await world.until_status(run_id, "FINISHED")
    assert await _scored_cases(world, run_id) == {
        ("checked", "case_checks"),
        ("plain", "rubric"),
        ("both", "case_checks"),
    }
    assert run["counts"] == {"items": 3, "answered": 3, "judged": 3, "failed": 0, "skipped": 0}
    assert run["outcome"] == "complete"
    assert [item["score_normalised"] for item in await world.items(run_id)] == [1, pytest.approx(0.8), 0]
    assert [(evaluator["name"], evaluator["asked"], evaluator["scored"]) for evaluator in run["evaluators"]] == [
        ("case_checks", 2, 2),
        ("rubric", 1, 1),
    ]
    assert [(evaluator["only"], evaluator["unless"]) for evaluator in run["evaluators"]] == [
        ({"checks": [{}]}, None),
        (None, {"checks": [{}]}),
    ]
    assert run["totals"]["scored"] == 3
    assert run["totals"]["mean_score"] == pytest.approx(0.6) == run["mean_score"]


async def test_run_whose_cases_all_have_checks_needs_no_judge(world: World) -> None:
    run_id = await _start(world, cases=[CASES[0], CASES[2]], judge=None)
    run = await world.until_status(run_id, "FINISHED")
    assert [evaluator["name"] for evaluator in run["evaluators"]] == ["case_checks"]
    judged = await _start(world, cases=[CASES[0]])
    warnings = (await world.until_status(judged, "FINISHED"))["warnings"]
    assert [warning["kind"] for warning in warnings] == ["judge_not_asked"]


async def test_overall_score_uses_only_the_evaluators_that_apply_to_the_item(world: World) -> None:
    evaluators = [
        {"kind": "case_checks", "weight": 3},
        {"kind": "rubric", "only": OPEN},
        {"kind": "contains", "params": {"text": "x"}, "name": "hard", "only": {"metadata": {"tags": ["hard"]}}},
        {"kind": "contains", "params": {"text": "y"}, "name": "unweighted", "weight": 0, "unless": OPEN},
    ]
    run_id = await _start(world, cases=CASES, evaluators=evaluators)
    run = await world.until_status(run_id, "FINISHED")
    assert await _scored_cases(world, run_id) == {
        ("checked", "case_checks"),
        ("checked", "contains"),
        ("plain", "rubric"),
        ("plain", "contains"),
        ("both", "case_checks"),
        ("both", "rubric"),
    }
    overall = [item["score_normalised"] for item in await world.items(run_id)]
    both = pytest.approx(0.8 / 4)
    assert (overall[0], overall[2]) == (1, both)
    assert run["mean_score"] == pytest.approx(sum(overall) / 3), "the run's mean is that of its items"
    assert {evaluator["name"]: evaluator["asked"] for evaluator in run["evaluators"]} == {
        "case_checks": 2,
        "rubric": 2,
        "hard": 1,
        "unweighted": 1,
    }


async def test_limited_checks_score_only_cases_with_checks(world: World) -> None:
    limited = {"kind": "case_checks", "unless": {"task_id": "both"}}
    run_id = await _start(world, cases=CASES, evaluators=[limited, {"kind": "rubric", "only": OPEN}])
    run = await world.until_status(run_id, "FINISHED")
    assert await _scored_cases(world, run_id) == {("checked", "case_checks"), ("plain", "rubric"), ("both", "rubric")}
    checks = run["evaluators"][0]
    assert (checks["only"], checks["unless"]) == ({"checks": [{}]}, {"task_id": "both"})


async def test_case_without_an_evaluator_is_refused_before_any_call(world: World) -> None:
    version = await insert_version(world, CASES)
    body = world.body(collection_ids=[], dataset_version_ids=[str(version)], evaluators=[{"kind": "case_checks"}])
    answer: httpx.Response = await world.http.post("/api/runs", json=body)
    assert answer.status_code == 422
    [fault] = answer.json()["errors"]
    assert fault["field"] == "evaluators"
    assert fault["message"].startswith("1 case of this run, 'plain' the first, has no evaluator")
    assert not world.calls(Purpose.ITEM)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"only": {}}, "names no field"),
        ({"only": {"tags": ["x"]}}, "a case has no field 'tags'"),
        ({"unless": {"metadata": {"x": "y" * 5_000}}}, "more than 4,000 characters"),
    ],
)
async def test_malformed_case_filter_is_refused(world: World, limit: dict[str, Any], message: str) -> None:
    answer = await world.http.post("/api/runs", json=world.body(evaluators=[{"kind": "rubric", **limit}]))
    assert answer.status_code == 422
    assert message in answer.text


async def test_another_judge_scores_the_same_limited_cases(world: World) -> None:
    evaluators = [{"kind": "case_checks"}, {"kind": "rubric", "only": OPEN}]
    run_id = await _start(world, cases=CASES, evaluators=evaluators)
    await world.until_status(run_id, "FINISHED")
    other = {"provider_id": str(world.provider_id), "model": "model-b"}
    answer = await world.http.post(f"/api/runs/{run_id}/retry-judging", json={"judge": other, "scope": "all"})
    assert answer.status_code == 202, answer.text
    run = await world.until_status(run_id, "FINISHED")
    assert [
        (evaluator["judge_model"], evaluator["asked"], evaluator["only"])
        for evaluator in run["evaluators"]
        if evaluator["kind"] == "rubric"
    ] == [
        ("judge", 2, OPEN),
        ("model-b", 2, OPEN),
    ]
    assert run["totals"]["scored"] == 3, "each item is whole with the scores of those asked about it"


async def test_limited_evaluator_added_later_scores_only_its_cases(world: World) -> None:
    run_id = await _start(world, cases=CASES)
    await world.until_status(run_id, "FINISHED")
    more = {"evaluators": [{"kind": "contains", "params": {"text": "z"}, "only": {"task_id": "plain"}}]}
    answer = await world.http.post(f"/api/runs/{run_id}/evaluators", json=more)
    assert answer.status_code == 202, answer.text
    run = await world.until_status(run_id, "FINISHED")
    assert {evaluator["name"]: evaluator["asked"] for evaluator in run["evaluators"]} == {
        "case_checks": 2,
        "rubric": 1,
        "contains": 1,
    }
    again = {"evaluators": [{"kind": "contains", "params": {"text": "z"}, "only": {"task_id": "both"}}]}
    refused = await world.http.post(f"/api/runs/{run_id}/evaluators", json=again)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "evaluators.0.only"


async def test_choices_are_added_to_the_question_unless_switched_off(world: World) -> None:
    case = {**PLAIN, "name": "city", "input": {"prompt": "Capital?"}, "metadata": {"choices": ["Rome", "Paris"]}}
    first = await _start(world, cases=[case])
    await world.until_status(first, "FINISHED")
    second = await _start(world, cases=[case], show_choices=False)
    await world.until_status(second, "FINISHED")
    questions = [call.request.messages[-1].content for call in world.calls(Purpose.ITEM)]
    assert questions == ["Capital?\n\nA. Rome\nB. Paris", "Capital?"]
    [judged, _] = [command for command in world.seen if isinstance(command, JudgeAnswer)]
    assert judged.case.question == questions[0], "the judge reads the question that was asked"
    assert [(await world.http.get(f"/api/runs/{run_id}")).json()["show_choices"] for run_id in (first, second)] == [
        True,
        False,
    ]
