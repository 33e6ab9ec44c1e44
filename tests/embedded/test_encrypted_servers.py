"""Test encrypted connections to a user's own PostgreSQL and NATS, with certificates on both sides.

Each wrong certificate is refused with a sentence that says what to do.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

import pytest
import pytest_asyncio
from nats.errors import NoServersError
from sqlalchemy import text

from llmbench.db.connection import checking, connected
from llmbench.db.engine import open_engine
from llmbench.db.history import head
from llmbench.db.logins import ensure_logins
from llmbench.db.migrate import upgrade
from llmbench.db.version import current
from llmbench.errors import BadSettings, DatabaseUnavailable
from llmbench.messaging.broker import client, make_broker, stop_broker
from llmbench.messaging.connect import connect
from llmbench.service.settings import DatabaseSettings, ServiceSettings, load
from llmbench.tls import NatsTls
from llmbench_cli.doctor.looks import schema, streams
from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.dump import write
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.nats import LOGINS, Nats
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.reach import reach_database, reach_nats
from tests.embedded.certificates import Authority, Pair
from tests.embedded.encrypted_postgres import Front, encrypted
from tests.servers import nats_server, open_folder, running


@dataclass(frozen=True)
class Papers:
    """An authority, the certificates that it issued for a server on loopback and for a client, and an authority that is
    not trusted."""

    authority: Authority
    server: Pair
    client: Pair
    stranger: Authority


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = open_folder()
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def papers(folder: Path) -> Papers:
    authority = Authority(folder)
    # The stranger has the same name, so that only its signature shows the difference.
    (folder / "stranger").mkdir()
    return Papers(
        authority, authority.issue("server", "127.0.0.1"), authority.issue("client"), Authority(folder / "stranger")
    )


@pytest_asyncio.fixture
async def postgres(empty_postgres_url: str, papers: Papers) -> AsyncIterator[Front]:
    """Yield a PostgreSQL server that encrypts connections, and wants a certificate of each client."""
    async with encrypted(empty_postgres_url, papers.server, papers.authority.cert) as front:
        yield front


def _with(url: str, **parameters: object) -> str:
    return f"{url}?{urlencode(parameters)}"


def _verified(url: str, papers: Papers) -> str:
    return _with(
        url,
        sslmode="verify-full",
        sslrootcert=papers.authority.cert,
        sslcert=papers.client.cert,
        sslkey=papers.client.key,
    )


async def test_both_drivers_use_certificates_of_one_url(postgres: Front, papers: Papers) -> None:
    url = _verified(postgres.url, papers)
    await reach_database(url, pytest.fail)
    await upgrade(url)
    await ensure_logins(url, {"identity": "only-for-tests"})
    assert await current(url) == head()
    async with open_engine(url, application_name="test") as engine, engine.connect() as pooled:
        assert (await pooled.execute(text("SELECT count(*) FROM alembic_version"))).scalar_one() == 1
    assert [finding.ok for finding in await schema(url)] == [True]
    assert set(postgres.clients) == {"client"}
    assert postgres.plain == 0


async def test_strangers_certificate_of_postgres_is_refused_with_what_to_do(postgres: Front, papers: Papers) -> None:
    url = _with(postgres.url, sslmode="verify-full", sslrootcert=papers.stranger.cert)
    what_to_do = r"certificate is not trusted \(.+\): name the certificate of the authority .*sslrootcert=FILE"
    with pytest.raises(StartError, match=f"refuses the connection: the server's {what_to_do}"):
        await reach_database(url, pytest.fail)
    with pytest.raises(DatabaseUnavailable, match=what_to_do):
        async with checking(), connected(url, application_name="test"):
            pytest.fail("connected")
    with pytest.raises(DatabaseUnavailable, match=what_to_do):
        async with checking(), open_engine(url, application_name="test") as engine, engine.connect():
            pytest.fail("connected")
    [finding] = await schema(url)
    assert not finding.ok
    assert "name the certificate of the authority" in finding.detail


async def test_certificate_for_another_name_is_refused(postgres: Front, papers: Papers) -> None:
    url = _verified(postgres.url.replace("127.0.0.1", "localhost"), papers)
    with pytest.raises(StartError, match=r"certificate is for another name .* use in the URL a name"):
        await reach_database(url, pytest.fail)


async def test_client_without_a_certificate_is_refused(postgres: Front, papers: Papers) -> None:
    url = _with(postgres.url, sslmode="verify-full", sslrootcert=papers.authority.cert)
    with pytest.raises(StartError, match="refuses the connection"):
        await reach_database(url, pytest.fail)
    assert postgres.clients == []


async def test_server_without_encryption_is_refused_where_the_url_demands_it(
    empty_postgres_url: str, papers: Papers
) -> None:
    url = _with(empty_postgres_url, sslmode="verify-full", sslrootcert=papers.authority.cert)
    with pytest.raises(StartError, match="does not encrypt connections, and the URL's sslmode demands it"):
        await reach_database(url, pytest.fail)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("sslmode=verify-ful", "unknown sslmode; the known ones are disable"),
        ("sslmode=verify-full&sslrootcert=/absent/ca.pem", "has sslrootcert=/absent/ca.pem, which cannot be read"),
        ("sslmode=require&sslcert=/absent/c.pem", "has sslcert=/absent/c.pem, which cannot be read: No such file"),
    ],
)
def test_unusable_parameter_of_the_database_url_is_named(
    query: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLMBENCH_DATABASE_URL", f"postgresql://u:secret-word@127.0.0.1/x?{query}")
    with pytest.raises(BadSettings, match="LLMBENCH_DATABASE_URL") as refused:
        load(DatabaseSettings)
    assert reason in str(refused.value)
    assert "secret-word" not in str(refused.value)


@contextlib.asynccontextmanager
async def _encrypted_nats(folder: Path, papers: Papers) -> AsyncIterator[str]:
    """Yield the URL of a NATS server that wants a certificate of each client."""
    config = folder / "nats.conf"
    config.write_text(
        (checkout() / "deploy" / "nats.conf").read_text()
        + f'tls {{ cert_file: "{papers.server.cert}", key_file: "{papers.server.key}", '
        f'ca_file: "{papers.authority.cert}", verify: true }}\n'
    )
    server = Nats(
        program=script("nats-server"),
        config=config,
        store=folder / "nats",
        passwords=dict.fromkeys(LOGINS, "only-for-tests"),
        log=folder / "nats.log",
    )
    port = free_port()
    async with running(server.spec(port)):
        yield server.url(port).replace("nats://", "tls://")


def _tls(papers: Papers) -> NatsTls:
    return NatsTls(ca=str(papers.authority.cert), cert=str(papers.client.cert), key=str(papers.client.key))


async def test_service_and_commands_use_certificates_for_nats(tmp_path: Path, papers: Papers) -> None:
    async with _encrypted_nats(tmp_path, papers) as url:
        await reach_nats(url, pytest.fail, tls=_tls(papers))
        broker = make_broker(url, service="test", tls=_tls(papers))
        try:
            await broker.start()
            assert client(broker).is_connected
            assert await client(broker).jetstream().account_info()
        finally:
            await stop_broker(broker)
        assert {finding.detail for finding in await streams(url, _tls(papers))} == {"absent"}


async def test_wrong_certificates_for_nats_are_refused_with_what_to_do(tmp_path: Path, papers: Papers) -> None:
    async with _encrypted_nats(tmp_path, papers) as url:
        strange = replace(_tls(papers), ca=str(papers.stranger.cert))
        what_to_do = "not trusted .* name the certificate of the authority that signed it, in LLMBENCH_NATS_TLS_CA"
        with pytest.raises(StartError, match=what_to_do):
            await reach_nats(url, pytest.fail, tls=strange)
        [finding] = await streams(url, strange)
        assert "in LLMBENCH_NATS_TLS_CA" in finding.detail
        with pytest.raises(StartError, match="certificate is for another name"):
            await reach_nats(url.replace("127.0.0.1", "localhost"), pytest.fail, tls=_tls(papers))
        broker = make_broker(url, service="test", tls=strange)
        connecting = asyncio.create_task(broker.connect())
        try:
            async with asyncio.timeout(60):
                while "LLMBENCH_NATS_TLS_CA" not in broker.trouble:
                    await asyncio.sleep(0.01)
        finally:
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)
            await stop_broker(broker)


async def test_nats_server_wants_the_clients_certificate(tmp_path: Path, papers: Papers) -> None:
    async with _encrypted_nats(tmp_path, papers) as url:
        with pytest.raises((NoServersError, OSError)):
            await connect(url, NatsTls(ca=str(papers.authority.cert)), allow_reconnect=False, max_reconnect_attempts=1)


@pytest.mark.parametrize("scheme", ["tls", "nats"])
async def test_login_is_not_sent_to_a_server_that_does_not_encrypt(scheme: str, papers: Papers) -> None:
    """The client gives up before it sends its login. An attacker between client and server could hide that the server
    offers encryption, and read the password."""
    received: asyncio.Queue[bytes] = asyncio.Queue()

    async def on_the_way(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"auth_required": true, "max_payload": 1024, "connect_urls": ["127.0.0.1:1"]}\r\n')
        received.put_nowait(await reader.read(1000))
        writer.close()

    async with await asyncio.start_server(on_the_way, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        url = f"{scheme}://user:secret-word@127.0.0.1:{port}"
        with pytest.raises(StartError, match=r"does not encrypt connections.*configure `tls` at the server"):
            await reach_nats(url, pytest.fail, tls=NatsTls(ca=str(papers.authority.cert)))
        assert await received.get() == b""


async def test_server_on_loopback_needs_no_encryption(tmp_path: Path) -> None:
    async with nats_server(tmp_path) as url:
        await reach_nats(url, pytest.fail)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"CA": "/absent/ca.pem"}, "/absent/ca.pem, which cannot be read"),
        ({"CA": __file__}, "has no certificates in PEM"),
        ({"KEY": __file__}, "LLMBENCH_NATS_TLS_KEY is the key of LLMBENCH_NATS_TLS_CERT, which is not set"),
        ({"CERT": __file__}, "are no certificate and its key without a password"),
    ],
)
def test_unusable_file_for_nats_is_named(
    settings: dict[str, str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, path in settings.items():
        monkeypatch.setenv(f"LLMBENCH_NATS_TLS_{name}", path)
    with pytest.raises(BadSettings) as refused:
        load(ServiceSettings)
    assert reason in str(refused.value)


async def test_backup_says_that_its_program_cannot_encrypt(postgres: Front, papers: Papers, tmp_path: Path) -> None:
    url = _verified(postgres.url, papers)
    await upgrade(url)
    with pytest.raises(StartError, match="the pg_dump that comes with llmbench cannot encrypt its connection"):
        await write(url, tmp_path / "backup.llmbench", files=None)
    assert os.listdir(tmp_path) == []
