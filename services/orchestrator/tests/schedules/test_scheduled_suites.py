"""Test the schedules that run a suite, and the schedules whose runs have a webhook."""

import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from run_world import open_world
from schedule_world import PATH, ScheduleWorld
from sqlalchemy import select, text, update
from suite_runs import a_task, insert_suite, request, version_of
from webhook_receiver import Receiver, receiving
from wound_clock import WoundClock, utc

from llmbench.db import tables as t

pytestmark = pytest.mark.never_rerun

FIRST, SECOND, THIRD = (utc(f"2026-11-{day} 02:00") for day in (24, 25, 26))


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as opened:
        yield opened


@pytest.fixture
async def hooked(postgres_url: str, nats_url: str, clock: WoundClock) -> AsyncIterator[ScheduleWorld]:
    """Yield a test environment whose webhooks may go to this machine."""
    async with open_world(postgres_url, nats_url, clock=clock, private_webhooks=True) as world:
        yield ScheduleWorld(world, clock)


async def test_suite_runs_each_night_in_its_newest_published_version(schedules: ScheduleWorld) -> None:
    world = schedules.world
    tasks = [a_task("sums", await version_of(world, "Sums", 4), sample={"size": 2}, epochs=2)]
    first = await insert_suite(world, *tasks, version_number=1)
    schedule = await schedules.create(what={"kind": "suite", "request": request(first, priority=3)})
    assert schedule["what"] == {"kind": "suite", "request": request(first, priority=3)}
    runs = []
    for night, version in ((FIRST, 2), (SECOND, 3)):
        await schedules.wind(night)
        runs.append(await schedules.finished((await schedules.firings(schedule))[-1]))
        await insert_suite(world, *tasks, version_number=version, status="DRAFT" if version == 3 else "PUBLISHED")
    assert [run["suite"]["version_number"] for run in runs] == [1, 2], "a draft does not run"
    assert {run["name"] for run in runs} == {"Nightly"}
    assert {run["subject"]["name"] for run in runs} == {"Nightly"}
    assert [run["schedule"]["id"] for run in runs] == [schedule["id"]] * 2
    asked = [{item["task_id"] for item in await world.items(run["id"])} for run in runs]
    assert (len(asked[0]), asked[0]) == (2, asked[1]), "the same sample each night"
    # The version that the schedule names is gone with the suite: the history has the reason.
    async with world.engine.begin() as connection:
        await connection.execute(text("DELETE FROM suite"))
    await schedules.wind(THIRD)
    failed = (await schedules.firings(schedule))[-1]
    assert (failed["status"], "this version was deleted" in failed["reason"]) == ("FAILED", True)


async def test_suite_that_could_not_run_now_is_refused_with_the_field(schedules: ScheduleWorld) -> None:
    world = schedules.world
    draft = await insert_suite(world, a_task("sums", await version_of(world, "Sums", 2)), status="DRAFT")
    for wanted, field in (
        ({"suite_id": str(uuid4()), "model": {"name": "model-a", "provider": "Mock"}}, "what.request.suite_id"),
        (request(draft), "what.request.suite_id"),
        ({"suite_id": "x", "model": {"name": "m", "provider": "Mock"}}, "what.request.suite_id"),
    ):
        body = schedules.body(what={"kind": "suite", "request": wanted})
        response = await world.http.post(PATH, json=body)
        assert (response.status_code, [error["field"] for error in response.json()["errors"]]) == (422, [field])
    published = await insert_suite(world, a_task("sums", await version_of(world, "More", 2)), version_number=3)
    unknown = schedules.body(what={"kind": "suite", "request": request(published, "no-model")})
    response = await world.http.post(PATH, json=unknown)
    assert [error["field"] for error in response.json()["errors"]] == ["what.request.targets.0.model"]
    other = await world.http.post(PATH, json=schedules.body(what={"kind": "evaluation", "request": {}}))
    assert (other.status_code, "the kind `run` or `suite`" in other.json()["detail"]) == (422, True)


