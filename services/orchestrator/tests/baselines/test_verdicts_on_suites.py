"""Test that each run of a suite is compared with the baselines of the suite, across the suite's versions."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

from run_world import World, open_world, scored
from suite_runs import a_task, insert_suite, request, started, version_of
from webhook_receiver import receiving

from llmbench.contracts.answer_scored import Unparsed, Verdict
from llmbench.contracts.judge_answer import JudgeAnswer

STATUS = "llmbench.run.status_changed.v1"
RUBRIC = {"kind": "rubric"}
JUDGE = {"judge": {"name": "judge", "provider": "Mock"}}
CASES, FEWER = 30, 20


def judged(**low: float) -> Callable[[JudgeAnswer], Awaitable[Verdict]]:
    """Return a judge that gives the epochs of a case two scores alternately. The lower score is the value in `low` for
    the task (7 by default), the other is one point higher."""
    asked: Counter[str] = Counter()

    async def judge(command: JudgeAnswer) -> Verdict:
        asked[command.case.task_id] += 1
        task = command.case.task_id.partition("/")[0]
        return scored(low.get(task, 7) + asked[command.case.task_id] % 2)

    return judge


async def post(world: World, path: str, body: dict[str, Any] | None = None, *, status: int) -> Any:
    response = await world.http.post(path, json=body or {})
    assert response.status_code == status, response.text
    return response.json()


async def over(world: World, run_id: UUID) -> dict[str, Any]:
    """Wait until the run is finished and all its gates are decided. Return the run."""

    def done(run: dict[str, Any]) -> bool:
        return run["status"] == "FINISHED" and (run["gate"] is None or run["gate"]["verdict"] != "pending")

    await world.until_decided(run_id)
    return await world.until(run_id, done)


async def suite_of(world: World, *, sums: int = CASES, words: int = FEWER, **more: Any) -> list[dict[str, Any]]:
    """Return the tasks "sums" and "words" of a suite, each with two epochs. `sums` and `words` are their numbers of
    cases."""
    return [
        a_task("sums", await version_of(world, "Sums", sums), evaluators=[RUBRIC], epochs=2, **more),
        a_task("words", await version_of(world, "Words", words), evaluators=[RUBRIC], epochs=2, **more),
    ]


async def ran(world: World, suite_id: UUID, **more: Any) -> dict[str, Any]:
    return await over(world, await started(world, suite_id, **JUDGE, **more))


async def baseline_of(world: World, run: dict[str, Any], **more: Any) -> Any:
    subject = {"kind": "suite", "id": run["subject"]["id"]}
    return await post(world, "/api/baselines", {"subject": subject, "run_id": run["id"]} | more, status=201)


async def add_gate(world: World, baseline: Any, *, status: int = 201, **gate: Any) -> Any:
    settings = {"metric": "score", "margin": 0.2} | gate
    return await post(world, f"/api/baselines/{baseline['id']}/gates", settings, status=status)


async def test_each_run_of_a_suite_is_compared_by_the_score_of_the_suite_and_of_its_tasks(world: World) -> None:
    suite_id = await insert_suite(world, *await suite_of(world))
    world.judge = judged()
    first = await ran(world, suite_id)
    assert (first["subject"]["kind"], first["subject"]["name"], first["gate"]) == ("suite", "Nightly", None)
    baseline = await baseline_of(world, first)
    assert baseline["subject"] == first["subject"]
    whole = await add_gate(world, baseline)
    assert (whole["title"], whole["task"], whole["holds"]) == ("suite score", None, True)
    of_task = await add_gate(world, baseline, task="words")
    assert (of_task["title"], of_task["clusters"]) == ("mean score of the task 'words'", FEWER)
    by_name = await add_gate(world, baseline, metric="rubric", task="sums")
    assert (by_name["metric"], by_name["title"]) == ("evaluator:sums/rubric", "score of 'sums/rubric'")
    twice = await add_gate(world, baseline, task="words", status=409)
    assert "a gate on score of the task 'words'" in twice["detail"]

    same = await ran(world, suite_id)
    assert (same["gate"]["verdict"], same["gate"]["passed"]) == ("fine", True)
    assert [(gate["task"], gate["verdict"]) for gate in same["gates"]] == [
        (None, "fine"),
        ("words", "fine"),
        ("sums", "fine"),
    ]
    assert same["gate"]["baseline_run_id"] == first["id"]
    record = await world.http.get(f"/api/runs/{same['id']}/export", params={"format": "benchmark-record"})
    assert json.loads(record.text.splitlines()[0])["data"]["base_eval_run"] == first["id"]
    told = [event.get("gate") for event in await world.events(UUID(same["id"]), STATUS)][-2:]
    assert [(news or {}).get("verdict") for news in told] == ["pending", "fine"]

    world.judge = judged(words=0)
    worse = await ran(world, suite_id)
    # The task with two fifths of the cases is half of the suite's score.
    (pair,) = worse["gates"][0]["pairs"]
    assert (pair["mean"], pair["mean_baseline"], pair["cases"]) == (-0.35, 0.75, CASES + FEWER)
    assert [gate["verdict"] for gate in worse["gates"]] == ["worse", "worse", "fine"]
    assert worse["gate"]["sentence"].startswith("worse: against main: suite score \N{MINUS SIGN}35.0 points")
    assert worse["gates"][1]["sentence"].startswith("mean score of the task 'words' \N{MINUS SIGN}70.0 points")
    listed = {run["id"]: run["gate"] for run in (await world.http.get("/api/runs")).json()["items"]}
    assert listed[worse["id"]]["verdict"] == "worse"
    other = await ran(world, suite_id, baseline_label="v1.2")
    assert (other["gate"], other["baseline_label"]) == (None, "v1.2")


async def test_another_version_of_the_suite_is_named_and_compared_where_its_tasks_are_the_same(world: World) -> None:
    tasks = await suite_of(world)
    world.judge = judged()
    first = await ran(world, await insert_suite(world, *tasks, version_number=1))
    baseline = await baseline_of(world, first)
    await add_gate(world, baseline, margin=0.25)
    await add_gate(world, baseline, task="words", margin=0.4)
    changed = [{**RUBRIC, "weight": 2}]
    more = a_task("more", await version_of(world, "More", 3), evaluators=[RUBRIC], epochs=2)
    second = await insert_suite(world, tasks[0], {**tasks[1], "evaluators": changed}, more, version_number=2)
    run = await ran(world, second)
    assert run["subject"] == first["subject"], "the versions of a suite are one subject"
    whole, of_task = run["gates"]
    assert (whole["verdict"], whole["pairs"][0]["cases"]) == ("fine", CASES)
    assert whole["sentence"].endswith(
        "'Nightly' v2 is compared with 'Nightly' v1. Scored in another way: the task 'words'. "
        "In one of them only: the task 'more'."
    )
    assert (of_task["verdict"], of_task["pairs"]) == ("not judged", [])
    assert "'Nightly' v2 is compared with 'Nightly' v1" in of_task["sentence"]
    assert "Two different measures scored these runs" in of_task["sentence"]
    assert run["gate"]["verdict"] == "not judged"


async def test_run_that_cannot_be_compared_is_not_judged_with_the_reason(world: World) -> None:
    tasks = await suite_of(world)
    suite_id = await insert_suite(world, *tasks, version_number=1)
    world.judge = judged()
    baseline = await baseline_of(world, await ran(world, suite_id))
    await add_gate(world, baseline, margin=0.25)
    part = await ran(world, suite_id, tasks=["sums"])
    assert part["gate"]["verdict"] == "not judged"
    assert "One of the runs left out the task 'words'" in part["gate"]["sentence"]
    other = await over(world, await started(world, suite_id, judge={"name": "model-b", "provider": "Mock"}))
    assert other["gate"]["verdict"] == "not judged"
    assert "Two different measures scored the tasks 'sums', 'words'" in other["gate"]["sentence"]
    elsewhere = a_task("facts", await version_of(world, "Facts", 4), evaluators=[RUBRIC])
    strange = await ran(world, await insert_suite(world, elsewhere, version_number=2))
    assert strange["gate"]["verdict"] == "not judged"
    assert "'Nightly' v2 is compared with 'Nightly' v1" in strange["gate"]["sentence"]
    assert "The suites share no task" in strange["gate"]["sentence"]


async def test_task_that_lost_its_answers_is_low_coverage_of_the_suite(world: World) -> None:
    tasks = await suite_of(world, sums=40, words=2)
    suite_id = await insert_suite(world, *tasks)
    world.judge = judged()
    baseline = await baseline_of(world, await ran(world, suite_id))
    await add_gate(world, baseline, margin=0.9)
    scores = judged()

    async def losing(command: JudgeAnswer) -> Verdict:
        if command.case.task_id == "words/0":
            return Unparsed(problem="no verdict", raw_text="Hm.")
        return await scores(command)

    world.judge = losing
    run = await ran(world, suite_id)
    assert run["gate"]["verdict"] == "low coverage", run["gate"]
    assert "Only 1 of the 2 cases of the task 'words'" in run["gate"]["sentence"]


async def test_suite_that_is_too_small_is_refused_a_gate_with_what_it_needs(world: World) -> None:
    tasks = [a_task("sums", await version_of(world, "Sums", 12)), a_task("words", await version_of(world, "Words", 4))]
    run = await ran(world, await insert_suite(world, *tasks))
    baseline = await baseline_of(world, run)
    refused = await add_gate(world, baseline, margin=0.05, status=422)
    assert refused["title"] == "A gate that cannot decide"
    assert "80 of 100 are needed. Ask " in refused["detail"]
    # Four cases are half of the score: 620 equal cases would be too few.
    assert refused["clusters_needed"] > 700
    unknown = await add_gate(world, baseline, task="colours", status=422)
    assert (unknown["errors"][0]["field"], "has no task 'colours'" in unknown["detail"]) == ("task", True)


async def test_only_runs_of_the_suite_are_its_baselines(world: World) -> None:
    world.judge = judged()
    suite_id = await insert_suite(world, *await suite_of(world, sums=3, words=3))
    run = await ran(world, suite_id)
    alone = await world.start("model-a")
    await world.until_status(alone, "FINISHED")
    body = {"subject": {"kind": "suite", "id": run["subject"]["id"]}, "run_id": str(alone)}
    refused = await post(world, "/api/baselines", body, status=422)
    assert (refused["errors"][0]["field"], "not a run of this suite" in refused["detail"]) == ("run_id", True)
    baseline = await baseline_of(world, run)
    refused = await post(world, f"/api/baselines/{baseline['id']}/promote", {"run_id": str(alone)}, status=422)
    assert refused["errors"][0]["field"] == "run_id"
    named = await post(world, "/api/runs", world.body("model-a", subject=body["subject"]), status=422)
    assert (named["errors"][0]["field"], "POST /v1/benchmarks/runs" in named["detail"]) == ("subject.kind", True)
    unknown = {"subject": {"kind": "suite", "id": str(uuid4())}, "run_id": run["id"]}
    assert (await post(world, "/api/baselines", unknown, status=422))["errors"][0]["field"] == "subject.id"
    gate = {"metric": "score", "margin": 0.1, "task": "sums"}
    refused = await post(world, "/v1/benchmarks/check-gate", {"run_id": str(alone), "gate": gate}, status=422)
    assert refused["errors"][0]["field"] == "gate.task"


async def test_webhook_of_a_suite_run_waits_for_its_gates(postgres_url: str, nats_url: str) -> None:
    async with receiving() as receiver, open_world(postgres_url, nats_url, private_webhooks=True) as world:
        world.judge = judged()
        suite_id = await insert_suite(world, *await suite_of(world))
        await add_gate(world, await baseline_of(world, await ran(world, suite_id)))
        body = request(suite_id, webhook_url=receiver.url, **JUDGE)
        made = await post(world, "/v1/benchmarks/runs", body, status=201)
        assert made["webhook_secret"].startswith("whsec_")
        await receiver.until(1)
        (sent,) = receiver.requests
        told = json.loads(sent.body)["data"]
        assert (told["id"], told["gate"]["verdict"]) == (made["run_id"], "fine")
        refused = await post(world, "/v1/benchmarks/runs", body | {"webhook_url": "ftp://there"}, status=422)
        assert refused["errors"][0]["field"] == "webhook_url"
