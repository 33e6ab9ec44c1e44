"""Build the table of access rights with LLMBENCH_AUTH=on: each route, topic and command with each kind of caller.

The rows are derived: routes come from the OpenAPI documents, topics from the contracts, and commands from the command
line. `tools.gen.access` writes the table to a page, and `tests/security` tries every cell of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from llmbench.access import SCOPES, Principal, Resource, Role, Verb, all_allowed, scope
from llmbench.contracts.run_event import RUN_TOPICS
from llmbench_cli.main import commands
from llmbench_cli.rights import Needs, needs_of
from tools.gen.openapi import Document

METHODS: Final = ("get", "patch", "put", "post", "delete")
SIGN_IN: Final = "/api/auth/"
OPEN: Final = (
    *("/api/auth/session", "/api/auth/sign-in", "/api/auth/first-owner", "/api/auth/invitations/accept"),
    *("/api/auth/password-reset", "/api/auth/issuers", "/api/auth/issuers/{name}/sign-in"),
)
"""The routes without sign-in: they are needed to sign in."""
INVITED: Final = "/v1/annotations/invited"
"""The routes of people who have an invitation link. Without its token they answer 410 or 422."""
SHARED: Final = "/api/runs/shared/report"
"""The routes of people who have a link to a report. Without its token they answer 410 or 422."""

SIGN_OUT: Final = ("/api/auth/sign-out", "/api/auth/issuers/sign-out")
"""The routes by which a session ends itself. A request with a session that has ended already is no error."""


class Caller(StrEnum):
    """The kinds of callers, in the order of the table's columns."""

    NOBODY = "no identity"
    STRANGER = "another organisation"
    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    VIEWER = "viewer"
    ANNOTATOR = "annotator"
    EXPIRED_SESSION = "expired session"
    ENDED_SESSION = "ended session"
    REVOKED_KEY = "revoked key"
    EXPIRED_KEY = "expired key"
    OTHER_KEY = "key for another resource"
    READING_KEY = "key for reading"


ROLES: Final = {Caller(role.value): role for role in Role}
INVALID: Final = frozenset(
    {Caller.NOBODY, Caller.EXPIRED_SESSION, Caller.ENDED_SESSION, Caller.REVOKED_KEY, Caller.EXPIRED_KEY}
)
KEYS: Final = frozenset({Caller.REVOKED_KEY, Caller.EXPIRED_KEY, Caller.OTHER_KEY, Caller.READING_KEY})
SESSIONS: Final = frozenset({Caller.EXPIRED_SESSION, Caller.ENDED_SESSION})
READING: Final = frozenset(scope(resource, Verb.READ) for resource in Resource)


class Outcome(StrEnum):
    """The expected outcome of a call by one kind of caller: a cell of the table, as the page shows it."""

    ALLOWED = "yes"
    OWN_ONLY = "own"
    """The request succeeds, but the response has no data of other organisations than the caller's own."""
    NOT_SIGNED_IN = "401"
    NOT_ALLOWED = "403"
    NOT_FOUND = "404"
    """The response is the same as for an id that does not exist."""
    IMPOSSIBLE = "-"
    """This kind of caller cannot use this kind of row, such as a session in a command."""


class Kind(StrEnum):
    ROUTE = "route"
    TOPIC = "topic"
    COMMAND = "command"


@dataclass(frozen=True)
class Row:
    """A row of the table: a route, topic or command. `rights` are all rights that a caller needs. A route with `open`
    needs no right, nor does a route about the caller's own session."""

    kind: Kind
    name: str
    rights: frozenset[str] = frozenset()
    service: str = ""
    open: bool = False

    @property
    def method(self) -> str:
        return self.name.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.name.partition(" ")[2]

    @property
    def names_something(self) -> bool:
        """Return whether the route's path contains an id."""
        return self.kind is Kind.ROUTE and "{" in self.path

    @property
    def about_oneself(self) -> bool:
        """Return whether the route is about the caller's own session, so that an API key cannot use it."""
        return self.kind is Kind.ROUTE and not self.rights and not self.open

    @property
    def works_here(self) -> bool:
        """Return whether this is a command that works with the machine's files or servers, and so needs no rights."""
        return self.kind is Kind.COMMAND and not self.rights


class Unclassified(ValueError):
    """Raised for a route that declares no right, or for a command that declares no needs."""


