"""Test the rotation of the master key. It encrypts all secrets again, or changes none. If the platform starts with a
wrong key, it reports this.
"""

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, insert, select, update

from llmbench.db.engine import open_engine
from llmbench.db.migrate import upgrade
from llmbench.db.sealed import reseal
from llmbench.db.secrets import SECOND_FACTOR, WEBHOOK_SECRET, Binding, SecretBox
from llmbench.db.tables import (
    person,
    provider,
    provider_header,
    run,
    schedule,
    schedule_webhook,
    second_factor,
    webhook,
)
from llmbench.errors import SecretsLocked
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench.organisation import working_for
from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.migration import create_database
from llmbench_cli.embedded.place import place
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.postgres import Cluster, prepare
from llmbench_cli.embedded.stack import DATABASE
from tests.servers import open_folder, running

OLD = "the old key, which is long enough for one"
URL = "https://api.example.org/v1"
SECRETS = {"Authorization": "Bearer sk-first-secret", "X-Key": "sk-second-secret"}


@dataclass
class CommandResult:
    """The exit code of a program, and its output."""

    code: int
    text: str


async def _rotate_key(settings: Mapping[str, str], *arguments: str) -> CommandResult:
    return await _run(settings, "-m", "llmbench_cli.main", "rotate-key", *arguments)


async def _run(settings: Mapping[str, str], *command: str) -> CommandResult:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLMBENCH_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**kept, "COLUMNS": "300", **settings},
    )
    output, _ = await asyncio.wait_for(process.communicate(), 90)
    assert process.returncode is not None
    return CommandResult(process.returncode, output.decode())


async def _seed(database_url: str, key: str) -> None:
    box, provider_id = SecretBox(key), new_id()
    row = {"id": provider_id, "org_id": DEFAULT_ORG_ID, "name": "Hosted", "type": "OPENAI", "base_url": URL}
    with working_for(DEFAULT_ORG_ID):
        await _insert(database_url, row, box)


async def _insert(database_url: str, row: dict[str, Any], box: SecretBox) -> None:
    async with open_engine(database_url, application_name="test") as engine, engine.begin() as connection:
        await connection.execute(insert(provider).values(**row, models_endpoint="/m", inference_endpoint="/c"))
        for position, (header_key, value) in enumerate(SECRETS.items()):
            await connection.execute(
                insert(provider_header).values(
                    id=new_id(),
                    provider_id=row["id"],
                    header_key=header_key,
                    is_secret=True,
                    sealed_value=box.seal(value, Binding(row["id"], header_key, URL)),
                    position=position,
                )
            )


HOOK_URL = "https://hook.example.org/told"
HOOK_SECRET = "whsec_of-a-batch-that-is-long"


async def _seed_webhook(database_url: str, key: str) -> None:
    run_id, hook_id = new_id(), new_id()
    sealed = SecretBox(key).seal(HOOK_SECRET, Binding(hook_id, WEBHOOK_SECRET, HOOK_URL))
    async with open_engine(database_url, application_name="test") as engine, engine.begin() as connection:
        batch = {"id": run_id, "org_id": DEFAULT_ORG_ID, "name": "Batch", "status": "QUEUED", "phase": "BENCHMARKING"}
        limits = {"concurrency": 1, "timeout_s": 60, "max_attempts": 3, "max_backoff_s": 60}
        await connection.execute(insert(run).values(**batch, **limits))
        await connection.execute(
            insert(webhook).values(id=hook_id, run_id=run_id, url=HOOK_URL, sealed_secret=sealed, status="PENDING")
        )


async def _webhook(database_url: str) -> tuple[UUID, UUID, bytes]:
    async with open_engine(database_url, application_name="test") as engine, engine.connect() as connection:
        row = (await connection.execute(select(webhook))).one()
        return row.id, row.run_id, row.sealed_secret


async def _stored(database_url: str) -> dict[str, bytes]:
    async with open_engine(database_url, application_name="test") as engine, engine.connect() as connection:
        rows = await connection.execute(select(provider_header))
        return {row.header_key: row.sealed_value for row in rows}


