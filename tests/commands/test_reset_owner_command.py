"""Test `llmbench reset-owner` on a real database, as the operator uses it."""

import re
import uuid

import pytest
from sqlalchemy import insert, text

from llmbench.db.engine import open_engine
from llmbench.db.tables import membership, person
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.organisation import working_for
from tests.commands.process import Llmbench


@pytest.fixture
async def operator(postgres_url: str) -> Llmbench:
    """Return the command line on a database with an owner, Ada."""
    ada = uuid.uuid4()
    async with open_engine(postgres_url, application_name="test") as engine:
        with working_for(DEFAULT_ORG_ID):
            async with engine.begin() as connection:
                await connection.execute(insert(person).values(id=ada, email="ada@example.org", name="Ada"))
                await connection.execute(insert(membership).values(person_id=ada, role="owner"))
    return Llmbench("http://127.0.0.1:9", {"LLMBENCH_DATABASE_URL": postgres_url})


async def test_command_prints_the_link_alone_and_stores_its_hash(operator: Llmbench, postgres_url: str) -> None:
    made = await operator("reset-owner", "ada@example.org", "--keep-second-factor")
    assert made.code == 0, made.err
    path = re.fullmatch(r"(?:http://\S+)?/reset-password#([\w-]{43})\n", made.out)
    assert path, made.out
    assert "it works once" in " ".join(made.err.split())
    async with open_engine(postgres_url, application_name="test") as engine, engine.connect() as connection:
        [row] = (await connection.execute(text("SELECT second_factor, created_by FROM password_reset"))).all()
        kept = (await connection.execute(text("SELECT password_reset::text FROM password_reset"))).scalar_one()
    assert tuple(row) == (False, None)
    assert path[1] not in kept


async def test_command_names_the_owners_if_the_address_is_none_of_them(operator: Llmbench) -> None:
    refused = await operator("reset-owner", "bob@example.org")
    assert refused.code == 1
    assert refused.out == ""
    assert "owners are ada@example.org" in " ".join(refused.err.split())