def routes(documents: dict[str, Document]) -> Iterator[Row]:
    """Yield the routes of the services' OpenAPI documents. Raises `Unclassified` for a route that declares no right."""
    for service, document in documents.items():
        for path, operations in document["paths"].items():
            for method in METHODS:
                if method in operations:
                    yield _route(service, f"{method.upper()} {path}", operations[method].get("x-access"))


def _route(service: str, name: str, right: str | None) -> Row:
    path = name.partition(" ")[2]
    if right is None and not path.startswith((SIGN_IN, INVITED, SHARED)):
        raise Unclassified(f"{name} needs no right: give its router a resource")
    opened = path in OPEN or path.startswith((INVITED, SHARED))
    open_ = right is None and opened and not (path == "/api/auth/session" and name.startswith("DELETE"))
    return Row(Kind.ROUTE, name, frozenset({right} if right else ()), service, open=open_)


def topics() -> Iterator[Row]:
    """Yield the topics of the WebSocket."""
    reading = frozenset({scope(Resource.RUNS, Verb.READ)})
    yield Row(Kind.TOPIC, "/topic/runs", reading)
    yield Row(Kind.TOPIC, "/topic/experiments", frozenset({scope(Resource.EXPERIMENTS, Verb.READ)}))
    for kind in (*RUN_TOPICS.values(), "answer"):
        yield Row(Kind.TOPIC, f"/topic/run/{{run_id}}/{kind}", reading)


def command_rows(app: typer.Typer = commands) -> Iterator[Row]:
    """Yield the commands of the command line. Raises `Unclassified` for a command that declares no needs."""
    for name, needs in declared(typer.main.get_command(app)):
        if needs is None:
            raise Unclassified(f"`llmbench {name}` does not say what it needs: see llmbench_cli/rights.py")
        if unknown := needs.rights - SCOPES:
            raise Unclassified(f"`llmbench {name}` needs {', '.join(sorted(unknown))}, which is no right")
        yield Row(Kind.COMMAND, name, needs.rights)


def declared(command: object, name: str = "") -> Iterator[tuple[str, Needs | None]]:
    """Yield the name and the declared needs of `command` and of all its subcommands. Hidden commands are left out."""
    if isinstance(command, TyperGroup):
        for of, each in sorted(command.commands.items()):
            if not each.hidden:
                yield from declared(each, f"{name} {of}".strip())
    elif isinstance(command, TyperCommand):
        # Typer wraps the function that parses the arguments around the command.
        callback = command.callback
        yield name, needs_of(callback) if callback else None


def expected(row: Row, caller: Caller) -> Outcome:
    """Return the outcome that the access rules demand for this row and caller."""
    if row.kind is Kind.COMMAND and (row.works_here or caller in SESSIONS):
        return Outcome.IMPOSSIBLE
    if row.open or (row.path in SIGN_OUT and caller in SESSIONS):
        return Outcome.ALLOWED
    if caller in INVALID or (row.about_oneself and caller in KEYS):
        return Outcome.NOT_SIGNED_IN
    if row.rights - rights_of(row, caller):
        return Outcome.NOT_ALLOWED
    if caller is Caller.STRANGER:
        names = row.names_something and not row.path.endswith("/{name}/link")
        return Outcome.NOT_FOUND if names else Outcome.OWN_ONLY
    return Outcome.ALLOWED


def rights_of(row: Row, caller: Caller) -> frozenset[str]:
    """Return the rights of a caller with a valid credential. The caller `OTHER_KEY` has all rights on one resource,
    which is chosen so that the row needs no right on it."""
    if caller is Caller.READING_KEY:
        return READING
    if caller is Caller.OTHER_KEY:
        return of_resource(other_resource(row))
    return frozenset(all_allowed(Principal(_ANYBODY, _ANYBODY, ROLES.get(caller, Role.OWNER), _ANYBODY)))


_ANYBODY: Final = UUID(int=0)
OTHERS: Final = (Resource.DATASETS, Resource.TASKS)


def other_resource(row: Row) -> Resource:
    """Return the resource on which the caller `OTHER_KEY` has its rights: the first of `OTHERS` that has none of the
    rights that a row of the table needs."""
    return next(other for other in OTHERS if not row.rights & of_resource(other))


def of_resource(resource: Resource) -> frozenset[str]:
    """Return all rights on a resource."""
    return frozenset(scope(resource, verb) for verb in Verb)
