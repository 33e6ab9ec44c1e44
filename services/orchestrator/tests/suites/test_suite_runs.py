"""Test the runs of suites: their items, evaluators, order, scores and refusals."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from run_versions import a_case, insert_version
from run_world import World, answered, contained, open_world
from sqlalchemy import update
from suite_runs import CONTAINS, a_task, insert_suite, request, started, suite_result, version_of

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Rejected
from llmbench.db import tables as t

pytestmark = pytest.mark.never_rerun


async def test_suite_run_is_one_run_whose_items_carry_their_task(world: World) -> None:
    sums, words = await version_of(world, "Sums", 2), await version_of(world, "Words", 3)
    suite_id = await insert_suite(
        world,
        a_task("late", words, after=["early"], params={"temperature": 0.7, "max_tokens": 9}),
        a_task("early", sums, epochs=2, params={"temperature": 0}),
    )
    run_id = await started(world, suite_id, "model-a", "model-b")
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["items"]) == ("complete", 14)
    assert run["suite"] == {"suite_id": str(suite_id), "name": "Nightly", "version_number": 2}
    assert run["name"] == "Nightly v2: model-a, model-b"

    items = await world.items(run_id)
    assert [(item["task_id"], item["epoch"], item["suite_task"]) for item in items[:7]] == [
        ("early/0", 1, "early"),
        ("early/0", 2, "early"),
        ("early/1", 1, "early"),
        ("early/1", 2, "early"),
        ("late/0", 1, "late"),
        ("late/1", 1, "late"),
        ("late/2", 1, "late"),
    ]
    loaded = [command.request.model for command in world.calls(Purpose.WARM_UP)]
    assert loaded == ["model-a", "model-b"], "each model is loaded once for the whole suite"
    asked = [command.request for command in world.calls()]
    assert [each.model for each in asked] == ["model-a"] * 7 + ["model-b"] * 7
    assert [each.params.temperature for each in asked[:7]] == [0] * 4 + [0.7] * 3
    assert [each.params.max_tokens for each in asked[:7]] == [None] * 4 + [9] * 3
    only = await world.http.get(f"/api/runs/{run_id}/items", params={"suite_task": "late"})
    assert {item["suite_task"] for item in only.json()["items"]} == {"late"}
    assert len(only.json()["items"]) == 6


async def test_each_task_is_scored_by_its_own_evaluators_and_thresholds(world: World) -> None:
    async def judge(command: JudgeAnswer) -> Verdict:
        return contained(command.evaluator.params["text"] == "42")

    world.judge = judge
    sums, words = await version_of(world, "Sums", 2), await version_of(world, "Words", 2)
    other = {"kind": "contains", "params": {"text": "no"}}
    suite_id = await insert_suite(
        world,
        a_task("sums", sums, evaluators=[{**CONTAINS, "weight": 3, "pass_threshold": 0.5}]),
        a_task("words", words, evaluators=[CONTAINS, {**other, "name": "no"}]),
    )
    run_id = await started(world, suite_id)
    run = await world.until_status(run_id, "FINISHED")
    assert [(each["name"], each["weight"], each["only"]) for each in run["evaluators"]] == [
        ("sums/contains", 3, {"suite_task": "sums"}),
        ("words/contains", 1, {"suite_task": "words"}),
        ("words/no", 1, {"suite_task": "words"}),
    ]
    commands = [command for command in world.seen if isinstance(command, JudgeAnswer)]
    assert len(commands) == 6
    assert all("suite_task" not in command.evaluator.params for command in commands)
    result = await suite_result(world, run_id)
    (target,) = result["targets"]
    assert [(task["task"], task["score"], task["scored"]) for task in target["tasks"]] == [
        ("sums", 1, 2),
        ("words", 0.5, 2),
    ]
    assert target["score"] == 0.75
    assert (target["complete"], target["missing"], target["completeness"]) == (True, [], None)
    stored = {row["task"]: row["state"] for row in target["tasks"]}
    assert stored == {"sums": "COMPLETED", "words": "COMPLETED"}
    assert run["results"][0]["mean_score"] == 0.75


async def test_task_without_evaluators_uses_checks_and_the_rubric(world: World) -> None:
    checked = a_case("with") | {"checks": [{"kind": "contains", "params": {"text": "4"}}]}
    version = await insert_version(world, [checked, a_case("without")])
    suite_id = await insert_suite(world, a_task("mixed", version, evaluators=[]))
    refused = await world.http.post("/v1/benchmarks/runs", json=request(suite_id))
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "judge"
    run_id = await started(world, suite_id, judge={"name": "judge", "provider": "mock"})
    run = await world.until_status(run_id, "FINISHED")
    assert [(each["name"], each["only"], each["unless"]) for each in run["evaluators"]] == [
        ("mixed/case_checks", {"checks": [{}], "suite_task": "mixed"}, None),
        ("mixed/rubric", {"suite_task": "mixed"}, {"checks": [{}]}),
    ]
    assert (run["outcome"], run["judge"]["model"]) == ("complete", "judge")


async def test_failing_task_stops_no_other_and_the_score_says_that_it_is_missing(world: World) -> None:
    async def answer(command: GenerateCompletion) -> Outcome:
        asks_words = "of word" in command.request.messages[-1].content
        return Rejected(http_status=400, message="too long") if asks_words else answered()

    world.answer = answer
    sums = await version_of(world, "Sums", 2)
    words = await insert_version(world, [a_case("word-1"), a_case("word-2")], dataset="Words")
    suite_id = await insert_suite(
        world, a_task("words", words), a_task("sums", sums, category="maths", after=["words"])
    )
    run_id = await started(world, suite_id)
    run = await world.until_status(run_id, "FINISHED")
    assert run["outcome"] == "partial"
    (target,) = (await suite_result(world, run_id))["targets"]
    assert [(task["task"], task["state"], task["score"]) for task in target["tasks"]] == [
        ("words", "FAILED", None),
        ("sums", "COMPLETED", 0.9),
    ]
    assert (target["score"], target["complete"]) == (0.9, False)
    assert target["missing"] == [{"task": "words", "reason": "all of its answers failed"}]
    assert target["completeness"].startswith("The score covers 1 of 2 tasks, without 'words'")
    assert [category["category"] for category in target["categories"]] == ["maths"]
    shown = (await world.http.get(f"/v1/benchmarks/runs/{run_id}")).json()
    assert (shown["status"], shown["run_status"]) == ("COMPLETED", "FINISHED")
    assert shown["progress"] == {"total_tasks": 2, "completed_tasks": 2, "total_items": 4, "completed_items": 4}
    assert shown["results"]["overall_score"] == 0.9
    assert "without 'words'" in shown["results"]["note"]
    assert [task["items_correct"] for task in shown["results"]["tasks"]] == [0, 2]


async def test_some_tasks_of_a_suite_run_and_the_others_are_named(world: World) -> None:
    sums, words = await version_of(world, "Sums", 2), await version_of(world, "Words", 2)
    suite_id = await insert_suite(world, a_task("sums", sums), a_task("words", words, after=["sums"]))
    run_id = await started(world, suite_id, tasks=["words"])
    await world.until_status(run_id, "FINISHED")
    result = await suite_result(world, run_id)
    assert (result["task_count"], result["left_out"]) == (2, ["sums"])
    assert [(task["name"], task["level"], task["after"]) for task in result["tasks"]] == [("words", 0, ["sums"])]
    assert result["targets"][0]["missing"] == [{"task": "sums", "reason": "the run left it out"}]


async def test_samples_of_tasks_are_the_same_in_every_run_of_the_suite(world: World) -> None:
    sums, words = await version_of(world, "Sums", 20), await version_of(world, "Words", 20)
    sample = {"size": 4}
    suite_id = await insert_suite(
        world, a_task("sums", sums, sample=sample), a_task("words", words, sample={**sample, "seed": 1})
    )
    names = []
    for name in ("first", "second"):
        run_id = await started(world, suite_id, name=name)
        run = await world.until_status(run_id, "FINISHED")
        assert run["counts"]["items"] == 8
        names.append([item["task_id"] for item in await world.items(run_id)])
    assert names[0] == names[1]
    tasks = (await suite_result(world, run_id))["tasks"]
    assert [(task["cases"], task["source_cases"], task["sample"]["seed_from"]) for task in tasks] == [
        (4, 20, "name"),
        (4, 20, "request"),
    ]


async def test_conversations_of_two_tasks_may_share_their_names(world: World) -> None:
    turns = [a_case(f"turn-{turn}", conversation_id="talk", turn=turn) for turn in (1, 2)]
    first, second = await insert_version(world, turns, dataset="A"), await insert_version(world, turns, dataset="B")
    suite_id = await insert_suite(world, a_task("a", first, epochs=2), a_task("b", second))
    run_id = await started(world, suite_id)
    run = await world.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["items"], run["cluster_level"]) == ("complete", 6, "conversation")
    assert {item["conversation_id"] for item in await world.items(run_id)} == {"a/talk", "b/talk"}
    histories = [len(command.request.messages) for command in world.calls()]
    assert sorted(histories) == [1, 1, 1, 3, 3, 3]
    (target,) = (await suite_result(world, run_id))["targets"]
    assert [task["clusters"] for task in target["tasks"]] == [1, 1]


async def test_collections_and_versions_make_one_suite(world: World) -> None:
    version = await version_of(world, "Sums", 2)
    suite_id = await insert_suite(
        world, a_task("tasks", world.collection_id, collection=True), a_task("cases", version)
    )
    run_id = await started(world, suite_id)
    run = await world.until_status(run_id, "FINISHED")
    assert [item["task_id"] for item in await world.items(run_id)] == [
        *("tasks/task-0", "tasks/task-1", "tasks/task-2", "cases/0", "cases/1"),
    ]
    assert (len(run["collections"]), len(run["dataset_versions"])) == (1, 1)


async def test_exports_name_the_task_of_each_item(world: World) -> None:
    suite_id = await insert_suite(
        world, a_task("sums", await version_of(world, "Sums", 1), params={"system_prompt": "Be brief."})
    )
    run_id = await started(world, suite_id)
    await world.until_status(run_id, "FINISHED")
    exported = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "json"})).json()
    (item,) = exported["items"]
    assert (item["suite_task"], item["task_id"], item["system_prompt"]) == ("sums", "sums/0", "Be brief.")
    csv = (await world.http.get(f"/api/runs/{run_id}/export", params={"format": "csv"})).text
    header, row = csv.splitlines()
    assert dict(zip(header.split(","), row.split(","), strict=False))["task_id"] == "sums/0"
    assert "suite_task" in header


async def test_plan_has_levels_batches_time_and_cost(world: World) -> None:
    sums, words = await version_of(world, "Sums", 2), await version_of(world, "Words", 3)
    suite_id = await insert_suite(
        world, a_task("late", words, after=["early"], epochs=2, estimated_seconds=30), a_task("early", sums)
    )
    url = "/v1/benchmarks/runs"
    response = await world.http.post(url, json=request(suite_id), params={"dry_run": True})
    assert response.status_code == 200, response.text
    plan = response.json()
    assert plan["levels"] == [["early"], ["late"]]
    assert [(batch["level"], batch["tasks"], batch["estimated_duration"]) for batch in plan["execution_plan"]] == [
        (0, ["early"], None),
        (1, ["late"], 30),
    ]
    assert (plan["total_tasks"], plan["total_items"], plan["total_batches"]) == (2, 8, 2)
    assert (plan["estimated_seconds"], plan["estimated_cost_usd"]) == (None, None)
    assert any("estimated_seconds: early" in note for note in plan["notes"])
    assert (await world.http.get("/api/runs")).json()["items"] == [], "nothing was started"

    run_id = await started(world, suite_id)
    await world.until_status(run_id, "FINISHED")
    await world.http.get(f"/api/runs/{run_id}")
    plan = (await world.http.post(url, json=request(suite_id), params={"dry_run": True})).json()
    assert plan["estimated_seconds"] > 0, "the model was measured"


async def test_repeated_request_with_a_key_starts_one_run(world: World) -> None:
    suite_id = await insert_suite(world, a_task("sums", await version_of(world, "Sums", 1)))
    ids = set()
    for _ in range(2):
        response = await world.http.post(
            "/v1/benchmarks/runs", json=request(suite_id), headers={"Idempotency-Key": "once"}
        )
        ids.add(response.json()["run_id"])
    assert len(ids) == 1


async def test_run_of_a_suite_waits_in_the_queue(world: World) -> None:
    async def never(_: GenerateCompletion) -> None:
        return None

    world.answer = never
    active = await world.start()
    suite_id = await insert_suite(world, a_task("sums", await version_of(world, "Sums", 1)))
    response = await world.http.post("/v1/benchmarks/runs", json=request(suite_id))
    begun = response.json()
    assert (response.status_code, begun["status"], begun["run_status"]) == (201, "QUEUED", "QUEUED")
    shown = (await world.http.get(f"/v1/benchmarks/runs/{response.json()['run_id']}")).json()
    assert (shown["status"], shown["results"]["overall_score"], shown["results"]["complete"]) == ("QUEUED", None, False)
    await world.http.post(f"/api/runs/{active}/cancel")


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"tasks": ["none"]}, "tasks.0"),
        ({"models": [{"name": "model-a", "provider": "Nobody"}]}, "models.0.provider"),
        ({"models": [{"name": "model-z", "provider": "Mock"}]}, "targets.0.model"),
        ({"models": []}, "body"),
        ({"model": {"name": "model-a", "provider": "Mock"}}, "body"),
        ({"parallelism": 0}, "parallelism"),
        ({"webhook_url": "ftp://x"}, "webhook_url"),
        ({"webhook": "http://x"}, "webhook"),
    ],
)
async def test_invalid_request_is_refused_with_its_field(world: World, more: dict[str, Any], field: str) -> None:
    suite_id = await insert_suite(world, a_task("sums", await version_of(world, "Sums", 1)))
    response = await world.http.post("/v1/benchmarks/runs", json=request(suite_id, **more))
    assert response.status_code == 422, response.text
    assert response.json()["errors"][0]["field"] == field


async def test_draft_and_suite_with_a_deprecated_version_do_not_run(world: World) -> None:
    version = await version_of(world, "Sums", 1)
    draft = await insert_suite(world, a_task("sums", version), status="DRAFT")
    response = await world.http.post("/v1/benchmarks/runs", json=request(draft))
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "suite_id")
    old = await insert_version(world, [a_case("1")], status="DEPRECATED", dataset="Old")
    async with world.engine.begin() as connection:
        await connection.exec_driver_sql("DELETE FROM suite")
    response = await world.http.post("/v1/benchmarks/runs", json=request(await insert_suite(world, a_task("a", old))))
    assert response.status_code == 422
    assert "only PUBLISHED ones run" in response.json()["detail"]
    assert (await world.http.post("/v1/benchmarks/runs", json=request(uuid4()))).status_code == 404


async def test_another_judge_of_one_task_scores_only_that_task(world: World) -> None:
    sums, words = await version_of(world, "Sums", 2), await version_of(world, "Words", 2)
    rubric = [{"kind": "rubric", "needs_judge": True}]
    suite_id = await insert_suite(
        world, a_task("sums", sums, evaluators=rubric), a_task("words", words, evaluators=rubric)
    )
    run_id = await started(world, suite_id, judge={"name": "judge", "provider": "Mock"})
    await world.until_status(run_id, "FINISHED")
    world.seen.clear()
    other = {"provider_id": str(world.provider_id), "model": "model-b"}
    answer = await world.http.post(
        f"/api/runs/{run_id}/retry-judging", json={"judge": other, "evaluator": "words/rubric", "scope": "all"}
    )
    assert answer.status_code == 202, answer.text
    run = await world.until_status(run_id, "FINISHED")
    judged = [command.case.task_id for command in world.seen if isinstance(command, JudgeAnswer)]
    assert sorted(judged) == ["words/0", "words/1"]
    assert [(each["name"], each["judge_model"]) for each in run["evaluators"]] == [
        ("sums/rubric", "judge"),
        ("words/rubric", "judge"),
        ("words/rubric", "model-b"),
    ]


async def test_evaluator_added_to_one_task_scores_only_that_task(world: World) -> None:
    sums, words = await version_of(world, "Sums", 2), await version_of(world, "Words", 2)
    suite_id = await insert_suite(world, a_task("sums", sums), a_task("words", words))
    run_id = await started(world, suite_id)
    await world.until_status(run_id, "FINISHED")
    world.seen.clear()
    added = {"kind": "contains", "params": {"text": "no"}, "only": {"suite_task": "words"}, "weight": 0}
    answer = await world.http.post(f"/api/runs/{run_id}/evaluators", json={"evaluators": [added]})
    assert answer.status_code == 202, answer.text
    await world.until_status(run_id, "FINISHED")
    judged = [command.case.task_id for command in world.seen if isinstance(command, JudgeAnswer)]
    assert sorted(judged) == ["words/0", "words/1"]


async def test_runs_of_one_suite_pair_case_by_case_and_are_deleted_with_their_suite(world: World) -> None:
    sums, words = await version_of(world, "Sums", 3), await version_of(world, "Words", 3)
    suite_id = await insert_suite(world, a_task("sums", sums), a_task("words", words))
    runs = [await started(world, suite_id, model, name=model) for model in ("model-a", "model-b")]
    for run_id in runs:
        await world.until_status(run_id, "FINISHED")
    body = {"run_ids": [str(run_id) for run_id in runs]}
    compared = await world.http.post("/v1/benchmarks/compare", json=body)
    assert compared.status_code == 200, compared.text
    tasks = compared.json()["comparison"]
    by_task = {task["task_name"]: [score["run_id"] for score in task["scores"]] for task in tasks}
    assert by_task == {"sums": body["run_ids"], "words": body["run_ids"]}, "the tasks of the suite, not categories"
    for run_id in runs:
        assert (await world.http.delete(f"/api/runs/{run_id}")).status_code == 204
    async with world.engine.connect() as connection:
        for table in ("run_suite", "run_suite_task", "item"):
            assert (await connection.exec_driver_sql(f"SELECT count(*) FROM {table}")).scalar_one() == 0


@pytest.mark.parametrize(("hosted", "calls_at_once"), [("provider.internal", 7), ("", 1)])
async def test_models_of_hosts_that_count_as_hosted_answer_side_by_side(
    postgres_url: str, nats_url: str, hosted: str, calls_at_once: int
) -> None:
    async with open_world(postgres_url, nats_url, hosted_hosts=hosted) as world:
        async with world.engine.begin() as connection:
            await connection.execute(update(t.provider).values(base_url="http://provider.internal/v1"))
        suite_id = await insert_suite(world, a_task("sums", await version_of(world, "Sums", 1)))
        run_id = await started(world, suite_id, parallelism=7)
        run = await world.until_status(run_id, "FINISHED")
        group = next(group for group in run["groups"] if group["phase"] == "BENCHMARKING")
        assert group["concurrency"] == calls_at_once


async def test_run_without_a_suite_has_no_suite_result(world: World) -> None:
    run_id = await world.start()
    assert (await world.http.get(f"/api/runs/{run_id}/suite")).status_code == 404
    assert (await world.http.get(f"/v1/benchmarks/runs/{run_id}")).status_code == 404
    assert (await world.http.get(f"/v1/benchmarks/runs/{UUID(int=1)}")).status_code == 404
