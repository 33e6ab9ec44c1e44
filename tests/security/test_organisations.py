"""Try every HTTP operation, topic, command and CLI command of one organisation with the ids of another one.

The services do not filter rows by organisation: only PostgreSQL's row-level security separates them. The services use
their restricted logins, because PostgreSQL exempts a superuser from these policies.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from random import Random
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from llmbench.db.everybody import EXEMPT
from llmbench.db.logins import SERVICE_GRANTS
from llmbench.db.tables import metadata
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench_cli.embedded.services import with_login
from tests.chaos.browser import watching
from tests.commands.process import Llmbench
from tests.platform import Platform, platform
from tests.security.two_organisations import (
    Furnished,
    described,
    furnish,
    operations,
    request_of,
    rows_of,
    texts_of,
)

pytestmark = [pytest.mark.asyncio(loop_scope="module")]

OF_PEOPLE = {
    "logout_token",
    "person",
    "person_login",
    "recovery_code",
    "second_factor",
    "session_login",
    "sign_in_attempt",
    "signing_key",
    "web_session",
}
"""The tables whose rows belong to no organisation."""


@dataclass(frozen=True)
class Side:
    """One of the two organisations: the platform as this organisation sees it, and the objects that it owns."""

    stack: Platform
    org_id: str
    has: Furnished


@dataclass(frozen=True)
class Both:
    first: Side
    second: Side

    def pairs(self) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
        return (self.first, self.second), (self.second, self.first)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def both() -> AsyncIterator[Both]:
    other_id = new_id()
    async with platform(tasks=0) as stack:
        connection = await asyncpg.connect(stack.database_url)
        await connection.execute("INSERT INTO organisation (id, name) VALUES ($1, 'Other')", other_id)
        await connection.close()
        async with stack.of_organisation(other_id) as other:
            yield Both(
                first=Side(stack, str(DEFAULT_ORG_ID), await furnish(stack, "alpha7301")),
                second=Side(other, str(other_id), await furnish(other, "omega7302")),
            )


@pytest.mark.shows("S-28")
async def test_no_operation_finds_or_changes_what_another_organisation_has(both: Both) -> None:
    faults: list[str] = []
    for mine, theirs in both.pairs():
        before = await rows_of(mine.stack.database_url, theirs.org_id)
        assert all(
            before[name]
            for name in ("run", "item", "score", "provider", "test_case", "model_call", "document", "suite")
        )
        for operation in await operations(mine.stack):
            url, arguments = request_of(operation, theirs.has)
            response = await mine.stack.http.request(operation.method, url, **arguments)
            if operation.names_something and response.status_code != 404:
                faults.append(f"{operation}: {described(response)}")
            if response.status_code >= 500:
                faults.append(f"{operation}: {described(response)}")
            if any(theirs.has.marker in text for text in texts_of(response)):
                faults.append(f"{operation} shows the other organisation's data: {described(response)}")
        assert await rows_of(mine.stack.database_url, theirs.org_id) == before
    assert not faults, "\n".join(faults)


REFERRING = (
    "POST /api/collections",
    "POST /api/runs",
    "POST /api/runs/tag",
    "POST /api/schedules",
    "POST /api/tasks/import",
    "POST /api/baselines",
    "POST /api/calibrations",
    "POST /api/providers/test",
    "GET /api/comparisons",
    "GET /api/comparisons/cases",
    "GET /api/comparisons/cases/export",
    "GET /api/comparisons/categories",
    "GET /api/comparisons/scores",
    "GET /api/comparisons/report",
    "GET /api/leaderboards",
    "POST /api/suites",
    "POST /api/suites/apply",
    "POST /v1/benchmarks/compare",
    "POST /v1/benchmarks/check-gate",
    "POST /v1/benchmarks/runs",
    "POST /v1/evaluations",
    "POST /v1/evaluations/batch",
)
"""Operations whose body or query contains ids of objects."""


async def test_references_to_another_organisation_are_refused_as_unknown(both: Both) -> None:
    for mine, theirs in both.pairs():
        tried = [each for each in await operations(mine.stack) if str(each) in REFERRING]
        assert len(tried) == len(REFERRING)
        for operation in tried:
            url, arguments = request_of(operation, theirs.has)
            foreign = await mine.stack.http.request(operation.method, url, **arguments)
            assert foreign.status_code in (404, 409, 422), f"{operation}: {described(foreign)}"


async def test_own_item_of_a_run_is_found_only_under_the_own_run(both: Both) -> None:
    for mine, theirs in both.pairs():
        path = "/api/runs/{}/items/{}"
        own, other = mine.has.ids, theirs.has.ids
        assert (await mine.stack.http.get(path.format(own["run_id"], own["item_id"]))).status_code == 200
        assert (await mine.stack.http.get(path.format(own["run_id"], other["item_id"]))).status_code == 404
        assert (await mine.stack.http.get(path.format(other["run_id"], own["item_id"]))).status_code == 404


async def test_lists_and_exports_contain_only_the_own_rows(both: Both) -> None:
    for mine, theirs in both.pairs():
        for path in (
            "/api/providers",
            "/api/tasks",
            "/api/tasks/export",
            "/api/tasks/categories",
            "/api/collections",
            "/api/evaluation-presets",
            "/api/suites",
            "/v1/benchmarks/suites",
            "/api/runs",
            "/api/schedules",
            "/v1/experiments",
            "/v1/datasets",
            "/v1/documents",
            "/v1/evaluations",
            f"/api/runs/{mine.has.ids['run_id']}/export?format=json",
        ):
            response = await mine.stack.http.get(path)
            assert response.status_code == 200, f"{path}: {described(response)}"
            assert mine.has.marker in response.text, path
            assert theirs.has.marker not in response.text, path


async def test_same_names_are_free_in_every_organisation(both: Both) -> None:
    for side in (both.first, both.second):
        for path, body in (
            ("/api/tasks", {"task_id": "shared-name", "category": "c", "question": "?"}),
            ("/api/collections", {"name": "Shared name"}),
            ("/v1/datasets", {"name": "Shared name", "type": "EVALUATION"}),
        ):
            assert (await side.stack.http.post(path, json=body)).status_code == 201, path
            assert (await side.stack.http.post(path, json=body)).status_code == 409, path


async def test_idempotency_key_of_another_organisation_is_unknown(both: Both) -> None:
    key = {"Idempotency-Key": f"shared-{new_id()}"}
    answers: list[dict[str, Any]] = []
    for side in (both.first, both.second):
        evaluation = {
            "input": "?",
            "output": side.has.marker,
            "evaluators": [{"kind": "contains", "params": {"text": "2"}}],
        }
        response = await side.stack.http.post("/v1/evaluations", json=evaluation, headers=key)
        assert response.status_code == 201, response.text
        answers.append(response.json())
    assert answers[0]["evaluation_id"] != answers[1]["evaluation_id"]


@pytest.mark.shows("S-28")
async def test_topics_deliver_only_events_of_the_own_organisation(both: Both) -> None:
    for mine, theirs in both.pairs():
        async with watching(mine.stack.url, theirs.has.ids["run_id"], Random(0)) as foreign:
            async with watching(mine.stack.url, mine.has.ids["run_id"], Random(0)) as own:
                async with asyncio.timeout(240):
                    # The organisation's own run is replayed to its end, on a connection that was opened later. Each
                    # topic has a replay of its own, so the last status may arrive before the first item.
                    while own.status.get("status") != "FINISHED" or not own.seqs["item"] or not foreign.connections:
                        await asyncio.sleep(0.05)
            assert not any(foreign.seqs.values())
            new = {
                "targets": [{"provider_id": theirs.has.provider_id, "model": "mock-0ms"}],
                "collection_ids": [theirs.has.collection_id],
                "evaluators": [{"kind": "contains", "params": {"text": "2"}}],
                "check_providers": False,
            }
            run_id = (await theirs.stack.post("/api/runs", new))["id"]
            async with watching(mine.stack.url, run_id, Random(0)) as live:
                await theirs.stack.until_status(run_id, "FINISHED")
                async with asyncio.timeout(240):
                    while not live.connections:
                        await asyncio.sleep(0.05)
            assert not any(live.seqs.values())
            assert not any(foreign.seqs.values())


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "{run_id}"),
        ("watch", "{run_id}"),
        ("export", "{run_id}", "--format", "json"),
        ("events", "--run", "{run_id}"),
        ("pause", "{run_id}"),
        ("resume", "{run_id}"),
        ("cancel", "{run_id}"),
        ("retry", "{run_id}"),
        ("delete", "{run_id}", "--yes"),
        ("compare", "{run_id}", "{run_id}"),
    ],
    ids=lambda arguments: arguments[0],
)
async def test_command_with_a_run_of_another_organisation_fails(both: Both, arguments: tuple[str, ...]) -> None:
    for mine, theirs in both.pairs():
        filled = [argument.format(**theirs.has.ids) for argument in arguments]
        result = await Llmbench(mine.stack.url)(*filled)
        assert result.code != 0, result
        assert theirs.has.marker not in result.out + result.err


async def test_every_table_of_data_is_isolated_and_forced(both: Both) -> None:
    connection = await asyncpg.connect(both.first.stack.database_url)
    secured = {
        row["relname"]
        for row in await connection.fetch(
            "SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity AND relkind = 'r'"
        )
    }
    exempt = {
        row["rolname"]
        for row in await connection.fetch("SELECT rolname FROM pg_roles WHERE rolbypassrls AND NOT rolsuper")
    }
    await connection.close()
    # The tables of `OF_PEOPLE` are not secured: a person may belong to several organisations, and signs in before
    # choosing one. Only the identity service may use these tables.
    assert secured == set(metadata.tables) - OF_PEOPLE
    assert not exempt & {grants.role for grants in SERVICE_GRANTS.values()}


@pytest.mark.shows("S-28")
@pytest.mark.parametrize("service", SERVICE_GRANTS)
async def test_login_sees_no_row_unless_an_organisation_is_bound(both: Both, service: str) -> None:
    grants = SERVICE_GRANTS[service]
    connection = await asyncpg.connect(
        with_login(both.first.stack.database_url, grants.role, "only-for-tests"),
    )
    seen = [
        name
        for name in (*grants.reads, *grants.writes)
        if await connection.fetchval(f"SELECT count(*) FROM {name}")  # names from the grants
    ]
    await connection.close()
    assert bool(seen) == (grants.role in EXEMPT), seen
