"""Provide a running config-api on real servers, and an HTTP client for it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import nats
import pytest
from asgi_lifespan import LifespanManager
from nats.aio.client import Client
from nats.aio.msg import Msg
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.main import Settings, create_app
from inference_gateway.handlers.provider_types import describe_provider_type, list_provider_types
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed, ParamProblem
from llmbench.contracts.describe_provider_type import DescribeProviderType
from llmbench.contracts.list_provider_types import ListProviderTypes
from llmbench.db.engine import open_engine
from llmbench.messaging.fence import fence

MASTER_KEY = "a master key that only tests use 0123456789"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return the folder for uploaded files; the service creates it at the first use."""
    return tmp_path / "files"


@pytest.fixture
def settings(postgres_url: str, nats_url: str, files: Path) -> Settings:
    return Settings.model_validate(
        {
            "LLMBENCH_DATABASE_URL": postgres_url,
            "LLMBENCH_NATS_URL": nats_url,
            "LLMBENCH_MASTER_KEY": MASTER_KEY,
            "files": str(files),
        }
    )


@pytest.fixture
async def provider_types(nats_url: str) -> AsyncIterator[None]:
    """Answer requests about provider types in place of the inference gateway, with the gateway's profiles."""
    connection: Client = await nats.connect(nats_url)

    async def list_types(message: Msg) -> None:
        listed = list_provider_types(ListProviderTypes.model_validate_json(message.data))
        await message.respond(listed.model_dump_json().encode())

    async def describe_type(message: Msg) -> None:
        described = describe_provider_type(DescribeProviderType.model_validate_json(message.data))
        await message.respond(described.model_dump_json().encode())

    await connection.subscribe(ListProviderTypes.SUBJECT, cb=list_types)
    await connection.subscribe(DescribeProviderType.SUBJECT, cb=describe_type)
    await fence(connection)
    yield
    await connection.close()


@pytest.fixture
async def api(settings: Settings, provider_types: None) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the running service, which is ready and connected to NATS."""
    app = create_app(settings)
    async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240) as manager:
        transport = httpx.ASGITransport(app=manager.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            while (await client.get("/health/ready")).status_code != 200:
                continue
            yield client


@pytest.fixture
async def engine(postgres_url: str) -> AsyncIterator[AsyncEngine]:
    """Yield the test's own connection pool."""
    async with open_engine(postgres_url, application_name="test") as engine:
        yield engine


@pytest.fixture
async def received_checks(nats_url: str) -> AsyncIterator[list[list[dict[str, Any]]]]:
    """Yield the lists of checks that a fake judge service has received, one per request. The service accepts every kind
    except `magic`."""
    seen: list[list[dict[str, Any]]] = []
    connection: Client = await nats.connect(nats_url)

    async def answer(message: Msg) -> None:
        question = DescribeEvaluator.model_validate_json(message.data)
        assert question.kind == "case_checks"
        checks = question.params["checks"]
        seen.append(checks)
        problems = tuple(
            ParamProblem(field=f"checks.{place}", message=f"there is no evaluator {check['kind']}")
            for place, check in enumerate(checks)
            if check["kind"] == "magic"
        )
        await message.respond(EvaluatorDescribed(problems=problems).model_dump_json().encode())

    await connection.subscribe(DescribeEvaluator.SUBJECT, cb=answer)
    await fence(connection)
    yield seen
    await connection.close()
