"""Helpers for tests of suite runs: published suites, and requests to run them."""

from typing import Any
from uuid import UUID

from run_versions import a_case, insert_version
from run_world import World
from sqlalchemy import insert, select, text

from llmbench.contracts.suite import Aggregation
from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id

CONTAINS = {"kind": "contains", "params": {"text": "42"}}


def a_task(name: str, source_id: UUID, *, collection: bool = False, **more: Any) -> dict[str, Any]:
    """Return a task in the form in which config-api stores it."""
    source = "collection_id" if collection else "dataset_version_id"
    return {
        "name": name,
        "category": "general",
        source: str(source_id),
        "source_name": name.title(),
        "source_version": None if collection else 3,
        "evaluators": [CONTAINS],
    } | more


async def insert_suite(
    world: World,
    *tasks: dict[str, Any],
    aggregation: str = Aggregation.MEAN,
    status: str = "PUBLISHED",
    version_number: int = 2,
) -> UUID:
    """Insert a version of the suite "Nightly", and return its id."""
    suite_id = new_id()
    async with world.engine.begin() as connection:
        of_name = select(t.suite_family.c.id).where(t.suite_family.c.name == "Nightly")
        family_id = await connection.scalar(of_name)
        if family_id is None:
            family_id = new_id()
            family = insert(t.suite_family).values(id=family_id, org_id=DEFAULT_ORG_ID, name="Nightly")
            await connection.execute(family)
        await connection.execute(
            insert(t.suite).values(
                id=suite_id,
                family_id=family_id,
                org_id=DEFAULT_ORG_ID,
                name="Nightly",
                version_number=version_number,
                status=status,
                definition={"aggregation": aggregation, "tasks": list(tasks)},
                published_at=None if status == "DRAFT" else text("now()"),
            )
        )
    return suite_id


async def version_of(world: World, name: str, cases: int, **more: Any) -> UUID:
    """Insert a published version with cases that are called 0, 1, … in every version."""
    return await insert_version(world, [a_case(str(number), **more) for number in range(cases)], dataset=name)


def request(suite_id: UUID, *models: str, **more: Any) -> dict[str, Any]:
    """Return a request to run the suite on the given models (default: `model-a`)."""
    chosen = [{"name": model, "provider": "Mock"} for model in models or ("model-a",)]
    return {"suite_id": str(suite_id), "models": chosen} | more


async def started(world: World, suite_id: UUID, *models: str, **more: Any) -> UUID:
    response = await world.http.post("/v1/benchmarks/runs", json=request(suite_id, *models, **more))
    assert response.status_code == 201, response.text
    return UUID(response.json()["run_id"])


async def suite_result(world: World, run_id: UUID) -> dict[str, Any]:
    response = await world.http.get(f"/api/runs/{run_id}/suite")
    assert response.status_code == 200, response.text
    result: dict[str, Any] = response.json()
    return result
