"""Read settings from the environment: one small class per service, every variable documented.

An unknown variable with the prefix `LLMBENCH_` is an error, because a misspelt setting would otherwise have no effect.
"""

import os
from typing import TYPE_CHECKING, Literal, Self, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from llmbench.errors import BadSettings
from llmbench.faults import faults_of
from llmbench.http.door import Door, door, is_host_name
from llmbench.http.listeners import Listeners, places
from llmbench.ids import DEFAULT_ORG_ID
from llmbench.observability.logs import LogFormat
from llmbench.tls import NatsTls, check_database_files

if TYPE_CHECKING:
    from llmbench.http.authentication import Authentication

PREFIX = "LLMBENCH_"
NATS_URL = "LLMBENCH_NATS_URL"
NATS_TLS_CA = "LLMBENCH_NATS_TLS_CA"
NATS_TLS_CERT = "LLMBENCH_NATS_TLS_CERT"
NATS_TLS_KEY = "LLMBENCH_NATS_TLS_KEY"
LISTENERS = "LLMBENCH_LISTENERS"
AUTH = "LLMBENCH_AUTH"
IDENTITY_URL = "LLMBENCH_IDENTITY_URL"

SHARED_VARIABLES = frozenset(
    {
        "LLMBENCH_DATABASE_URL",
        "LLMBENCH_DATABASE_LOGINS",
        "LLMBENCH_ORGANISATION",
        AUTH,
        IDENTITY_URL,
        "LLMBENCH_EDGE_TRUSTED_PROXIES",
        "LLMBENCH_API_KEY",
        NATS_URL,
        NATS_TLS_CA,
        NATS_TLS_CERT,
        NATS_TLS_KEY,
        "LLMBENCH_MASTER_KEY",
        "LLMBENCH_ALLOWED_HOSTS",
        "LLMBENCH_PUBLIC_ORIGINS",
        "LLMBENCH_LINK_LOCAL_PROVIDERS",
        "LLMBENCH_PRIVATE_PROVIDERS",
        LISTENERS,
        "LLMBENCH_LOG_LEVEL",
        "LLMBENCH_RETENTION_DAYS",
        "LLMBENCH_LOG_FORMAT",
        "LLMBENCH_HOME",
        "LLMBENCH_PORT",
        "LLMBENCH_URL",
    }
)
SERVICE_PREFIXES = (
    "LLMBENCH_CONFIG_API_",
    "LLMBENCH_ORCHESTRATOR_",
    "LLMBENCH_INFERENCE_GATEWAY_",
    "LLMBENCH_JUDGE_",
    "LLMBENCH_GATEWAY_WS_",
    "LLMBENCH_IDENTITY_",
)


AuthMode = Literal["off", "on", "proxy"]
"""The way in which people sign in: not at all, to the platform, or to a proxy in front of it."""


def database_address(url: str) -> str:
    """Return the URL of a PostgreSQL database unchanged. Raises ValueError if it is malformed, or names certificates
    that cannot be read; the message does not repeat the URL, because it may contain a password."""
    _check_url(url, {"postgresql", "postgres"}, example="postgresql://user:password@host:5432/database")
    check_database_files(url)
    return url


def nats_address(url: str) -> str:
    """Return the URL of a NATS server (or several, separated by commas) unchanged. Raises ValueError if one is
    malformed; the message does not repeat the URL, because it may contain a password."""
    for server in url.split(","):
        _check_url(server.strip(), {"nats", "tls", "ws", "wss"}, example="nats://user:password@host:4222")
    return url


def over_websockets(nats_url: str) -> bool:
    """Return whether one of the servers in `nats_url` (URLs, separated by commas) is reached over WebSockets."""
    return any(server.strip().lower().startswith(("ws:", "wss:")) for server in nats_url.split(","))


def _check_url(url: str, schemes: set[str], *, example: str) -> None:
    try:
        parts = urlsplit(url)
        # The path of a PostgreSQL socket is in the query.
        wrong = parts.scheme not in schemes or not (parts.hostname or "host=" in parts.query)
        # Accessing the port validates that it is a number.
        _ = parts.port
    except ValueError:
        wrong = True
    if wrong:
        raise ValueError(f"is not a URL like {example}")


