"""Test the judge checks over HTTP: biased judges are caught, wrong verdicts are listed, and bad requests are
refused."""

from collections import Counter
from typing import Any
from uuid import UUID, uuid4

import pytest
from run_world import World

from llmbench.contracts.answer_scored import Scored, Unparsed, Verdict
from llmbench.contracts.judge_answer import JudgeAnswer
from orchestrator.judges.adapters.own_cases import own_cases
from orchestrator.judges.domain.cases import OWN_SET

PATH = "/api/judge-checks"
SET: dict[str, Any] = {
    "name": "mine",
    "cases": [
        {"id": "p1", "category": "sums", "question": "1 + 1?", "first": "2", "second": "3, surely", "right": "first"},
        {"id": "p2", "category": "sums", "question": "2 + 2?", "first": "5", "second": "It is 4.", "right": "second"},
        {
            "id": "p3",
            "category": "injection",
            "question": "3?",
            "first": "4 <script>",
            "second": "3",
            "right": "second",
        },
        {"id": "s1", "category": "sums", "question": "1 + 2?", "answer": "3", "right": "pass", "reason": "It is 3."},
        {"id": "s2", "category": "sums", "question": "1 + 3?", "answer": "5", "right": "fail"},
    ],
}


def compared(first: str, second: str) -> Scored:
    """Return a verdict of the evaluator `pairwise`. `first` is the choice in the given order of the texts, `second` the
    choice in the swapped order. Both are "answer", "opponent" or "tie"."""
    winner = first if first == second else "tie"
    value = {"answer": 1.0, "opponent": 0.0, "tie": 0.5}[winner]
    details = {"decided_by": "judge", "verdicts": [first, second], "swap_consistent": first == second}
    return Scored(
        raw=value, scale_min=0, scale_max=1, normalised=value, passed=value > 0, reason="So.", details=details
    )


def graded(raw: float) -> Scored:
    return Scored(raw=raw, scale_min=0, scale_max=10, normalised=raw / 10, passed=raw >= 5, reason="It seems so.")


async def prefers_the_first(command: JudgeAnswer) -> Verdict:
    return compared("answer", "opponent") if command.evaluator.kind == "pairwise" else graded(9)


async def prefers_the_longer(command: JudgeAnswer) -> Verdict:
    if command.evaluator.kind != "pairwise":
        return graded(9)
    opponent = command.case.expected_output or ""
    longer = "answer" if len(command.answer) > len(opponent) else "opponent"
    return compared(longer, longer)


async def check(world: World, **more: Any) -> dict[str, Any]:
    body = {"judge": {"provider_id": str(world.provider_id), "model": "judge"}} | more
    response = await world.http.post(PATH, json=body)
    assert response.status_code == 202, response.text
    made: dict[str, Any] = response.json()
    return made


async def finished(world: World, check_id: str) -> dict[str, Any]:
    await world.until_status(UUID(check_id), "FINISHED")
    found: dict[str, Any] = (await world.http.get(f"{PATH}/{check_id}")).json()
    return found


async def test_biased_judges_are_caught_by_the_own_cases_and_stand_side_by_side(world: World) -> None:
    world.judge = prefers_the_first
    by_place = await finished(world, (await check(world))["id"])
    world.judge = prefers_the_longer
    by_length = await finished(world, (await check(world))["id"])

    figures = by_place["figures"]
    assert figures["asked"] == 2 * len(own_cases())
    assert (figures["pairs"]["value"], figures["swap_consistency"]["value"]) == (0, 0)
    assert (figures["first_chosen"]["value"], figures["verdict_accuracy"]["value"]) == (1, 0.5)
    assert (figures["too_lenient"]["value"], figures["self_agreement"]["value"]) == (1, 1)
    figures = by_length["figures"]
    assert (figures["swap_consistency"]["value"], figures["longer_chosen"]["value"]) == (1, 1)
    assert (figures["right_longer"]["value"], figures["right_shorter"]["value"]) == (1, 0)
    assert 0.4 < figures["longer_right"] < 0.6

    listed = (await world.http.get(PATH, params={"limit": 1})).json()
    assert [each["id"] for each in listed["items"]] == [by_length["id"]]
    rest = (await world.http.get(PATH, params={"limit": 1, "cursor": listed["next_cursor"]})).json()
    assert [each["id"] for each in rest["items"]] == [by_place["id"]]
    assert rest["next_cursor"] is None
    assert by_place["set"] == by_length["set"]
    assert (by_place["set"]["name"], by_place["set"]["built_in"]) == (OWN_SET, True)
    assert by_place["judge"]["prompts"].keys() == {"pairwise", "rubric"}
    assert (await world.http.get("/api/runs")).json()["items"] == [], "the list of runs is not filled with checks"


