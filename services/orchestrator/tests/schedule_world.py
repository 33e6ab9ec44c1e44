"""A test environment with schedules, whose clock the test sets."""

import asyncio
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from run_world import World, answered
from wound_clock import WoundClock

from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.outcome import Outcome

PATH = "/api/schedules"


@dataclass
class ScheduleWorld:
    world: World
    clock: WoundClock

    def body(self, *, request: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Return a schedule for every night at 02:00 UTC."""
        what = {"kind": "run", "request": self.world.body(**(request or {}))}
        return {"name": "Nightly", "cron": "0 2 * * *", "time_zone": "UTC", "what": what} | more

    async def create(self, **more: Any) -> dict[str, Any]:
        response = await self.world.http.post(PATH, json=self.body(**more))
        assert response.status_code == 201, response.text
        created: dict[str, Any] = response.json()
        return created

    async def get(self, schedule: dict[str, Any]) -> dict[str, Any]:
        response = await self.world.http.get(f"{PATH}/{schedule['id']}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    async def post(self, schedule: dict[str, Any], action: str, **headers: str) -> dict[str, Any]:
        response = await self.world.http.post(f"{PATH}/{schedule['id']}/{action}", headers=headers)
        assert response.is_success, response.text
        answer: dict[str, Any] = response.json()
        return answer

    async def firings(self, schedule: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the firings of the schedule, the earliest first."""
        page = (await self.world.http.get(f"{PATH}/{schedule['id']}/firings", params={"limit": 100})).json()
        return list(reversed(page["items"]))

    async def wind(self, now: Any, *, loops: int = 1) -> None:
        """Set the clock to `now`, and wait until every due schedule has fired. `now` must be at least 15 s later than
        the clock's present time. `loops` is the number of background loops that must have no work left."""
        self.clock.wind(now)
        await self.clock.asleep(loops)

    async def finished(self, firing: dict[str, Any]) -> dict[str, Any]:
        """Wait until the run of a firing is FINISHED, and return the run."""
        assert firing["run"] is not None, firing
        return await self.world.until_status(UUID(firing["run"]["id"]), "FINISHED")

    async def runs(self) -> list[dict[str, Any]]:
        runs: list[dict[str, Any]] = (await self.world.http.get("/api/runs")).json()["items"]
        return runs

    def hold_answers(self) -> asyncio.Event:
        """Hold back all answers to calls until the returned event is set."""
        go_on = asyncio.Event()

        async def answer(_: GenerateCompletion) -> Outcome:
            await go_on.wait()
            return answered()

        self.world.answer = answer
        return go_on
