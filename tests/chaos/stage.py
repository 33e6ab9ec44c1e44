"""Define `Stage`, which has the objects on which a fault acts: the platform's processes, the run and the provider."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from llmbench_cli.embedded.services import services_of
from tests.chaos.plan import Plan, service_of
from tests.platform import Platform
from tests.servers import Service, nats_store

_OVER = ("FINISHED", "CANCELLED")
_PAUSED = ("PAUSING", "PAUSED")
_PATIENCE_S = 120.0


@dataclass
class Stage:
    """A platform and the plan's run on it. Faults act on these. `replicas` has the second processes of services, by
    name."""

    stack: Platform
    plan: Plan
    run_id: str
    replicas: dict[str, Service] = field(default_factory=dict)

    @property
    def services(self) -> list[Service]:
        return [*(self.stack.services[name] for name in services_of("off")), *self.replicas.values()]

    @property
    def nats_store(self) -> Path:
        return nats_store(self.stack.logs / "nats")

    def process(self, name: str) -> Service:
        return (self.stack.services | self.stack.servers | self.replicas)[name]

    async def status(self) -> str | None:
        """Return the run's status; `None` while the orchestrator does not answer."""
        try:
            response = await self.stack.http.get(f"/api/runs/{self.run_id}")
        except httpx.TransportError:
            return None
        return str(response.json()["status"]) if response.is_success else None

    async def is_over(self) -> bool:
        return await self.status() in _OVER

    async def order(self, what: str) -> bool:
        """Pause or resume the run: `what` is "pause" or "resume". The request is repeated while the orchestrator does
        not answer.

        Return whether the orchestrator accepted it. A run that has ended cannot be paused, for example.
        """
        async with asyncio.timeout(_PATIENCE_S):
            while True:
                try:
                    response = await self.stack.http.post(f"/api/runs/{self.run_id}/{what}")
                except httpx.TransportError:
                    await asyncio.sleep(0.2)
                    continue
                if response.status_code == 202:
                    return True
                if response.status_code == 409 and (status := await self.status()) is not None:
                    # The run may be paused already, by an earlier attempt whose response was lost.
                    return what == "pause" and status in _PAUSED
                await asyncio.sleep(0.2)

    async def until_status(self, *wanted: str) -> None:
        async with asyncio.timeout(_PATIENCE_S):
            while await self.status() not in wanted:
                await asyncio.sleep(0.1)

    async def until_held(self, model: str) -> bool:
        """Wait until the mock provider delays a call of the model, as configured. Return False if the run ends before
        that."""
        async with asyncio.timeout(2 * _PATIENCE_S):
            while True:
                calls = [call for call in await self.ledger() if call["model"] == model]
                if any(call["held"] and call["finished_at"] is None for call in calls):
                    return True
                if await self.is_over():
                    return False
                await asyncio.sleep(0.1)

    async def answered(self) -> int:
        return sum(bool(call["answered"]) for call in await self.ledger())

    async def ledger(self) -> list[dict[str, Any]]:
        """Return the calls of the plan's models that the mock provider has recorded."""
        models = self.plan.models()
        return [call for call in await self.stack.ledger() if call["model"] in models]


@contextlib.asynccontextmanager
async def running_twice(stack: Platform, replicas: Iterable[str]) -> AsyncIterator[dict[str, Service]]:
    """Start a second process of each of these services, and yield them by name. They stop when the block is left."""
    started: dict[str, Service] = {}
    try:
        for name in replicas:
            started[name] = stack.second_process(service_of(name))
        await asyncio.gather(*(service.start() for service in started.values()))
        yield started
    finally:
        await asyncio.gather(*(service.stop() for service in started.values()))
