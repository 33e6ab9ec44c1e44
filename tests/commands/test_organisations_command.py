"""Test `llmbench organisations` on a real database, as the operator uses it."""

import json
from collections.abc import AsyncIterator
from uuid import UUID

import asyncpg
import pytest

from llmbench.contracts.dataset_words import DatasetType
from llmbench.db.connection import connected
from llmbench.db.tables import metadata
from llmbench.ids import new_id
from tests.commands.process import Llmbench


@pytest.fixture
def operator(postgres_url: str) -> Llmbench:
    return Llmbench("http://127.0.0.1:9", {"LLMBENCH_DATABASE_URL": postgres_url})


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    async with connected(postgres_url, application_name="test", everybody=True) as connection:
        yield connection


async def team(database: "asyncpg.Connection[asyncpg.Record]", slug: str, *, closed: bool) -> UUID:
    """Create an organisation with a member, a dataset with a file, and a document."""
    id_, person, dataset = new_id(), new_id(), new_id()
    made = "INSERT INTO organisation (id, name, slug, closed_at) VALUES ($1, $2, $2, CASE WHEN $3 THEN now() END)"
    await database.execute(made, id_, slug, closed)
    await database.execute("INSERT INTO person (id, email, name) VALUES ($1, $2, 'Ada')", person, f"{slug}@example.org")
    await database.execute("INSERT INTO membership (org_id, person_id, role) VALUES ($1, $2, 'owner')", id_, person)
    type_ = next(iter(DatasetType))
    await database.execute(
        "INSERT INTO dataset (id, org_id, name, type) VALUES ($1, $2, 'Sums', $3)", dataset, id_, type_
    )
    version = """
        INSERT INTO dataset_version (id, org_id, dataset_id, version_number, status, file_uri, file_format, file_bytes,
                                     schema_hash, content_hash, validation_status)
        VALUES ($1, $2, $3, 1, 'DRAFT', $4, 'csv', 10, '', '', 'VALID')
    """
    await database.execute(version, new_id(), id_, dataset, f"file:///files/{slug}.csv")
    return id_


async def rows_of(database: "asyncpg.Connection[asyncpg.Record]", id_: UUID) -> dict[str, int]:
    """Return the number of the organisation's rows by table, for the tables that have any."""
    tables = [table.name for table in metadata.sorted_tables if "org_id" in table.columns]
    counts = {name: await database.fetchval(f"SELECT count(*) FROM {name} WHERE org_id = $1", id_) for name in tables}
    return {name: count for name, count in counts.items() if count}


async def test_closed_organisation_is_reopened_or_erased(
    operator: Llmbench, database: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    left, kept = await team(database, "left", closed=True), await team(database, "kept", closed=False)
    listed = {each["slug"]: each for each in json.loads((await operator("organisations", "list", "--json")).out)}
    assert (listed["left"]["closed_at"] is None, listed["kept"]["closed_at"]) == (False, None)
    assert (listed["left"]["id"], listed["left"]["members"]) == (str(left), 1)
    assert "kept" in (await operator("organisations", "list")).out

    reopened = await operator("organisations", "reopen", "left")
    assert (reopened.code, reopened.out) == (0, "left is open again\n"), reopened.err
    refused = await operator("organisations", "erase", "left", "--yes")
    assert (refused.code, "is open" in refused.err) == (1, True)
    assert (await operator("organisations", "reopen", "left")).code == 1

    await database.execute("UPDATE organisation SET closed_at = now() WHERE id = $1", left)
    # A run of the organisation ends with its next answer; until then nothing may be erased.
    ending = """
        INSERT INTO run (id, org_id, name, status, phase, concurrency, timeout_s, max_attempts, max_backoff_s)
        VALUES ($1, $2, 'ending', 'RUNNING', 'BENCHMARKING', 1, 60, 3, 60)
    """
    run_id = new_id()
    await database.execute(ending, run_id, left)
    too_early = await operator("organisations", "erase", "left", "--yes")
    assert (too_early.code, "still ending" in too_early.err) == (1, True)
    await database.execute("DELETE FROM run WHERE id = $1", run_id)
    unsure = await operator("organisations", "erase", "left")
    assert unsure.code == 1, "nobody answered the question"
    before = await rows_of(database, kept)
    erased = await operator("organisations", "erase", "left", "--yes")
    assert (erased.code, erased.out) == (0, "left is erased: 3 rows. Uploaded files go within two hours.\n"), erased.err
    assert await rows_of(database, left) == {"audit_entry": 2, "loose_file": 1}
    assert await rows_of(database, kept) == before
    actions = await database.fetch("SELECT action FROM audit_entry WHERE org_id = $1 ORDER BY id", left)
    assert [row["action"] for row in actions] == ["reopened", "erased"]


async def test_unknown_organisation_is_refused_with_the_known_ones(operator: Llmbench) -> None:
    for command in (("reopen",), ("erase", "--yes")):
        refused = await operator("organisations", *command, "elsewhere")
        assert refused.code == 1
        assert "there is no organisation 'elsewhere'; there are default" in refused.err
