"""Read the settings of the identity service, including those of a proxy that signs people in."""

from datetime import timedelta
from typing import Final

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from identity.openid_connect.issuers import listed_issuers
from identity.proxy import ALGORITHMS, ProxyRules
from identity.sessions import Lifetimes
from llmbench.access import Role
from llmbench.http.email_address import normalised_email
from llmbench.service.settings import DatabaseSettings

NEEDED_BY_PROXY: Final = ("proxy_keys", "proxy_issuer", "proxy_audience")


def listed(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


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
    proxy_header: str = Field(
        default="X-Forwarded-Identity",
        pattern="^[A-Za-z0-9-]{1,100}$",
        description="With LLMBENCH_AUTH=proxy: the header in which the proxy sends a signed token (a JWT).",
    )
    proxy_keys: str = Field(
        default="",
        description="Where the proxy's public keys are: an address or a file with a JSON Web Key Set, or a PEM file.",
    )
    proxy_issuer: str = Field(default="", description="The `iss` of the proxy's tokens.")
    proxy_audience: str = Field(default="", description="The `aud` of the proxy's tokens.")
    proxy_algorithms: str = Field(
        default="RS256,ES256,EdDSA", description="The accepted signature algorithms, separated by commas."
    )
    proxy_email_claim: str = Field(default="email", min_length=1, description="The claim with the e-mail address.")
    proxy_name_claim: str = Field(default="name", min_length=1, description="The claim with the person's name.")
    proxy_join_role: Role | None = Field(
        default=None,
        description="The role that unknown people get at their first sign-in; without it they are refused.",
    )
    proxy_owners: str = Field(
        default="", description="E-mail addresses that become owners at their first sign-in, separated by commas."
    )

    @field_validator("master_key")
    @classmethod
    def _long_enough(cls, key: SecretStr) -> SecretStr:
        if len(key) < 32:
            raise ValueError("must have at least 32 characters; `openssl rand -base64 32` makes a good one")
        return key

    @field_validator("issuers")
    @classmethod
    def _issuers(cls, issuers: SecretStr | None) -> SecretStr | None:
        listed_issuers(issuers.get_secret_value() if issuers else "")
        return issuers

    @field_validator("proxy_algorithms")
    @classmethod
    def _known(cls, text: str) -> str:
        if not listed(text) or (unknown := set(listed(text)) - set(ALGORITHMS)):
            raise ValueError(f"{', '.join(sorted(unknown)) or 'nothing'} is none of {', '.join(ALGORITHMS)}")
        return text

    @field_validator("proxy_owners")
    @classmethod
    def _addresses(cls, text: str) -> str:
        for address in listed(text):
            normalised_email(address)
        return text

    @field_validator("proxy_join_role", mode="before")
    @classmethod
    def _nothing_is_none(cls, role: object) -> object:
        return None if role == "" else role

    @model_validator(mode="after")
    def _complete(self) -> "Settings":
        missing = [name for name in NEEDED_BY_PROXY if self.auth == "proxy" and not getattr(self, name)]
        if missing:
            names = ", ".join(f"LLMBENCH_IDENTITY_{name.upper()}" for name in missing)
            raise ValueError(f"LLMBENCH_AUTH=proxy needs {names}")
        if self.auth == "proxy" and self.issuers and self.issuers.get_secret_value().strip():
            raise ValueError("LLMBENCH_IDENTITY_ISSUERS needs LLMBENCH_AUTH=on: with proxy the proxy signs people in")
        if self.proxy_join_role is Role.OWNER:
            raise ValueError("LLMBENCH_IDENTITY_PROXY_JOIN_ROLE cannot be owner: name owners in ..._PROXY_OWNERS")
        return self

    def lifetimes(self) -> Lifetimes:
        return Lifetimes(timedelta(days=self.session_days), timedelta(hours=self.session_idle_hours))

    def proxy_rules(self) -> ProxyRules:
        return ProxyRules(
            header=self.proxy_header,
            issuer=self.proxy_issuer,
            audience=self.proxy_audience,
            algorithms=listed(self.proxy_algorithms),
            email_claim=self.proxy_email_claim,
            name_claim=self.proxy_name_claim,
            join_role=self.proxy_join_role,
            owners=frozenset(normalised_email(each) for each in listed(self.proxy_owners)),
        )