async def _opened(database_url: str, key: str) -> dict[str, str]:
    """Return the decrypted values of all secret headers in the database. Raises `SecretsLocked` unless `key` decrypts
    all of them."""
    async with open_engine(database_url, application_name="test") as engine, engine.connect() as connection:
        rows = await connection.execute(select(provider_header))
        box = SecretBox(key)
        return {
            row.header_key: box.open(row.sealed_value, Binding(row.provider_id, row.header_key, URL)) for row in rows
        }


async def _spoil(database_url: str) -> None:
    """Replace one secret by a value that no key decrypts."""
    async with open_engine(database_url, application_name="test") as engine, engine.begin() as connection:
        spoilt = update(provider_header).where(provider_header.c.header_key == "X-Key")
        await connection.execute(spoilt.values(sealed_value=b"\x01" + b"0" * 40))


@pytest.fixture
def own(postgres_url: str) -> dict[str, str]:
    """Return an environment with a database and a master key that belong to the user."""
    return {"LLMBENCH_DATABASE_URL": postgres_url, "LLMBENCH_MASTER_KEY": OLD}


async def test_rotation_encrypts_every_secret_with_the_new_key(
    own: dict[str, str], postgres_url: str, tmp_path: Path
) -> None:
    await _seed(postgres_url, OLD)
    file = tmp_path / "new.key"
    result = await _rotate_key(own, "--new-key-file", str(file))
    assert result.code == 0, result.text
    key = file.read_text().strip()
    assert await _opened(postgres_url, key) == SECRETS
    assert file.stat().st_mode & 0o777 == 0o600
    assert {"new.key"} == {name for name in os.listdir(tmp_path) if "key" in name}
    assert "encrypted with the new key: 2" in result.text
    assert "config-api, orchestrator and inference-gateway" in result.text
    assert not any(word in result.text for word in (key, OLD, *SECRETS.values()))

    # A repeated rotation changes nothing.
    before = await _stored(postgres_url)
    again = await _rotate_key(own, "--new-key-file", str(file))
    assert (again.code, await _stored(postgres_url)) == (0, before)
    assert "encrypted with the new key: 0 (2 had it)" in again.text


@pytest.mark.shows("S-06")
async def test_rotation_encrypts_webhook_secrets_with_the_new_key(
    own: dict[str, str], postgres_url: str, tmp_path: Path
) -> None:
    await _seed_webhook(postgres_url, OLD)
    file = tmp_path / "new.key"
    result = await _rotate_key(own, "--new-key-file", str(file))
    assert result.code == 0, result.text
    assert HOOK_SECRET not in result.text
    id_, run_id, sealed = await _webhook(postgres_url)
    box = SecretBox(file.read_text().strip())
    assert box.open(sealed, Binding(id_, WEBHOOK_SECRET, HOOK_URL)) == HOOK_SECRET
    # The old key does not decrypt the value, and neither does the new key for another address, webhook or purpose.
    for stolen in (
        Binding(id_, WEBHOOK_SECRET, "https://evil.example.org/told"),
        Binding(id_, WEBHOOK_SECRET, HOOK_URL.replace("https", "http")),
        Binding(run_id, WEBHOOK_SECRET, HOOK_URL),
        Binding(id_, "Authorization", HOOK_URL),
    ):
        with pytest.raises(SecretsLocked):
            box.open(sealed, stolen)
    with pytest.raises(SecretsLocked):
        SecretBox(OLD).open(sealed, Binding(id_, WEBHOOK_SECRET, HOOK_URL))


