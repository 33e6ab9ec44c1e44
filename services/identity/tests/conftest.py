"""Provide a running identity service on real servers, and HTTP clients for it as the edge would let them through."""

from collections.abc import AsyncIterator

import httpx
import pytest
from asgi_lifespan import LifespanManager
from identity_world import MASTER_KEY, World, token_in
from sqlalchemy.ext.asyncio import AsyncEngine

from identity.main import SERVICE, Settings, create_app
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
    """Yield the running service, which is ready, with the token of its first owner's link."""
    app = create_app(settings)
    async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager:
        transport = httpx.ASGITransport(app=manager.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            while (await client.get("/health/ready")).status_code != 200:
                continue
        yield World(transport, token_in(caplog.text))


@pytest.fixture
async def engine(postgres_url: str) -> AsyncIterator[AsyncEngine]:
    """Yield the test's own connection to the database."""
    async with open_engine(postgres_url, application_name="test") as engine:
        yield engine