def listed_origins(text: str) -> tuple[str, ...]:
    return tuple(origin.strip().rstrip("/") for origin in text.split(",") if origin.strip())


def _listed_hosts(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _check_origin(origin: str) -> None:
    """Raise `ValueError` for a text that no browser ever sends as `Origin`: the setting would have no effect."""
    try:
        parts = urlsplit(origin)
        right = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and origin == f"{parts.scheme}://{parts.netloc}"
        )
        # Accessing the port validates that it is a number.
        _ = parts.port
    except ValueError:
        right = False
    if not right or "@" in origin:
        raise ValueError(f"{origin!r} is not an origin such as https://bench.example.org or http://10.0.0.7:8400")


class ServiceSettings(BaseSettings):
    """The settings that every service has. Their variables have the same names in all services, except for `host` and
    `port`.

    A subclass adds its own settings, and sets `env_prefix`, the prefix of all variables without a `validation_alias`.
    """

    # Accept field names as well as aliases: otherwise `Settings(nats_url=…)` would be silently ignored as an extra.
    model_config = SettingsConfigDict(extra="ignore", validate_by_name=True, validate_by_alias=True)

    nats_url: str = Field(
        default="nats://127.0.0.1:4222", validation_alias=NATS_URL, description="NATS with JetStream."
    )
    nats_tls_ca: str = Field(
        default="",
        validation_alias=NATS_TLS_CA,
        description="File with the certificates, in PEM, of the authorities that NATS's certificate may be from. "
        "Connections are then encrypted, as they are with `tls://` in LLMBENCH_NATS_URL. Default: the system's.",
    )
    nats_tls_cert: str = Field(
        default="", validation_alias=NATS_TLS_CERT, description="File with the client certificate for NATS, in PEM."
    )
    nats_tls_key: str = Field(
        default="",
        validation_alias=NATS_TLS_KEY,
        description="File with the key of LLMBENCH_NATS_TLS_CERT. Default: the key is in the same file.",
    )
    log_level: str = Field(default="INFO", validation_alias="LLMBENCH_LOG_LEVEL", description="Least level logged.")
    log_format: LogFormat = Field(
        default="auto",
        validation_alias="LLMBENCH_LOG_FORMAT",
        description="`json` lines, `text`, or `auto`: text on a terminal and JSON anywhere else.",
    )
    public_origins: str = Field(
        default="http://127.0.0.1:8400,http://localhost:8400",
        validation_alias="LLMBENCH_PUBLIC_ORIGINS",
        description="Origins a browser may come from, separated by commas; others are refused.",
    )
    allowed_hosts: str = Field(
        default="",
        validation_alias="LLMBENCH_ALLOWED_HOSTS",
        description="Host names to answer for, in addition to loopback and those of LLMBENCH_PUBLIC_ORIGINS, separated "
        "by spaces or commas. A browser may not come from them.",
    )

    @field_validator("nats_url")
    @classmethod
    def _nats_url(cls, url: str) -> str:
        return nats_address(url)

    @model_validator(mode="after")
    def _nats_tls(self) -> Self:
        if tls := self.nats_tls():
            tls.context()
        return self

    @field_validator("public_origins")
    @classmethod
    def _public_origins(cls, text: str) -> str:
        for origin in listed_origins(text):
            _check_origin(origin)
        return text

    @field_validator("allowed_hosts")
    @classmethod
    def _allowed_hosts(cls, text: str) -> str:
        for host in _listed_hosts(text):
            if not is_host_name(host):
                raise ValueError(f"{host!r} is not a host name without scheme and port, such as bench.example.org")
        return text

    organisation: UUID = Field(
        default=DEFAULT_ORG_ID,
        validation_alias="LLMBENCH_ORGANISATION",
        description="Id of the organisation whose data requests see. Only tests need another one than the default.",
    )
    auth: AuthMode = Field(
        default="off",
        validation_alias=AUTH,
        description="`on`: people have to sign in (docs/how-to/sign-in.md). `proxy`: a proxy in front of the platform "
        "signs them in. `off`: everybody who reaches the platform may use it, so it is for this machine only.",
    )
    identity_url: str = Field(
        default="http://127.0.0.1:8406",
        validation_alias=IDENTITY_URL,
        description="Where the identity service answers inside the platform, with LLMBENCH_AUTH=on.",
    )

    host: str = Field(default="127.0.0.1", description="Address the service listens on.")
    port: int = Field(default=0, ge=0, le=65_535, description="Port the service listens on.")

    def authentication(self) -> "Authentication":
        """Return the rules by which the service finds the person and the organisation of a request."""
        # Imported late: the supervisor reads this module, and needs no web framework.
        from llmbench.http.authentication import Authentication

        if self.auth == "off":
            return Authentication(self.organisation)
        # Imported late: without sign-in the libraries for tokens would cost every service memory for nothing.
        from llmbench.http.identity_keys import IdentityKeys, from_service, reader

        return Authentication(self.organisation, reader(IdentityKeys(from_service(self.identity_url))))

    def nats_tls(self) -> NatsTls:
        """Return the files for an encrypted connection to NATS."""
        return NatsTls(ca=self.nats_tls_ca, cert=self.nats_tls_cert, key=self.nats_tls_key)

    def door(self) -> Door:
        """Return the check of `Host` and `Origin` that these settings configure."""
        return door(
            origins=listed_origins(self.public_origins),
            hosts=_listed_hosts(self.allowed_hosts),
            listens_on=self.host,
        )


