"""Provide a running identity service on real servers, and HTTP clients whose requests the edge would let through."""

from collections.abc import AsyncIterator

import pytest
from identity_world import MASTER_KEY, Clock, World, running, token_in
from openid_provider import OpenIdProvider, providing
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.main import SERVICE
from identity.settings import Settings
from llmbench.db.engine import open_engine
from llmbench.db.logins import SERVICE_GRANTS, ensure_logins
from llmbench_cli.embedded.services import with_login


@pytest.fixture
async def settings(postgres_url: str, nats_url: str) -> Settings:
    """Return settings with the service's own login, so that row-level security applies as on a real platform."""
    await ensure_logins(postgres_url, {SERVICE: "only-for-tests"})
    url = with_login(postgres_url, SERVICE_GRANTS[SERVICE].role, "only-for-tests")
    return Settings.model_validate(
        {"LLMBENCH_DATABASE_URL": url, "LLMBENCH_NATS_URL": nats_url, "LLMBENCH_MASTER_KEY": MASTER_KEY}
    )


@pytest.fixture
async def world(settings: Settings, caplog: pytest.LogCaptureFixture) -> AsyncIterator[World]:
    """Yield the running service, which is ready, with the token of the link that it logs for its first owner."""
    clock = Clock()
    async with running(settings, clock) as transport:
        yield World(transport, token_in(caplog.text), clock)


@pytest.fixture
async def engine(postgres_url: str) -> AsyncIterator[AsyncEngine]:
    """Yield the test's own connection to the database."""
    async with open_engine(postgres_url, application_name="test") as engine:
        yield engine


@pytest.fixture
async def company() -> AsyncIterator[OpenIdProvider]:
    """Yield an honest OpenID Connect provider."""
    async with providing() as provider:
        yield provider
