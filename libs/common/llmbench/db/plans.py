"""List and change plans, and give them to organisations, as the operator: with the login that owns the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import asyncpg

from llmbench.db.connection import connected
from llmbench.errors import LlmbenchError

LIMITS: Final = ("concurrency", "runs_a_day", "storage_bytes", "members")
_PLANS: Final = """
SELECT plan.name, concurrency, runs_a_day, storage_bytes, members,
       coalesce(array_agg(organisation.slug ORDER BY organisation.slug)
                FILTER (WHERE organisation.id IS NOT NULL), '{}') AS organisations
FROM plan LEFT JOIN organisation ON organisation.plan = plan.name
GROUP BY plan.name ORDER BY array_position('{FREE,STARTER,PROFESSIONAL,ENTERPRISE}', plan.name)
"""

_GIVE: Final = """
UPDATE organisation SET plan = $2, version = version + 1, updated_at = now() WHERE slug = $1 RETURNING id
"""


@dataclass(frozen=True)
class Plan:
    """A plan with its limits; a limit is null if there is none. `organisations` are the slugs of the organisations that
    have the plan."""

    name: str
    concurrency: int | None
    runs_a_day: int | None
    storage_bytes: int | None
    members: int | None
    organisations: Sequence[str]


class UnknownPlan(LlmbenchError):
    """Raised for a plan or an organisation that does not exist. The message lists the existing ones."""


async def list_plans(owner_url: str) -> list[Plan]:
    async with connected(owner_url, application_name="llmbench plans", everybody=True) as connection:
        return [Plan(**row) for row in await connection.fetch(_PLANS)]


async def change_plan(owner_url: str, name: str, changes: Mapping[str, int | None]) -> None:
    """Set limits of a plan. `changes` maps names from `LIMITS` to new values; `None` removes a limit.

    Services apply the new limits from their next check on. Raises `UnknownPlan` if no plan has this name, and
    `ValueError` for an unknown limit.
    """
    if unknown := changes.keys() - set(LIMITS):
        raise ValueError(f"no limit of a plan: {', '.join(sorted(unknown))}")
    columns = ", ".join(f"{column} = ${place}" for place, column in enumerate(changes, start=2))
    async with connected(owner_url, application_name="llmbench plans", everybody=True) as connection:
        changing = f"UPDATE plan SET {columns}, updated_at = now() WHERE name = $1 RETURNING name"  # noqa: S608
        if await connection.fetchval(changing, name, *changes.values()) is None:
            raise await _no_plan(connection, name)


async def give_plan(owner_url: str, slug: str, name: str) -> None:
    """Give the organisation with this slug another plan. Raises `UnknownPlan` if there is no such organisation or
    plan."""
    async with connected(owner_url, application_name="llmbench plans", everybody=True) as connection:
        if await connection.fetchval("SELECT name FROM plan WHERE name = $1", name) is None:
            raise await _no_plan(connection, name)
        if await connection.fetchval(_GIVE, slug, name) is None:
            slugs = await connection.fetch("SELECT slug FROM organisation ORDER BY slug LIMIT 20")
            raise UnknownPlan(f"there is no organisation {slug!r}; there are {', '.join(row['slug'] for row in slugs)}")


async def _no_plan(connection: "asyncpg.Connection[asyncpg.Record]", name: str) -> UnknownPlan:
    names = await connection.fetch("SELECT name FROM plan ORDER BY name")
    return UnknownPlan(f"there is no plan {name!r}; there are {', '.join(row['name'] for row in names)}")
