"""Decide who may do what: one pure function over one table of rules.

A rule names a role, a resource and verbs. Routes declare the resource (`llmbench.http.service_router`). The verb
follows from the HTTP method, unless the route declares another one. Without sign-in (`LLMBENCH_AUTH=off`) this module
is not used.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID


class Role(StrEnum):
    """The role of a person in an organisation."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    VIEWER = "viewer"
    ANNOTATOR = "annotator"


class Verb(StrEnum):
    READ = "read"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"


class Resource(StrEnum):
    """The kinds of things to which rights apply, such as runs. Several URL paths may belong to one resource."""

    RUNS = "runs"
    TASKS = "tasks"
    COLLECTIONS = "collections"
    DATASETS = "datasets"
    DOCUMENTS = "documents"
    PRESETS = "presets"
    PROMPTS = "prompts"
    SUITES = "suites"
    EVALUATORS = "evaluators"
    EXPERIMENTS = "experiments"
    ANNOTATIONS = "annotations"
    ANNOTATION_TASKS = "annotation-tasks"
    PROVIDERS = "providers"
    STORAGE = "storage"
    USAGE = "usage"
    ORGANISATION = "organisation"
    MEMBERS = "members"
    INVITATIONS = "invitations"
    API_KEYS = "api-keys"
    SERVICE_ACCOUNTS = "service-accounts"
    AUDIT_LOG = "audit-log"


_READ: Final = frozenset({Verb.READ})
_ALL: Final = frozenset(Verb)
_LABEL: Final = frozenset({Verb.READ, Verb.CREATE, Verb.UPDATE})

_WORK: Final = (
    *(Resource.RUNS, Resource.TASKS, Resource.COLLECTIONS, Resource.DATASETS, Resource.DOCUMENTS),
    *(Resource.PRESETS, Resource.PROMPTS, Resource.SUITES, Resource.EVALUATORS, Resource.EXPERIMENTS),
    *(Resource.ANNOTATIONS, Resource.ANNOTATION_TASKS),
)
"""The resources that people work with every day."""

_VIEWER: Final = {
    **dict.fromkeys(_WORK, _READ),
    Resource.PROVIDERS: _READ,
    Resource.USAGE: _READ,
    Resource.ORGANISATION: _READ,
    Resource.MEMBERS: _READ,
}
_MEMBER: Final = {**_VIEWER, **dict.fromkeys(_WORK, _ALL)}
_ADMIN: Final = {
    **_MEMBER,
    Resource.PROVIDERS: _ALL,
    Resource.STORAGE: _ALL,
    Resource.MEMBERS: _ALL,
    Resource.INVITATIONS: _ALL,
    Resource.API_KEYS: _ALL,
    Resource.SERVICE_ACCOUNTS: _ALL,
    Resource.AUDIT_LOG: _READ,
}

RULES: Final[Mapping[Role, Mapping[Resource, frozenset[Verb]]]] = {
    Role.OWNER: {**_ADMIN, Resource.ORGANISATION: _ALL},
    Role.ADMIN: _ADMIN,
    Role.MEMBER: _MEMBER,
    Role.VIEWER: _VIEWER,
    Role.ANNOTATOR: {
        Resource.ANNOTATIONS: _LABEL,
        Resource.DATASETS: _READ,
        Resource.TASKS: _READ,
        Resource.ORGANISATION: _READ,
    },
}
"""The rights of each role. Everything else is forbidden."""

VERBS: Final[Mapping[str, Verb]] = {
    "GET": Verb.READ,
    "HEAD": Verb.READ,
    "OPTIONS": Verb.READ,
    "POST": Verb.CREATE,
    "PUT": Verb.UPDATE,
    "PATCH": Verb.UPDATE,
    "DELETE": Verb.DELETE,
}
"""The verb for which a request with this HTTP method needs a right."""


@dataclass(frozen=True)
class Principal:
    """The person on whose behalf a request is made, with the person's organisation and role.

    `credential_id` is the session or API key that the request presents. `scopes` are rights, each written
    `resource:verb`. The session or key allows only those rights of the role that are in `scopes`. `None` allows all
    rights of the role.
    """

    person_id: UUID
    org_id: UUID
    role: Role
    credential_id: UUID
    scopes: frozenset[str] | None = None


def scope(resource: Resource, verb: Verb) -> str:
    """Return the right to use `verb` on `resource`, in the form in which API keys and sessions store rights.

    >>> scope(Resource.RUNS, Verb.CREATE)
    'runs:create'
    """
    return f"{resource.value}:{verb.value}"


SCOPES: Final = frozenset(scope(resource, verb) for resource in Resource for verb in Verb)


def allowed(principal: Principal, verb: Verb, resource: Resource) -> bool:
    """Return whether the principal may use the verb on the resource in the principal's organisation."""
    granted = verb in RULES[principal.role].get(resource, frozenset())
    return granted and (principal.scopes is None or scope(resource, verb) in principal.scopes)


def all_allowed(principal: Principal) -> list[str]:
    """Return the rights of the principal as texts `resource:verb`, sorted."""
    return sorted(scope(resource, verb) for resource in Resource for verb in Verb if allowed(principal, verb, resource))


def may_grant(giver: Role, role: Role) -> bool:
    """Return whether a person of role `giver` may give `role` to someone, or withdraw it. Owners may do this with any
    role, and admins with any role except owner."""
    return giver is Role.OWNER or (giver is Role.ADMIN and role is not Role.OWNER)


def unknown_scopes(scopes: Iterable[str]) -> list[str]:
    """Return the `scopes` that do not consist of a known resource and a known verb, in the given order."""
    return [each for each in scopes if each not in SCOPES]