def _signs(secret: str, sent: Any) -> bool:
    """Return whether the secret signed the request, as Standard Webhooks defines it."""
    headers = sent.headers
    content = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), sent.body])
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return f"v1,{digest}" in headers["webhook-signature"].split(" ")


async def test_webhook_of_a_schedule_is_called_by_each_of_its_runs_with_its_secret(
    hooked: ScheduleWorld, receiver: Receiver
) -> None:
    schedule = await hooked.create(request={"webhook_url": receiver.url})
    secret = schedule["webhook_secret"]
    assert secret.startswith("whsec_")
    shown = await hooked.get(schedule)
    assert shown["what"]["request"]["webhook_url"] == receiver.url
    assert "webhook_secret" not in json.dumps(shown)
    async with hooked.world.engine.connect() as connection:
        for table in ("schedule", "schedule_webhook"):
            stored = (await connection.execute(text(f"SELECT CAST({table} AS text) FROM {table}"))).scalar_one()
            assert secret.removeprefix("whsec_") not in stored
    for number, night in enumerate((FIRST, SECOND), start=1):
        await hooked.wind(night)
        await receiver.until(number)
        assert _signs(secret, receiver.requests[-1])
    runs = {json.loads(sent.body)["data"]["id"] for sent in receiver.requests}
    assert runs == {firing["run"]["id"] for firing in await hooked.firings(schedule)}


async def test_secret_stays_until_the_url_or_the_secret_changes(hooked: ScheduleWorld, receiver: Receiver) -> None:
    schedule = await hooked.create(request={"webhook_url": receiver.url})
    url = f"{PATH}/{schedule['id']}"

    async def changed(**webhook: str) -> dict[str, Any]:
        response = await hooked.world.http.put(url, json=hooked.body(request=webhook))
        assert response.status_code == 200, response.text
        saved: dict[str, Any] = response.json()
        return saved

    assert (await changed(webhook_url=receiver.url))["webhook_secret"] is None
    await hooked.wind(FIRST)
    await receiver.until(1)
    assert _signs(schedule["webhook_secret"], receiver.requests[-1])
    mine = "whsec_" + base64.b64encode(b"k" * 32).decode()
    assert (await changed(webhook_url=receiver.url, webhook_secret=mine))["webhook_secret"] is None
    await hooked.wind(SECOND)
    await receiver.until(2)
    assert _signs(mine, receiver.requests[-1])
    assert (await changed(webhook_url=f"{receiver.url}?other"))["webhook_secret"] != schedule["webhook_secret"]
    assert (await changed())["webhook_secret"] is None
    async with hooked.world.engine.connect() as connection:
        assert (await connection.execute(select(t.schedule_webhook))).all() == []
    refused = await hooked.world.http.put(url, json=hooked.body(request={"webhook_url": "ftp://there"}))
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "what.request.webhook_url")
    alone = await hooked.world.http.put(url, json=hooked.body(request={"webhook_secret": mine}))
    assert (alone.status_code, alone.json()["errors"][0]["field"]) == (422, "what.request.webhook_secret")


async def test_lost_secret_fails_the_firing_and_not_silently_the_webhook(
    hooked: ScheduleWorld, receiver: Receiver
) -> None:
    schedule = await hooked.create(request={"webhook_url": receiver.url})
    async with hooked.world.engine.begin() as connection:
        await connection.execute(update(t.schedule_webhook).values(sealed_secret=b"\x01" + b"0" * 40))
    await hooked.wind(FIRST)
    [failed] = await hooked.firings(schedule)
    assert (failed["status"], "save the schedule with a new secret" in failed["reason"]) == ("FAILED", True)
    response = await hooked.world.http.put(
        f"{PATH}/{schedule['id']}",
        json=hooked.body(
            request={"webhook_url": receiver.url, "webhook_secret": "whsec_" + base64.b64encode(b"n" * 32).decode()}
        ),
    )
    assert response.status_code == 200, response.text
    await hooked.wind(SECOND)
    await receiver.until(1)
