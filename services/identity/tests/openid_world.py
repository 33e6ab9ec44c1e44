"""Sign in at the issuers of a platform as a browser does: go to the issuer, and come back with its answer."""

import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from asgi_lifespan import LifespanManager
from identity_world import Browser, World, cheap_passwords, token_in
from openid_provider import SECRET, OpenIdProvider
from pydantic import SecretStr

from identity.main import Settings, create_app

SESSION = "llmbench-session"
MEMBERS: dict[str, Any] = {"domains": ["company.example"]}
"""Everybody with an address of the company becomes a viewer."""


def configured(provider: OpenIdProvider, name: str = "company", **more: Any) -> dict[str, Any]:
    """Return the settings of an issuer."""
    return {
        "name": name,
        "title": name.title(),
        "issuer": provider.issuer,
        "client_id": provider.client.client_id,
        "client_secret": SECRET,
        **more,
    }


_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass
class SignOn:
    """A running identity service with issuers."""

    world: World

    def browser(self) -> Browser:
        return self.world.browser()

    async def begin(self, browser: Browser, name: str = "company", **body: Any) -> str:
        """Begin a sign-in. Return the issuer's address, to which the browser would go."""
        begun = await browser.post(f"/api/auth/issuers/{name}/sign-in", body)
        assert begun.status_code == 200, begun.text
        location: str = begun.json()["location"]
        return location

    async def sign_in(self, browser: Browser, name: str = "company", **body: Any) -> httpx.Response:
        """Sign in at an issuer that agrees at once, and go back to the identity service. Return that service's
        response."""
        return await back(browser, await visited(await self.begin(browser, name, **body)))


async def visited(location: str) -> str:
    """Open the issuer's page. Return the address to which it sends the browser back."""
    # The issuer has no TLS. Reading certificates in vain would take 20 ms of CPU time for each page.
    async with httpx.AsyncClient(verify=_NO_CERTIFICATES) as http:
        answer = await http.get(location)
    assert answer.status_code == 302, answer.text
    return answer.headers["location"]


async def back(browser: Browser, location: str, **changed: str) -> httpx.Response:
    """Send the browser back from the issuer, with the parameters in `changed` replaced; an empty text removes one."""
    parts = urlsplit(location)
    parameters = {**dict(parse_qsl(parts.query)), **changed}
    return await browser.http.get(parts.path, params={name: value for name, value in parameters.items() if value})


def refusal(answer: httpx.Response) -> str:
    """Return the reason why a sign-in was refused. Fail if the browser has got a session."""
    assert answer.status_code == 303, answer.text
    assert f"{SESSION}=" not in "".join(answer.headers.get_list("set-cookie"))
    parts = urlsplit(answer.headers["location"])
    assert (parts.scheme, parts.netloc) == ("", "")
    return dict(parse_qsl(parts.query))["refused"]


@asynccontextmanager
async def signing_on(
    settings: Settings, caplog: pytest.LogCaptureFixture, *issuers: dict[str, Any], **changes: Any
) -> AsyncIterator[SignOn]:
    """Run an identity service with these issuers. `changes` are other settings that differ from `settings`."""
    changed = settings.model_copy(update={"issuers": SecretStr(json.dumps(issuers)), **changes})
    app = create_app(changed, passwords=cheap_passwords())
    async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager:
        transport = httpx.ASGITransport(app=manager.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            while (await client.get("/health/ready")).status_code != 200:
                continue
        yield SignOn(World(transport, token_in(caplog.text)))
