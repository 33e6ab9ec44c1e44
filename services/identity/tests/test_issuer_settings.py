"""Test the setting that lists the issuers, and the checks of ID tokens just before and after their time limits."""

import json
from typing import Any

import pytest
from asgi_lifespan import LifespanManager
from joserfc import jwt
from joserfc.jwk import KeySet
from openid_provider import new_key
from pydantic import SecretStr, ValidationError

from identity.main import Settings, create_app
from identity.openid_connect.failures import Refused
from identity.openid_connect.id_token import LEEWAY_S, Expected, claims_of, verified
from identity.openid_connect.issuers import Issuer, listed_issuers
from llmbench.access import Role
from llmbench.errors import BadSettings
from llmbench.ids import new_id

ISSUER = {"name": "company", "title": "Company", "issuer": "https://id.example.org", "client_id": "llmbench"}
NOW = 1_800_000_000


def test_list_of_issuers_is_read_with_its_defaults() -> None:
    [issuer] = listed_issuers(json.dumps([ISSUER]))
    assert (issuer.client_secret, issuer.roles, issuer.groups_claim) == (None, {}, "groups")
    assert issuer.scopes == ("openid", "profile", "email")
    assert listed_issuers(" ") == ()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"issuer": "http://id.example.org"}, "issuer: "),
        ({"issuer": "https://id.example.org?x=1"}, "issuer: "),
        ({"issuer": "https://user@id.example.org"}, "issuer: "),
        ({"issuer": "id.example.org"}, "issuer: "),
        ({"name": "Company!"}, "name: "),
        ({"client_id": ""}, "client_id: "),
        ({"roles": {"admins": "owner"}}, "owner"),
        ({"roles": {"admins": "king"}}, "roles"),
        ({"role": "owner"}, "owner"),
        ({"scopes": ["email"]}, "openid"),
        ({"secret": "hidden text"}, "secret"),
    ],
)
def test_wrong_issuer_is_refused_by_its_field_without_repeating_values(changes: dict[str, Any], named: str) -> None:
    given = {**ISSUER, "client_secret": "never shown", **changes}
    with pytest.raises(ValueError, match=named) as refused:
        listed_issuers(json.dumps([given]))
    assert "never shown" not in str(refused.value)
    assert "hidden text" not in str(refused.value)


@pytest.mark.parametrize("text", ["no json", "{}", json.dumps([ISSUER, ISSUER]), json.dumps([1])])
def test_text_that_is_no_list_of_issuers_is_refused(text: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate({"LLMBENCH_MASTER_KEY": "x" * 32, "issuers": SecretStr(text)})
    assert "no json" not in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_issuer_on_this_machine_may_use_http(host: str) -> None:
    assert listed_issuers(json.dumps([{**ISSUER, "issuer": f"http://{host}:9000"}]))


async def test_issuer_of_an_unknown_organisation_stops_the_start(settings: Settings) -> None:
    issuers = SecretStr(json.dumps([{**ISSUER, "organisation": str(new_id())}]))
    with pytest.raises(BadSettings, match="company"):
        async with LifespanManager(create_app(settings.model_copy(update={"issuers": issuers})), startup_timeout=240):
            pass


@pytest.mark.parametrize(
    ("groups", "email", "role"),
    [
        (("staff", "leads"), None, Role.ADMIN),
        (("staff",), "ada@company.example", Role.MEMBER),
        ((), "ada@company.example", Role.VIEWER),
        (("others",), "ada@elsewhere.example", None),
        ((), None, None),
    ],
)
def test_first_group_that_fits_decides_the_role_and_else_the_domain(
    groups: tuple[str, ...], email: str | None, role: Role | None
) -> None:
    rules = {"domains": ["@Company.example"], "roles": {"leads": "admin", "staff": "member"}}
    assert Issuer.model_validate({**ISSUER, **rules}).role_of(groups, email) is role


def check(**times: int) -> dict[str, Any]:
    key = new_key("one")
    claims = {"iss": "https://id.example.org", "aud": "llmbench", "sub": "ada", "nonce": "n", **times}
    token = jwt.encode({"alg": "ES256", "kid": "one"}, claims, key)
    expected = Expected("https://id.example.org", "llmbench", "n", ("ES256",))
    return verified(token, KeySet([key]), expected, now=NOW)


def test_clocks_may_differ_by_the_leeway_and_no_more() -> None:
    assert check(iat=NOW + LEEWAY_S, exp=NOW + 300)
    assert check(iat=NOW - 300, exp=NOW - LEEWAY_S + 1)
    for iat, exp in ((NOW + LEEWAY_S + 1, NOW + 300), (NOW - 300, NOW - LEEWAY_S - 1)):
        with pytest.raises(Refused):
            check(iat=iat, exp=exp)


@pytest.mark.parametrize(
    ("document", "groups"),
    [
        ({"groups": ["a", 1, None, "b"]}, ("a", "b")),
        ({"groups": "a"}, ("a",)),
        ({"groups": {"a": 1}}, ()),
        ({}, ()),
    ],
)
def test_groups_are_the_texts_of_the_claim(document: dict[str, Any], groups: tuple[str, ...]) -> None:
    assert claims_of({"sub": "ada", **document}, groups_claim="groups").groups == groups


def test_groups_may_lie_deeper_in_the_token() -> None:
    document = {"sub": "ada", "realm_access": {"roles": ["staff"]}}
    assert claims_of(document, groups_claim="realm_access.roles").groups == ("staff",)


def test_name_of_a_stranger_has_no_control_characters() -> None:
    document = {"sub": "ada", "name": "A\u202eda\x00 \n", "preferred_username": "ada"}
    assert claims_of(document, groups_claim="groups").name == "Ada"
