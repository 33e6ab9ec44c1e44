"""Test the runtime of a service: it starts without its servers, names what is missing, reconnects, and finishes its
work when it is stopped.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from faststream.nats import NatsMessage
from nats.js.errors import NotFoundError

from llmbench.background import side_by_side
from llmbench.db.connection import CHECK_TIMEOUT_S, checking, connected
from llmbench.db.version import preflight, require_head
from llmbench.errors import DatabaseUnavailable, LlmbenchError, WrongSchemaVersion
from llmbench.messaging.broker import client, jetstream, nats_lacking
from llmbench.messaging.streams import COMMANDS, ensure_streams
from llmbench.room import DATABASE_ROOM
from llmbench.service.runtime import ServiceRuntime
from llmbench.service.settings import DatabaseSettings
from llmbench_cli.embedded.ports import free_port
from tests.servers import nats_server, nats_service

pytestmark = pytest.mark.never_rerun

WAIT_S = 90.0
WRONG = WrongSchemaVersion(found="0001", wanted="0002")


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not await condition():
            await asyncio.sleep(0.01)


async def until_ready(runtime: ServiceRuntime) -> None:
    async def ready() -> bool:
        return await runtime.lacks() is None

    await until(ready)


async def until_lacking(runtime: ServiceRuntime, words: str) -> None:
    async def lacking() -> bool:
        return words in (await runtime.lacks() or "")

    await until(lacking)


class Database:
    """A fake database: its check raises the error that the test sets, or none."""

    def __init__(self, error: LlmbenchError | None) -> None:
        self.error = error

    async def check(self) -> None:
        if self.error is not None:
            raise self.error


async def test_service_is_ready_while_it_runs(nats_url: str) -> None:
    runtime = ServiceRuntime("test", nats_url)
    assert await runtime.lacks() == "The service is starting."
    async with runtime.running():
        await until_ready(runtime)
        assert runtime.at_work
    assert not runtime.at_work
    assert await runtime.lacks() == "The service is starting."


async def test_late_nats_is_named_and_waited_for(tmp_path: Path) -> None:
    port = free_port()
    async with nats_server(tmp_path, port=port) as url:
        pass  # Only the URL is needed: nothing listens there when the service starts.
    runtime = ServiceRuntime("test", url)
    async with runtime.running():
        await until_lacking(runtime, "NATS does not answer: ")
        assert not runtime.at_work
        async with nats_server(tmp_path, port=port):
            await until_ready(runtime)
            assert runtime.at_work


async def test_connect_is_repeated_until_nats_accepts_it(nats_url: str) -> None:
    tries, proceed = 0, asyncio.Event()

    async def connect() -> None:
        nonlocal tries
        tries += 1
        if tries < 2:
            raise NotFoundError(description="stream not found")
        await proceed.wait()

    runtime = ServiceRuntime("test", nats_url)
    async with runtime.running(connect=connect):
        await until_lacking(runtime, "NATS is not ready yet: ")
        assert not runtime.at_work
        proceed.set()
        await until_ready(runtime)
    assert tries == 2


async def test_requests_are_answered_after_a_repeated_connect(nats_url: str) -> None:
    tries = 0
    runtime = ServiceRuntime("test", nats_url)

    async def answer(_: NatsMessage) -> bytes:
        return b"here"

    async def connect() -> None:
        nonlocal tries
        tries += 1
        if tries < 2:
            raise NotFoundError(description="stream not found")

    runtime.broker.subscriber("req.test", max_workers=2)(answer)
    async with runtime.running(connect=connect):
        await until_ready(runtime)
        reply = await client(runtime.broker).request("req.test", b"", timeout=10)
    assert (reply.data, tries) == (b"here", 2)


async def test_unavailable_database_is_named_and_waited_for(nats_url: str) -> None:
    database = Database(DatabaseUnavailable("connection refused"))
    steps: list[str] = []

    async def connect() -> None:
        steps.append("connect")

    runtime = ServiceRuntime("test", nats_url)
    async with runtime.running(database=database.check, connect=connect):
        assert await runtime.lacks() == "PostgreSQL does not answer: connection refused"
        # The database answers at last, but has another schema, which a migration then corrects.
        database.error = WRONG
        assert await runtime.lacks() == str(WRONG)
        assert not steps
        database.error = None
        await until_ready(runtime)
        assert steps == ["connect"]
        database.error = DatabaseUnavailable("connection reset")
        assert await runtime.lacks() == "PostgreSQL does not answer: connection reset"


async def test_service_does_not_start_on_another_schema(nats_url: str) -> None:
    runtime = ServiceRuntime("test", nats_url)
    with pytest.raises(WrongSchemaVersion):
        async with runtime.running(database=Database(WRONG).check):
            pytest.fail("started")


async def test_fault_of_a_step_ends_the_start(nats_url: str) -> None:
    async def connect() -> None:
        raise RuntimeError("a fault of ours")

    runtime = ServiceRuntime("test", nats_url)

    async def start() -> None:
        async with runtime.running(connect=connect):
            # On a slow machine the start is over before the fault; the readiness check then names the fault.
            await until_lacking(runtime, "has stopped working")
            raise RuntimeError("a fault of ours")

    with pytest.raises(RuntimeError, match="a fault of ours"):
        await start()


async def test_work_that_ends_is_named(nats_url: str) -> None:
    fail = asyncio.Event()

    async def work() -> None:
        await fail.wait()
        raise RuntimeError("a fault of ours")

    runtime = ServiceRuntime("test", nats_url)
    async with runtime.running(work=work):
        await until_ready(runtime)
        fail.set()
        await until_lacking(runtime, "The service has stopped working; its log says why.")


async def test_cancelled_wait_of_the_work_is_logged(nats_url: str, caplog: pytest.LogCaptureFixture) -> None:
    fail = asyncio.Event()

    async def work() -> None:
        await fail.wait()
        raise asyncio.CancelledError

    runtime = ServiceRuntime("test", nats_url)
    async with runtime.running(work=work):
        await until_ready(runtime)
        fail.set()
        await until_lacking(runtime, "The service has stopped working; its log says why.")
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "test has stopped working: a library cancelled it"
    ]


async def test_stop_logs_no_error(nats_url: str, caplog: pytest.LogCaptureFixture) -> None:
    runtime = ServiceRuntime("test", nats_url)
    async with runtime.running():
        await until_ready(runtime)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_full_disks_and_own_troubles_are_named(nats_url: str) -> None:
    troubles: list[str] = []
    runtime = ServiceRuntime("test", nats_url)
    async with runtime.running(trouble=lambda: troubles[0] if troubles else None):
        await until_ready(runtime)
        troubles.append("NATS has no room left on its disk.")
        assert await runtime.lacks() == "NATS has no room left on its disk."
        DATABASE_ROOM.lacked()
        try:
            assert "PostgreSQL has no room left" in (await runtime.lacks() or "")
        finally:
            DATABASE_ROOM.found()


async def test_drain_comes_after_the_work_and_before_nats_is_closed(nats_url: str) -> None:
    steps: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            steps.append("work ended")

    async def drain() -> None:
        assert not runtime.at_work
        steps.append("connected" if client(runtime.broker).is_connected else "closed")

    runtime = ServiceRuntime("test", nats_url)
    async with runtime.running(work=work, drain=drain):
        await until_ready(runtime)
    assert steps == ["work ended", "connected"]
    assert nats_lacking(runtime.broker)


async def test_nats_is_closed_when_the_drain_fails(nats_url: str) -> None:
    async def drain() -> None:
        raise RuntimeError("a fault of ours")

    runtime = ServiceRuntime("test", nats_url)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        async with runtime.running(drain=drain):
            await until_ready(runtime)
    assert nats_lacking(runtime.broker)


async def test_streams_are_restored_after_nats_lost_its_store(tmp_path: Path) -> None:
    restored = asyncio.Event()

    async def restore() -> None:
        await ensure_streams(jetstream(runtime.broker))
        restored.set()

    async with nats_service(tmp_path) as (server, url):
        runtime = ServiceRuntime("test", url)
        async with runtime.running(restore=restore):
            await until_ready(runtime)
            assert not restored.is_set()
            await server.kill()
            await until_lacking(runtime, "NATS does not answer: ")
            await server.start()
            async with asyncio.timeout(WAIT_S):
                await restored.wait()
            await until_ready(runtime)
            assert (await jetstream(runtime.broker).stream_info(COMMANDS)).state.messages == 0


async def test_check_of_the_database_names_the_reason_in_one_line(postgres_url: str) -> None:
    async with checking(), connected(postgres_url, application_name="test") as connection:
        await require_head(connection)
    with pytest.raises(DatabaseUnavailable, match=r"^PostgreSQL does not answer: .+") as unavailable:
        async with checking(), connected(f"postgresql://127.0.0.1:{free_port()}/none", application_name="test"):
            pytest.fail("connected")
    assert "\n" not in str(unavailable.value)


async def test_checks_of_a_silent_database_end_in_time() -> None:
    """Each check ends after at most 4 s. Without this limit, connecting would take 10 s, and closing a connection with
    a pending query 5 s more."""
    silent = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    url = f"postgresql://127.0.0.1:{silent.sockets[0].getsockname()[1]}/none"
    settings = DatabaseSettings(nats_url="nats://127.0.0.1", database_url=url)
    async with asyncio.timeout(2 * CHECK_TIMEOUT_S):
        await preflight(settings, "test")


async def test_cancelled_query_does_not_wait_for_a_silent_database(postgres_url: str) -> None:
    silent, asking = asyncio.Event(), asyncio.Event()
    database = urlsplit(postgres_url)

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            if not silent.is_set():
                sink.write(data)

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(database.hostname, database.port)
        await asyncio.gather(pump(reader, server_writer), pump(server_reader, writer))

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    address = database.netloc.replace(f":{database.port}", f":{server.sockets[0].getsockname()[1]}")

    async def ask() -> None:
        async with connected(database._replace(netloc=address).geturl(), application_name="test") as connection:
            silent.set()
            asking.set()
            await connection.execute("SELECT 1")

    task = asyncio.create_task(ask())
    await asking.wait()
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=CHECK_TIMEOUT_S)
    assert done, "closing the connection would take 5 s"


async def test_check_of_another_schema_is_no_outage(empty_postgres_url: str) -> None:
    with pytest.raises(WrongSchemaVersion):
        async with checking(), connected(empty_postgres_url, application_name="test") as connection:
            await require_head(connection)


async def test_first_of_several_works_to_end_ends_the_others() -> None:
    ended: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waiting")

    async def fail() -> None:
        raise RuntimeError("a fault of ours")

    with pytest.raises(RuntimeError, match="a fault of ours"):
        await side_by_side(waiting=wait, failing=fail)
    assert ended == ["waiting"]
