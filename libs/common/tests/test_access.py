"""Test the table of access rules: what each role may do, and how the scopes of an API key restrict it."""

import itertools

import pytest

from llmbench.access import (
    RULES,
    SCOPES,
    Principal,
    Resource,
    Role,
    Verb,
    all_allowed,
    allowed,
    may_grant,
    scope,
    unknown_scopes,
)
from llmbench.ids import new_id


def principal(role: Role, scopes: frozenset[str] | None = None) -> Principal:
    return Principal(new_id(), new_id(), role, new_id(), scopes)


@pytest.mark.parametrize(
    ("role", "may", "may_not"),
    [
        (Role.OWNER, ["organisation:update", "providers:delete", "audit-log:read"], ["audit-log:delete"]),
        (Role.ADMIN, ["providers:create", "members:delete", "api-keys:create"], ["organisation:update"]),
        (Role.MEMBER, ["runs:create", "tasks:update", "datasets:delete"], ["providers:create", "members:update"]),
        (
            Role.VIEWER,
            ["runs:read", "providers:read", "members:read"],
            ["runs:create", "tasks:update", "api-keys:read"],
        ),
        (Role.ANNOTATOR, ["annotations:create", "datasets:read"], ["runs:read", "datasets:create", "members:read"]),
    ],
)
def test_role_has_the_rights_of_its_work(role: Role, may: list[str], may_not: list[str]) -> None:
    rights = set(all_allowed(principal(role)))
    assert rights >= set(may)
    assert not rights & set(may_not)


def test_each_role_but_the_annotator_has_the_rights_of_the_one_below() -> None:
    order = [Role.VIEWER, Role.MEMBER, Role.ADMIN, Role.OWNER]
    rights = [set(all_allowed(principal(role))) for role in order]
    assert all(below <= above for below, above in itertools.pairwise(rights))


def test_every_role_has_rules_and_every_resource_is_used() -> None:
    assert set(RULES) == set(Role)
    assert {resource for rules in RULES.values() for resource in rules} == set(Resource)


def test_scopes_narrow_the_role_and_never_widen_it() -> None:
    narrow = principal(Role.MEMBER, frozenset({"runs:read", "providers:create"}))
    assert all_allowed(narrow) == ["runs:read"]
    assert not allowed(narrow, Verb.CREATE, Resource.RUNS)
    assert all_allowed(principal(Role.OWNER, frozenset())) == []


def test_only_owners_make_and_unmake_owners() -> None:
    granting = {(giver, role) for giver in Role for role in Role if may_grant(giver, role)}
    assert granting == {(Role.OWNER, role) for role in Role} | {
        (Role.ADMIN, role) for role in Role if role is not Role.OWNER
    }


def test_unknown_scope_is_found() -> None:
    assert len(SCOPES) == len(Resource) * len(Verb)
    assert unknown_scopes(["runs:read", "runs:*", "x"]) == ["runs:*", "x"]
    assert scope(Resource.API_KEYS, Verb.DELETE) in SCOPES
