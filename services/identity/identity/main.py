"""Wire the identity service: sign-in, organisations, API keys and audit log. It runs only with LLMBENCH_AUTH=on."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID

from fastapi import FastAPI
from nats.errors import Error as NatsError
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import SettingsConfigDict

import identity
from identity.configuration import ConfigurationTrail
from identity.openid_connect.issuers import listed_issuers
from identity.openid_connect.service import open_issuers, require_organisations
from identity.passwords import Passwords
from identity.rates import Attempts
from identity.resource import resources
from identity.sessions import Lifetimes
from identity.sign_in.joining import first_owner_token
from identity.signing import load_signer
from identity.state import Connections
from llmbench.access import Principal
from llmbench.contracts.identity_revoked import IdentityRevoked
from llmbench.db.connection import checking
from llmbench.db.engine import DATABASE_AWAY, driver, open_engine
from llmbench.db.everybody import everybody_url
from llmbench.db.isolation import require_isolation
from llmbench.db.secrets import SecretBox
from llmbench.db.version import preflight, require_head
from llmbench.errors import Problem
from llmbench.http.authentication import Authentication
from llmbench.http.outages import answer_database_outages
from llmbench.http.service_router import add_routes
from llmbench.http.web import make_app
from llmbench.messaging.broker import client
from llmbench.messaging.publish import publish_lossy
from llmbench.service.runtime import ServiceRuntime
from llmbench.service.settings import DatabaseSettings, listed_origins

SERVICE = "identity"
PREFLIGHT = preflight
FIRST_OWNER_PAGE = "/first-owner"
_OPEN_PATHS = ("/api/auth/", "/verify", "/jwks")
_log = logging.getLogger(__name__)


class Settings(DatabaseSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_IDENTITY_")

    master_key: SecretStr = Field(
        validation_alias="LLMBENCH_MASTER_KEY",
        description="The key that signs identities is encrypted with a key derived from it: at least 32 characters.",
    )
    port: int = Field(default=8406, ge=0, le=65_535, description="Port the service listens on.")
    session_days: float = Field(default=14, gt=0, le=90, description="Days after which people sign in again.")
    session_idle_hours: float = Field(
        default=72, gt=0, le=2160, description="Hours without a request after which people sign in again."
    )

    issuers: SecretStr | None = Field(
        default=None,
        description="OpenID Connect issuers at which people may sign in, as a JSON list (docs/how-to/sign-in.md).",
    )

    @field_validator("issuers")
    @classmethod
    def _issuers(cls, issuers: SecretStr | None) -> SecretStr | None:
        listed_issuers(issuers.get_secret_value() if issuers else "")
        return issuers

    @field_validator("master_key")
    @classmethod
    def _long_enough(cls, key: SecretStr) -> SecretStr:
        if len(key) < 32:
            raise ValueError("must have at least 32 characters; `openssl rand -base64 32` makes a good one")
        return key

    def lifetimes(self) -> Lifetimes:
        return Lifetimes(timedelta(days=self.session_days), timedelta(hours=self.session_idle_hours))


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application. It connects to nothing before its lifespan begins.

    Without settings it can describe its API (OpenAPI), but it cannot be started.
    """
    settings = settings or Settings.model_construct(master_key=SecretStr(""))
    runtime = ServiceRuntime(SERVICE, settings.nats_url)

    async def revoke(credentials: Sequence[UUID]) -> None:
        if not credentials:
            return
        try:
            await publish_lossy(
                client(runtime.broker), IdentityRevoked(credentials=tuple(credentials)), service=SERVICE
            )
        except (NatsError, OSError) as error:
            _log.warning("sockets of ended sessions stay open until NATS answers: %r", error)

    async def read_principal(token: str) -> Principal:
        opened: Connections | None = app.state.connections
        if opened is None:
            raise Problem(503, "Not ready", "The service is starting; try again in a moment.")
        return await opened.signer.read(token)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        box = SecretBox(settings.master_key.get_secret_value())
        passwords, attempts, loading = Passwords(), Attempts(), asyncio.Lock()
        async with (
            open_engine(settings.database_url, application_name=SERVICE, pool_size=10) as engine,
            open_engine(
                everybody_url(settings.database_url),
                application_name=f"{SERVICE} sign-in",
                pool_size=5,
                everybody=True,
            ) as everybody,
        ):

            async def database() -> None:
                """Require the right schema version. Once, load the signing key and show the first owner's link."""
                async with checking(DATABASE_AWAY):
                    async with driver(engine) as connection:
                        await require_head(connection)
                        await require_isolation(connection)
                    async with loading:
                        if app.state.connections is not None:
                            return
                        signer = await load_signer(engine, box)
                        opened = Connections(
                            engine, everybody, signer, passwords, attempts, settings.lifetimes(), revoke
                        )
                        await require_organisations(opened, app.state.issuers)
                        await _show_first_owner_link(opened, settings.public_origins)
                        app.state.connections = opened

            trail = ConfigurationTrail(runtime.broker, engine)
            async with runtime.running(
                database=database, connect=trail.start, restore=trail.restore, drain=trail.close
            ):
                yield

    app = make_app(
        title="llmbench identity",
        door=settings.door(),
        authentication=Authentication(read=read_principal, open_paths=_OPEN_PATHS),
        readiness=runtime.lacks,
        lifespan=lifespan,
    )
    app.state.connections = None
    app.state.issuers = open_issuers(
        listed_issuers(settings.issuers.get_secret_value() if settings.issuers else ""),
        origins=listed_origins(settings.public_origins),
        own=settings.listeners(),
    )
    answer_database_outages(app)
    for resource in resources(identity):
        for router in resource.routers:
            add_routes(app, router)
    return app


async def _show_first_owner_link(opened: Connections, public_origins: str) -> None:
    """Write the link for the first owner into the log, the only place where it is shown."""
    token = await first_owner_token(opened)
    if token is not None:
        origin = listed_origins(public_origins)[0]
        _log.warning("no owner yet; this link, valid for 24 h, makes one: %s%s#%s", origin, FIRST_OWNER_PAGE, token)
