"""Wire the identity service: sign-in, organisations, API keys and audit log. It runs only with LLMBENCH_AUTH=on or
proxy."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from fastapi import FastAPI
from nats.errors import Error as NatsError
from pydantic import SecretStr

import identity
from identity.configuration import ConfigurationTrail
from identity.openid_connect.issuers import listed_issuers
from identity.openid_connect.service import open_issuers, require_organisations
from identity.passwords import Passwords
from identity.proxy import Proxy, fetch_from
from identity.rates import Attempts
from identity.resource import resources
from identity.settings import Settings as Settings
from identity.sign_in.joining import first_owner_token
from identity.signing import load_signer
from identity.state import Clock, Connections
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
from llmbench.service.settings import listed_origins

SERVICE = "identity"
PREFLIGHT = preflight
FIRST_OWNER_PAGE = "/first-owner"
_OPEN_PATHS = ("/api/auth/", "/verify", "/jwks")
_log = logging.getLogger(__name__)


def create_app(
    settings: Settings | None = None,
    *,
    clock: Clock = time.time,
    ticks: Clock = time.monotonic,
    passwords: Passwords | None = None,
) -> FastAPI:
    """Create the application. It connects to nothing before its lifespan begins.

    Without settings it can only generate its OpenAPI document; it cannot be started. `clock` is the time of day, for
    one-time codes. `ticks` is a monotonic clock, for the limits on attempts. `passwords` hashes people's passwords, by
    default at the cost that RFC 9106 recommends.
    """
    settings = settings or Settings.model_construct(master_key=SecretStr(""))
    runtime = ServiceRuntime(SERVICE, settings.nats_url, settings.nats_tls())

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
        attempts, loading = Attempts(clock=ticks), asyncio.Lock()
        proxy = Proxy(settings.proxy_rules(), fetch_from(settings.proxy_keys)) if settings.auth == "proxy" else None
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
                """Raise an error unless the database has the right schema version.

                The first call also loads the signing key, and logs the link with which the first owner signs up.
                """
                async with checking(DATABASE_AWAY):
                    async with driver(engine) as connection:
                        await require_head(connection)
                        await require_isolation(connection)
                    async with loading:
                        if app.state.connections is not None:
                            return
                        signer = await load_signer(engine, box)
                        opened = Connections(
                            engine=engine,
                            everybody=everybody,
                            signer=signer,
                            passwords=passwords or Passwords(),
                            attempts=attempts,
                            lifetimes=settings.lifetimes(),
                            revoke=revoke,
                            box=box,
                            clock=clock,
                            proxy=proxy,
                        )
                        await require_organisations(opened, app.state.issuers)
                        if proxy is None:
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
