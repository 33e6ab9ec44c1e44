"""A test environment with experiments. The test plays the models, and decides the score of each model's answers."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

import httpx
from run_world import World, answered, scored
from sqlalchemy import insert, text

from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Rejected
from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id

PATH = "/v1/experiments"


class ExperimentWorld:
    def __init__(self, world: World) -> None:
        self.world = world
        self.bodies: dict[str, dict[str, Any]] = {}
        """The request that created each experiment, by its id."""

    async def add_cases(self, count: int) -> UUID:
        """Add a collection of `count` tasks, and return its id."""
        collection_id = new_id()
        tasks = [
            {
                "id": new_id(),
                "org_id": DEFAULT_ORG_ID,
                "task_id": f"{collection_id.hex[-6:]}-{index:03}",
                "category": "sums",
                "question": f"What is {index} + 1?",
            }
            for index in range(count)
        ]
        members = [{"collection_id": collection_id, "task_id": task["id"], "org_id": DEFAULT_ORG_ID} for task in tasks]
        async with self.world.engine.begin() as connection:
            await connection.execute(
                insert(t.collection).values(id=collection_id, org_id=DEFAULT_ORG_ID, name=f"cases {collection_id}")
            )
            await connection.execute(insert(t.task), tasks)
            await connection.execute(insert(t.collection_task), members)
        return collection_id

    def body(self, collection: UUID, **changes: Any) -> dict[str, Any]:
        return {
            "name": "Better model",
            "primary_metric": "score",
            "variants": [self.variant("control", "model-a", is_control=True), self.variant("better", "model-b")],
            "sources": {"collection_ids": [str(collection)]},
            "judge": {"provider_id": str(self.world.provider_id), "model": "judge"},
        } | changes

    async def plan(self, collection: UUID, **changes: Any) -> dict[str, Any]:
        response = await self.world.http.post(f"{PATH}/plan", json=self.body(collection, **changes))
        assert response.status_code == 200, response.text
        planned: dict[str, Any] = response.json()
        return planned

    async def create(self, collection: UUID, **changes: Any) -> dict[str, Any]:
        body = self.body(collection, **changes)
        response = await self.world.http.post(PATH, json=body)
        assert response.status_code == 201, response.text
        created: dict[str, Any] = response.json()
        self.bodies[created["experiment_id"]] = body
        return created

    def variant(self, name: str, model: str, **more: Any) -> dict[str, Any]:
        return {
            "name": name,
            "config": {"model": {"provider_id": str(self.world.provider_id), "name": model}},
        } | more

    def score_models(self, raw: dict[str, float]) -> None:
        """Let each model answer with its own name, and let the judge score each name from 0 to 10. `raw` has the scores
        by name."""

        async def answer(command: GenerateCompletion) -> Outcome:
            return answered(command.request.model)

        async def judge(command: JudgeAnswer) -> Verdict:
            return scored(raw[command.answer])

        self.world.answer, self.world.judge = answer, judge

    def calls(self) -> dict[str, int]:
        """Return the number of answers that were requested from each model, by the model's name."""
        return dict(Counter(command.request.model for command in self.world.calls()))

    async def post(self, experiment: dict[str, Any], command: str, **body: Any) -> httpx.Response:
        return await self.world.http.post(f"{self.path(experiment)}/{command}", json=body or None)

    async def command(self, experiment: dict[str, Any], command: str, **body: Any) -> dict[str, Any]:
        response = await self.post(experiment, command, **body)
        assert response.status_code == 200, response.text
        changed: dict[str, Any] = response.json()
        return changed

    async def get(self, experiment: dict[str, Any], what: str = "", **params: Any) -> dict[str, Any]:
        path = f"{self.path(experiment)}/{what}".rstrip("/")
        response = await self.world.http.get(path, params=params)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def until(self, experiment: dict[str, Any], condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Poll the experiment until the condition holds, and return it."""
        found: dict[str, Any] = {}

        async def reached() -> bool:
            nonlocal found
            found = await self.get(experiment)
            return condition(found)

        try:
            await self.world.eventually(reached)
        except TimeoutError:
            raise AssertionError(f"the experiment never got there: {found}") from None
        return found

    @staticmethod
    def path(experiment: dict[str, Any]) -> str:
        return f"{PATH}/{experiment['experiment_id']}"

    async def run_count(self) -> int:
        async with self.world.engine.connect() as connection:
            return int(await connection.scalar(text("SELECT count(*) FROM run")) or 0)

    async def replace(self, experiment: dict[str, Any], **changes: Any) -> httpx.Response:
        """Send the experiment's original request again, with `changes`."""
        body = self.bodies[experiment["experiment_id"]] | changes
        return await self.world.http.put(self.path(experiment), json=body)

    def hold_answers(self) -> asyncio.Event:
        """Hold back all models' answers until the returned event is set."""
        go_on, answer = asyncio.Event(), self.world.answer

        async def held(command: GenerateCompletion) -> Outcome | None:
            if command.purpose == Purpose.ITEM:
                await go_on.wait()
            return await answer(command)

        self.world.answer = held
        return go_on

    async def asked(self) -> bool:
        return bool(self.world.calls())

    async def until_round(
        self, experiment: dict[str, Any], condition: Callable[[dict[str, Any]], Any]
    ) -> dict[str, Any]:
        """Poll the experiment's rounds, each a run of the next cases, until the condition holds for one of them. Return
        that round."""
        found: list[dict[str, Any]] = []

        async def reached() -> bool:
            rounds = (await self.get(experiment, "rounds"))["rounds"]
            found[:] = [each for each in rounds if condition(each)]
            return bool(found)

        await self.world.eventually(reached)
        return found[0]

    @staticmethod
    def rejected() -> Rejected:
        return Rejected(message="this key may not use the model", http_status=401, cause="unauthorized")
