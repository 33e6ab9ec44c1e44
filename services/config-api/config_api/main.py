"""Wires config-api: the only module that knows every resource.

`create_app` connects to nothing; the lifespan does. The service answers also while NATS is away:
what it publishes waits in the outbox.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI
from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import SettingsConfigDict
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.checks import CheckService
from config_api.collections.endpoints import router as collections_router
from config_api.collections.service import CollectionService
from config_api.datasets.case_endpoints import router as cases_router
from config_api.datasets.case_service import CaseService
from config_api.datasets.endpoints import router as datasets_router
from config_api.datasets.service import DatasetService
from config_api.datasets.version_endpoints import MAX_UPLOAD_BYTES, UPLOAD_PATHS
from config_api.datasets.version_endpoints import router as versions_router
from config_api.datasets.version_service import VersionService
from config_api.documents.endpoints import MAX_UPLOAD_BYTES as MAX_DOCUMENT_BYTES
from config_api.documents.endpoints import PATH as DOCUMENTS_PATH
from config_api.documents.endpoints import router as documents_router
from config_api.documents.service import DocumentService
from config_api.evaluators.endpoints import router as evaluators_router
from config_api.evaluators.service import EvaluatorService
from config_api.files.loose import sweep
from config_api.files.store import FileStore, open_store
from config_api.presets.endpoints import router as presets_router
from config_api.presets.service import PresetService
from config_api.problems import EVERYWHERE
from config_api.providers.defaults import HOSTED, Rules
from config_api.providers.endpoints import router as providers_router
from config_api.providers.gateway import ProviderGateway
from config_api.providers.service import ProviderService
from config_api.providers.urls import BaseUrl, refusal
from config_api.publishing import SERVICE, Publishing
from config_api.tasks.endpoints import router as tasks_router
from config_api.tasks.service import TaskService
from config_api.transfer.endpoints import IMPORT_PATH
from config_api.transfer.endpoints import collections_router as publish_router
from config_api.transfer.endpoints import documents_router as publish_document_router
from config_api.transfer.endpoints import providers_router as configurations_router
from config_api.transfer.endpoints import router as transfer_router
from config_api.transfer.schemas import MAX_IMPORT_BYTES
from llmbench.background import background
from llmbench.contracts.provider import ProviderType
from llmbench.db.engine import DATABASE_AWAY, driver, open_engine
from llmbench.db.key import preflight, require_key
from llmbench.db.outages import answer_database_outages
from llmbench.db.version import require_head
from llmbench.secrets import SecretBox
from llmbench.settings import ProviderSettings
from llmbench.web import make_app

PREFLIGHT = preflight
START_PATIENCE_S = 2.0
_log = logging.getLogger(__name__)


class Settings(ProviderSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_CONFIG_API_")

    master_key: SecretStr = Field(
        validation_alias="LLMBENCH_MASTER_KEY",
        description="Secret headers of providers are sealed with a key derived from it: at least 32 characters.",
    )
    ollama_base_url: BaseUrl = Field(
        default="http://127.0.0.1:11434",
        description="Where Ollama is: of the provider Local Ollama, made at the first start, and of new ones.",
    )
    lm_studio_base_url: BaseUrl = Field(
        default="http://127.0.0.1:1234",
        description="Where LM Studio is: of the provider Local LM Studio, made at the first start, and of new ones.",
    )
    files: str = Field(
        default=".llmbench/files",
        description="Where uploaded files are kept: a folder, or `s3://bucket/prefix` (with AWS_ACCESS_KEY_ID, "
        "AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT of a server that is not Amazon's).",
    )

    @field_validator("master_key")
    @classmethod
    def _long_enough(cls, key: SecretStr) -> SecretStr:
        if len(key) < 32:
            raise ValueError("must have at least 32 characters; `openssl rand -base64 32` makes a good one")
        return key

    @field_validator("ollama_base_url", "lm_studio_base_url")
    @classmethod
    def _may_be_called(cls, url: str, info: ValidationInfo) -> str:
        """The first start makes providers of them, and none may be where the gateway would call nobody."""
        refused = None if info.data.get("link_local_providers") else refusal(url)
        if refused is not None:
            raise ValueError(refused)
        return url

    def provider_rules(self) -> Rules:
        local = {ProviderType.OLLAMA: self.ollama_base_url, ProviderType.LM_STUDIO: self.lm_studio_base_url}
        return Rules({**HOSTED, **local}, link_local_allowed=self.link_local_providers)


async def sweep_when(prepared: asyncio.Event, engine: AsyncEngine, files: FileStore) -> None:
    """Once per start. What cannot be swept today is swept at another start."""
    await prepared.wait()
    try:
        await sweep(engine, files)
    except Exception:  # noqa: BLE001  # whatever the store's library raises: the service is there without it
        _log.warning("files that no version holds were not swept", exc_info=True)


def create_app(settings: Settings | None = None) -> FastAPI:
    """Without settings the application can be looked at (its OpenAPI), but not started."""
    chosen = settings or Settings.model_construct(master_key=SecretStr(""))
    # Filled by the lifespan; until then the service is not ready.
    running: list[tuple[Callable[[], Awaitable[None]], Publishing]] = []

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        box = SecretBox(chosen.master_key.get_secret_value())
        async with (
            open_engine(chosen.database_url, application_name=SERVICE, pool_size=10) as engine,
            Publishing(nats_url=chosen.nats_url, database_url=chosen.database_url) as publishing,
        ):
            app.state.engine = engine
            app.state.providers = ProviderService(
                engine, box, ProviderGateway(publishing.nats), chosen.provider_rules()
            )
            app.state.checks = checks = CheckService(publishing.nats)
            app.state.tasks = TaskService(engine, checks)
            app.state.presets = PresetService(engine)
            app.state.collections = CollectionService(engine)
            app.state.files = files = open_store(chosen.files)
            app.state.datasets = DatasetService(engine, files)
            app.state.dataset_versions = VersionService(engine, files, checks)
            app.state.test_cases = CaseService(engine, checks)
            app.state.documents = DocumentService(engine, files)
            app.state.evaluators = EvaluatorService(publishing.nats)
            prepared = asyncio.Event()

            async def check_database() -> None:
                """Another schema or key is refused; the default providers are made once."""
                async with driver(engine) as connection:
                    await require_head(connection)
                    if not prepared.is_set():
                        await require_key(connection, box)
                if not prepared.is_set():
                    await app.state.providers.create_defaults()
                    prepared.set()

            # A database that is away is waited for: whoever asks for readiness tries again.
            with contextlib.suppress(*DATABASE_AWAY):
                async with asyncio.timeout(START_PATIENCE_S):
                    await check_database()
            running.append((check_database, publishing))
            async with background(lambda: sweep_when(prepared, engine, files), name="sweep"):
                yield
            running.clear()

    async def readiness() -> str | None:
        if not running:
            return "The service is starting."
        check_database, publishing = running[0]
        await check_database()
        return publishing.lacking()

    app = make_app(
        title="llmbench config-api",
        origins=chosen.origins(),
        readiness=readiness,
        lifespan=lifespan,
        # The file and the form around it.
        larger_bodies={
            IMPORT_PATH: MAX_IMPORT_BYTES,
            UPLOAD_PATHS: MAX_UPLOAD_BYTES + 1024 * 1024,
            DOCUMENTS_PATH: MAX_DOCUMENT_BYTES + 1024 * 1024,
        },
    )
    answer_database_outages(app)
    # `/api/tasks/export` before `/api/tasks/{id}`.
    routers = (
        configurations_router,
        providers_router,
        transfer_router,
        tasks_router,
        publish_router,
        collections_router,
        datasets_router,
        versions_router,
        cases_router,
        documents_router,
        publish_document_router,
        evaluators_router,
        presets_router,
    )
    for router in routers:
        app.include_router(router, responses=EVERYWHERE)
    return app
