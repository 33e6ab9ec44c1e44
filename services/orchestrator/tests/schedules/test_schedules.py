"""Test what schedules do at times that the test sets: firings, skips, outages, failures, and clocks that are set
back."""

from typing import Any

import pytest
from run_world import running_orchestrator
from schedule_world import PATH, ScheduleWorld
from sqlalchemy import text
from wound_clock import utc

pytestmark = pytest.mark.never_rerun

FIRST = utc("2026-11-24 02:00")


@pytest.mark.shows("I-32")
async def test_nightly_schedule_starts_a_run_each_night(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create()
    assert [time["at"] for time in schedule["next_times"]] == [f"2026-11-{day}T02:00:00.000Z" for day in range(24, 29)]
    await schedules.wind(utc("2026-11-24 01:59"))
    assert await schedules.firings(schedule) == []
    for night in (FIRST, utc("2026-11-25 02:00")):
        await schedules.wind(night)
        firing = (await schedules.firings(schedule))[-1]
        assert (firing["status"], firing["cause"], firing["missed"]) == ("STARTED", "DUE", 0)
        assert firing["due_at"] == firing["fired_at"] == night.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        run = await schedules.finished(firing)
        assert (run["outcome"], run["name"]) == ("complete", "Nightly")
        assert run["schedule"] == {"id": schedule["id"], "name": "Nightly"}
    runs = await schedules.runs()
    assert [run["schedule"]["name"] for run in runs] == ["Nightly", "Nightly"]
    shown = await schedules.get(schedule)
    assert (shown["last"]["run"]["status"], shown["last"]["run"]["outcome"]) == ("FINISHED", "complete")
    assert shown["next_times"][0]["at"] == "2026-11-26T02:00:00.000Z"


async def test_next_times_are_shown_in_the_time_zone(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create(cron="30 2 * * 1-5", time_zone="Europe/Berlin")
    assert schedule["next_times"][0] == {"at": "2026-11-24T01:30:00.000Z", "local": "2026-11-24T02:30:00+01:00"}
    params: dict[str, str | int] = {"cron": "30 2 * 3 SUN", "time_zone": "Europe/Berlin", "count": 4}
    found = (await schedules.world.http.get(f"{PATH}/next-times", params=params)).json()
    assert [time["local"] for time in found["items"]] == [
        "2027-03-07T02:30:00+01:00",
        "2027-03-14T02:30:00+01:00",
        "2027-03-21T02:30:00+01:00",
        "2027-03-28T03:00:00+02:00",
    ]


async def test_schedule_skips_while_its_last_run_is_going(schedules: ScheduleWorld) -> None:
    schedule, overlapping = await schedules.create(), await schedules.create(name="Overlapping", skip_if_running=False)
    go_on = schedules.hold_answers()
    await schedules.wind(FIRST)
    await schedules.wind(utc("2026-11-25 02:00"))
    started, skipped = await schedules.firings(schedule)
    assert (started["status"], skipped["status"], skipped["run"]) == ("STARTED", "SKIPPED", None)
    assert skipped["reason"].startswith("the last run, 'Nightly', was still ")
    assert [firing["status"] for firing in await schedules.firings(overlapping)] == ["STARTED", "STARTED"]
    go_on.set()
    await schedules.finished(started)
    await schedules.wind(utc("2026-11-26 02:00"))
    assert [firing["status"] for firing in await schedules.firings(schedule)] == ["STARTED", "SKIPPED", "STARTED"]
    for firing in [*await schedules.firings(schedule), *await schedules.firings(overlapping)]:
        if firing["run"]:
            await schedules.finished(firing)


async def test_times_that_passed_during_an_outage_run_once(
    schedules: ScheduleWorld, postgres_url: str, nats_url: str
) -> None:
    schedule = await schedules.create()
    # The clock passes three nights at once, as it does for an orchestrator that was down meanwhile.
    await schedules.wind(utc("2026-11-26 09:00"))
    [firing] = await schedules.firings(schedule)
    assert (firing["status"], firing["missed"], firing["due_at"]) == ("STARTED", 2, "2026-11-24T02:00:00.000Z")
    await schedules.finished(firing)
    assert (await schedules.get(schedule))["next_times"][0]["at"] == "2026-11-27T02:00:00.000Z"


async def test_clock_that_is_set_forward_and_back_fires_no_time_twice_and_loses_none(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create()
    await schedules.wind(utc("2028-01-01 12:00"))
    [early] = await schedules.firings(schedule)
    assert early["missed"] == 100
    await schedules.finished(early)
    await schedules.wind(utc("2026-11-23 12:01"))
    assert (await schedules.get(schedule))["next_times"][0]["at"] == "2026-11-24T02:00:00.000Z"
    # The run of this night exists already.
    await schedules.wind(FIRST)
    assert len(await schedules.firings(schedule)) == 1
    await schedules.wind(utc("2026-11-25 02:00"))
    firings = sorted(await schedules.firings(schedule), key=lambda firing: firing["due_at"])
    assert [firing["due_at"][:10] for firing in firings] == ["2026-11-24", "2026-11-25"]
    await schedules.finished(firings[1])


@pytest.mark.shows("I-32")
async def test_two_orchestrators_fire_each_time_once(
    schedules: ScheduleWorld, postgres_url: str, nats_url: str
) -> None:
    made = [await schedules.create(name=f"Nightly {number}") for number in range(5)]
    async with running_orchestrator(postgres_url, nats_url, clock=schedules.clock):
        for night in (FIRST, utc("2026-11-25 02:00")):
            await schedules.wind(night, loops=2)
            for schedule in made:
                await schedules.finished((await schedules.firings(schedule))[-1])
    assert [len(await schedules.firings(schedule)) for schedule in made] == [2] * 5
    assert len(await schedules.runs()) == 10


async def test_schedule_whose_provider_is_gone_shows_the_reason_and_the_next_one_runs(schedules: ScheduleWorld) -> None:
    other = await schedules.world.add_provider("Short-lived")
    targets = [{"provider_id": str(other), "model": "model-a"}]
    gone = await schedules.create(name="Gone", request={"targets": targets})
    kept = await schedules.create(name="Kept")
    async with schedules.world.engine.begin() as connection:
        await connection.execute(text("DELETE FROM provider WHERE id = :id"), {"id": other})
    await schedules.wind(FIRST)
    [failed] = await schedules.firings(gone)
    assert (failed["status"], failed["run"]) == ("FAILED", None)
    assert f"there is no provider {other}" in failed["reason"]
    assert (await schedules.get(gone))["last"]["reason"] == failed["reason"]
    [started] = await schedules.firings(kept)
    assert (await schedules.finished(started))["outcome"] == "complete"
    # In the next night, the schedule tries again.
    await schedules.wind(utc("2026-11-25 02:00"))
    assert [firing["status"] for firing in await schedules.firings(gone)] == ["FAILED", "FAILED"]


async def test_run_now_starts_once_per_key_also_while_paused(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create(paused=True)
    assert (schedule["paused"], schedule["next_times"]) == (True, [])
    first = await schedules.post(schedule, "run", **{"Idempotency-Key": "now"})
    again = await schedules.post(schedule, "run", **{"Idempotency-Key": "now"})
    assert (first["status"], first["cause"], first["id"]) == ("STARTED", "REQUESTED", again["id"])
    await schedules.finished(first)
    another = await schedules.post(schedule, "run")
    await schedules.finished(another)
    assert len(await schedules.runs()) == 2
    await schedules.wind(utc("2026-11-30 12:00"))
    assert len(await schedules.firings(schedule)) == 2


async def test_resumed_schedule_does_not_make_up_for_the_time_of_its_pause(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create()
    assert (await schedules.post(schedule, "pause"))["paused"]
    await schedules.wind(utc("2026-11-25 12:00"))
    resumed = await schedules.post(schedule, "resume")
    assert (resumed["paused"], resumed["next_times"][0]["at"]) == (False, "2026-11-26T02:00:00.000Z")
    await schedules.wind(utc("2026-11-26 02:00"))
    [firing] = await schedules.firings(schedule)
    assert (firing["due_at"], firing["missed"]) == ("2026-11-26T02:00:00.000Z", 0)
    await schedules.finished(firing)


async def test_deleted_schedule_leaves_its_runs(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create()
    run = await schedules.finished(await schedules.post(schedule, "run"))
    assert (await schedules.world.http.delete(f"{PATH}/{schedule['id']}")).status_code == 204
    assert (await schedules.world.http.get(f"{PATH}/{schedule['id']}")).status_code == 404
    kept = (await schedules.world.http.get(f"/api/runs/{run['id']}")).json()
    assert (kept["outcome"], kept["schedule"]) == ("complete", None)


async def test_deleted_run_leaves_its_firing(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create()
    run = await schedules.finished(await schedules.post(schedule, "run"))
    assert (await schedules.world.http.delete(f"/api/runs/{run['id']}")).status_code == 204
    [firing] = await schedules.firings(schedule)
    assert (firing["status"], firing["run"]) == ("STARTED", None)


async def test_history_has_the_last_hundred_firings_page_by_page(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create()
    async with schedules.world.engine.begin() as connection:
        await connection.execute(
            text(
                "INSERT INTO schedule_firing (id, schedule_id, cause, status, due_at, fired_at)"
                " SELECT gen_random_uuid(), :id, 'DUE', 'SKIPPED', t, t FROM generate_series("
                " timestamptz '2026-01-01 00:00Z', timestamptz '2026-05-30 00:00Z', interval '1 day') AS t"
            ),
            {"id": schedule["id"]},
        )
    await schedules.finished(await schedules.post(schedule, "run"))
    url, cursor = f"{PATH}/{schedule['id']}/firings", None
    pages: list[list[dict[str, Any]]] = []
    while cursor is not None or not pages:
        page = (
            await schedules.world.http.get(url, params={"limit": 30} | ({"cursor": cursor} if cursor else {}))
        ).json()
        pages.append(page["items"])
        cursor = page["next_cursor"]
    assert [len(page) for page in pages] == [30, 30, 30, 10]
    times = [firing["fired_at"] for page in pages for firing in page]
    assert times == sorted(times, reverse=True)


async def test_changed_schedule_is_due_by_its_new_expression(schedules: ScheduleWorld) -> None:
    schedule = await schedules.create()
    url = f"{PATH}/{schedule['id']}"
    body = schedules.body(name="Hourly", cron="0 * * * *")
    changed = await schedules.world.http.put(url, json=body, headers={"If-Match": '"1"'})
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    assert changed.json()["next_times"][0]["at"] == "2026-11-23T13:00:00.000Z"
    stale = await schedules.world.http.put(url, json=body, headers={"If-Match": '"1"'})
    assert (stale.status_code, stale.json()["version"]) == (412, 2)
    await schedules.wind(utc("2026-11-23 13:00"))
    [firing] = await schedules.firings(schedule)
    assert (await schedules.finished(firing))["name"] == "Hourly"


async def test_lost_start_is_made_up_for_without_a_second_run(schedules: ScheduleWorld) -> None:
    """A firing that a killed orchestrator has left in the state STARTING becomes STARTED. It has exactly one run, even
    if that run was created before the kill."""
    schedule = await schedules.create()
    firing = await schedules.post(schedule, "run")
    await schedules.finished(firing)
    async with schedules.world.engine.begin() as connection:
        undo = "UPDATE schedule_firing SET status = 'STARTING', run_id = NULL, leased_until = :until"
        await connection.execute(text(undo), {"until": schedules.clock.now()})
    await schedules.wind(utc("2026-11-23 12:05"))
    [again] = await schedules.firings(schedule)
    assert (again["status"], again["run"]["id"]) == ("STARTED", firing["run"]["id"])
    assert len(await schedules.runs()) == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"cron": "0 0 30 2 *"}, "cron"),
        ({"cron": "0 0 */29 2 MON#5"}, "cron"),
        ({"cron": "0 0 0 * * *"}, "cron"),
        ({"cron": " "}, "cron"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"name": ""}, "name"),
        ({"surprise": 1}, "surprise"),
        ({"what": {"kind": "suite", "request": {}}}, "what.request.suite_id"),
        ({"what": {"kind": "evaluation", "request": {}}}, "what"),
    ],
)
async def test_bad_schedule_is_refused_with_the_field_at_fault(
    schedules: ScheduleWorld, change: dict[str, Any], field: str
) -> None:
    response = await schedules.world.http.post(PATH, json=schedules.body(**change))
    assert response.status_code == 422, response.text
    assert field in [error["field"] for error in response.json()["errors"]]
    if set(change) <= {"cron", "time_zone"}:
        params = {"cron": "0 2 * * *"} | change
        assert (await schedules.world.http.get(f"{PATH}/next-times", params=params)).status_code == 422


async def test_request_that_could_not_start_now_is_refused_when_it_is_saved(schedules: ScheduleWorld) -> None:
    for request, field in (
        ({"targets": [{"provider_id": str(schedules.world.provider_id), "model": "no-model"}]}, "targets.0.model"),
        ({"collection_ids": []}, "collection_ids"),
        ({"queue": False}, None),
        ({"tags": [""]}, "tags.0"),
    ):
        response = await schedules.world.http.post(PATH, json=schedules.body(request=request))
        assert response.status_code == 422, response.text
        fields = [error["field"] for error in response.json()["errors"]]
        assert fields == ["what" if field is None else f"what.request.{field}"]


async def test_name_is_unique(schedules: ScheduleWorld) -> None:
    await schedules.create()
    other = await schedules.create(name="Other")
    response = await schedules.world.http.post(PATH, json=schedules.body())
    assert (response.status_code, response.json()["errors"][0]["field"]) == (409, "name")
    renamed = await schedules.world.http.put(f"{PATH}/{other['id']}", json=schedules.body())
    assert renamed.status_code == 409


async def test_unknown_schedule_is_not_found(schedules: ScheduleWorld) -> None:
    url = f"{PATH}/00000000-0000-7000-8000-00000000dead"
    http = schedules.world.http
    answers = [await http.get(url), await http.delete(url), await http.put(url, json=schedules.body())]
    answers += [await http.post(f"{url}/{action}") for action in ("pause", "resume", "run")]
    answers.append(await http.get(f"{url}/firings"))
    assert {response.status_code for response in answers} == {404}
