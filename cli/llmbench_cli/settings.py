"""The settings that the command line reads from the environment."""

import os
from pathlib import Path

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from llmbench.faults import faults_of
from llmbench.http.listeners import places
from llmbench.service.settings import PREFIX, SERVICE_PREFIXES, SHARED_VARIABLES, AuthMode
from llmbench.tls import NO_TLS, NatsTls
from llmbench_cli.embedded.edge import networks
from llmbench_cli.embedded.errors import StartError

DEFAULT_PORT = 8400


class CliSettings(BaseSettings):
    """The settings of all commands, from environment variables that begin with LLMBENCH_."""

    model_config = SettingsConfigDict(env_prefix="LLMBENCH_", frozen=True)

    home: Path | None = Field(
        default=None,
        description="Folder of all data; default `.llmbench` in the checkout, without one in the user's home",
    )
    port: int = Field(default=DEFAULT_PORT, ge=1, le=65535, description="Public port of the edge")
    url: str | None = Field(
        default=None, description="Platform that commands use; default: the one that runs on the home"
    )
    database_url: str | None = Field(default=None, description="A PostgreSQL of your own instead of the embedded one")
    nats_url: str | None = Field(
        default=None, description="A NATS server with JetStream of your own instead of the embedded one"
    )
    nats_tls_ca: str = Field(
        default="",
        description="File with the certificates of the authorities that NATS's certificate may be from. Connections "
        "are then encrypted, as they are with `tls://` in LLMBENCH_NATS_URL. Default: the system's",
    )
    nats_tls_cert: str = Field(default="", description="File with the client certificate for NATS, in PEM")
    nats_tls_key: str = Field(
        default="", description="File with the key of LLMBENCH_NATS_TLS_CERT. Default: the key is in the same file"
    )
    master_key: str | None = Field(
        default=None, description="Encrypts provider secrets; default: generated once and kept in the home"
    )
    database_logins: str | None = Field(
        default=None,
        description="Logins that `llmbench migrate` makes: `config-api=password,orchestrator=password,"
        "inference-gateway=password`; each service's own LLMBENCH_DATABASE_URL then names its login",
    )
    listeners: str | None = Field(
        default=None,
        description="Further addresses of this platform, as host:port, separated by commas: providers and "
        "webhooks may not use them. Those of its own processes are known",
    )
    auth: AuthMode = Field(
        default="off",
        description="`on`: people have to sign in; the first start prints a link for the first owner. "
        "`proxy`: a proxy in front of the platform signs them in",
    )
    edge_trusted_proxies: str = Field(
        default="",
        description="Networks of the proxies in front of the edge, such as `10.0.0.0/8`, separated by commas. Their "
        "X-Forwarded-For says who the client is, and that of all others is ignored",
    )
    api_key: SecretStr | None = Field(
        default=None, description="API key with which commands sign in to a platform with LLMBENCH_AUTH=on"
    )
    log_level: str | None = Field(default=None, description="Passed on to every service")

    @field_validator("edge_trusted_proxies")
    @classmethod
    def _edge_trusted_proxies(cls, text: str) -> str:
        networks(text)
        return text

    @field_validator("listeners")
    @classmethod
    def _listeners(cls, text: str | None) -> str | None:
        places(text or "")
        return text

    retention_days: float | None = Field(
        default=None, gt=0, description="Passed on to the orchestrator: days after which finished runs are removed"
    )

    @field_validator("retention_days", mode="before")
    @classmethod
    def _nothing_is_none(cls, days: object) -> object:
        return None if days == "" else days

    def nats_tls(self) -> NatsTls:
        """Return the paths of the TLS files (CA, certificate, key) for the user's own NATS server. A path that is not
        set is empty.

        Return `NO_TLS` for the embedded server, which listens on loopback only.
        """
        if not self.nats_url:
            return NO_TLS
        # The services have another working folder.
        ca, cert, key = (
            str(Path(path).absolute()) if path else ""
            for path in (self.nats_tls_ca, self.nats_tls_cert, self.nats_tls_key)
        )
        return NatsTls(ca=ca, cert=cert, key=key)

    def login_passwords(self) -> dict[str, str]:
        """Return the database password of each login by the service's name; empty if LLMBENCH_DATABASE_LOGINS is not
        set. Raises StartError if that setting is malformed."""
        pairs = [pair.partition("=") for pair in (self.database_logins or "").split(",") if pair.strip()]
        if any(not service.strip() or not password for service, _, password in pairs):
            raise StartError(f"{PREFIX}DATABASE_LOGINS is not a list like config-api=password,orchestrator=password")
        return {service.strip(): password for service, _, password in pairs}


def read_settings() -> CliSettings:
    """Read the settings from the environment. Raises StartError, which names the unknown variables that begin with
    LLMBENCH_, or else the invalid ones."""
    unknown = [
        name
        for name in os.environ
        if name.startswith(PREFIX) and name not in SHARED_VARIABLES and not name.startswith(SERVICE_PREFIXES)
    ]
    if unknown:
        raise StartError(f"unknown settings: {', '.join(sorted(unknown))} (a typing mistake?)")
    try:
        return CliSettings()
    except ValidationError as wrong:
        faults = "; ".join(f"{PREFIX}{fault.field.upper()}: {fault.message}" for fault in faults_of(wrong, CliSettings))
        raise StartError(f"the settings are wrong: {faults}") from None
