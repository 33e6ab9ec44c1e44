"""Wire config-api: open shared connections, and serve the resources found in the folders."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from fastapi import FastAPI
from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import SettingsConfigDict

import config_api
from config_api.annotation.lease_store import PLANNER
from config_api.checks import CheckService
from config_api.files.loose import sweep_when
from config_api.files.store import open_store
from config_api.providers.defaults import LM_STUDIO, OLLAMA, Rules
from config_api.providers.gateway import ProviderGateway
from config_api.providers.service import ProviderService
from config_api.providers.urls import BaseUrl, refusal
from config_api.publishing import SERVICE, Publishing
from config_api.resource import resources
from llmbench.background import background
from llmbench.db.connection import checking
from llmbench.db.engine import DATABASE_AWAY, driver, open_engine
from llmbench.db.everybody import everybody_url
from llmbench.db.key import preflight, require_fit
from llmbench.db.secrets import SecretBox
from llmbench.db.version import require_head
from llmbench.http.listeners import Listeners
from llmbench.http.outages import answer_database_outages
from llmbench.http.service_router import add_routes
from llmbench.http.web import make_app
from llmbench.organisation import working_for
from llmbench.service.runtime import ServiceRuntime
from llmbench.service.settings import ProviderSettings

PREFLIGHT = preflight


class Settings(ProviderSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_CONFIG_API_")

    master_key: SecretStr = Field(
        validation_alias="LLMBENCH_MASTER_KEY",
        description="Secret headers of providers are encrypted with a key derived from it: at least 32 characters.",
    )
    ollama_base_url: BaseUrl = Field(
        default="http://127.0.0.1:11434",
        description="Ollama's address, for the provider Local Ollama of the first start, and for new ones.",
    )
    lm_studio_base_url: BaseUrl = Field(
        default="http://127.0.0.1:1234",
        description="LM Studio's address, for the provider Local LM Studio of the first start, and for new ones.",
    )
    files: str = Field(
        default=".llmbench/files",
        description="Where uploaded files are kept: a folder, or `s3://bucket/prefix` (with AWS_ACCESS_KEY_ID, "
        "AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT for other servers).",
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
        """Raise `ValueError` for a base URL that the gateway would never call. The first start of the service creates a
        provider with this URL."""
        allowed = bool(info.data.get("link_local_providers"))
        # The platform's own addresses are refused later, because they are known only after all settings are read.
        refused = refusal(url, link_local_allowed=allowed, own=Listeners())
        if refused is not None:
            raise ValueError(refused)
        return url

    def provider_rules(self) -> Rules:
        local = {OLLAMA: self.ollama_base_url, LM_STUDIO: self.lm_studio_base_url}
        return Rules(local, link_local_allowed=self.link_local_providers, own=self.listeners())


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application. It connects to nothing before its lifespan begins.

    Without `settings` it has an OpenAPI document, but it cannot be started.
    """
    settings = settings or Settings.model_construct(master_key=SecretStr(""))
    runtime = ServiceRuntime(SERVICE, settings.nats_url, settings.nats_tls())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        box = SecretBox(settings.master_key.get_secret_value())
        publishing = Publishing(runtime.broker, database_url=everybody_url(settings.database_url))
        files = open_store(settings.files)
        prepared = asyncio.Event()
        async with (
            open_engine(settings.database_url, application_name=SERVICE, pool_size=10) as engine,
            open_engine(
                settings.database_url, application_name=f"{SERVICE} labelling", pool_size=5, planner=PLANNER
            ) as labelling,
            open_engine(
                everybody_url(settings.database_url), application_name=f"{SERVICE} sweep", pool_size=1, everybody=True
            ) as everybody,
        ):
            providers = ProviderService(engine, box, ProviderGateway(publishing.nats), settings.provider_rules())
            app.state.engine = engine
            app.state.labelling_engine = labelling
            app.state.import_turn = asyncio.Semaphore(1)
            app.state.providers = providers
            app.state.checks = CheckService(publishing.nats)
            app.state.nats = publishing.nats
            app.state.files = files

            async def database() -> None:
                """Check the schema version of the database, and that the master key decrypts its secrets. On the first
                start, create the default providers."""
                async with checking(DATABASE_AWAY):
                    if prepared.is_set():
                        async with driver(engine) as connection:
                            await require_head(connection)
                        return
                    await require_fit(settings, SERVICE)
                    with working_for(settings.organisation):
                        await providers.create_defaults()
                    prepared.set()

            async with (
                runtime.running(
                    database=database,
                    connect=publishing.ensure_streams,
                    restore=publishing.ensure_streams,
                    work=publishing.run,
                ),
                background(lambda: sweep_when(prepared, engine, everybody, files), name="sweep"),
            ):
                yield

    declared = resources(config_api)
    open_paths = tuple(path for resource in declared for path in resource.open_paths)
    app = make_app(
        title="llmbench config-api",
        door=settings.door(),
        authentication=replace(settings.authentication(), open_paths=open_paths),
        readiness=runtime.lacks,
        lifespan=lifespan,
        larger_bodies={path: size for resource in declared for path, size in resource.larger_bodies.items()},
    )
    answer_database_outages(app)
    for resource in declared:
        for router in resource.routers:
            add_routes(app, router)
    return app
