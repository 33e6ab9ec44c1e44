"""Read the issuers from the settings: the OpenID Connect providers at which people may sign in.

Only the operator of the platform can configure issuers. The platform believes an issuer about the identity of people,
so no organisation can add one.
"""

import json
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Annotated, Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

from identity.bodies import Name
from llmbench.access import Role
from llmbench.faults import faults_of
from llmbench.ids import DEFAULT_ORG_ID

MOST_ISSUERS: Final = 20
_NAME: Final = "^[a-z0-9]+(-[a-z0-9]+)*$"


def is_loopback_url(url: str) -> bool:
    """Return whether the host of a URL is this machine, by name or address."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def endpoint_url(url: str) -> str:
    """Return the URL unchanged. Raises `ValueError` unless it is HTTPS, or HTTP to this machine, without credentials
    and fragment."""
    parts = urlsplit(url)
    # Accessing the port validates that it is a number.
    _ = parts.port
    if not parts.hostname or parts.scheme not in ("https", "http") or "@" in parts.netloc or parts.fragment:
        raise ValueError("must be a URL like https://id.example.org")
    if parts.scheme == "http" and not is_loopback_url(url):
        raise ValueError("must begin with https:// (http:// only for an issuer on this machine)")
    return url


def _issuer_url(url: str) -> str:
    if urlsplit(endpoint_url(url)).query:
        raise ValueError("must have no query")
    return url


def _domain(text: str) -> str:
    return text.casefold().removeprefix("@")


class Issuer(BaseModel):
    """An OpenID Connect provider, and the rules by which its people become members of one organisation.

    A person without an account becomes a member if one of the person's groups is in `roles`, or else if the domain of
    the verified address is in `domains`. If neither is configured, only people who have linked a login or accept
    an invitation can sign in with the issuer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    name: Annotated[str, Field(max_length=40, pattern=_NAME)]
    title: Annotated[Name, Field(max_length=60)]
    issuer: Annotated[str, Field(max_length=500), AfterValidator(_issuer_url)]
    client_id: Annotated[str, Field(min_length=1, max_length=255)]
    client_secret: SecretStr | None = None
    organisation: UUID = DEFAULT_ORG_ID
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    domains: tuple[Annotated[str, AfterValidator(_domain)], ...] = ()
    role: Role = Role.VIEWER
    groups_claim: Annotated[str, Field(min_length=1, max_length=200)] = "groups"
    roles: Mapping[str, Role] = {}

    @model_validator(mode="after")
    def _possible(self) -> "Issuer":
        if Role.OWNER in (self.role, *self.roles.values()):
            raise ValueError("an issuer makes nobody an owner: give that role by hand")
        if "openid" not in self.scopes:
            raise ValueError("scopes need openid")
        return self

    def role_of(self, groups: tuple[str, ...], verified_email: str | None) -> Role | None:
        """Return the role that the issuer gives a person; `None` means no membership. The first entry in `roles` with a
        group of the person decides. Without such an entry, the person gets `role` if the domain of `verified_email` is
        in `domains`."""
        for group, role in self.roles.items():
            if group in groups:
                return role
        domain = (verified_email or "").rpartition("@")[2]
        return self.role if domain and domain in self.domains else None


def listed_issuers(text: str) -> tuple[Issuer, ...]:
    """Parse the setting: a JSON list of issuers; an empty text gives none. Raises `ValueError`, whose message repeats
    no value, because the setting has secrets."""
    if not text.strip():
        return ()
    try:
        listed: Any = json.loads(text)
    except ValueError as error:
        raise ValueError(f"is no JSON: {getattr(error, 'msg', 'it cannot be read')}") from None
    if not isinstance(listed, list) or len(listed) > MOST_ISSUERS:
        raise ValueError(f"must be a JSON list of at most {MOST_ISSUERS} issuers")
    issuers = tuple(_issuer(number, each) for number, each in enumerate(listed, start=1))
    for what in ("name", "issuer"):
        if len({getattr(each, what) for each in issuers}) < len(issuers):
            raise ValueError(f"has two issuers with the same {what}")
    return issuers


def _issuer(number: int, given: Any) -> Issuer:
    try:
        return Issuer.model_validate(given)
    except ValidationError as error:
        faults = "; ".join(f"{fault.field}: {fault.message}" for fault in faults_of(error, Issuer))
        raise ValueError(f"issuer {number}: {faults}") from None