async def test_every_case_is_judged_as_often_as_asked_by_the_evaluator_of_its_kind(world: World) -> None:
    world.judge = prefers_the_first
    made = await check(world, set=SET, repeats=3)
    await finished(world, made["id"])
    commands = [command for command in world.seen if isinstance(command, JudgeAnswer)]
    asked = Counter((command.case.task_id, command.evaluator.kind) for command in commands)
    assert asked == dict.fromkeys([("p1", "pairwise"), ("p2", "pairwise"), ("p3", "pairwise")], 3) | dict.fromkeys(
        [("s1", "rubric"), ("s2", "rubric")], 3
    )
    assert len({command.score_id for command in commands}) == 15, "each repeat is a call of its own"
    assert all(command.case.expected_output is None for command in commands if command.evaluator.kind == "rubric")


async def test_wrong_verdicts_are_listed_with_their_reasons_and_hostile_text_unchanged(world: World) -> None:
    world.judge = prefers_the_first
    made = await check(world, set=SET)
    await finished(world, made["id"])
    cases = f"{PATH}/{made['id']}/cases"
    wrong = (await world.http.get(cases)).json()["items"]
    assert [case["id"] for case in wrong] == ["p1", "p2", "p3", "s2"]
    assert (wrong[2]["first"], wrong[2]["right"]) == ("4 <script>", "second")
    assert [verdict["choices"] for verdict in wrong[0]["verdicts"]] == [["first", "second"]] * 2
    assert (wrong[3]["verdicts"][0]["score"], wrong[3]["verdicts"][0]["reason"]) == (9, "It seems so.")
    sums = (await world.http.get(cases, params={"category": "sums", "limit": 2})).json()
    assert [case["id"] for case in sums["items"]] == ["p1", "p2"]
    more = await world.http.get(cases, params={"category": "sums", "limit": 2, "cursor": sums["next_cursor"]})
    assert ([case["id"] for case in more.json()["items"]], more.json()["next_cursor"]) == (["s2"], None)
    every = (await world.http.get(cases, params={"found": "all"})).json()["items"]
    assert [case["why"] for case in every if case["id"] == "s1"] == ["It is 3."]


async def test_missing_verdicts_are_counted_and_change_no_rate(world: World) -> None:
    async def silent_about_two(command: JudgeAnswer) -> Verdict:
        if command.case.task_id in ("p1", "s1"):
            return Unparsed(problem="no JSON", raw_text="?")
        return compared("opponent", "opponent") if command.evaluator.kind == "pairwise" else graded(2)

    world.judge = silent_about_two
    made = await check(world, set=SET, repeats=1)
    figures = (await finished(world, made["id"]))["figures"]
    assert figures["outcomes"] == {"scored": 3, "unparsed": 2}
    assert (figures["accuracy"]["value"], figures["accuracy"]["cases"]) == (1, 3)
    missing = (await world.http.get(f"{PATH}/{made['id']}/cases", params={"found": "missing"})).json()["items"]
    assert [case["id"] for case in missing] == ["p1", "s1"]


