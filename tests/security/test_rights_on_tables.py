"""Try every operation on every table with each PostgreSQL login: only the operations granted to the login succeed.

The tables come from the metadata, so new tables are included.
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import asyncpg
import pytest
from sqlalchemy import Table

from llmbench.db.logins import SERVICE_GRANTS, Grants, ensure_logins
from llmbench.db.tables import metadata
from llmbench_cli.embedded.services import with_login
from tests.architecture.test_one_writer import owners

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

PASSWORD = "only-for-tests"
VERSION = "alembic_version"
# Operations that only the owner of the tables may perform.
OWNERS_ONLY = (
    "TRUNCATE {table}",
    "DROP TABLE {table}",
    "ALTER TABLE {table} ADD COLUMN mine int",
    "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "CREATE INDEX ON {table} ((1))",
    "CREATE RULE mine AS ON INSERT TO {table} DO NOTHING",
)
ELSEWHERE = (
    "CREATE TABLE mine (id int)",
    "CREATE SCHEMA mine",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE ROLE mine",
    "ALTER ROLE {other} PASSWORD 'mine'",
    "SET ROLE {other}",
    "GRANT {other} TO {role}",
    "SELECT * FROM pg_authid",
    "SELECT pg_read_file('PG_VERSION')",
    "COPY alembic_version TO PROGRAM 'true'",
    "COPY alembic_version FROM '/etc/hostname'",
    "UPDATE alembic_version SET version_num = '0'",
    "DELETE FROM alembic_version",
)


@pytest.fixture(params=SERVICE_GRANTS)
async def login(request: pytest.FixtureRequest, postgres_url: str) -> "AsyncIterator[tuple[str, Connection]]":
    await ensure_logins(postgres_url, dict.fromkeys(SERVICE_GRANTS, PASSWORD))
    role = SERVICE_GRANTS[request.param].role
    connection = await asyncpg.connect(with_login(postgres_url, role, PASSWORD))
    yield request.param, connection
    await connection.close()


async def allowed(connection: "Connection", statement: str) -> bool:
    """Try a statement, and roll it back. Return False only if rights are missing; other errors count as allowed."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(statement)
    except asyncpg.InsufficientPrivilegeError:
        return False
    except asyncpg.PostgresError:
        return True
    finally:
        await transaction.rollback()
    return True


@pytest.mark.shows("S-21")
async def test_login_may_read_and_write_only_the_granted_tables(login: "tuple[str, Connection]") -> None:
    service, connection = login
    grants = SERVICE_GRANTS[service]
    for name, table in metadata.tables.items():
        assert await allowed(connection, f"SELECT * FROM {name} LIMIT 0") == (name in grants.reads + grants.writes), (
            name
        )
        for statement in (f"INSERT INTO {name} SELECT WHERE false", f"DELETE FROM {name} WHERE false"):
            assert await allowed(connection, statement) == (name in grants.writes), statement
        for column in (each_column.name for each_column in table.columns):
            may = name in grants.writes or (name, column) in grants.locks
            # `DEFAULT` needs no right to read the column.
            statement = f'UPDATE {name} SET "{column}" = DEFAULT WHERE false'
            assert await allowed(connection, statement) == may, statement
        assert await allowed(connection, f"SELECT * FROM {name} FOR UPDATE") == _may_lock(grants, table), name


def _may_lock(grants: Grants, table: Table) -> bool:
    return table.name in grants.writes or table.name in {name for name, _ in grants.locks}


@pytest.mark.shows("S-21")
async def test_service_login_may_not_perform_operations_of_the_owner(login: "tuple[str, Connection]") -> None:
    service, connection = login
    role = SERVICE_GRANTS[service].role
    other = next(grants.role for grants in SERVICE_GRANTS.values() if grants.role != role)
    done = [
        statement
        for statement in (
            *(statement.format(table=table) for table in (*metadata.tables, VERSION) for statement in OWNERS_ONLY),
            *(statement.format(role=role, other=other) for statement in ELSEWHERE),
        )
        if await allowed(connection, statement)
    ]
    assert not done, done
    assert await allowed(connection, f"SELECT * FROM {VERSION}")


def test_only_the_owning_service_may_write_a_table() -> None:
    assert owners() == {table: name for name, grants in SERVICE_GRANTS.items() for table in grants.writes}
