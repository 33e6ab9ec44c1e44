"""Try every route with every kind of caller on a platform with LLMBENCH_AUTH=on: the cells of docs/generated/access.md.

A refused request names real things and has a valid body, and changes nothing. An allowed one names things that do not
exist: its answer is neither a 401 nor a 403. `make test` tries a part of the cells, `make security` all.
"""

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from llmbench.access import Role
from tests.security.access_cells import Cell, chosen
from tests.security.access_world import ORG_ID, PASSWORD, UNKNOWN, Headers, World, access_world, join
from tests.security.two_organisations import Operation, described, request_of, rows_of
from tools.gen.access_table import INVITED, ROLES, SESSIONS, SIGN_OUT, Caller, Outcome, Row, routes
from tools.gen.openapi import documents

pytestmark = [pytest.mark.asyncio(loop_scope="module")]

STATUS = {Outcome.NOT_SIGNED_IN: 401, Outcome.NOT_ALLOWED: 403, Outcome.NOT_FOUND: 404}
ENDING = (*SIGN_OUT, "/api/auth/sessions/end-others")
"""Routes that end sessions of the person who asks: they are tried by people of their own."""
USED = ("api_key",)
"""Tables that any request changes: the time of a key's last use."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world() -> AsyncIterator[World]:
    async with access_world() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def anybody(world: World) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client without credentials."""
    async with httpx.AsyncClient(base_url=world.stack.url, timeout=90) as http:
        yield http


@pytest.mark.shows("S-50")
async def test_refused_caller_gets_the_expected_status_and_changes_nothing(
    world: World, anybody: httpx.AsyncClient, pytestconfig: pytest.Config
) -> None:
    before = await kept_rows(world)
    faults = []
    for cell in chosen(routes(documents()), pytestconfig):
        if cell.refused:
            response = await ask(anybody, cell, world.headers(cell.row, cell.caller), real(world, cell.row))
            if response.status_code != STATUS[cell.expected]:
                faults.append(f"{cell}: {described(response)} instead of {cell.expected.value}")
            elif cell.expected is Outcome.NOT_ALLOWED and {response.json()["needed"]} != cell.row.rights:
                faults.append(f"{cell} names another right: {described(response)}")
            if world.has.marker in response.text:
                faults.append(f"{cell} shows what the organisation has: {described(response)}")
    assert not faults, "\n".join(faults)
    after = await kept_rows(world)
    assert after == before, [table for table in before if before[table] != after[table]]


@pytest.mark.shows("S-50")
async def test_allowed_caller_is_neither_unknown_nor_refused(
    world: World, anybody: httpx.AsyncClient, pytestconfig: pytest.Config
) -> None:
    faults = []
    for cell in chosen(routes(documents()), pytestconfig):
        if not cell.refused:
            headers = world.headers(cell.row, cell.caller)
            if cell.row.path in ENDING and cell.caller not in SESSIONS:
                role = ROLES.get(cell.caller, Role.OWNER)
                headers = (await join(world.stack, world.owner, role, "Somebody else")).headers
            response = await ask(anybody, cell, headers, unknown(cell.row))
            if response.status_code in (401, 403) or response.status_code >= 500:
                faults.append(f"{cell}: {described(response)}")
            if cell.expected is Outcome.OWN_ONLY and world.has.marker in response.text:
                faults.append(f"{cell} shows what the other organisation has: {described(response)}")
    assert not faults, "\n".join(faults)


async def test_invitation_link_opens_its_task_without_a_session(world: World, anybody: httpx.AsyncClient) -> None:
    task = world.has.annotation_ids["task_id"]
    made = await world.stack.post(f"/v1/annotations/tasks/{task}/invitations", {"name": "Guest"})
    link = {"Llmbench-Invitation": made["token"]}
    anybody.cookies.clear()
    about = await anybody.get(INVITED, headers=link)
    assert about.status_code == 200, about.text
    assert (await anybody.get(f"{INVITED}/next", headers=link)).status_code in (200, 204)
    for path in (f"/v1/annotations/tasks/{task}", f"/v1/annotations/tasks/{task}/next", "/v1/annotations/work"):
        assert (await anybody.get(path, headers=link)).status_code == 401, path
    # A member of another organisation who has the link acts as the invited person only.
    stranger = world.sessions[Caller.STRANGER]
    assert (await anybody.get(INVITED, headers={**stranger, **link})).json()["annotator"] == "Guest"
    assert (await anybody.get(f"/v1/annotations/tasks/{task}", headers={**stranger, **link})).status_code == 404


async def ask(
    http: httpx.AsyncClient, cell: Cell, headers: Headers, request: tuple[str, dict[str, Any]]
) -> httpx.Response:
    """Send a request whose only credential is in these headers."""
    url, arguments = request
    http.cookies.clear()
    more = arguments.pop("headers", {})
    return await http.request(cell.row.method, url, headers={**more, **headers}, **arguments)


def real(world: World, row: Row) -> tuple[str, dict[str, Any]]:
    """Return the URL and arguments of a valid request that names things of the first organisation."""
    made = world.made
    ids = {
        "/api/api-keys/{id}": made.api_key_id,
        "/api/invitations/{id}": made.invitation_id,
        "/api/members/{id}": made.member_id,
        "/api/service-accounts/{id}": made.service_account_id,
        "/api/auth/sessions/{id}": made.session_id,
        "/api/auth/logins/{id}": UNKNOWN,
    }
    bodies: dict[str, dict[str, Any]] = {
        "PATCH /api/members/{id}": {"role": "owner"},
        "POST /api/auth/organisation": {"id": ORG_ID},
        "POST /api/auth/password": {"current": PASSWORD, "new": f"{PASSWORD} again"},
        "POST /api/auth/issuers/{name}/link": {"next": "/tasks"},
        "POST /api/password-resets": {"person_id": made.member_id},
        "POST /api/api-keys": {"name": f"new {uuid4()}"},
        "POST /api/invitations": {"role": "viewer"},
        "POST /api/service-accounts": {"name": f"new {uuid4()}", "role": "viewer"},
        "POST /api/organisations": {"name": "New", "slug": uuid4().hex},
        "PATCH /api/organisations/current": {"name": f"new {uuid4()}"},
    }
    if row.service != "identity":
        return request_of(Operation(row.method.lower(), row.path), world.has)
    url = row.path.replace("{id}", ids.get(row.path, UNKNOWN)).replace("{name}", "company")
    return url, {"json": bodies[row.name]} if row.name in bodies else {}


def unknown(row: Row) -> tuple[str, dict[str, Any]]:
    """Return the URL and arguments of a request that names only things that do not exist, and has no body."""
    url = row.path
    for name in ("{version_number}", "{name}"):
        url = url.replace(name, "1")
    return re.sub(r"\{\w+\}", UNKNOWN, url), {}


async def kept_rows(world: World) -> dict[str, str | None]:
    """Return a digest of the first organisation's rows per table, except those that every request may change."""
    rows = await rows_of(world.stack.database_url, ORG_ID)
    return {table: digest for table, digest in rows.items() if table not in USED}
