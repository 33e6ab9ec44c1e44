"""Check a compose project with sign-in: the first owner's link, a session, an API key, and a second organisation."""

import asyncio
import re
from dataclasses import replace

import httpx
import pytest

from tests.deploy.in_docker.project import CommandFailed, Project, docker
from tests.platform import Platform
from tests.security.access_world import Person, enter, first_owner, new_key

SETTINGS = {"LLMBENCH_AUTH": "on", "COMPOSE_PROFILES": "sign-in", "LLMBENCH_PRIVATE_PROVIDERS": "all"}
"""The settings of the platform with sign-in. Private providers are allowed, because the containers reach the mock
provider at a private address."""
REFUSED = [
    ({"EDGE_AUTH": "off", "EDGE_ADDRESS": "0.0.0.0"}, "publishes the platform beyond this machine"),
    ({"EDGE_AUTH": "on", "EDGE_ADDRESS": "0.0.0.0"}, "names no address with https://"),
    ({"EDGE_AUTH": "proxy"}, "LLMBENCH_AUTH=proxy needs LLMBENCH_IDENTITY_PROXY_KEYS"),
]
"""Settings with which the edge must not start, each with a part of the message that it prints."""


def check_edge_refuses(opened: Project) -> None:
    """Check that the edge does not start where strangers could use the platform."""
    for settings, message in REFUSED:
        given = [word for name, value in settings.items() for word in ("--env", f"{name}={value}")]
        with pytest.raises(CommandFailed, match=re.escape(message)):
            opened.compose("run", "--rm", "--no-deps", "-T", *given, "edge", "caddy", "version")


async def check_sign_in(opened: Project, platform: Platform, run_id: str) -> Platform:
    """Let the first owner sign in to the started platform, which has had no sign-in before. Return the platform with
    the owner's API key."""
    for path in ("/api/runs", f"/api/runs/{run_id}", "/api/providers"):
        assert (await platform.http.get(path)).status_code == 401, path
    log = await asyncio.to_thread(opened.compose, "logs", "--no-log-prefix", "identity")
    ada = await first_owner(platform, log.decode())
    (identity,) = opened.containers("identity")
    for action in ("kill", "start"):
        await asyncio.to_thread(docker, action, identity)
    await asyncio.to_thread(opened.compose, "up", "--detach", "--wait", "--no-build")
    _, key = await new_key(ada, "tests")
    await check_second_organisation(platform, ada, run_id)
    headers = {"Authorization": f"Bearer {key}"}
    http = httpx.AsyncClient(base_url=platform.url, timeout=90, trust_env=False, headers=headers)
    return replace(platform, http=http)


async def check_second_organisation(platform: Platform, ada: Person, run_id: str) -> None:
    """Check that the owner sees the run in the first organisation, and not from a second one."""
    assert (await ada.ask("GET", f"/api/runs/{run_id}"))["id"] == run_id
    other = await enter(platform, "/api/auth/sign-in", {"email": "ada@example.org"})
    second = await other.ask("POST", "/api/organisations", {"name": "Second team", "slug": "second-team"})
    await other.ask("POST", "/api/auth/organisation", {"id": second["id"]})
    hidden = await platform.http.get(f"/api/runs/{run_id}", headers=other.headers)
    assert hidden.status_code == 404, hidden.text
    assert not (await other.ask("GET", "/api/runs"))["items"]
