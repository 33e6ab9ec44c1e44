"""Test a platform with LLMBENCH_AUTH=proxy behind a real proxy that signs people in and forwards their requests."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import jwt
import pytest
import pytest_asyncio
from aiohttp import ClientSession, web
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from llmbench_cli.embedded.ports import LOOPBACK, free_port
from tests.platform import Platform, platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

HEADER = "X-Test-Identity"
ISSUER, AUDIENCE = "https://proxy.example", "llmbench"
IN_2100_S = 4_102_444_800
COOKIE = "proxy-user"
KEY = rsa.generate_private_key(65537, 2048)
_OWN = {"host", "content-length", "transfer-encoding", "connection", HEADER.lower()}


@dataclass
class Proxy:
    """A proxy that recognises people by its own cookie. It removes the identity header from each request, and sets it
    to a token that it has signed for the person. It publishes its public key."""

    port: int = field(default_factory=free_port)
    platform_url: str = ""

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    async def keys(self, request: web.Request) -> web.Response:
        key = json.loads(RSAAlgorithm.to_jwk(KEY.public_key()))
        return web.json_response({"keys": [{**key, "kid": "one", "alg": "RS256", "use": "sig"}]})

    async def forward(self, request: web.Request) -> web.Response:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OWN}
        if COOKIE in request.cookies:
            headers[HEADER] = token(request.cookies[COOKIE])
        async with (
            ClientSession(auto_decompress=False) as http,
            http.request(
                request.method,
                f"{self.platform_url}{request.rel_url}",
                headers=headers,
                data=await request.read(),
                allow_redirects=False,
            ) as answer,
        ):
            kept = [(name, value) for name, value in answer.headers.items() if name.lower() not in _OWN]
            return web.Response(status=answer.status, headers=kept, body=await answer.read())


def token(email: str) -> str:
    claims = {"iss": ISSUER, "aud": AUDIENCE, "exp": IN_2100_S, "email": email, "name": email.partition("@")[0]}
    return jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "one"})


@asynccontextmanager
async def running(proxy: Proxy) -> AsyncIterator[None]:
    app = web.Application()
    app.add_routes([web.get("/proxy-keys", proxy.keys), web.route("*", "/{path:.*}", proxy.forward)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, LOOPBACK, proxy.port).start()
    try:
        yield
    finally:
        await runner.cleanup()


@dataclass(frozen=True)
class Behind:
    stack: Platform
    proxy: Proxy

    def browser(self, email: str | None) -> httpx.AsyncClient:
        cookies = {} if email is None else {COOKIE: email}
        return httpx.AsyncClient(base_url=self.proxy.url, timeout=90, cookies=cookies)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def behind() -> AsyncIterator[Behind]:
    proxy = Proxy()
    settings = {
        "LLMBENCH_IDENTITY_PROXY_HEADER": HEADER,
        "LLMBENCH_IDENTITY_PROXY_KEYS": f"{proxy.url}/proxy-keys",
        "LLMBENCH_IDENTITY_PROXY_ISSUER": ISSUER,
        "LLMBENCH_IDENTITY_PROXY_AUDIENCE": AUDIENCE,
        "LLMBENCH_IDENTITY_PROXY_OWNERS": "ada@example.org",
        "LLMBENCH_IDENTITY_PROXY_JOIN_ROLE": "member",
    }
    async with (
        running(proxy),
        platform(tasks=0, auth="proxy", proxy_header=HEADER, settings_of={"identity": settings}) as stack,
    ):
        proxy.platform_url = stack.url
        yield Behind(stack, proxy)


async def entered(browser: httpx.AsyncClient) -> dict[str, Any]:
    session: dict[str, Any] = (await browser.get("/api/auth/session")).json()
    browser.headers["X-CSRF-Token"] = session.get("csrf_token") or ""
    return session


def new_task(task_id: str) -> dict[str, Any]:
    return {"task_id": task_id, "category": "sums", "question": "What is 1 + 1?", "excellent": "2"}


async def test_person_whom_the_proxy_names_works_without_a_password(behind: Behind) -> None:
    async with behind.browser("ada@example.org") as ada, behind.browser("bob@example.org") as bob:
        assert (await entered(ada))["role"] == "owner"
        assert (await entered(bob))["role"] == "member"
        made = await bob.post("/api/tasks", json=new_task("by-bob"))
        assert made.status_code == 201, made.text
        assert made.json()["created_by"] == (await entered(bob))["person"]["id"]
        assert (await ada.get(f"/api/tasks/{made.json()['id']}")).status_code == 200
        refused = await bob.get("/api/audit-log")
        assert (refused.status_code, refused.json()["needed"]) == (403, "audit-log:read")


@pytest.mark.shows("S-30")
async def test_nobody_enters_past_the_proxy(behind: Behind) -> None:
    async with behind.browser("ada@example.org") as ada:
        await entered(ada)
        session = dict(ada.cookies)
    async with httpx.AsyncClient(base_url=behind.stack.url, timeout=90, cookies=session) as direct:
        assert (await direct.get("/api/tasks")).status_code == 401
        assert (await direct.get("/api/tasks", headers={HEADER: "ada@example.org"})).status_code == 401
        other = rsa.generate_private_key(65537, 2048)
        claims = jwt.decode(token("ada@example.org"), options={"verify_signature": False})
        forged = jwt.encode(claims, other, algorithm="RS256", headers={"kid": "one"})
        assert (await direct.get("/api/tasks", headers={HEADER: forged})).status_code == 401
    async with behind.browser(None) as stranger:
        described = await entered(stranger)
        assert (described["signed_in"], described["sign_in"]) == (False, "proxy")
        smuggled = {HEADER: token("ada@example.org")}
        assert (await stranger.get("/api/tasks", headers=smuggled)).status_code == 401, "the proxy removes its header"


async def test_services_never_see_the_token(behind: Behind) -> None:
    async with behind.browser("ada@example.org") as ada:
        await entered(ada)
        await ada.post("/api/tasks", json=new_task("seen"))
    logs = "".join(log.read_text() for log in behind.stack.logs.glob("*.log"))
    assert token("ada@example.org") not in logs


async def test_socket_needs_the_proxy_as_well_and_closes_with_its_session(behind: Behind) -> None:
    async with behind.browser("ada@example.org") as ada:
        await entered(ada)
        cookie = f"llmbench-session={ada.cookies['llmbench-session']}"
        csrf = ada.headers["X-CSRF-Token"]
    url, protocols = f"ws{behind.stack.url.removeprefix('http')}/ws", [Subprotocol("v12.stomp")]
    with pytest.raises(InvalidStatus) as refused:
        await connect(url, subprotocols=protocols, additional_headers={"Cookie": cookie})
    assert refused.value.response.status_code == 401
    headers = {"Cookie": cookie, HEADER: token("ada@example.org")}
    async with connect(url, subprotocols=protocols, additional_headers=headers) as socket:
        await socket.send("CONNECT\naccept-version:1.2\nhost:llmbench\n\n\0")
        assert str(await socket.recv()).startswith("CONNECTED")
        async with behind.browser("ada@example.org") as ada:
            session = {"Cookie": f"{COOKIE}=ada@example.org; {cookie}", "X-CSRF-Token": csrf}
            assert (await ada.post("/api/auth/sign-out", headers=session)).status_code == 204
        async with asyncio.timeout(90):
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await socket.recv()
