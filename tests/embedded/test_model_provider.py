"""Test that the provider of the built-in model is created once per home, gets the current port, and stays deleted if
the user deletes it."""

from pathlib import Path
from typing import Any

from llmbench_cli.demo.provider import PROVIDER
from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.model_provider import register_once
from tests.embedded.recorder import Recorder
from tests.platform import Platform, platform


async def _built_in(stack: Platform) -> list[dict[str, Any]]:
    page = await stack.get("/api/providers")
    return [provider for provider in page["items"] if provider["name"] == PROVIDER]


async def test_built_in_provider_is_created_once_and_stays_deleted(tmp_path: Path) -> None:
    home, report = Home(tmp_path), Recorder()

    async def start(port: int) -> None:
        await register_once(home, url=stack.url, model_url=f"http://127.0.0.1:{port}/v1", report=report)

    async with platform(tasks=1) as stack:
        await start(20001)
        [first] = await _built_in(stack)
        assert first["base_url"] == "http://127.0.0.1:20001/v1"
        await start(20001)
        assert await _built_in(stack) == [first], "nothing is asked for again"
        await start(20002)
        [moved] = await _built_in(stack)
        assert (moved["id"], moved["base_url"]) == (first["id"], "http://127.0.0.1:20002/v1")

        (await stack.http.delete(f"/api/providers/{first['id']}")).raise_for_status()
        await start(20002)
        await start(20003)
        assert await _built_in(stack) == []
        home.model_file.unlink()
        await start(20003)
        assert len(await _built_in(stack)) == 1
    assert report.events == []

    home.model_file.unlink()
    await start(20004)
    assert [event[0] for event in report.events] == ["note"], "without a platform it is a note, no failure"
