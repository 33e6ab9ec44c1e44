"""Test `/api/usage`: sums by day, person and model, storage, CSV, and the state of the budget."""

import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db import tables as t
from llmbench.db.engine import open_engine
from llmbench.http.door import door
from llmbench.http.service_router import add_routes
from llmbench.http.web import make_app
from llmbench.ids import DEFAULT_ORG_ID, new_id
from orchestrator.usage.adapters.usage_queries import UsageQueries
from orchestrator.usage.api.endpoints import UsageServices, router

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
ADA, NOBODY = UUID(int=1), UUID(int=0)


@pytest.fixture
async def engine(postgres_url: str) -> AsyncIterator[AsyncEngine]:
    async with open_engine(postgres_url, application_name="test") as engine:
        yield engine


async def ready() -> str | None:
    return None


@asynccontextmanager
async def no_lifespan(_: FastAPI) -> AsyncIterator[None]:
    yield


@pytest.fixture
async def http(engine: AsyncEngine) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the usage endpoints alone, at a fixed time."""
    app: FastAPI = make_app(title="usage", door=door(origins=[]), readiness=ready, lifespan=no_lifespan)
    add_routes(app, router(lambda: UsageServices(UsageQueries(engine), now=lambda: NOW)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1") as client:
        yield client


async def used(engine: AsyncEngine, day: date, person_id: UUID, model: str, cost_usd: float, **more: int) -> None:
    values = {"org_id": DEFAULT_ORG_ID, "day": day, "person_id": person_id, "model": model, "cost_usd": cost_usd}
    counted = {"calls": 2, "prompt_tokens": 10, "completion_tokens": 5, "items": 1} | more
    async with engine.begin() as connection:
        await connection.execute(insert(t.usage_of_day).values(**values, **counted))


@pytest.fixture
async def november(engine: AsyncEngine) -> None:
    await used(engine, date(2026, 10, 31), ADA, "gpt", 9.0)
    await used(engine, date(2026, 11, 1), ADA, "gpt", 1.5)
    await used(engine, date(2026, 11, 3), ADA, "=llama", 0.0, unpriced_calls=2)
    await used(engine, date(2026, 11, 3), NOBODY, "gpt", 2.5)


async def read(http: httpx.AsyncClient, **params: Any) -> dict[str, Any]:
    answer = await http.get("/api/usage", params=params)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.usefixtures("november")
async def test_month_until_today_is_grouped_by_day(http: httpx.AsyncClient) -> None:
    body = await read(http)
    assert (body["since"], body["until"]) == ("2026-11-01", "2026-11-24")
    assert [(row["day"], row["cost_usd"], row["calls"]) for row in body["rows"]] == [
        ("2026-11-01", 1.5, 2),
        ("2026-11-03", 2.5, 4),
    ]
    totals = body["totals"]
    assert (totals["cost_usd"], totals["unpriced_calls"], totals["items"]) == (4.0, 2, 3)
    assert (body["models"], body["people"]) == (["=llama", "gpt"], [str(ADA)])


@pytest.mark.usefixtures("november")
async def test_most_expensive_person_and_model_come_first(http: httpx.AsyncClient) -> None:
    by_person = await read(http, group_by="person")
    assert [(row["person_id"], row["cost_usd"]) for row in by_person["rows"]] == [(None, 2.5), (str(ADA), 1.5)]
    by_model = await read(http, group_by="model", person_id=str(ADA))
    assert [(row["model"], row["cost_usd"]) for row in by_model["rows"]] == [("gpt", 1.5), ("=llama", 0.0)]
    assert [row["day"] for row in by_model["days"]] == ["2026-11-01", "2026-11-03"]
    assert (await read(http, model="gpt", since="2026-10-01"))["totals"]["cost_usd"] == 13.0


@pytest.mark.usefixtures("november")
async def test_csv_has_every_row_and_no_formula(http: httpx.AsyncClient) -> None:
    answer = await http.get("/api/usage/export", params={"since": "2026-11-02"})
    assert answer.headers["content-disposition"] == 'attachment; filename="usage-2026-11-02-2026-11-24.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["day"], row["person_id"], row["model"], row["cost_usd"]) for row in rows] == [
        ("2026-11-03", "", "gpt", "2.5"),
        ("2026-11-03", str(ADA), "'=llama", "0.0"),
    ]


async def test_empty_period_has_zeros(http: httpx.AsyncClient) -> None:
    body = await read(http)
    assert set(body["totals"].values()) == {0}
    assert (body["rows"], body["storage"]) == ([], {"bytes": 0, "limit_bytes": None, "people": []})


@pytest.mark.parametrize("since", ["2026-11-25", "2025-11-23"])
async def test_impossible_period_is_refused(http: httpx.AsyncClient, since: str) -> None:
    answer = await http.get("/api/usage", params={"since": since})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "since")


@pytest.mark.parametrize(
    ("budget", "state", "says"),
    [
        (None, "none", ""),
        (10.0, "fine", ""),
        (5.0, "warning", "80 % of the org"),
        (4.0, "spent", "1 December at 00:00"),
    ],
)
@pytest.mark.usefixtures("november")
async def test_state_of_the_budget_is_that_of_this_month(
    http: httpx.AsyncClient, engine: AsyncEngine, budget: float | None, state: str, says: str
) -> None:
    settings = "jsonb_build_object('cost_budget_monthly_usd', CAST(:usd AS float8))"
    async with engine.begin() as connection:
        await connection.execute(text(f"UPDATE organisation SET settings = {settings}"), {"usd": budget})
    body = (await http.get("/api/usage/budget")).json()
    assert (body["state"], body["spent_usd"], body["unpriced_calls"]) == (state, 4.0, 2)
    assert says in (body["message"] or "")
    assert (body["month"], body["ends_on"]) == ("2026-11-01", "2026-12-01")


async def test_storage_is_listed_by_the_creator_of_the_dataset(http: httpx.AsyncClient, engine: AsyncEngine) -> None:
    dataset_id = new_id()
    version = {
        **{"id": new_id(), "dataset_id": dataset_id, "version_number": 1, "status": "DRAFT", "file_uri": "x"},
        **{"file_format": "jsonl", "file_bytes": 700, "schema_hash": "", "content_hash": ""},
        **{"validation_status": "VALID", "org_id": DEFAULT_ORG_ID},
    }
    async with engine.begin() as connection:
        owner = {"org_id": DEFAULT_ORG_ID, "created_by": ADA}
        await connection.execute(insert(t.dataset).values(id=dataset_id, name="d", type="EVALUATION", **owner))
        await connection.execute(insert(t.dataset_version).values(version))
    storage = (await read(http))["storage"]
    assert storage == {"bytes": 700, "limit_bytes": None, "people": [{"person_id": str(ADA), "bytes": 700}]}
