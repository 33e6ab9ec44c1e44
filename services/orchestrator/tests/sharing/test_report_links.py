"""Test the links to reports: what a link's token opens, what it does not open, and when it becomes invalid."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from run_world import World
from sqlalchemy import func, insert, select, update

from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id
from llmbench.link_tokens import new_token
from orchestrator.sharing.api.shared_report import PATH
from orchestrator.sharing.ports.report_links import MOST_LINKS

HEADER = "Llmbench-Report-Link"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
async def run_id(world: World) -> UUID:
    run_id = await world.start(name=f"Shared {HOSTILE}")
    await world.until_status(run_id, "FINISHED")
    return run_id


def links_of(run_id: UUID, link_id: str = "") -> str:
    return f"/api/runs/{run_id}/report-links" + (f"/{link_id}" if link_id else "")


async def new_link(world: World, run_id: UUID, **body: Any) -> dict[str, Any]:
    response = await world.http.post(links_of(run_id), json=body)
    assert response.status_code == 201, response.text
    made: dict[str, Any] = response.json()
    return made


async def listed(world: World, run_id: UUID) -> list[dict[str, Any]]:
    response = await world.http.get(links_of(run_id))
    assert response.status_code == 200, response.text
    items: list[dict[str, Any]] = response.json()["items"]
    return items


async def about(world: World, token: str) -> httpx.Response:
    return await world.http.get(PATH, headers={HEADER: token})


async def opened(world: World, token: str) -> httpx.Response:
    return await world.http.post(PATH, data={"token": token})


async def require_gone(world: World, token: str) -> None:
    """Require that requests with the token get the same response (410) as requests with an unknown token. The response
    therefore does not show why the token is invalid."""
    unknown = new_token(DEFAULT_ORG_ID)
    for ask in (about, opened):
        response = await ask(world, token)
        assert (response.status_code, response.text) == (410, (await ask(world, unknown)).text)


async def test_link_opens_the_report_of_its_run(world: World, run_id: UUID) -> None:
    made = await new_link(world, run_id)
    assert made["path"] == f"/shared-report#{made['token']}"
    assert (await about(world, made["token"])).json() == {
        "name": f"Shared {HOSTILE}",
        "expires_at": made["link"]["expires_at"],
    }
    assert [link["opened_at"] for link in await listed(world, run_id)] == [None]

    report = await opened(world, made["token"])
    exported = await world.http.get(f"/api/runs/{run_id}/export?format=report-html")
    assert (report.status_code, report.text) == (200, exported.text)
    assert HOSTILE not in report.text
    assert report.headers["content-type"] == "text/html; charset=utf-8"
    assert report.headers["content-security-policy"].startswith("sandbox; default-src 'none';")
    assert report.headers["cache-control"] == "no-store"
    [link] = await listed(world, run_id)
    assert link["opened_at"] is not None
    assert made["token"] not in str(link)


async def test_a_link_lives_for_the_days_that_were_asked_for(world: World, run_id: UUID) -> None:
    ids = [(await new_link(world, run_id, **body))["link"]["id"] for body in ({}, {"expires_in_days": 90})]
    link = t.report_link.c
    async with world.engine.connect() as connection:
        rows = await connection.execute(select(link.id, link.expires_at - link.created_at))
        found = {str(id_): lives.days for id_, lives in rows}
        hashes = (await connection.execute(select(link.token_hash))).scalars().all()
    assert [found[id_] for id_ in ids] == [7, 90]
    assert {len(each) for each in hashes} == {32}, "only the hash is stored"
    assert [each["id"] for each in await listed(world, run_id)] == ids[::-1]
    for days in (0, 91, "x", None):
        refused = await world.http.post(links_of(run_id), json={"expires_in_days": days})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "expires_in_days")


async def expired(world: World, run_id: UUID, link_id: str) -> None:
    async with world.engine.begin() as connection:
        late = update(t.report_link).where(t.report_link.c.id == link_id).values(expires_at=func.now())
        await connection.execute(late)
    assert await listed(world, run_id) == []


async def revoked(world: World, run_id: UUID, link_id: str) -> None:
    assert (await world.http.delete(links_of(run_id, link_id))).status_code == 204
    assert (await world.http.delete(links_of(run_id, link_id))).status_code == 404
    assert await listed(world, run_id) == []


async def deleted(world: World, run_id: UUID, link_id: str) -> None:
    assert (await world.http.delete(f"/api/runs/{run_id}")).is_success
    async with world.engine.connect() as connection:
        assert (await connection.execute(select(t.report_link.c.id))).first() is None


async def closed(world: World, run_id: UUID, link_id: str) -> None:
    async with world.engine.begin() as connection:
        await connection.execute(update(t.organisation).values(closed_at=func.now()))


@pytest.mark.parametrize("end", [expired, revoked, deleted, closed])
async def test_link_that_has_ended_is_answered_like_an_unknown_one(
    world: World, run_id: UUID, end: Callable[[World, UUID, str], Awaitable[None]]
) -> None:
    made = await new_link(world, run_id)
    await end(world, run_id, made["link"]["id"])
    await require_gone(world, made["token"])


async def test_token_that_is_none_or_names_another_organisation_opens_nothing(world: World, run_id: UUID) -> None:
    made = await new_link(world, run_id)
    other = new_token(new_id())[:22] + made["token"][22:]
    for token in ("hello", made["token"][:-1], made["token"][:-1] + "\u00e9", other):
        response = await opened(world, token)
        assert (response.status_code, response.json()["title"]) == (410, "The link does not work")
    assert (await world.http.get(PATH)).status_code == 422
    assert (await world.http.post(PATH)).status_code == 422
    assert (await world.http.post(f"{PATH}?token={made['token']}")).status_code == 422
    assert [link["opened_at"] for link in await listed(world, run_id)] == [None]


async def test_links_of_another_run_are_not_found(world: World, run_id: UUID) -> None:
    made = await new_link(world, run_id)
    for wrong in (uuid4(), UUID(int=0)):
        assert (await world.http.get(links_of(wrong))).status_code == 404
        assert (await world.http.post(links_of(wrong), json={})).status_code == 404
        assert (await world.http.delete(links_of(wrong, made["link"]["id"]))).status_code == 404
    assert (await about(world, made["token"])).status_code == 200


async def test_a_run_has_only_so_many_links_that_work(world: World, run_id: UUID) -> None:
    def row() -> dict[str, Any]:
        return {"id": new_id(), "run_id": run_id, "token_hash": uuid4().bytes}

    async with world.engine.begin() as connection:
        later = func.now() + func.make_interval(0, 0, 0, 1)
        for _ in range(MOST_LINKS - 1):
            await connection.execute(insert(t.report_link).values(row() | {"expires_at": later}))
        await connection.execute(insert(t.report_link).values(row() | {"expires_at": func.now()}))
    # The expired one does not count. Links that are made at the same time do not exceed the limit.
    responses = await asyncio.gather(*(world.http.post(links_of(run_id), json={}) for _ in range(4)))
    assert sorted(response.status_code for response in responses) == [201, 409, 409, 409]
    assert len(await listed(world, run_id)) == MOST_LINKS


async def test_reports_that_are_opened_at_the_same_time_all_arrive(world: World, run_id: UUID) -> None:
    made = await new_link(world, run_id)
    reports = await asyncio.gather(*(opened(world, made["token"]) for _ in range(6)))
    assert {report.status_code for report in reports} == {200}
    assert len({report.text for report in reports}) == 1