@pytest.mark.shows("S-06")
async def test_rotation_encrypts_webhooks_of_schedules_with_the_new_key(
    own: dict[str, str], postgres_url: str, tmp_path: Path
) -> None:
    schedule_id, id_ = new_id(), new_id()
    sealed = SecretBox(OLD).seal(HOOK_SECRET, Binding(id_, WEBHOOK_SECRET, HOOK_URL))
    nightly = {"id": schedule_id, "org_id": DEFAULT_ORG_ID, "name": "Nightly", "cron": "0 2 * * *", "time_zone": "UTC"}
    async with open_engine(postgres_url, application_name="test") as engine, engine.begin() as connection:
        await connection.execute(insert(schedule).values(**nightly, what={}, decided_at=func.now()))
        hook = {"id": id_, "schedule_id": schedule_id, "url": HOOK_URL, "sealed_secret": sealed}
        await connection.execute(insert(schedule_webhook).values(hook))
    file = tmp_path / "new.key"
    result = await _rotate_key(own, "--new-key-file", str(file))
    assert result.code == 0, result.text
    async with open_engine(postgres_url, application_name="test") as engine, engine.connect() as connection:
        stored = (await connection.execute(select(schedule_webhook.c.sealed_secret))).scalar_one()
    assert SecretBox(file.read_text().strip()).open(stored, Binding(id_, WEBHOOK_SECRET, HOOK_URL)) == HOOK_SECRET


@pytest.mark.shows("S-06")
async def test_rotation_encrypts_second_factors_with_the_new_key(
    own: dict[str, str], postgres_url: str, tmp_path: Path
) -> None:
    person_id, id_ = new_id(), new_id()
    sealed = SecretBox(OLD).seal("GEZDGNBVGY3TQOJQ", Binding(id_, SECOND_FACTOR, ""))
    async with open_engine(postgres_url, application_name="test") as engine, engine.begin() as connection:
        await connection.execute(insert(person).values(id=person_id, email="ada@example.org", name="Ada"))
        await connection.execute(insert(second_factor).values(id=id_, person_id=person_id, sealed_secret=sealed))
    file = tmp_path / "new.key"
    result = await _rotate_key(own, "--new-key-file", str(file))
    assert result.code == 0, result.text
    async with open_engine(postgres_url, application_name="test") as engine, engine.connect() as connection:
        stored = (await connection.execute(select(second_factor.c.sealed_secret))).scalar_one()
    box = SecretBox(file.read_text().strip())
    assert box.open(stored, Binding(id_, SECOND_FACTOR, "")) == "GEZDGNBVGY3TQOJQ"


async def test_secret_that_cannot_be_decrypted_stops_the_rotation_and_nothing_changes(
    own: dict[str, str], postgres_url: str, tmp_path: Path
) -> None:
    await _seed(postgres_url, OLD)
    await _spoil(postgres_url)
    before = await _stored(postgres_url)
    arguments = ("--new-key-file", str(tmp_path / "new.key"))
    refused = await _rotate_key(own, *arguments)
    assert refused.code == 1
    assert "X-Key of Hosted" in refused.text
    assert await _stored(postgres_url) == before
    forced = await _rotate_key(own, *arguments, "--forget-locked")
    assert forced.code == 0, forced.text
    assert "X-Key of Hosted" in forced.text
    assert await _opened(postgres_url, (tmp_path / "new.key").read_text().strip()) == {
        "Authorization": SECRETS["Authorization"]
    }


async def test_refused_rotation_prints_one_sentence_and_changes_nothing(
    own: dict[str, str], postgres_url: str, tmp_path: Path
) -> None:
    await _seed(postgres_url, OLD)
    before = await _stored(postgres_url)
    short, same = tmp_path / "short", tmp_path / "same"
    short.write_text("short\n")
    same.write_text(OLD)
    nowhere = {**own, "LLMBENCH_DATABASE_URL": f"postgresql://127.0.0.1:{free_port()}/x"}
    empty = {"LLMBENCH_HOME": str(tmp_path / "no-home")}
    for settings, arguments, words in (
        (own, (), "--new-key-file"),
        (own, ("--new-key-file", str(short)), "32 characters"),
        (own, ("--new-key-file", str(same)), "nothing to rotate"),
        (own, ("--new-key-file", str(tmp_path / "no" / "folder")), "cannot be written"),
        (nowhere, ("--new-key-file", str(tmp_path / "key")), "the database cannot be used"),
        (empty, (), "no secret was ever stored"),
    ):
        result = await _rotate_key(settings, *arguments)
        assert (result.code, words in result.text) == (1, True), result.text
        assert len(result.text.splitlines()) == 1, result.text
        assert OLD not in result.text
    assert await _stored(postgres_url) == before


