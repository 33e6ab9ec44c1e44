"""Run a platform with LLMBENCH_AUTH=on, and hold a credential of every kind of caller.

The first organisation has one object of every kind. The stranger is the owner of a second organisation, and sends
requests with ids of the first one.
"""

import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx

from llmbench.access import Resource, Role
from llmbench.ids import DEFAULT_ORG_ID
from tests.platform import Platform, platform
from tests.security.two_organisations import Furnished, furnish, rows_of
from tools.gen.access_table import OTHERS, READING, ROLES, Caller, Row, of_resource, other_resource

PASSWORD = "correct horse battery"
MARKER = "alpha7601"
ORG_ID = str(DEFAULT_ORG_ID)
UNKNOWN = "00000000-0000-7000-8000-000000000001"
Headers = Mapping[str, str]
USED = ("api_key",)
"""Tables that every request changes, because it stores the time of its key's last use."""


@dataclass(frozen=True)
class Made:
    """The ids of the objects that the identity service created in the first organisation."""

    api_key_id: str
    invitation_id: str
    member_id: str
    service_account_id: str
    session_id: str


@dataclass
class Person:
    """A person who has signed in, with the headers of the session."""

    http: httpx.AsyncClient
    headers: dict[str, str]
    id: str

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        response = await self.http.request(method, path, json=body, headers=self.headers)
        assert response.is_success, f"{method} {path}: {response.status_code} {response.text}"
        answer: dict[str, Any] = response.json() if response.content else {}
        return answer


@dataclass
class World:
    """A platform with two organisations.

    `sessions` has the headers of callers with a session, and `keys` the API keys of other callers. `others` has, for
    each resource, a key with every right on this resource only. `stack` sends its requests with a key of the first
    organisation's owner.
    """

    stack: Platform
    has: Furnished
    made: Made
    sessions: dict[Caller, Headers]
    keys: dict[Caller, str]
    others: dict[Resource, str]
    owner: Person
    second: Platform

    def headers(self, row: Row, caller: Caller) -> Headers:
        """Return the headers of a request by this kind of caller: those of the caller's session, else a header with the
        API key."""
        if caller in self.sessions:
            return self.sessions[caller]
        key = self.key(row, caller)
        return {} if key is None else {"Authorization": f"Bearer {key}"}

    def key(self, row: Row, caller: Caller) -> str | None:
        """Return the API key of this kind of caller, or `None` if it has none. `row` is the route or command that the
        caller will try."""
        if caller is Caller.OTHER_KEY:
            return self.others[other_resource(row)]
        return self.keys.get(caller)


async def enter(stack: Platform, path: str, body: dict[str, Any]) -> Person:
    """Sign in, or join an organisation, by a POST to `path`. Return the person; the cookie is kept as a header, so that
    clients share no cookies."""
    async with httpx.AsyncClient(base_url=stack.url, timeout=90) as http:
        answer = await http.post(path, json={**body, "password": PASSWORD})
        assert answer.is_success, answer.text
        token = http.cookies["llmbench-session"]
    session = answer.json()
    headers = {"Cookie": f"llmbench-session={token}", "X-CSRF-Token": session["csrf_token"]}
    return Person(stack.http, headers, session["person"]["id"])


async def first_owner(stack: Platform, log: str | None = None) -> Person:
    """Return the first owner, who has used the link in `log`, the text of the identity service's log. By default, that
    is the log file of the platform."""
    log = (stack.logs / "identity.log").read_text() if log is None else log
    links = re.findall(r"http://\S+/first-owner#([\w-]+)", log)
    body = {"token": links[-1], "email": "ada@example.org", "name": "Ada", "organisation": f"{MARKER} Works"}
    return await enter(stack, "/api/auth/first-owner", body)


async def join(stack: Platform, inviter: Person, role: Role, name: str) -> Person:
    """Return a new member of the inviter's organisation."""
    invited = await inviter.ask("POST", "/api/invitations", {"role": role.value})
    body = {"token": invited["token"], "email": f"{uuid4().hex}@example.org", "name": name}
    return await enter(stack, "/api/auth/invitations/accept", body)


async def new_key(person: Person, name: str, **more: Any) -> tuple[str, str]:
    """Create an API key of the person, and return its id and its text."""
    made = await person.ask("POST", "/api/api-keys", {"name": name, **more})
    return made["id"], made["key"]


