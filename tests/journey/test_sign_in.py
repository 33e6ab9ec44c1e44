"""Test a platform with LLMBENCH_AUTH=on from the first owner's link to a second organisation, through the edge."""

import asyncio
import contextlib
import os
import re
import subprocess
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import asyncpg
import httpx
import jwt
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from llmbench.http.principal_token import HEADER
from tests import preloaded
from tests.platform import Platform, platform
from tests.preloaded.programs import COMMAND_LINE

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

PASSWORD = "correct horse battery"
TASK = {"category": "arithmetic", "question": "What is 1 + 1?", "excellent": "2"}
STOMP = [Subprotocol("v12.stomp")]


@dataclass
class Person:
    """A browser of a person who has signed in."""

    http: httpx.AsyncClient
    csrf: str

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        return await self.http.request(method, path, json=body, headers={"X-CSRF-Token": self.csrf})

    async def make(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.ask("POST", path, body)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    @property
    def cookie(self) -> str:
        return f"llmbench-session={self.http.cookies['llmbench-session']}"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def guarded() -> AsyncIterator[Platform]:
    async with platform(tasks=0, auth="on") as stack:
        yield stack


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def owner(guarded: Platform) -> Person:
    """Return the first owner, who has used the link in the identity service's log."""
    links = re.findall(r"http://\S+/first-owner#([\w-]+)", (guarded.logs / "identity.log").read_text())
    body = {"token": links[-1], "email": "ada@example.org", "name": "Ada", "organisation": "Engines"}
    return await enter(guarded, "/api/auth/first-owner", body)


async def enter(stack: Platform, path: str, body: dict[str, Any]) -> Person:
    """Sign in, or join an organisation, from a new browser."""
    http = httpx.AsyncClient(base_url=stack.url, timeout=90)
    answer = await http.post(path, json={**body, "password": PASSWORD})
    assert answer.is_success, answer.text
    return Person(http, answer.json()["csrf_token"])


async def join(stack: Platform, inviter: Person, role: str) -> Person:
    invited = await inviter.make("/api/invitations", {"role": role})
    name = f"{role}-{uuid.uuid4().hex[:8]}"
    body = {"token": invited["token"], "email": f"{name}@example.org", "name": name}
    return await enter(stack, "/api/auth/invitations/accept", body)


def new_task() -> dict[str, Any]:
    return {"task_id": f"sum-{uuid.uuid4().hex[:8]}", **TASK}


async def test_members_work_and_viewers_are_refused(guarded: Platform, owner: Person) -> None:
    task = await owner.make("/api/tasks", new_task())
    member = await join(guarded, owner, "member")
    assert (await member.ask("GET", f"/api/tasks/{task['id']}")).json()["id"] == task["id"]
    await member.make("/api/tasks", new_task())
    refused = await member.ask("POST", "/api/providers", {"name": "x", "type": "OLLAMA", "base_url": "http://x:1"})
    assert (refused.status_code, refused.json()["needed"]) == (403, "providers:create")

    viewer = await join(guarded, owner, "viewer")
    assert (await viewer.ask("GET", f"/api/tasks/{task['id']}")).status_code == 200
    refused = await viewer.ask("POST", "/api/tasks", new_task())
    assert (refused.status_code, refused.json()["needed"]) == (403, "tasks:create")
    assert (await viewer.ask("GET", "/api/audit-log")).status_code == 403
    assert (await viewer.ask("GET", "/api/members")).status_code == 200

    annotator = await join(guarded, owner, "annotator")
    assert (await annotator.ask("GET", "/api/runs")).status_code == 403
    assert (await annotator.ask("GET", "/v1/datasets")).status_code == 200


async def test_request_without_a_session_is_refused_by_every_route(guarded: Platform, owner: Person) -> None:
    async with httpx.AsyncClient(base_url=guarded.url, timeout=90) as stranger:
        for path in ("/api/tasks", "/api/runs", "/v1/datasets", "/v1/evaluations", "/api/members", "/api/audit-log"):
            answer = await stranger.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json"), path
            assert answer.headers["www-authenticate"] == "Bearer"
        assert (await stranger.get("/health/identity")).status_code == 200
        assert (await stranger.get("/api/auth/session")).json()["signed_in"] is False
        # The edge uses these paths of the identity service itself, and does not serve them to clients.
        for path in ("/verify", "/jwks"):
            assert "kid" not in (await stranger.get(path)).text


async def test_request_without_the_csrf_token_is_refused(guarded: Platform, owner: Person) -> None:
    answer = await owner.http.post("/api/tasks", json=new_task())
    assert answer.status_code == 403
    assert "X-CSRF-Token" in answer.json()["detail"]


@pytest.mark.shows("S-30")
async def test_principal_that_a_client_sends_is_ignored(guarded: Platform, owner: Person) -> None:
    forged = jwt.encode({"sub": "x"}, Ed25519PrivateKey.generate(), algorithm="EdDSA", headers={"kid": "x"})
    viewer = await join(guarded, owner, "viewer")
    async with httpx.AsyncClient(base_url=guarded.url, timeout=90) as stranger:
        assert (await stranger.get("/api/tasks", headers={HEADER: forged})).status_code == 401
    headers = {HEADER: forged, "X-CSRF-Token": viewer.csrf}
    assert (await viewer.http.get("/api/tasks", headers=headers)).status_code == 200
    assert (await viewer.http.post("/api/tasks", json=new_task(), headers=headers)).status_code == 403


@pytest.mark.shows("S-30")
async def test_service_itself_refuses_requests_that_did_not_pass_the_edge(guarded: Platform, owner: Person) -> None:
    other = jwt.encode({"sub": "x"}, Ed25519PrivateKey.generate(), algorithm="EdDSA", headers={"kid": "x"})
    for name, path in (("config-api", "/api/tasks"), ("orchestrator", "/api/runs"), ("identity", "/api/members")):
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{guarded.ports[name]}", timeout=90) as direct:
            assert (await direct.get(path)).status_code == 401
            assert (await direct.get(path, headers={HEADER: other})).status_code == 401
            assert (await direct.get(path, headers={"cookie": owner.cookie})).status_code == 401


@pytest.mark.shows("S-34")
async def test_api_key_works_for_commands_until_it_is_revoked(guarded: Platform, owner: Person) -> None:
    key = await owner.make("/api/api-keys", {"name": "ci", "scopes": ["runs:read", "tasks:read"]})
    code, output = await llmbench(guarded, "list", key=key["key"])
    assert code == 0, output
    async with httpx.AsyncClient(base_url=guarded.url, timeout=90) as program:
        program.headers["Authorization"] = f"Bearer {key['key']}"
        refused = await program.post("/api/tasks", json=new_task())
        assert (refused.status_code, refused.json()["needed"]) == (403, "tasks:create")

    assert (await owner.ask("DELETE", f"/api/api-keys/{key['id']}")).status_code == 204
    code, output = await llmbench(guarded, "list", key=key["key"])
    assert code != 0
    assert "LLMBENCH_API_KEY" in output
    assert key["key"] not in output
    assert key["key"] not in "".join(log.read_text() for log in guarded.logs.glob("*.log"))


async def llmbench(stack: Platform, *arguments: str, key: str) -> tuple[int, str]:
    """Run a command in a process of its own. Return its exit code and output."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(stack.logs), "LLMBENCH_URL": stack.url}
    process = await preloaded.start(
        COMMAND_LINE,
        *arguments,
        env={**environment, "LLMBENCH_API_KEY": key},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


async def test_second_organisation_sees_nothing_of_the_first(guarded: Platform, owner: Person) -> None:
    task = await owner.make("/api/tasks", new_task())
    other = await enter(guarded, "/api/auth/sign-in", {"email": "ada@example.org"})
    second = await other.make("/api/organisations", {"name": f"Second {uuid.uuid4().hex}", "slug": uuid.uuid4().hex})
    switched = await other.ask("POST", "/api/auth/organisation", {"id": second["id"]})
    assert switched.json()["organisation"]["id"] == second["id"]
    assert (await other.ask("GET", f"/api/tasks/{task['id']}")).status_code == 404
    assert (await other.ask("GET", "/api/tasks")).json()["items"] == []
    mine = await other.make("/api/tasks", new_task())
    assert (await owner.ask("GET", f"/api/tasks/{mine['id']}")).status_code == 404
    assert (await owner.ask("GET", f"/api/tasks/{task['id']}")).status_code == 200


async def test_run_ends_when_its_organisation_is_closed(guarded: Platform, owner: Person) -> None:
    """Closing an organisation cancels its run. The database refuses to delete the organisation, even for the
    operator."""
    other = await enter(guarded, "/api/auth/sign-in", {"email": "ada@example.org"})
    slug = uuid.uuid4().hex
    second = await other.make("/api/organisations", {"name": f"Second {slug}", "slug": slug})
    await other.ask("POST", "/api/auth/organisation", {"id": second["id"]})
    model = "mock-0ms-goes-on"
    await guarded.control(model=model, hold=0)
    connection = await asyncpg.connect(guarded.database_url)
    try:
        run = await new_run(guarded, other, model)
        await guarded.until_held(model)
        assert (await other.ask("DELETE", f"/api/organisations/{second['id']}")).status_code in (404, 405)
        with pytest.raises(asyncpg.IntegrityConstraintViolationError):
            await connection.execute("DELETE FROM organisation WHERE id = $1", uuid.UUID(second["id"]))
        assert (await other.ask("DELETE", f"/api/organisations/current?slug={slug}")).status_code == 204
        assert (await other.ask("GET", f"/api/runs/{run['id']}")).status_code in (401, 403, 404)
        await guarded.control(model=model, hold=None)
        status = "SELECT status FROM run WHERE id = $1"
        async with asyncio.timeout(240):
            while await connection.fetchval(status, uuid.UUID(run["id"])) != "CANCELLED":
                await asyncio.sleep(0.1)
    finally:
        await guarded.control(model=model, hold=None)
        await connection.close()


async def new_run(stack: Platform, person: Person, model: str) -> dict[str, Any]:
    """Start a run of one new task at the mock provider, judged by a program."""
    provider = {"name": uuid.uuid4().hex, "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": stack.provider_url}
    provider_id = (await person.make("/api/providers", provider))["id"]
    task = await person.make("/api/tasks", new_task())
    collection = await person.make("/api/collections", {"name": uuid.uuid4().hex, "task_ids": [task["id"]]})
    body = {"collection_ids": [collection["id"]], "judge": None, "check_providers": False}
    target = {"provider_id": provider_id, "model": model}
    return await person.make("/api/runs", {**body, "targets": [target], "evaluators": [{"kind": "exact_match"}]})


@pytest.mark.shows("S-32")
async def test_socket_needs_a_session_and_closes_when_it_ends(guarded: Platform, owner: Person) -> None:
    url = f"ws{guarded.url.removeprefix('http')}/ws"
    with pytest.raises(InvalidStatus) as refused:
        await connect(url, subprotocols=STOMP)
    assert refused.value.response.status_code == 401

    member = await join(guarded, owner, "member")
    cookie = {"Cookie": member.cookie}
    async with connect(url, subprotocols=STOMP, additional_headers=cookie) as socket:
        await socket.send("CONNECT\naccept-version:1.2\nhost:llmbench\n\n\0")
        assert str(await socket.recv()).startswith("CONNECTED")
        assert (await member.ask("POST", "/api/auth/sign-out")).status_code == 204
        await until_closed(socket)
    with pytest.raises(InvalidStatus):
        await connect(url, subprotocols=STOMP, additional_headers=cookie)


async def until_closed(socket: ClientConnection) -> None:
    async with asyncio.timeout(90):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.recv()


async def test_what_a_person_creates_names_the_person(guarded: Platform, owner: Person) -> None:
    person = (await owner.ask("GET", "/api/auth/session")).json()["person"]["id"]
    provider = {"name": "Mock", "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": guarded.provider_url}
    made = [
        await owner.make("/api/tasks", new_task()),
        await owner.make("/api/providers", provider),
        await owner.make("/v1/datasets", {"name": "Cases", "type": "EVALUATION"}),
    ]
    collection = await owner.make("/api/collections", {"name": "Sums", "task_ids": [made[0]["id"]]})
    made.append(collection)
    made.append(await owner.make("/api/evaluation-presets", {"name": "Strict", "settings": {"max_retries": 2}}))
    file = {"file": ("Guide.md", b"# Guide\n\nA document.")}
    added = await owner.http.post("/v1/documents", files=file, headers={"X-CSRF-Token": owner.csrf})
    assert added.status_code == 201, added.text
    made.append(added.json())
    target = {"provider_id": made[1]["id"], "model": "mock-0ms"}
    body = {"targets": [target], "collection_ids": [collection["id"]], "judge": None, "check_providers": False}
    body |= {"evaluators": [{"kind": "exact_match"}]}
    run = await owner.make("/api/runs", body)
    made.append((await owner.ask("GET", f"/api/runs/{run['id']}")).json())
    task = {"name": "sums", "source": {"collection": "Sums"}, "evaluators": [{"kind": "exact_match"}]}
    made.append(await owner.make("/api/suites", {"name": "Nightly", "tasks": [task]}))
    plan = {"name": "Nightly", "cron": "0 2 * * *", "what": {"kind": "run", "request": body}, "paused": True}
    made.append(await owner.make("/api/schedules", plan))
    assert [each["created_by"] for each in made] == [person] * 9
    async with asyncio.timeout(90):
        while (await owner.ask("GET", f"/api/runs/{run['id']}")).json()["status"] != "FINISHED":
            await asyncio.sleep(0.1)


async def test_sessions_survive_the_identity_service(guarded: Platform, owner: Person) -> None:
    """The edge refuses every request with a message while the identity service does not answer. When the service runs
    again, the same sessions are valid."""
    identity = guarded.services["identity"]
    await identity.kill()
    away = await owner.ask("GET", "/api/tasks")
    assert (away.status_code, away.headers["content-type"]) == (503, "application/problem+json")
    assert (await owner.http.get("/health/config-api")).status_code == 200
    await identity.start()
    assert (await owner.ask("GET", "/api/tasks")).status_code == 200


async def test_audit_log_says_who_changed_the_configuration(guarded: Platform, owner: Person) -> None:
    member = await join(guarded, owner, "member")
    task = await member.make("/api/tasks", new_task())
    person = (await member.ask("GET", "/api/auth/session")).json()["person"]["id"]
    async with asyncio.timeout(90):
        while True:
            listed = (await owner.ask("GET", f"/api/audit-log?resource=task&person_id={person}")).json()["items"]
            if listed:
                break
            await asyncio.sleep(0.05)
    assert [(each["action"], each["resource_id"]) for each in listed] == [("created", task["id"])]
