"""Run the PostgreSQL and NATS of the tests as containers, from the images in docker-compose.yml.

`pytest --servers=containers` runs every test that needs a server against them. Without a Docker engine those tests are
skipped with a message.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any

import httpx
import nats
import pytest
from testcontainers.core.container import DockerContainer

from llmbench_cli.embedded.nats import serves_jetstream
from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.postgres import accepts_connections
from tests.deploy import compose, dockerfile
from tests.servers import FAST

PASSWORD = "only-for-tests"
START_TIMEOUT_S = 180.0
"""The time limit for the start of a container, in seconds. The first start pulls the image."""
_POSTGRES_VOLUME = "/var/lib/postgresql"
_NATS_PORT = 4222
_NATS_MONITORING_PORT = 8222

_VARIABLES = compose.made_secrets() | {"POSTGRES_PASSWORD": PASSWORD, "NATS_PASSWORD": PASSWORD}


@cache
def _services() -> dict[str, compose.ComposeService]:
    return compose.read(_VARIABLES)


def images() -> list[str]:
    """Return the names of the images that the tests' containers need, including the image of Testcontainers' own
    helper."""
    from testcontainers.core.config import testcontainers_config

    postgres = str(_services()["postgres"].fields["image"])
    helper = [] if testcontainers_config.ryuk_disabled else [testcontainers_config.ryuk_image]
    return [postgres, dockerfile.stages()["nats"].base, *helper]


def lacking(client: Callable[[], Any], wanted: list[str]) -> str | None:
    """Return the reason why containers of these images cannot be started here; `None` if they can."""
    from docker.errors import DockerException, ImageNotFound

    try:
        engine = client()
        engine.ping()
    except DockerException as error:
        return f"no Docker engine answers: {error}"
    for image in wanted:
        try:
            engine.images.get(image)
        except ImageNotFound:
            try:
                engine.images.pull(image)
            except DockerException as error:
                return f"the image {image} cannot be had: {error}"
    return None


@cache
def no_docker() -> str | None:
    """Return the reason why the tests' containers cannot be started here; `None` if they can."""
    import docker

    return lacking(docker.from_env, images())


def require_docker() -> None:
    if reason := no_docker():
        pytest.skip(reason)


@contextlib.asynccontextmanager
async def postgres_container() -> AsyncIterator[str]:
    """Yield the URL of a fresh server with the database and the superuser of the compose file.

    Like the embedded server of the tests, it keeps its data in memory and does not wait for the disk.
    """
    service = _services()["postgres"]
    container = (
        DockerContainer(service.fields["image"])
        .with_tmpfs_mount(_POSTGRES_VOLUME)
        .with_envs(**service.environment)
        .with_command(["postgres", *(f"-c{name}={value}" for name, value in FAST.items())])
        .with_exposed_ports(5432)
    )
    async with _started(container):
        told = service.environment
        port = await asyncio.to_thread(container.get_exposed_port, 5432)
        url = f"postgresql://{told['POSTGRES_USER']}:{PASSWORD}@{LOOPBACK}:{port}/{told['POSTGRES_DB']}"
        await asyncio.wait_for(accepts_connections(url), START_TIMEOUT_S)
        yield url


@contextlib.asynccontextmanager
async def nats_container() -> AsyncIterator[str]:
    """Yield the URL of a NATS server with JetStream. The container runs the official image on which ours is based, with
    the command of the compose file."""
    container = _nats()
    async with _started(container):
        yield await _nats_url(container)


class SharedNats:
    """A NATS container that many tests share, because starting one takes seconds. It is emptied before each test.

    The container is replaced if clients of the last test are still connected after `leaving_s` seconds: they could
    still publish. No state is bound to an event loop, because each test has its own loop.
    """

    def __init__(self, *, leaving_s: float = 5.0) -> None:
        self._leaving_s = leaving_s
        self._container: DockerContainer | None = None

    async def emptied(self) -> str:
        """Return the URL of a server without streams and clients; start or replace the container if necessary."""
        if self._container is not None and not await _is_left(self._container, self._leaving_s):
            await asyncio.to_thread(self.stop)
        if self._container is None:
            self._container = _nats()
            await asyncio.to_thread(self._container.start)
        url = await _nats_url(self._container)
        client = await nats.connect(url, connect_timeout=START_TIMEOUT_S)
        try:
            context = client.jetstream(timeout=START_TIMEOUT_S)
            for stream in await context.streams_info():
                await context.delete_stream(str(stream.config.name))
        finally:
            await client.close()
        return url

    def stop(self) -> None:
        """Remove the container if one was started."""
        if self._container is not None:
            self._container.stop()
            self._container = None


def _nats() -> DockerContainer:
    service = _services()["nats"]
    config = compose.FILE.parent / "nats.conf"
    return (
        DockerContainer(dockerfile.stages()["nats"].base)
        .with_envs(**service.environment)
        .with_command(service.command)
        .with_volume_mapping(config, "/etc/nats/nats.conf", "ro")
        .with_exposed_ports(_NATS_PORT, _NATS_MONITORING_PORT)
    )


async def _nats_url(container: DockerContainer) -> str:
    """Wait until the server announces JetStream. Return its URL with the login that has all rights."""
    environment = _services()["nats"].environment
    port = await asyncio.to_thread(container.get_exposed_port, _NATS_PORT)
    await asyncio.wait_for(serves_jetstream(port), START_TIMEOUT_S)
    return f"nats://{environment['NATS_USER']}:{PASSWORD}@{LOOPBACK}:{port}"


async def _is_left(container: DockerContainer, timeout_s: float) -> bool:
    """Wait until no client is connected to the server. Return whether this happened within `timeout_s` seconds."""
    port = await asyncio.to_thread(container.get_exposed_port, _NATS_MONITORING_PORT)
    with contextlib.suppress(TimeoutError, httpx.TransportError):
        # `verify=False` loads no certificates, which plain HTTP does not need and which takes longer than the requests.
        async with asyncio.timeout(timeout_s), httpx.AsyncClient(timeout=None, trust_env=False, verify=False) as http:
            while (await http.get(f"http://{LOOPBACK}:{port}/varz")).json()["connections"]:
                await asyncio.sleep(0.02)
            return True
    return False


@contextlib.asynccontextmanager
async def _started(container: DockerContainer) -> AsyncIterator[None]:
    await asyncio.to_thread(container.start)
    try:
        yield
    finally:
        await asyncio.to_thread(container.stop)
