"""Test the logins of NATS and PostgreSQL. Each service's login has only the rights that the service needs. The login
`viewer` of NATS, for people, may only read events.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from itertools import chain

import asyncpg
import nats
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg

from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
from llmbench.db.tables import metadata
from llmbench.messaging.broker import inbox_prefix
from llmbench.messaging.fence import fence
from llmbench_cli.embedded.binaries import checkout
from llmbench_cli.embedded.nats import CONFIGS, VIEWER
from llmbench_cli.embedded.services import SERVICES, with_login
from tests.servers import nats_service

PASSWORD = "only-for-tests"


@contextlib.asynccontextmanager
async def _login(nats_url: str, name: str) -> AsyncIterator[tuple[Client, "asyncio.Queue[str]"]]:
    refusals: asyncio.Queue[str] = asyncio.Queue()

    async def refused(error: Exception) -> None:
        refusals.put_nowait(str(error).lower())

    client = await nats.connect(with_login(nats_url, name, PASSWORD), error_cb=refused, inbox_prefix=inbox_prefix(name))
    try:
        yield client, refusals
    finally:
        await client.close()


@pytest.mark.parametrize(
    ("login", "subject"),
    [
        ("judge", "cmd.judge.run"),
        ("judge", "evt.call.1"),
        ("judge", "evt.run.1.status"),
        ("judge", "$KV.run_state.run"),
        ("judge", "$JS.API.STREAM.PURGE.COMMANDS"),
        ("judge", "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.infer-group"),
        ("gateway-ws", "cmd.infer.group.run"),
        ("gateway-ws", "evt.run.1.status"),
        ("gateway-ws", "$JS.API.STREAM.INFO.EVENTS"),
        ("inference-gateway", "cmd.infer.group.run"),
        ("inference-gateway", "evt.score.1"),
        ("inference-gateway", "$KV.run_state.run"),
        ("inference-gateway", "$JS.API.CONSUMER.MSG.NEXT.COMMANDS.judge"),
        ("config-api", "cmd.infer.group.run"),
        ("config-api", "evt.call.1"),
        ("orchestrator", "evt.call.1"),
        ("orchestrator", "evt.score.1"),
        ("orchestrator", "$JS.API.STREAM.MSG.DELETE.EVENTS"),
        ("judge", "$JS.API.STREAM.DELETE.EVENTS"),
        (VIEWER, "evt.run.1.status"),
        (VIEWER, "cmd.infer.group.run"),
        (VIEWER, "req.run.events"),
        (VIEWER, "req.evaluator.list"),
        ("inference-gateway", "req.evaluator.list"),
        (VIEWER, "$JS.API.STREAM.INFO.EVENTS"),
        (VIEWER, "anything"),
    ],
)
@pytest.mark.shows("I-23")
async def test_login_cannot_publish_foreign_subjects(nats_url: str, login: str, subject: str) -> None:
    async with _login(nats_url, login) as (client, refusals):
        await client.publish(subject, b"{}")
        refusal = await asyncio.wait_for(refusals.get(), timeout=90)
    assert "permissions violation for publish" in refusal
    assert subject.lower() in refusal


@pytest.mark.parametrize(
    ("login", "subject"),
    [
        ("judge", "cmd.>"),
        ("judge", "_INBOX_config-api.>"),
        ("gateway-ws", "evt.call.*"),
        ("inference-gateway", "cmd.judge.*"),
        ("config-api", "evt.run.>"),
        (VIEWER, "cmd.>"),
        (VIEWER, "_INBOX.>"),
        (VIEWER, "_INBOX_orchestrator.>"),
        (VIEWER, "$KV.run_state.>"),
    ],
)
async def test_login_cannot_subscribe_to_foreign_subjects(nats_url: str, login: str, subject: str) -> None:
    async with _login(nats_url, login) as (client, refusals):
        await client.subscribe(subject)
        refusal = await asyncio.wait_for(refusals.get(), timeout=90)
    assert "permissions violation for subscription" in refusal


@pytest.mark.parametrize("asker", ["config-api", "orchestrator"])
@pytest.mark.parametrize("subject", ["req.evaluator.list", "req.evaluator.describe"])
async def test_config_api_and_orchestrator_may_request_evaluators_from_the_judge(
    nats_url: str, asker: str, subject: str
) -> None:
    async with _login(nats_url, "judge") as (judge, refusals), _login(nats_url, asker) as (client, refused):

        async def reply(message: Msg) -> None:
            await message.respond(b"{}")

        await judge.subscribe(subject, queue="judge", cb=reply)
        await fence(judge)
        assert (await client.request(subject, b"{}", timeout=90)).data == b"{}"
    assert refusals.empty()
    assert refused.empty()


async def test_viewer_login_and_anonymous_users_may_read_events(nats_url: str) -> None:
    owner = await nats.connect(nats_url)
    for address in (with_login(nats_url, VIEWER, PASSWORD), f"nats://{nats_url.rpartition('@')[2]}"):
        viewer = await nats.connect(address)
        events = await viewer.subscribe("evt.run.>")
        await fence(viewer)
        await owner.publish("evt.run.1.status", b"{}")
        assert (await events.next_msg(timeout=90)).data == b"{}"
        await viewer.close()
    stranger = Client()
    with pytest.raises(nats.errors.Error, match=r"(?i)authorization"):
        await stranger.connect(with_login(nats_url, VIEWER, "wrong"), allow_reconnect=False)
    await stranger.close()
    await owner.close()


@pytest.mark.shows("S-20")
@pytest.mark.parametrize("auth", ["on", "proxy"])
async def test_people_have_no_login_where_they_sign_in(auth: str) -> None:
    """A platform with sign-in gives people no login of NATS, because such a login would show the events of all
    organisations."""
    async with nats_service(auth=auth) as (_, url):
        for address in (with_login(url, VIEWER, PASSWORD), f"nats://{url.rpartition('@')[2]}"):
            refused = Client()
            with pytest.raises(nats.errors.Error, match=r"(?i)authorization"):
                await refused.connect(address, allow_reconnect=False)
            await refused.close()
        for service in SERVICES:
            client = await nats.connect(with_login(url, service, PASSWORD))
            await client.close()


def test_file_for_sign_in_lacks_nothing_but_the_people() -> None:
    with_people, without = ((checkout() / "deploy" / CONFIGS[auth]).read_text().splitlines() for auth in ("off", "on"))
    lost = {line.strip() for line in with_people} - {line.strip() for line in without}
    assert {"no_auth_user: viewer", "user: viewer", 'subscribe: { allow: ["evt.>"] }'} < lost
    assert not any("user:" in line and "viewer" not in line for line in lost)
    assert not any("viewer" in line for line in without if not line.strip().startswith("#"))


def test_every_table_has_one_writer() -> None:
    written = list(chain.from_iterable(grants.writes for grants in SERVICE_GRANTS.values()))
    assert sorted(written) == sorted(metadata.tables)
    assert all(table in metadata.tables for grants in SERVICE_GRANTS.values() for table in grants.reads)


@pytest.fixture
async def as_service(postgres_url: str) -> "AsyncIterator[dict[str, asyncpg.Connection[asyncpg.Record]]]":
    """Yield a connection with its own login for each service that uses the database."""
    passwords = dict.fromkeys(SERVICE_GRANTS, PASSWORD)
    roles = await ensure_logins(postgres_url, passwords)
    assert await ensure_logins(postgres_url, {}) == roles, "rights are renewed where logins are there"
    async with contextlib.AsyncExitStack() as stack:
        connections = {}
        for name, grants in SERVICE_GRANTS.items():
            connections[name] = await asyncpg.connect(with_login(postgres_url, grants.role, PASSWORD))
            stack.push_async_callback(connections[name].close)
        yield connections


@pytest.mark.parametrize(
    ("service", "statement"),
    [
        ("orchestrator", "UPDATE provider SET base_url = 'http://elsewhere'"),
        ("orchestrator", "UPDATE provider SET options = '{}'"),
        ("orchestrator", "DELETE FROM task"),
        ("orchestrator", "SELECT * FROM provider_header"),
        ("orchestrator", "INSERT INTO model_call DEFAULT VALUES"),
        ("config-api", "UPDATE run SET status = 'FINISHED'"),
        ("config-api", "DELETE FROM item"),
        ("config-api", "SELECT * FROM model_call"),
        ("inference-gateway", "UPDATE run SET status = 'FINISHED'"),
        ("inference-gateway", "UPDATE provider_header SET plain_value = ''"),
        ("inference-gateway", "SELECT * FROM score"),
        ("inference-gateway", "CREATE TABLE mine (id int)"),
        ("orchestrator", "DROP TABLE run"),
        ("config-api", "UPDATE alembic_version SET version_num = '0'"),
    ],
)
@pytest.mark.shows("I-23")
async def test_service_cannot_change_tables_of_another(
    as_service: "dict[str, asyncpg.Connection[asyncpg.Record]]", service: str, statement: str
) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await as_service[service].execute(statement)


async def test_service_can_read_and_write_its_tables(
    as_service: "dict[str, asyncpg.Connection[asyncpg.Record]]",
) -> None:
    for name, grants in SERVICE_GRANTS.items():
        for table in (*grants.writes, *grants.reads, "alembic_version"):
            await as_service[name].fetch(f"SELECT * FROM {table} LIMIT 1")
        for table in grants.writes:
            await as_service[name].execute(f"DELETE FROM {table} WHERE false")
    await as_service["orchestrator"].fetch("SELECT id FROM provider FOR SHARE")


async def test_logins_have_statement_and_transaction_timeouts(
    as_service: "dict[str, asyncpg.Connection[asyncpg.Record]]",
) -> None:
    for connection in as_service.values():
        assert await connection.fetchval("SHOW statement_timeout") == "2min"
        assert await connection.fetchval("SHOW idle_in_transaction_session_timeout") == "15min"


async def test_login_for_a_service_without_a_database_is_refused(postgres_url: str) -> None:
    with pytest.raises(ValueError, match="no database login for: judge"):
        await ensure_logins(postgres_url, {"judge": PASSWORD})
