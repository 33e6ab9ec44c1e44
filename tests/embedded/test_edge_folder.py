"""The edge serves the web application from wherever the checkout lies."""

from pathlib import Path

import httpx
import pytest
from aiohttp import web

from llmbench_cli.embedded.binaries import checkout, script
from llmbench_cli.embedded.edge import Edge
from llmbench_cli.embedded.ports import LOOPBACK, free_port
from llmbench_cli.embedded.services import SERVICES
from tests.servers import running


@pytest.mark.parametrize("name", ["new comer", 'a "quoted" {path} $HOME `x` #1', "ünïcode*?"])
async def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    spa = tmp_path / name / "dist"
    (spa / "assets").mkdir(parents=True)
    (spa / "index.html").write_text("the page")
    (spa / "assets" / "app.js").write_text("the script")

    async def ready(_: web.Request) -> web.Response:
        return web.Response()

    service = web.Application()
    service.add_routes([web.get("/health/ready", ready)])
    runner = web.AppRunner(service)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, LOOPBACK, port).start()
    edge = Edge(
        program=script("caddy"),
        config=checkout() / "deploy" / "Caddyfile",
        spa=spa,
        state=tmp_path / name / "edge",
        log=tmp_path / name / "edge.log",
    )
    public = free_port()
    try:
        async with (
            running(edge.spec(public, dict.fromkeys(SERVICES, port))),
            httpx.AsyncClient(base_url=f"http://{LOOPBACK}:{public}", trust_env=False) as http,
        ):
            assert (await http.get("/assets/app.js")).text == "the script"
            assert (await http.get("/runs/1")).text == "the page"
            assert (await http.get("/assets/absent.js")).status_code == 404
    finally:
        await runner.cleanup()
