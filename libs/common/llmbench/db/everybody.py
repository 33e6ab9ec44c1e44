"""The work that serves all organisations, and the logins that it uses.

Usually a database session sees only the rows of one organisation. The loops listed here need the rows of all. They sign
in to PostgreSQL with logins that are exempt from row-level security (`EXEMPT`), or as the owner of the tables, with the
session setting `SETTING`. They handle each row on behalf of the organisation that owns it.
"""

from dataclasses import dataclass

from llmbench.db.grants import Grants
from llmbench.db.service_grants import SERVICE_GRANTS

SETTING = "app.everybody"
"""The session setting that lets the owner of the tables see the rows of all organisations, if its value is "on".
Without it, the owner sees the rows of one organisation like any other login. The setting has no effect for other
logins."""


@dataclass(frozen=True)
class Loop:
    """Work of a service that needs the rows of all organisations. `why` says what the work does with the rows."""

    service: str
    name: str
    why: str


LOOPS = (
    Loop("config-api", "relay", "publishes the messages in `config_outbox`, in their order"),
    Loop("config-api", "sweep", "deletes uploaded files that no version and no document holds"),
    Loop("config-api", "key check", "tries whether the master key opens the stored secrets"),
    Loop("orchestrator", "relay", "publishes the messages in `run_outbox`, in their order"),
    Loop("orchestrator", "reconcile", "finds unfinished and queued runs, and what NATS still needs"),
    Loop("orchestrator", "count", "finds runs whose statistics are out of date"),
    Loop("orchestrator", "webhooks", "finds webhooks that are due"),
    Loop("orchestrator", "schedules", "finds schedules that are due, and firings whose run is not created yet"),
    Loop("orchestrator", "experiments", "finds experiments whose round is over, or that need their next round"),
    Loop("orchestrator", "verdicts", "finds finished runs that have to be compared with their baselines"),
    Loop("orchestrator", "retention", "finds runs that are old enough to be removed"),
    Loop("orchestrator", "owners", "looks up the organisation of a run"),
    Loop(
        "inference-gateway",
        "calls",
        "begins and stores calls of all organisations in shared statements, which name the organisation explicitly",
    ),
    Loop("identity", "sign-in", "finds the person, the organisations and the role that a credential stands for"),
)

_SUFFIX = "_everybody"
ROLES = {
    "config-api": Grants(
        role=SERVICE_GRANTS["config-api"].role + _SUFFIX,
        writes=("config_outbox",),
        reads=("loose_file", "organisation", "provider", "provider_header"),
    ),
    "orchestrator": Grants(
        role=SERVICE_GRANTS["orchestrator"].role + _SUFFIX,
        writes=("run_outbox",),
        reads=(
            "counted_block",
            "experiment",
            "experiment_round",
            "item",
            "organisation",
            "run",
            "run_block",
            "run_event",
            "run_evaluator",
            "run_group",
            "run_ranking",
            "schedule",
            "schedule_firing",
            "score",
            "target",
            "webhook",
        ),
    ),
    "identity": Grants(
        role=SERVICE_GRANTS["identity"].role + _SUFFIX,
        writes=(),
        reads=("api_key", "invitation", "membership", "organisation", "password_reset", "person", "web_session"),
    ),
}
"""The logins of the loops, by service; each has the password of its service's login.

The gateway has none: its only login sees all organisations.
"""

EXEMPT = tuple(sorted([*(grants.role for grants in ROLES.values()), SERVICE_GRANTS["inference-gateway"].role]))
"""The logins that see the rows of all organisations."""


def everybody_url(database_url: str) -> str:
    """Return a service's database URL, with its login replaced by the login that the service uses for work on all
    organisations.

    A URL is returned unchanged if its login is not that of a service in `ROLES`, or if it has no password.
    """
    for service in ROLES:
        role = SERVICE_GRANTS[service].role
        database_url = database_url.replace(f"://{role}:", f"://{role}{_SUFFIX}:", 1)
    return database_url
