"""Faults of the broker: it loses its store, its streams are purged, or its store is full."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import nats

from llmbench_cli.embedded.process import ProcessSpec
from tests.chaos.break_processes import freeze
from tests.chaos.faults import NATS, Params, down, fault
from tests.chaos.stage import Stage

_DISK_BYTES = 10_000


@fault(
    "lose the broker's store",
    weight=3,
    draws=lambda draw, limits: {
        "down_s": down(draw),
        "freeze_s": draw.choice((0, 0, round(draw.uniform(0.2, limits.longest_stop_s), 2))),
    },
    forgets=True,
)
async def lose_store(stage: Stage, params: Params) -> bool:
    """Restart the broker without its store. If `freeze_s` is not 0, then freeze the broker for that many seconds, while
    services recreate their streams."""
    service = stage.process(NATS)
    await service.kill()
    shutil.rmtree(stage.nats_store)
    await asyncio.sleep(params["down_s"])
    await service.start()
    if params["freeze_s"]:
        # Wait until every service has connected again and sent its first requests.
        await asyncio.sleep(0.3)
        await freeze(stage, {"who": NATS, "for_s": params["freeze_s"]})
    return True


@fault("purge the streams", weight=2, draws=lambda *_: {}, forgets=True)
async def purge(stage: Stage, _: Params) -> bool:
    await stage.stack.purge_streams()
    return True


@fault("full disk", weight=2, draws=lambda draw, _: {"for_s": round(draw.uniform(1, 8), 2)})
async def full_disk(stage: Stage, params: Params) -> bool:
    """Restart the broker with a small storage limit; once it is reached, the broker accepts no message.

    Return whether the limit was reached. Otherwise nothing was broken, and the fault does not count.
    """
    service = stage.process(NATS)
    normal = service.spec
    await service.kill()
    service.spec = _with_a_full_disk(normal, stage.stack.logs / "nats-full.conf")
    try:
        await service.start()
        await asyncio.sleep(params["for_s"])
        was_full = await _stored_bytes(stage.stack.nats_url) >= _DISK_BYTES
        await service.kill()
    finally:
        service.spec = normal
    await service.start()
    return was_full


def _with_a_full_disk(normal: ProcessSpec, config: Path) -> ProcessSpec:
    command = list(normal.command)
    at = command.index("--config") + 1
    text = Path(command[at]).read_text()
    assert "max_file_store: 8GB" in text
    config.write_text(text.replace("max_file_store: 8GB", f"max_file_store: {_DISK_BYTES}"))
    command[at] = str(config)
    return replace(normal, command=tuple(command))


async def _stored_bytes(url: str) -> int:
    connection = await nats.connect(url)
    try:
        return (await connection.jetstream().account_info()).storage
    finally:
        await connection.close()
