"""Test the leaderboard of a suite. It lists the latest complete run of each label, in separate lists if scores are not
comparable. It can be filtered, and has head-to-head ranks.
"""

from typing import Any
from uuid import UUID

import pytest
from run_versions import a_case, insert_version
from run_world import World, answered
from sqlalchemy import update
from suite_runs import CONTAINS, a_task, insert_suite, started, suite_result, version_of

from llmbench.contracts.answer_scored import Scored, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Rejected
from llmbench.db import tables as t

pytestmark = pytest.mark.never_rerun

RUBRIC = {"kind": "rubric"}


async def leaderboard(world: World, **params: Any) -> dict[str, Any]:
    response = await world.http.get("/api/leaderboards", params={"suite": "Nightly"} | params)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def finished(world: World, suite_id: UUID, *models: str, **more: Any) -> UUID:
    run_id = await started(world, suite_id, *models, check_providers=False, **more)
    await world.until_status(run_id, "FINISHED")
    return run_id


def scoring(*right: tuple[str, str]) -> Any:
    """Return a judge that gives 1 to the answers in `right`, each named by model and case, and 0 to all others."""

    async def judge(command: JudgeAnswer) -> Verdict:
        model, _, _ = command.answer.partition(":")
        value = float((model, command.case.task_id.rpartition("/")[2]) in right)
        return Scored(raw=value, scale_min=0, scale_max=1, normalised=value, passed=value > 0, reason="So.")

    return judge


async def _named(command: GenerateCompletion) -> Outcome:
    return answered(f"{command.request.model}: an answer")


async def test_entries_have_the_scores_of_the_latest_complete_run_and_rank_sets(world: World) -> None:
    world.answer = _named
    cases = [str(number) for number in range(40)]
    sums = await version_of(world, "Sums", len(cases))
    suite_id = await insert_suite(world, a_task("sums", sums))
    # model-a is nearly always right, model-b half of the time, model-c a little less, and model-d never.
    world.judge = scoring(
        *(("model-a", case) for case in cases[1:]),
        *(("model-b", case) for case in cases[::2]),
        *(("model-c", case) for case in cases[3::2]),
    )
    old = await finished(world, suite_id, "model-a")
    new = await finished(world, suite_id, "model-a", "model-b", "model-c", "model-d")
    found = await leaderboard(world)
    assert (found["name"], found["versions"], found["more"]) == ("Nightly", [2], False)
    (listed,) = found["lists"]
    assert (listed["version_number"], listed["differs"], listed["not_listed"]) == (2, [], [])
    assert [(each["label"], each["score"]) for each in listed["entries"]] == [
        ("model-a", 0.975),
        ("model-b", 0.5),
        ("model-c", 0.475),
        ("model-d", 0),
    ]
    # Nothing varies in the answers of model-d, so it has no interval and is separated from none.
    assert [(each["rank_low"], each["rank_high"]) for each in listed["entries"]] == [(1, 2), (2, 4), (2, 4), (1, 4)]
    assert {each["run_id"] for each in listed["entries"]} == {str(new)}
    result = await suite_result(world, new)
    run = (await world.http.get(f"/api/runs/{new}")).json()
    for entry, target, figures in zip(listed["entries"], result["targets"], run["results"], strict=True):
        assert (entry["score"], entry["interval"]) == (target["score"], target["interval"])
        for name in ("cost_usd", "priced", "mean_time_ms", "p95_time_ms", "mean_tokens_per_second"):
            assert entry[name] == figures[name], name
    assert listed["head_to_head"] is None

    async with world.engine.begin() as connection:
        await connection.execute(update(t.run_suite).where(t.run_suite.c.run_id == new).values(left_out=["words"]))
    (listed,) = (await leaderboard(world, suite=str(suite_id)))["lists"]
    assert [(each["label"], each["run_id"]) for each in listed["entries"]] == [("model-a", str(old))]
    assert {(each["label"], each["reason"]) for each in listed["not_listed"]} == {
        (f"model-{name}", "its run left out words") for name in "bcd"
    }


async def test_other_versions_judges_and_evaluators_stand_in_lists_of_their_own(world: World) -> None:
    sums = await version_of(world, "Sums", 2)
    rubric = await insert_suite(world, a_task("sums", sums, evaluators=[RUBRIC]))
    judge, other = {"name": "judge", "provider": "Mock"}, {"name": "model-b", "provider": "Mock"}
    await finished(world, rubric, judge=other)
    await finished(world, rubric, judge=judge)
    async with world.engine.begin() as connection:
        await connection.execute(update(t.suite).values(version_number=1))
        await connection.execute(update(t.run_suite).values(version_number=1))
    contains = await insert_suite(world, a_task("sums", sums, evaluators=[CONTAINS]))
    await finished(world, contains)
    newest = await finished(world, contains)
    found = await leaderboard(world)
    assert found["versions"] == [2, 1]
    assert [(each["version_number"], each["differs"], each["judges"]) for each in found["lists"]] == [
        (2, [], []),
        (1, ["version", "evaluators"], ["judge"]),
        (1, ["version", "evaluators"], ["model-b"]),
    ]
    assert found["lists"][0]["entries"][0]["run_id"] == str(newest)
    older = (await leaderboard(world, version=1))["lists"]
    assert [each["differs"] for each in older] == [[], ["judge"]]


