"""Use the identity service as browsers and programs do. The edge is imitated: each request is first sent to
`/verify`."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from argon2 import PasswordHasher
from asgi_lifespan import LifespanManager

from identity.main import create_app
from identity.passwords import Passwords
from identity.settings import Settings
from llmbench.http.principal_token import HEADER

MASTER_KEY = "a master key that only tests use 0123456789"
PASSWORD = "correct horse battery"
PROBLEM = "application/problem+json"


def cheap_passwords() -> Passwords:
    """Return a password hasher with the lowest cost. The usual hasher needs 0.2 s of CPU time for each password, and
    each test hashes several.

    test_sign_in.py shows the usual cost, and tests/journey signs in with it.
    """
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def token_in(log: str) -> str:
    """Return the token of the first owner's link; empty if the log shows none."""
    found = re.findall(r"/first-owner#(\S+)", log)
    return found[-1] if found else ""


@dataclass
class Browser:
    """A browser with its cookies, or a program with an API key. As the edge does, it first asks `/verify` whether a
    request may pass."""

    http: httpx.AsyncClient
    csrf: str | None = None
    key: str | None = None

    async def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = dict(more.pop("headers", {}))
        if self.csrf:
            headers.setdefault("X-CSRF-Token", self.csrf)
        if self.key:
            headers.setdefault("Authorization", f"Bearer {self.key}")
        if path.startswith("/api/auth/"):
            return await self.http.request(method, path, headers=headers, **more)
        asked = {**headers, "X-Forwarded-Method": method, "X-Forwarded-Uri": path}
        verified = await self.http.get("/verify", headers=asked)
        if verified.status_code != 200:
            return verified
        headers[HEADER] = verified.headers[HEADER]
        return await self.http.request(method, path, headers=headers, **more)

    async def get(self, path: str, **params: Any) -> httpx.Response:
        return await self.request("GET", path, params=params)

    async def post(self, path: str, body: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        answer = await self.request("POST", path, json=body, **more)
        if answer.is_success and answer.content and "csrf_token" in answer.json():
            self.csrf = answer.json()["csrf_token"]
        return answer

    async def session(self) -> dict[str, Any]:
        session: dict[str, Any] = (await self.get("/api/auth/session")).json()
        return session


@dataclass
class Clock:
    """The clock by which codes of second factors are checked. It moves only when a test moves it."""

    now_s: float = 1_900_000_000.0

    def __call__(self) -> float:
        return self.now_s


@asynccontextmanager
async def running(
    settings: Settings, clock: Clock, passwords: Passwords | None = None
) -> AsyncIterator[httpx.ASGITransport]:
    """Run the service until the end of the block. Yield once it is ready."""
    app = create_app(settings, clock=clock, ticks=clock, passwords=passwords or cheap_passwords())
    async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager:
        transport = httpx.ASGITransport(app=manager.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            while (await client.get("/health/ready")).status_code != 200:
                continue
        yield transport


@dataclass
class World:
    transport: httpx.ASGITransport
    first_owner_token: str
    clock: Clock = field(default_factory=Clock)
    opened: list[Browser] = field(default_factory=list)

    def browser(self, *, key: str | None = None, url: str = "http://127.0.0.1") -> Browser:
        return Browser(httpx.AsyncClient(transport=self.transport, base_url=url), key=key)

    async def owner(self) -> Browser:
        """Return the browser of the first owner, Ada, who has just used the link from the service's log to choose a
        password."""
        browser = self.browser()
        body = {
            "token": self.first_owner_token,
            "email": "ada@example.org",
            "name": "Ada",
            "password": PASSWORD,
            "organisation": "Engines",
        }
        answer = await browser.post("/api/auth/first-owner", body)
        assert answer.status_code == 201, answer.text
        return browser

    async def joined(self, inviter: Browser, role: str, name: str = "Bob") -> Browser:
        """Return the browser of a person who has accepted an invitation."""
        invited = await inviter.post("/api/invitations", {"role": role})
        assert invited.status_code == 201, invited.text
        browser = self.browser()
        body = {
            "token": invited.json()["token"],
            "email": f"{name.lower()}@example.org",
            "name": name,
            "password": PASSWORD,
        }
        answer = await browser.post("/api/auth/invitations/accept", body)
        assert answer.status_code == 201, answer.text
        return browser


def assert_problem(answer: httpx.Response, status: int, *fields: str) -> dict[str, Any]:
    """Assert that the answer is a problem with this status that names exactly these fields."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == PROBLEM
    body: dict[str, Any] = answer.json()
    assert sorted(error["field"] for error in body.get("errors", [])) == sorted(fields), answer.text
    assert body["detail"]
    return body