async def test_rotation_is_refused_while_a_service_holds_the_old_key(
    own: dict[str, str], postgres_url: str, tmp_path: Path
) -> None:
    await _seed(postgres_url, OLD)
    before = await _stored(postgres_url)
    async with open_engine(postgres_url, application_name="config-api") as engine, engine.connect():
        result = await _rotate_key(own, "--new-key-file", str(tmp_path / "key"))
    assert (result.code, "stop config-api" in result.text) == (1, True), result.text
    assert await _stored(postgres_url) == before


@pytest.mark.parametrize("service", ["config_api", "inference_gateway"])
@pytest.mark.shows("I-29")
async def test_service_with_a_wrong_key_exits_with_one_line(
    service: str, own: dict[str, str], postgres_url: str, nats_url: str
) -> None:
    await _seed(postgres_url, OLD)
    wrong = {**own, "LLMBENCH_NATS_URL": nats_url, "LLMBENCH_MASTER_KEY": "another key that is long enough, too"}
    result = await _run(wrong, "-m", service)
    assert result.code == 1, result.text
    [line] = result.text.splitlines()
    assert "LLMBENCH_MASTER_KEY opens none of the 2 stored secrets" in line
    assert wrong["LLMBENCH_MASTER_KEY"] not in line


# The following tests use a home folder with its own PostgreSQL and master key.


@pytest.fixture
def home() -> Iterator[Home]:
    folder = open_folder()
    home = Home(folder / "home")
    home.create()
    yield home
    shutil.rmtree(folder)


@contextlib.asynccontextmanager
async def _postgres_of(home: Home) -> AsyncIterator[str]:
    """Run the PostgreSQL of the home as `llmbench up` does, and yield its URL."""
    where = place(home.root / "postgres")
    cluster = Cluster(
        programs=where.programs,
        data=where.data,
        account=where.account,
        password=home.password("postgres"),
        log=home.log("postgres"),
    )
    await prepare(cluster)
    port = free_port()
    async with running(cluster.spec(port)):
        await create_database(cluster.url(port), DATABASE)
        yield cluster.url(port, DATABASE)


@pytest.mark.never_rerun
@pytest.mark.shows("I-29")
async def test_rotation_replaces_the_key_of_a_home_even_after_a_killed_rotation(home: Home) -> None:
    old = home.master_key()
    settings = {"LLMBENCH_HOME": str(home.root)}
    current, next_key = home.root / "master.key", home.root / "master.key.next"
    async with _postgres_of(home) as url:
        await upgrade(url)
        await _seed(url, old)

    result = await _rotate_key(settings)
    assert result.code == 0, result.text
    first = home.master_key()
    assert first != old
    assert current.stat().st_mode & 0o777 == 0o600
    assert not next_key.exists()
    assert "llmbench up" in result.text
    async with _postgres_of(home) as url:
        assert await _opened(url, first) == SECRETS

        # Create the state after a kill between the commit and the renaming of the new key's file.
        next_key.touch(0o600)
        next_key.write_text("the next key, that was being rotated to\n")
        await reseal(url, SecretBox(first), SecretBox(next_key.read_text().strip()))
    with home.held():
        busy = await _rotate_key(settings)
    assert (busy.code, home.master_key()) == (1, first)
    result = await _rotate_key(settings)
    assert result.code == 0, result.text
    assert home.master_key() == "the next key, that was being rotated to"
    assert not next_key.exists()

    # Create the state after a kill before the commit: the temporary file holds a new key that encrypts nothing yet.
    next_key.touch(0o600)
    next_key.write_text("a key that was written and not yet used\n")
    given = home.root.parent / "given"
    given.write_text("a key of the user's own, that is given\n")
    refused = await _rotate_key(settings, "--new-key-file", str(given))
    assert (refused.code, "interrupted" in refused.text) == (1, True), refused.text
    assert (await _rotate_key(settings)).code == 0
    assert home.master_key() == "a key that was written and not yet used"
    assert (await _rotate_key(settings, "--new-key-file", str(given))).code == 0
    assert home.master_key() == given.read_text().strip()
    async with _postgres_of(home) as url:
        assert await _opened(url, home.master_key()) == SECRETS