class DatabaseSettings(ServiceSettings):
    """The settings of services that use PostgreSQL."""

    database_url: str = Field(
        default="postgresql://127.0.0.1:5432/llmbench",
        validation_alias="LLMBENCH_DATABASE_URL",
        description="PostgreSQL 15 or newer; a session pooler or none, never a transaction pooler.",
    )

    @field_validator("database_url")
    @classmethod
    def _database_url(cls, url: str) -> str:
        return database_address(url)

    platform_listeners: str = Field(
        default="",
        validation_alias=LISTENERS,
        description="Where the processes of this platform listen, as host:port, separated by commas: no provider and "
        "no webhook may be there. A service adds its own address, its database and its NATS by itself.",
    )

    @field_validator("platform_listeners")
    @classmethod
    def _platform_listeners(cls, text: str) -> str:
        places(text)
        return text

    def listeners(self) -> Listeners:
        """Return the addresses of the platform's servers that this service knows: those in `platform_listeners`, its
        database, its NATS servers, and its own."""
        servers = [(self.database_url, 5432), *((url.strip(), 4222) for url in self.nats_url.split(","))]
        named = [(urlsplit(url), port) for url, port in servers]
        known = [(parts.hostname, parts.port or port) for parts, port in named if parts.hostname]
        return Listeners([*places(self.platform_listeners), *known, *([(self.host, self.port)] if self.port else [])])


STOP_GRACE_S = 30.0
"""The default time, in seconds, for which a stopping gateway waits for calls in flight.

The supervisor of the gateway has to wait longer than that before it kills the process.
"""


class ProviderSettings(DatabaseSettings):
    """The settings of services that check the addresses of providers."""

    link_local_providers: bool = Field(
        default=False,
        validation_alias="LLMBENCH_LINK_LOCAL_PROVIDERS",
        description="Whether providers may be at link-local and metadata addresses, where clouds keep a machine's "
        "credentials.",
    )


S = TypeVar("S", bound=ServiceSettings)


def load(settings: type[S]) -> S:
    """Read the settings from the environment. Raises `BadSettings`, which names the unknown variables, or else the
    invalid settings."""
    prefix = settings.model_config.get("env_prefix", "")
    # A field with an alias is read only from the variable of that name.
    own = {f"{prefix}{name}".upper() for name, field in settings.model_fields.items() if not field.validation_alias}
    unknown = [
        name
        for name in os.environ
        if name.startswith(PREFIX)
        and name not in SHARED_VARIABLES
        and (name not in own if name.startswith(prefix) else not name.startswith(SERVICE_PREFIXES))
    ]
    if unknown:
        raise BadSettings(f"unknown settings: {', '.join(sorted(unknown))} (a typing mistake?)")
    try:
        return settings()
    except ValidationError as error:
        faults = "; ".join(f"{fault.field}: {fault.message}" for fault in faults_of(error, settings))
        raise BadSettings(f"the settings are wrong: {faults}") from None
