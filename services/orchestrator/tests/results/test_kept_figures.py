"""Test that a run's statistics, which are stored per block of items, always equal a recount of its items."""

import asyncio
import random
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from recounted_figures import compare
from run_versions import a_case, insert_version
from run_world import World, contained, open_world, scored
from sqlalchemy import text

from llmbench.contracts.answer_scored import Replies, Unparsed, Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Answered, Cost, Malformed, Outcome, Timings, Usage
from orchestrator.kernel.adapters.overall import CLUSTER
from orchestrator.results.adapters.changes import hold_counts

pytestmark = pytest.mark.never_rerun

TASKS = 11
# Some documents have several cases, spread over the version; some conversations have two turns.
VERSION = [
    a_case(f"case-{at}", document=f"document {at * 7 % 3}" if at < 6 else None, part=at % 4) for at in range(9)
] + [
    a_case(f"talk-{talk}-{turn}", conversation_id=f"talk {talk}", turn=turn, part=9, document="both" if talk else None)
    for turn in (1, 2)
    for talk in (0, 1, 2)
]
CASES = TASKS + len(VERSION)


class Chance:
    """Plays the gateway and the judge with seeded random results. A failed call may succeed when it is repeated."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def permille(self, below: int) -> bool:
        """Return True with a probability of `below` / 1000."""
        return self._draw.randrange(1000) < below

    async def answer(self, command: GenerateCompletion) -> Outcome:
        await asyncio.sleep(self._draw.random() / 500)
        if command.purpose == Purpose.ITEM and self.permille(150):
            return Malformed(message="no choices")
        draw = self._draw
        total_ms = draw.randrange(1, 5000)
        return Answered(
            preview="x" * draw.randrange(1, 200),
            finish_reason=draw.choice(("stop", "length", None)),
            usage=Usage(
                prompt_tokens=draw.randrange(50),
                completion_tokens=draw.randrange(50) if self.permille(900) else None,
                reasoning_tokens=draw.choice((None, 5)),
                source="estimated" if self.permille(200) else "reported",
            ),
            timings=Timings(
                total_ms=total_ms,
                first_token_ms=total_ms // 3,
                first_content_ms=total_ms // 3 + draw.choice((0, 1)),
                tokens_per_second=draw.choice((None, 12.5, 80.25)),
            ),
            cost=Cost(usd=draw.random() / 100, source="own_price") if self.permille(700) else None,
            cached=self.permille(100),
        )

    async def judge(self, command: JudgeAnswer) -> Verdict:
        draw = self._draw
        if self.permille(200):
            replies = Replies(asked=draw.randrange(1, 4)) if self.permille(700) else None
            return Unparsed(problem="no JSON", raw_text="hm", replies=replies)
        if command.evaluator.kind == "contains":
            return contained(self.permille(500))
        return scored(draw.randrange(11)).model_copy(update={"details": self.details()})

    def details(self) -> dict[str, Any]:
        """Return random details of a score, in the format of the present judge service or of older versions."""
        draw = self._draw
        kinds: tuple[dict[str, Any], ...] = (
            {},
            {"decided_by": "program"},
            {"repaired": True},
            {"repeats": 3, "repeats_scored": 2, "self_agreement": draw.random(), "repaired": False},
            {"repeats": 2, "repeats_scored": 1, "self_agreement": None, "mode": "samples"},
            {"replies": {"asked": 3, "parsed": 2, "repaired": 1}, "mode": draw.choice(("logprobs", "single"))},
            {"replies": {"asked": 2, "parsed": 2, "repaired": 0}, "swap_consistent": self.permille(500)},
        )
        return draw.choice(kinds)


async def cut_small(world: World, run_id: UUID) -> None:
    """Divide the active run into blocks of two cases. A small run then has as many blocks as a run of thousands of
    cases."""
    async with world.engine.begin() as connection:
        await hold_counts(connection, run_id)
        for statement in (
            "UPDATE run SET block_cases = 2 WHERE id = :run_id",
            "DELETE FROM run_block WHERE run_id = :run_id",
            "INSERT INTO run_block (run_id, block, version) "
            "SELECT id, generate_series(0, (case_count - 1) / 2), 1000 FROM run WHERE id = :run_id",
            "INSERT INTO spanning_cluster (run_id, cluster) "
            f"SELECT run_id, {CLUSTER} FROM item WHERE run_id = :run_id GROUP BY 1, 2 "
            f"HAVING count(DISTINCT position % {CASES} / 2) > 1 ON CONFLICT DO NOTHING",
        ):
            await connection.execute(text(statement), {"run_id": run_id})


async def until_finished(world: World, run_id: UUID) -> None:
    """Poll the run until it is FINISHED. Each poll recomputes the statistics of changed blocks, so they are computed at
    many moments."""
    await world.until(run_id, lambda run: run["status"] == "FINISHED")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.shows("I-07", "R-04")
async def test_stored_figures_equal_a_recount_of_the_items(postgres_url: str, nats_url: str, seed: int) -> None:
    async with open_world(postgres_url, nats_url, tasks=TASKS) as world:
        async with world.engine.begin() as connection:
            await connection.execute(text("UPDATE task SET category = 'category ' || abs(hashtext(task_id)) % 3"))
        chance = Chance(seed)
        world.answer, world.judge = chance.answer, chance.judge
        provider = str(world.provider_id)
        targets = [
            {"provider_id": provider, "model": "model-a", "epochs": 2},
            {"provider_id": provider, "model": "model-a", "label": "again", "params": {"temperature": 1}},
            {"provider_id": provider, "model": "model-b", "concurrency": 4},
        ]
        version = str(await insert_version(world, VERSION))
        run_id = await world.start(targets=targets, max_attempts=1, dataset_version_ids=[version])
        await cut_small(world, run_id)
        await until_finished(world, run_id)
        await compare(world, run_id)
        other = {"provider_id": provider, "model": "model-b"}
        contains = {"kind": "contains", "params": {"text": "x"}, "weight": 2, "required": False}
        orders: list[tuple[str, dict[str, Any]]] = [
            ("retry-failed", {}),
            ("retry-judging", {}),
            ("retry-judging", {"judge": other, "allow_self_judging": True}),
            ("evaluators", {"evaluators": [contains]}),
            ("retry-judging", {"judge": other, "scope": "all", "allow_self_judging": True}),
            ("retry-failed", {}),
        ]
        random.Random(seed).shuffle(orders)
        for what, body in orders:
            response = await world.http.post(f"/api/runs/{run_id}/{what}", json=body)
            # The answer is 409 if no item is left to retry.
            assert response.status_code in (202, 409), response.text
            await until_finished(world, run_id)
            await compare(world, run_id)


async def test_reading_a_run_without_stored_figures_computes_them(world: World) -> None:
    """The statistics of a run may not be stored yet after an upgrade. Reading the run computes them."""
    run_id = await world.start("model-a", "model-b")
    before = await world.until_status(run_id, "FINISHED")
    async with world.engine.begin() as connection:
        for table in ("counted_block", "run_ranking"):
            await connection.execute(text(f"DELETE FROM {table}"))
    await compare(world, run_id)
    after = (await world.http.get(f"/api/runs/{run_id}")).json()
    assert after["totals"] == before["totals"]
    assert after["evaluators"] == before["evaluators"]


async def test_epochs_of_a_case_give_pass_at_k(world: World) -> None:
    """A target with three epochs per case has pass@k for k up to 3. A ranking that was stored before pass@k existed is
    computed again when the run is read. A target with one epoch has no pass@k."""
    tries: Counter[str] = Counter()

    async def first_passes_then_none(command: JudgeAnswer) -> Verdict:
        tries[command.case.task_id] += 1
        return scored(9 if tries[command.case.task_id] == 1 else 1)

    world.judge = first_passes_then_none
    target = {"provider_id": str(world.provider_id), "model": "model-a"}
    run_id = await world.start(targets=[target | {"epochs": 3}])
    run = await world.until_status(run_id, "FINISHED")
    (tried,) = run["results"]
    cases = tried["items"] // 3
    assert [(pass_at["k"], pass_at["cases"]) for pass_at in tried["passes"]] == [(1, cases), (2, cases), (3, cases)]
    assert [pass_at["pass_at_k"] for pass_at in tried["passes"]] == pytest.approx([1 / 3, 2 / 3, 1])
    assert [pass_at["pass_hat_k"] for pass_at in tried["passes"]] == pytest.approx([1 / 3, 0, 0])
    async with world.engine.begin() as connection:
        await connection.execute(text("UPDATE run_ranking SET body = body - 'tries'"))
    assert (await world.http.get(f"/api/runs/{run_id}")).json()["results"] == run["results"]
    once = await world.until_status(await world.start(targets=[target]), "FINISHED")
    assert once["results"][0]["passes"] == []