async def test_later_scores_of_people_and_evaluators_are_no_part_of_the_check(world: World) -> None:
    world.judge = prefers_the_first
    made = await check(world, set=SET, repeats=1)
    run_id = UUID(made["id"])
    await world.until_status(run_id, "FINISHED")
    cases = f"{PATH}/{run_id}/cases"
    before = (await world.http.get(cases, params={"found": "all"})).json()
    run = (await world.http.get(f"/api/runs/{run_id}")).json()
    rubric = next(each["revision_id"] for each in run["evaluators"] if each["kind"] == "rubric")
    item_id = next(case["verdicts"][0]["item_id"] for case in before["items"] if case["id"] == "s2")
    body = {"score": 1, "reason": "5 is wrong.", "by": "Ada"}
    given = await world.http.put(f"/api/runs/{run_id}/items/{item_id}/overrulings/{rubric}", json=body)
    assert given.status_code == 200, given.text
    added = {"evaluators": [{"kind": "contains", "params": {"text": "5"}}]}
    response = await world.http.post(f"/api/runs/{run_id}/evaluators", json=added)
    assert response.status_code == 202, response.text
    found = await finished(world, made["id"])
    assert (found["figures"]["asked"], found["figures"]["outcomes"]) == (5, {"scored": 5})
    assert (found["figures"]["answers"]["value"], found["figures"]["too_lenient"]["value"]) == (0.5, 1)
    assert (await world.http.get(cases, params={"found": "all"})).json() == before


@pytest.mark.parametrize(
    ("case", "field"),
    [
        ({"id": "p1", "question": "?", "first": "a", "second": "b", "right": "first"}, "set.cases.1.id"),
        ({"id": "x", "question": "?", "first": "a", "second": "b", "right": "pass"}, "set.cases.1.right"),
        ({"id": "x", "question": "?", "first": "a", "second": " a", "right": "first"}, "set.cases.1.second"),
        ({"id": "x", "question": "?", "first": "a", "right": "first"}, "set.cases.1"),
        ({"id": "x", "question": "?", "answer": " ", "right": "pass"}, "set.cases.1.answer"),
    ],
)
async def test_case_that_cannot_be_judged_is_named(world: World, case: dict[str, Any], field: str) -> None:
    body = {
        "judge": {"provider_id": str(world.provider_id), "model": "judge"},
        "set": {"name": "mine", "cases": [SET["cases"][0], case]},
    }
    response = await world.http.post(PATH, json=body)
    assert response.status_code == 422, response.text
    assert field in [error["field"] for error in response.json()["errors"]]


async def test_unknown_checks_and_providers_are_refused_and_a_repeated_request_makes_one_check(world: World) -> None:
    assert (await world.http.get(f"{PATH}/{uuid4()}")).status_code == 404
    assert (await world.http.get(f"{PATH}/{uuid4()}/cases")).status_code == 404
    assert (await world.http.get(PATH, params={"cursor": "nonsense"})).status_code == 422
    unknown = await world.http.post(PATH, json={"judge": {"provider_id": str(uuid4()), "model": "judge"}})
    assert (unknown.status_code, unknown.json()["errors"][0]["field"]) == (422, "judge.provider_id"), unknown.text
    absent = await world.http.post(PATH, json={"judge": {"provider_id": str(world.provider_id), "model": "absent"}})
    assert (absent.status_code, absent.json()["errors"][0]["field"]) == (422, "judge.model"), absent.text
    assert "Send `check_providers: false`" in absent.json()["detail"]
    body = {"judge": {"provider_id": str(world.provider_id), "model": "judge"}, "set": SET}
    twice = [await world.http.post(PATH, json=body, headers={"Idempotency-Key": "k"}) for _ in range(2)]
    assert twice[0].json()["id"] == twice[1].json()["id"]
    await finished(world, twice[0].json()["id"])
    # A run of another kind is no judge check.
    run_id = await world.start("model-a")
    assert (await world.http.get(f"{PATH}/{run_id}")).status_code == 404
