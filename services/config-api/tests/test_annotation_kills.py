"""Test SIGKILL of config-api while fifty people label: no label is lost, and no item is given to too many people."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from annotation_world import Person, new_task, person
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.commands.config_api_process import config_api
from tests.servers import Service

pytestmark = pytest.mark.never_rerun

PEOPLE = 50
ITEMS = 40
REQUIRED = 3
KILLED_AT = (20, 50, 80)
"""The numbers of confirmed labels after which the process is killed."""
_HELD = """
    SELECT item.annotations + (
        SELECT count(*) FROM annotation_lease AS lease
        WHERE lease.item_id = item.id AND lease.leased_until > clock_timestamp()
    ) FROM annotation_item AS item
"""


class PatientClient(httpx.AsyncClient):
    """A client that repeats a failed request once the killed service runs again, as the web application does."""

    def __init__(self, url: str) -> None:
        # A connection that is kept would break once more after the restart.
        super().__init__(base_url=url, timeout=240, limits=httpx.Limits(max_keepalive_connections=0))
        self.up = asyncio.Event()
        self.up.set()
        self.broken = 0

    async def request(self, *args: Any, **more: Any) -> httpx.Response:
        for _ in range(len(KILLED_AT)):
            await self.up.wait()
            try:
                return await super().request(*args, **more)
            except httpx.TransportError:
                self.broken += 1
        await self.up.wait()
        return await super().request(*args, **more)


class Killer:
    """Counts confirmed labels. When the count reaches a number in `KILLED_AT`, it kills the service and starts it
    again."""

    def __init__(self, client: PatientClient, service: Service, engine: AsyncEngine) -> None:
        self.confirmed = 0
        self.kills = 0
        self._client = client
        self._service = service
        self._engine = engine
        self._one_at_a_time = asyncio.Lock()

    async def count(self) -> None:
        """Count a confirmed label. If the count is in `KILLED_AT`, kill the service and start it again."""
        self.confirmed += 1
        if self.confirmed in KILLED_AT:
            async with self._one_at_a_time:
                self._client.up.clear()
                await self._service.kill()
                await self.check_no_item_has_too_many()
                await self._service.start()
                self.kills += 1
                self._client.up.set()

    async def check_no_item_has_too_many(self) -> None:
        async with self._engine.connect() as connection:
            held = (await connection.execute(text(_HELD))).scalars().all()
        assert max(held) <= REQUIRED, "no item has more labels and leases than it needs"


async def test_kills_lose_no_label_and_give_no_item_to_too_many(
    postgres_url: str, nats_url: str, engine: AsyncEngine, tmp_path: Path
) -> None:
    confirmed: Counter[str] = Counter()
    async with (
        config_api(database_url=postgres_url, nats_url=nats_url, logs=tmp_path) as (url, service),
        PatientClient(url) as client,
    ):
        task = await new_task(client, ITEMS, required_annotations_per_item=REQUIRED)
        people = [await person(client, task, f"Person {number}") for number in range(PEOPLE)]
        killer = Killer(client, service, engine)

        async def work(each: Person) -> None:
            item = await each.next()
            while item is not None:
                submitted = await each.label(item["item_id"])
                assert not submitted["surplus"]
                confirmed[item["item_id"]] += 1
                await killer.count()
                item = submitted["next"]

        await asyncio.gather(*(work(each) for each in people))
        await killer.check_no_item_has_too_many()
        progress = (await client.get(f"{task}/progress")).json()
        items = (await client.get(f"{task}/items", params={"limit": ITEMS})).json()["items"]
    assert killer.kills == len(KILLED_AT)
    assert client.broken > 0, "requests were under way when the process was killed"
    assert set(confirmed.values()) == {REQUIRED}
    assert [len(item["labels"]) for item in items] == [REQUIRED] * ITEMS
    assert (progress["total_annotations"], progress["surplus"], progress["open_leases"]) == (ITEMS * REQUIRED, 0, 0)
    assert progress["status"] == "COMPLETED"
