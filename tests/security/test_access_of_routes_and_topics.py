"""Try every route and every topic of the WebSocket with every kind of caller on a platform with LLMBENCH_AUTH=on.

The expected outcomes are the cells of the tables in docs/generated/access.md. One platform serves all tests of this
file.

A request that must be refused names existing objects, has a valid body, and changes nothing. A request that must be
allowed names objects that do not exist, and its answer is neither a 401 nor a 403. `make test` tries a part of the
cells, `make security` all.
"""

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio
from websockets.exceptions import ConnectionClosed, InvalidStatus

from llmbench.access import Role
from llmbench.contracts.run_event import RUN_TOPICS
from tests.security.access_cells import STATUS, Cell, chosen
from tests.security.access_topics import listening
from tests.security.access_world import (
    ORG_ID,
    PASSWORD,
    UNKNOWN,
    Headers,
    World,
    access_world,
    join,
    kept_rows,
    new_key,
)
from tests.security.two_organisations import Operation, described, experiment_of, request_of
from tools.gen.access_table import INVITED, ROLES, SESSIONS, SHARED, SIGN_OUT, Caller, Outcome, Row, routes, topics
from tools.gen.openapi import documents

pytestmark = [pytest.mark.asyncio(loop_scope="module")]

HELD = "mock-0ms-held"
EXPERIMENTS = "/topic/experiments"
ANSWERS = "/topic/run/{run_id}/answer"
CELLS = [Cell(row, caller) for row in topics() for caller in Caller]
ENDING = (*SIGN_OUT, "/api/auth/sessions/end-others")
"""Routes that end sessions of the person who asks. Separate people try them, so that no other test loses its
session."""


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


async def test_link_to_a_report_opens_it_and_nothing_else(world: World, anybody: httpx.AsyncClient) -> None:
    run = f"/api/runs/{world.has.ids['run_id']}"
    made = await world.stack.post(f"{run}/report-links", {})
    link, form = {"Llmbench-Report-Link": made["token"]}, {"token": made["token"]}
    anybody.cookies.clear()
    about = await anybody.get(SHARED, headers=link)
    assert world.has.marker in about.json()["name"]
    assert about.headers["content-security-policy"].startswith("default-src 'self';")
    report = await anybody.post(SHARED, data=form)
    assert (report.status_code, world.has.marker in report.text) == (200, True)
    # Only the report's own policy is sent: with the policy of the web application, it would have no styles.
    [policy] = report.headers.get_list("content-security-policy")
    assert policy.startswith("sandbox; default-src 'none'; style-src 'unsafe-inline';")
    assert (
        (await anybody.get(SHARED, headers=link)).headers["content-security-policy"].startswith("default-src 'self';")
    )
    for path in (run, f"{run}/export?format=report-html", f"{run}/report-links", "/api/runs", f"{SHARED}/more"):
        assert (await anybody.get(path, headers=link)).status_code == 401, path
    # A member of another organisation who has the link reads the report only.
    stranger = world.sessions[Caller.STRANGER]
    assert (await anybody.post(SHARED, data=form, headers=stranger)).status_code == 200
    assert (await anybody.get(run, headers={**stranger, **link})).status_code == 404
    # A key that may create runs, but not read them, cannot create a link, because the link would let it read them.
    _, key = await new_key(world.owner, "create only", scopes=["runs:create"])
    only = {"Authorization": f"Bearer {key}"}
    refused = await anybody.post(f"{run}/report-links", json={}, headers=only)
    assert (refused.status_code, refused.json()["needed"]) == (403, "runs:read")


async def ask(
    http: httpx.AsyncClient, cell: Cell, headers: Headers, request: tuple[str, dict[str, Any]]
) -> httpx.Response:
    """Send the request for a cell of the table of access. Its only credential is in `headers`."""
    url, arguments = request
    http.cookies.clear()
    more = arguments.pop("headers", {})
    return await http.request(cell.row.method, url, headers={**more, **headers}, **arguments)


def real(world: World, row: Row) -> tuple[str, dict[str, Any]]:
    """Return the URL and arguments of a valid request for the route `row` that names objects of the first
    organisation."""
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
    """Return the URL and arguments of a request without a body for the route `row`. The ids and names in its URL belong
    to no object."""
    url = row.path
    for name in ("{version_number}", "{name}"):
        url = url.replace(name, "1")
    return re.sub(r"\{\w+\}", UNKNOWN, url), {}


@pytest.mark.shows("S-50")
@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.refused], ids=str)
async def test_refused_caller_gets_no_socket(world: World, cell: Cell) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with listening(world, world.headers(cell.row, cell.caller)):
            pass
    assert str(refused.value.response.status_code) == cell.expected.value


@pytest.mark.shows("S-50")
@pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.expected is Outcome.ALLOWED], ids=str)
async def test_allowed_caller_hears_what_the_organisation_does(world: World, cell: Cell) -> None:
    run_id = await held_question(world) if cell.row.name == ANSWERS else world.has.ids["run_id"]
    async with listening(world, world.headers(cell.row, cell.caller)) as listener:
        await listener.subscribe("topic", cell.row.name.format(run_id=run_id), "from-seq:1")
        if cell.row.name == "/topic/runs":
            run_id = await new_run(world)
            await world.stack.until_status(run_id, "FINISHED")
        if cell.row.name == ANSWERS:
            await answered(world, run_id)
        about = await started_experiment(world) if cell.row.name == EXPERIMENTS else run_id
        await listener.until_heard("topic", about)