@contextlib.asynccontextmanager
async def access_world() -> AsyncIterator[World]:
    """Run the platform, create an object of each kind in the first organisation, and create every kind of
    credential."""
    async with platform(tasks=0, auth="on") as stack:
        ada = await first_owner(stack)
        _, owners_key = await new_key(ada, f"{MARKER} tests")
        async with _by_key(stack, owners_key) as first:
            has = await furnish(first, MARKER)
            members = {caller: await join(stack, ada, role, f"{MARKER} {role}") for caller, role in ROLES.items()}
            made = await _made(ada, members[Caller.VIEWER])
            eve = await _stranger(stack, ada)
            _, strangers_key = await new_key(eve, "stranger")
            keys = {Caller.STRANGER: strangers_key, Caller.OWNER: owners_key, **await _keys(stack, ada)}
            others = {
                of: (await new_key(ada, f"{MARKER} only {of}", scopes=sorted(of_resource(of))))[1] for of in OTHERS
            }
            sessions: dict[Caller, Headers] = {
                Caller.STRANGER: eve.headers,
                **{caller: each.headers for caller, each in members.items()},
            }
            sessions |= await _ended(stack, ada)
            async with _by_key(stack, strangers_key) as second:
                yield World(first, has, made, sessions, keys, others, ada, second)


@contextlib.asynccontextmanager
async def _by_key(stack: Platform, key: str) -> AsyncIterator[Platform]:
    """Yield a `Platform` that sends its requests with this API key."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=stack.url, timeout=90, headers=headers) as http:
        yield replace(stack, http=http)


async def _made(ada: Person, somebody: Person) -> Made:
    account = await ada.ask("POST", "/api/service-accounts", {"name": f"{MARKER} robot", "role": "viewer"})
    invitation = await ada.ask("POST", "/api/invitations", {"role": "viewer", "email": f"{MARKER}@example.org"})
    key_id, _ = await new_key(ada, f"{MARKER} of the table")
    sessions = await somebody.ask("GET", "/api/auth/sessions")
    return Made(
        api_key_id=key_id,
        invitation_id=invitation["id"],
        member_id=somebody.id,
        service_account_id=account["id"],
        session_id=sessions["items"][0]["id"],
    )


async def _stranger(stack: Platform, ada: Person) -> Person:
    """Create a second organisation, and return its owner, who is a member of no other organisation."""
    other = await enter(stack, "/api/auth/sign-in", {"email": "ada@example.org"})
    second = await other.ask("POST", "/api/organisations", {"name": "Elsewhere", "slug": "elsewhere"})
    await other.ask("POST", "/api/auth/organisation", {"id": second["id"]})
    return await join(stack, other, Role.OWNER, "Eve")


async def _keys(stack: Platform, ada: Person) -> dict[Caller, str]:
    """Create API keys: one of each role except owner, one that may only read, a revoked key, and an expired key."""
    keys = {}
    for caller, role in ROLES.items():
        if role is not Role.OWNER:
            body = {"name": f"{MARKER} {role.value}", "role": role.value}
            account = await ada.ask("POST", "/api/service-accounts", body)
            _, keys[caller] = await new_key(ada, f"{MARKER} {role.value}", service_account_id=account["id"])
    _, keys[Caller.READING_KEY] = await new_key(ada, f"{MARKER} reading", scopes=sorted(READING))
    revoked, keys[Caller.REVOKED_KEY] = await new_key(ada, f"{MARKER} revoked")
    await ada.ask("DELETE", f"/api/api-keys/{revoked}")
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    expired, keys[Caller.EXPIRED_KEY] = await new_key(ada, f"{MARKER} expired", expires_at=later)
    await execute(stack, "UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1", UUID(expired))
    return keys


async def _ended(stack: Platform, ada: Person) -> dict[Caller, Headers]:
    """Return the sessions of two owners: one that has expired, and one that was ended."""
    late = await join(stack, ada, Role.OWNER, f"{MARKER} late")
    gone = await join(stack, ada, Role.OWNER, f"{MARKER} gone")
    past = "UPDATE web_session SET idle_expires_at = now() - interval '1 second' WHERE person_id = $1"
    await execute(stack, past, UUID(late.id))
    await gone.ask("POST", "/api/auth/sign-out")
    return {Caller.EXPIRED_SESSION: late.headers, Caller.ENDED_SESSION: gone.headers}


async def execute(stack: Platform, statement: str, *values: object) -> None:
    """Execute a statement as the database's superuser."""
    connection = await asyncpg.connect(stack.database_url)
    try:
        await connection.execute(statement, *values)
    finally:
        await connection.close()


async def kept_rows(world: World) -> dict[str, str | None]:
    """Return a digest of the first organisation's rows in each table. The tables of `USED` are left out."""
    rows = await rows_of(world.stack.database_url, ORG_ID)
    return {table: digest for table, digest in rows.items() if table not in USED}
