"""Run config-api as a separate process, without the rest of the platform."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import Surroundings, service_spec
from tests.servers import Service


@asynccontextmanager
async def config_api(*, database_url: str, nats_url: str, logs: Path) -> AsyncIterator[tuple[str, Service]]:
    """Yield the URL and the process of a running config-api."""
    surroundings = Surroundings(
        database_urls={"config-api": database_url},
        nats_urls={"config-api": nats_url},
        master_key="only-for-tests-only-for-tests-only-for-tests",
        public_origins="http://127.0.0.1:8400",
        log_level=None,
        logs=logs,
        files=logs / "files",
    )
    port = free_port()
    service = Service(service_spec("config-api", port, surroundings), preloaded=True)
    try:
        await service.start()
        yield f"http://127.0.0.1:{port}", service
    finally:
        await service.stop()