@pytest.mark.shows("S-50")
@pytest.mark.parametrize("kind", RUN_TOPICS.values())
async def test_stranger_gets_no_replay(world: World, kind: str) -> None:
    """The WebSocket gateway closes the connection of a stranger who subscribes to a run of another organisation, as if
    the run did not exist."""
    async with listening(world, world.sessions[Caller.STRANGER]) as stranger:
        await stranger.subscribe("topic", f"/topic/run/{world.has.ids['run_id']}/{kind}", "from-seq:1")
        with pytest.raises(ConnectionClosed, match="There is no run"):
            await stranger.until_heard("topic")
        assert stranger.heard == {}


@pytest.mark.shows("S-50")
async def test_stranger_hears_nothing_of_a_run_that_goes_on(world: World) -> None:
    assert {cell.expected for cell in CELLS if cell.caller is Caller.STRANGER} == {Outcome.OWN_ONLY}
    strangers, owners = world.sessions[Caller.STRANGER], world.sessions[Caller.OWNER]
    await world.stack.control(model=HELD, hold=0)
    async with listening(world, strangers) as stranger, listening(world, owners) as owner:
        run_id = await new_run(world, HELD)
        names = [row.name.format(run_id=run_id) for row in topics() if row.name != ANSWERS]
        await world.stack.until_held(HELD)
        for listener in (stranger, owner):
            for name in names:
                await listener.subscribe(name, name)
        await world.stack.control(model=HELD, hold=None)
        await world.stack.until_status(run_id, "FINISHED")
        experiment_id = await started_experiment(world)
        for name in names:
            await owner.until_heard(name, experiment_id if name == EXPERIMENTS else run_id)
        await owner.until_heard(names[0], "FINISHED")
        # The gateway answers in order: what it had for the stranger comes before this receipt.
        await stranger.subscribe("last", names[0])
        assert stranger.heard == {}


@pytest.mark.shows("S-50")
async def test_stranger_hears_nothing_of_an_answer_that_arrives(world: World) -> None:
    strangers, owners = world.sessions[Caller.STRANGER], world.sessions[Caller.OWNER]
    run_id = await held_question(world)
    topic = ANSWERS.format(run_id=run_id)
    async with listening(world, strangers) as stranger, listening(world, owners) as owner:
        for listener in (stranger, owner):
            await listener.subscribe("answer", topic)
        await answered(world, run_id)
        await owner.until_heard("answer", run_id)
        # The gateway answers in order: what it had for the stranger comes before this receipt.
        await stranger.subscribe("last", "/topic/runs")
        assert stranger.heard == {}


@pytest.mark.shows("S-50")
@pytest.mark.parametrize("resource", ["runs", "experiments"])
async def test_key_for_one_resource_hears_no_events_of_the_other(world: World, resource: str) -> None:
    _, key = await new_key(world.owner, f"{resource} only", scopes=[f"{resource}:read"])
    own, other = ("/topic/runs", EXPERIMENTS) if resource == "runs" else (EXPERIMENTS, "/topic/runs")
    async with listening(world, {"Authorization": f"Bearer {key}"}) as listener:
        await listener.subscribe("own", own)
        with pytest.raises(ConnectionClosed, match="needs the right"):
            await listener.subscribe("other", other)


async def started_experiment(world: World) -> str:
    """Start and conclude an experiment of the first organisation, and return its id. It has no cases, because its
    observations would come from outside the platform."""
    body = experiment_of(f"heard {uuid4()}") | {"sources": "none"}
    experiment_id = str((await world.stack.post("/v1/experiments", body))["experiment_id"])
    await world.stack.post(f"/v1/experiments/{experiment_id}/start")
    await world.stack.post(f"/v1/experiments/{experiment_id}/conclude", {"winner": "no_winner"})
    return experiment_id


async def held_question(world: World) -> str:
    """Ask a question in the playground of the first organisation, and return its run's id. The mock provider delays the
    answer until `answered` is called."""
    await world.stack.control(model=HELD, hold=0)
    body = {"question": "What is 1 + 1?", "targets": [{"provider_id": world.has.provider_id, "model": HELD}]}
    run_id = str((await world.stack.post("/api/playground", body))["id"])
    await world.stack.until_held(HELD)
    return run_id


async def answered(world: World, run_id: str) -> None:
    await world.stack.control(model=HELD, hold=None)
    await world.stack.until_status(run_id, "FINISHED")


async def new_run(world: World, model: str = "mock-0ms") -> str:
    """Start a run of the first organisation, and return its id."""
    body = {
        "targets": [{"provider_id": world.has.provider_id, "model": model}],
        "collection_ids": [world.has.collection_id],
        "evaluators": [{"kind": "contains", "params": {"text": "2"}}],
        "check_providers": False,
    }
    return str((await world.stack.post("/api/runs", body))["id"])
