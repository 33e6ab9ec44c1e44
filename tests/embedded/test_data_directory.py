"""Test that faults of PostgreSQL's data directory are repaired, or reported in a sentence."""

import asyncio
import dataclasses
import os
import pwd
import shutil
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from llmbench_cli.embedded.accounts import Account
from llmbench_cli.embedded.errors import BrokenData
from llmbench_cli.embedded.place import place, programs_for
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.postgres import Cluster, prepare
from tests.servers import open_folder, running


@pytest.fixture
def home() -> Iterator[Path]:
    """Yield a home folder that PostgreSQL's user can enter."""
    folder = open_folder()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def cluster(home: Path) -> Cluster:
    where = place(home / "postgres")
    return Cluster(
        programs=where.programs,
        data=where.data,
        account=where.account,
        password="only-for-tests",
        log=home / "postgres.log",
    )


async def test_data_directory_is_created_once(cluster: Cluster) -> None:
    assert await prepare(cluster)
    assert not await prepare(cluster)
    assert cluster.data.stat().st_mode & 0o777 == 0o700


async def test_partly_created_directory_is_replaced(cluster: Cluster) -> None:
    staging = cluster.data.with_name("postgres.new")
    staging.mkdir()
    (staging / "PG_VERSION").write_text("18\n")
    assert await prepare(cluster)
    assert not staging.exists()


async def test_foreign_files_are_not_touched(cluster: Cluster) -> None:
    cluster.data.mkdir()
    (cluster.data / "letters.txt").write_text("mine")
    with pytest.raises(BrokenData, match="not a PostgreSQL data directory"):
        await prepare(cluster)
    assert (cluster.data / "letters.txt").read_text() == "mine"


async def test_data_of_another_major_version_is_named(cluster: Cluster) -> None:
    await prepare(cluster)
    (cluster.data / "PG_VERSION").write_text("15\n")
    with pytest.raises(BrokenData, match=r"PostgreSQL 15, this is PostgreSQL 18.*log: "):
        await prepare(cluster)


async def test_damaged_data_directory_is_named(cluster: Cluster) -> None:
    await prepare(cluster)
    (cluster.data / "global" / "pg_control").unlink()
    with pytest.raises(BrokenData, match=r"damaged \(global/pg_control is missing\)"):
        await prepare(cluster)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
async def test_unwritable_data_directory_is_named(cluster: Cluster) -> None:
    await prepare(cluster)
    os.chown(cluster.data, 0, 0)
    with pytest.raises(BrokenData, match=r"not writable for (llmbench-postgres|nobody)"):
        await prepare(cluster)


async def test_pid_file_of_a_killed_server_is_ignored(cluster: Cluster) -> None:
    """PostgreSQL starts although a pid file exists. After a kill, the process id in this file may belong to another
    process by now; in this test, it is that of the test itself."""
    await prepare(cluster)
    (cluster.data / "postmaster.pid").write_text(f"{os.getpid()}\n{cluster.data}\n")
    await prepare(cluster)
    port = free_port()
    async with running(cluster.spec(port)):
        connection = await asyncpg.connect(cluster.url(port))
        assert await connection.fetchval("SELECT 1") == 1
        await connection.close()


async def test_directory_in_use_is_not_touched(cluster: Cluster) -> None:
    await prepare(cluster)
    async with running(cluster.spec(free_port())) as server:
        assert server.process is not None
        with pytest.raises(BrokenData, match=rf"another PostgreSQL \(pid {server.process.pid}\)"):
            await prepare(cluster)


class _Outsider(Account):
    """An account that cannot run programs in their usual folder, so that the programs have to be copied."""

    def can_run(self, *command: str) -> bool:
        return False


async def test_simultaneous_first_starts_share_one_copy_of_the_programs(home: Path) -> None:
    outsider, shared = _Outsider("outsider", os.getuid(), os.getgid()), home / "shared"
    starts = (asyncio.to_thread(programs_for, outsider, shared=shared) for _ in range(3))
    [programs] = set(await asyncio.gather(*starts))
    assert (programs / "postgres").is_file()
    assert len(list(shared.iterdir())) == 1, "no half-made copy is left"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
async def test_home_that_postgres_cannot_enter_is_replaced_by_a_link(home: Path) -> None:
    private, shared = home / "private", home / "shared"
    private.mkdir(mode=0o700)
    (private / "home").mkdir(mode=0o700)
    where = place(private / "home" / "postgres", shared=shared)
    assert where.account is not None
    assert where.account.reaches(where.data.parent)
    assert any("cannot enter" in note for note in where.notes)
    again = place(private / "home" / "postgres", shared=shared)
    assert again.data == where.data


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
@pytest.mark.shows("S-25")
async def test_closed_home_is_opened_for_postgres_user_only(home: Path) -> None:
    private = home / "private"
    private.mkdir(mode=0o700)
    where = place(private / "postgres")
    assert where.account is not None
    assert where.data == private / "postgres"
    assert (private.stat().st_mode & 0o777, private.stat().st_gid) == (0o710, where.account.gid)
    assert where.account.reaches(private)
    assert not where.account.can_run("/bin/ls", str(private))
    nobody = pwd.getpwnam("nobody")
    if where.account.uid != nobody.pw_uid:
        assert not Account("nobody", nobody.pw_uid, nobody.pw_gid).reaches(private)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
async def test_data_of_an_earlier_version_gets_the_current_owner(cluster: Cluster) -> None:
    await prepare(cluster)
    assert cluster.account is not None
    nobody = pwd.getpwnam("nobody")
    for path in (cluster.data, *cluster.data.rglob("*")):
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    await prepare(cluster)
    assert {path.stat().st_uid for path in (cluster.data, *cluster.data.rglob("*"))} == {cluster.account.uid}
    port = free_port()
    async with running(cluster.spec(port)):
        connection = await asyncpg.connect(cluster.url(port))
        await connection.close()


async def test_wrong_password_of_postgres_is_named(cluster: Cluster) -> None:
    await prepare(cluster)
    stranger = dataclasses.replace(cluster, password="another")
    with pytest.raises(BrokenData, match=r"refuses our own login.*postgres\.password"):
        async with running(stranger.spec(free_port())):
            pass
