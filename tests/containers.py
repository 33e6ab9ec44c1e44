"""Run the servers of `tests.servers` as containers, from the images in docker-compose.yml.

`pytest --servers=containers` runs every integration test against them. Without a Docker engine those tests are skipped
with a message.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any

import pytest
from testcontainers.core.container import DockerContainer

from llmbench_cli.embedded.nats import serves_jetstream
from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.postgres import accepts_connections
from tests.deploy import compose, dockerfile

PASSWORD = "only-for-tests"
START_TIMEOUT_S = 180.0
"""The first start pulls the image."""

_VARIABLES = compose.made_secrets() | {"POSTGRES_PASSWORD": PASSWORD, "NATS_PASSWORD": PASSWORD}


def images() -> list[str]:
    """Return the images of the tests' containers, Testcontainers' own helper included."""
    from testcontainers.core.config import testcontainers_config

    postgres = str(compose.read(_VARIABLES)["postgres"].fields["image"])
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
    """Yield the URL of a fresh server with the database and the superuser of the compose file."""
    service = compose.read(_VARIABLES)["postgres"]
    container = DockerContainer(service.fields["image"]).with_envs(**service.environment).with_exposed_ports(5432)
    async with _started(container):
        told = service.environment
        port = await asyncio.to_thread(container.get_exposed_port, 5432)
        url = f"postgresql://{told['POSTGRES_USER']}:{PASSWORD}@{LOOPBACK}:{port}/{told['POSTGRES_DB']}"
        await asyncio.wait_for(accepts_connections(url), START_TIMEOUT_S)
        yield url


@contextlib.asynccontextmanager
async def nats_container() -> AsyncIterator[str]:
    """Yield the URL of a server with JetStream, from the official image and with the compose file's command."""
    service = compose.read(_VARIABLES)["nats"]
    config = compose.FILE.parent / "nats.conf"
    container = (
        DockerContainer(dockerfile.stages()["nats"].base)
        .with_envs(**service.environment)
        .with_command(service.command)
        .with_volume_mapping(config, "/etc/nats/nats.conf", "ro")
        .with_exposed_ports(4222)
    )
    async with _started(container):
        port = await asyncio.to_thread(container.get_exposed_port, 4222)
        await asyncio.wait_for(serves_jetstream(port), START_TIMEOUT_S)
        yield f"nats://{service.environment['NATS_USER']}:{PASSWORD}@{LOOPBACK}:{port}"


@contextlib.asynccontextmanager
async def _started(container: DockerContainer) -> AsyncIterator[None]:
    await asyncio.to_thread(container.start)
    try:
        yield
    finally:
        await asyncio.to_thread(container.stop)
