"""Test that the edge serves the web application from a folder with any name, and no file outside that folder."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from aiohttp import web

from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.edge import Edge
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from llmbench_cli.embedded.services import SERVICES
from tests.servers import running


@pytest.fixture
async def service() -> AsyncIterator[int]:
    """Yield the port of a fake service for the edge; its only endpoint is `/health/ready`."""

    async def ready(_: web.Request) -> web.Response:
        return web.Response()

    application = web.Application()
    application.add_routes([web.get("/health/ready", ready)])
    runner = web.AppRunner(application)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, LOOPBACK, port).start()
    try:
        yield port
    finally:
        await runner.cleanup()


def _edge(folder: Path) -> Edge:
    spa = folder / "dist"
    (spa / "assets").mkdir(parents=True)
    (spa / "index.html").write_text("the page")
    (spa / "assets" / "app.js").write_text("the script")
    config = checkout() / "deploy" / "Caddyfile"
    return Edge(program=script("caddy"), config=config, spa=spa, state=folder / "edge", log=folder / "edge.log")


@pytest.mark.parametrize("name", ["new comer", 'a "quoted" {path} $HOME `x` #1', "ünïcode*?"])
async def test_web_application_is_served_from_a_folder_with_any_name(tmp_path: Path, service: int, name: str) -> None:
    port = free_port()
    async with (
        running(_edge(tmp_path / name).spec(port, dict.fromkeys(SERVICES, service))),
        httpx.AsyncClient(base_url=f"http://{LOOPBACK}:{port}", trust_env=False, timeout=90) as http,
    ):
        assert (await http.get("/assets/app.js")).text == "the script"
        assert (await http.get("/runs/1")).text == "the page"
        assert (await http.get("/assets/absent.js")).status_code == 404


async def test_edge_without_a_folder_serves_no_other_files(tmp_path: Path, service: int) -> None:
    edge, port = _edge(tmp_path), free_port()
    spec = edge.spec(port, dict.fromkeys(SERVICES, service))
    env = {name: value for name, value in spec.env.items() if name != "EDGE_ROOT"}
    async with (
        running(replace(spec, env=env, cwd=edge.spa)),
        httpx.AsyncClient(base_url=f"http://{LOOPBACK}:{port}", trust_env=False, timeout=90) as http,
    ):
        for path in ("/", "/index.html", "/assets/app.js"):
            assert (await http.get(path)).text not in ("the page", "the script")
