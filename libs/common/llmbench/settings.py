"""Settings come from the environment: one small class per service, every variable documented.

A variable with our prefix that nobody knows is an error rather than silence: a misspelt setting
would otherwise be one that is not set.
"""

import os
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from llmbench.errors import BadSettings
from llmbench.logs import LogFormat

PREFIX = "LLMBENCH_"
NATS_URL = "LLMBENCH_NATS_URL"

SHARED_VARIABLES = frozenset(
    {
        "LLMBENCH_DATABASE_URL",
        "LLMBENCH_DATABASE_LOGINS",
        NATS_URL,
        "LLMBENCH_MASTER_KEY",
        "LLMBENCH_PUBLIC_ORIGINS",
        "LLMBENCH_LINK_LOCAL_PROVIDERS",
        "LLMBENCH_LOG_LEVEL",
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
)


def database_address(url: str) -> str:
    """Return the URL, or raise ValueError with what it lacks. Never repeats it: it holds a password."""
    _check_url(url, {"postgresql", "postgres"}, example="postgresql://user:password@host:5432/database")
    return url


def nats_address(url: str) -> str:
    """Return the URL (or several, separated by commas), or raise ValueError with what it lacks."""
    for one in url.split(","):
        _check_url(one.strip(), {"nats", "tls", "ws", "wss"}, example="nats://user:password@host:4222")
    return url


def over_websockets(nats_url: str) -> bool:
    """Whether one of its servers is reached that way; also of a URL that nobody has checked yet."""
    return any(one.strip().lower().startswith(("ws:", "wss:")) for one in nats_url.split(","))


def _check_url(url: str, schemes: set[str], *, example: str) -> None:
    try:
        parts = urlsplit(url)
        # PostgreSQL's sockets are named in the query.
        wrong = parts.scheme not in schemes or not (parts.hostname or "host=" in parts.query)
        # Reading it is what checks that it is a number.
        _ = parts.port
    except ValueError:
        wrong = True
    if wrong:
        raise ValueError(f"is not a URL like {example}")


class ServiceSettings(BaseSettings):
    """What every service takes. A subclass sets `env_prefix` and adds its own variables; those of
    this class keep their shared names."""

    # By name as well: `Settings(nats_url=…)` must not be an ignored extra.
    model_config = SettingsConfigDict(extra="ignore", validate_by_name=True, validate_by_alias=True)

    nats_url: str = Field(
        default="nats://127.0.0.1:4222", validation_alias=NATS_URL, description="NATS with JetStream."
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

    @field_validator("nats_url")
    @classmethod
    def _nats_url(cls, url: str) -> str:
        return nats_address(url)

    host: str = Field(default="127.0.0.1", description="Address the service listens on.")
    port: int = Field(default=0, ge=0, le=65_535, description="Port the service listens on.")

    def origins(self) -> tuple[str, ...]:
        return tuple(origin.strip().rstrip("/") for origin in self.public_origins.split(",") if origin.strip())


class DatabaseSettings(ServiceSettings):
    """For the services that use PostgreSQL."""

    database_url: str = Field(
        default="postgresql://127.0.0.1:5432/llmbench",
        validation_alias="LLMBENCH_DATABASE_URL",
        description="PostgreSQL 15 or newer; a session pooler or none, never a transaction pooler.",
    )

    @field_validator("database_url")
    @classmethod
    def _database_url(cls, url: str) -> str:
        return database_address(url)


class ProviderSettings(DatabaseSettings):
    """For the services that look at the addresses of providers."""

    link_local_providers: bool = Field(
        default=False,
        validation_alias="LLMBENCH_LINK_LOCAL_PROVIDERS",
        description="Whether providers may be at link-local and metadata addresses, where clouds keep a machine's "
        "credentials.",
    )


S = TypeVar("S", bound=ServiceSettings)


def load(settings: type[S]) -> S:
    """Read the environment. Raises `BadSettings` naming each variable that is wrong or unknown."""
    prefix = settings.model_config.get("env_prefix", "")
    # Fields with an alias of their own are read under that name only.
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
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise BadSettings(f"the settings are wrong: {faults}") from None