async def test_filters_choose_runs_targets_tasks_and_cases(world: World) -> None:
    world.answer = _named
    tagged = [a_case(name) | {"metadata": {"tags": tags}} for name, tags in (("0", ["hard", "new"]), ("1", ["hard"]))]
    sums = await insert_version(world, [*tagged, a_case("2")], dataset="Sums")
    words = await version_of(world, "Words", 2)
    suite_id = await insert_suite(
        world, a_task("sums", sums, category="maths"), a_task("words", words, category="language")
    )
    world.judge = scoring(("model-a", "0"), ("model-a", "2"))
    run_id = await finished(world, suite_id)

    async def only(**params: Any) -> list[tuple[Any, int]]:
        lists = (await leaderboard(world, **params))["lists"]
        return [(each["score"], each["items"]) for listed in lists for each in listed["entries"]]

    assert (await leaderboard(world))["categories"] == ["maths", "language"]
    assert await only() == [(pytest.approx((2 / 3 + 1 / 2) / 2), 5)]
    assert await only(category="maths") == [(pytest.approx(2 / 3), 3)]
    assert await only(tag="hard") == [(0.5, 2)]
    assert await only(tag=["hard", "new"]) == [(1, 1)]
    assert await only(provider_id=str(world.provider_id)) == await only()
    assert await only(provider_id=str(suite_id)) == []
    assert await only(since="2000-01-01") == await only()
    assert await only(since="2100-01-01") == []
    for params, reason in (
        ({"category": "none"}, "its run has no such category"),
        ({"tag": "none"}, "its run has no such case"),
    ):
        (listed,) = (await leaderboard(world, **params))["lists"]
        assert listed["not_listed"] == [{"label": "model-a", "run_id": str(run_id), "reason": reason}]
    missing = await world.http.get("/api/leaderboards", params={"suite": "None"})
    assert (missing.status_code, missing.json()["title"]) == (404, "No such suite")
    of_suite = (await world.http.get("/api/runs", params={"suite": "Nightly"})).json()["items"]
    assert [run["id"] for run in of_suite] == [str(run_id)]
    assert (await world.http.get("/api/runs", params={"suite": "Night"})).json()["items"] == []


async def test_run_with_a_task_without_scores_is_not_listed(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        asks_words = "of word" in command.request.messages[-1].content
        return Rejected(http_status=400, message="too long") if asks_words else answered()

    world.answer = answer
    sums = await version_of(world, "Sums", 2)
    words = await insert_version(world, [a_case("word-1"), a_case("word-2")], dataset="Words")
    suite_id = await insert_suite(world, a_task("words", words), a_task("sums", sums, category="maths"))
    run_id = await finished(world, suite_id)
    (listed,) = (await leaderboard(world))["lists"]
    assert listed["entries"] == []
    assert listed["not_listed"] == [
        {"label": "model-a", "run_id": str(run_id), "reason": "words: all of its answers failed"}
    ]
    (listed,) = (await leaderboard(world, category="maths"))["lists"]
    assert [each["score"] for each in listed["entries"]] == [0.9]


async def test_entry_with_scores_for_few_of_its_answers_is_separated_from_none(world: World) -> None:
    """model-b is right wherever it answers, which is in every second case."""

    async def answer(command: GenerateCompletion) -> Outcome:
        case, model = command.request.messages[-1].content, command.request.model
        if model == "model-b" and case.endswith(("0?", "2?", "4?", "6?", "8?")):
            return Rejected(http_status=400, message="too long")
        return await _named(command)

    world.answer = answer
    cases = [str(number) for number in range(40)]
    suite_id = await insert_suite(world, a_task("sums", await version_of(world, "Sums", len(cases))))
    world.judge = scoring(*(("model-b", case) for case in cases[3:]), *(("model-a", case) for case in cases[:4]))
    await finished(world, suite_id, "model-a", "model-b")
    (listed,) = (await leaderboard(world))["lists"]
    shown = [(each["label"], each["scored"], each["rank_low"], each["rank_high"]) for each in listed["entries"]]
    assert shown == [("model-b", 20, 1, 2), ("model-a", 40, 1, 2)]
    assert [each["note"] for each in listed["entries"]] == [
        "separated from none: only 20 of 40 answers of 'sums' have a score, and 90 % are needed",
        None,
    ]
    first, second = (each["interval"] for each in listed["entries"])
    assert first["low"] > second["high"], "the intervals alone would separate them"


async def test_pairwise_scores_rank_head_to_head(world: World) -> None:
    world.answer = _named
    cases = [str(number) for number in range(12)]
    sums = await version_of(world, "Sums", len(cases))
    pairwise = {"kind": "pairwise", "params": {}}
    suite_id = await insert_suite(world, a_task("sums", sums, evaluators=[pairwise]))
    judge = {"name": "judge", "provider": "Mock"}
    world.judge = scoring(*(("model-a", case) for case in cases[:9]), *(("model-b", case) for case in cases[:3]))
    await finished(world, suite_id, "model-a", "model-b", judge=judge)
    ((listed,),) = ((await leaderboard(world))["lists"],)
    players = listed["head_to_head"]["players"]
    assert [(each["label"], each["games"]) for each in players] == [
        ("model-a", 12),
        ("reference answers", 24),
        ("model-b", 12),
    ]
    # 9 of 12 and 3 of 12 games won are 3 to 1 and 1 to 3.
    assert [each["strength"] for each in players] == pytest.approx([1.0986, 0, -1.0986], abs=1e-4)
    assert players[1]["target_id"] is None
    assert (players[0]["rank_low"], players[-1]["rank_high"]) == (1, 3)
    world.judge = scoring(*(("model-a", case) for case in cases))
    await finished(world, suite_id, "model-a", judge=judge)
    ((listed,),) = ((await leaderboard(world))["lists"],)
    assert listed["head_to_head"] == {
        "players": [],
        "reason": "No finite strengths: model-a never lost or tied a game against the others.",
    }
