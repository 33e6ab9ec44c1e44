"""Statements of every step of a run, put together once: to do so costs as much as to execute them."""

from functools import cache

from sqlalchemy import Integer, Table, Update, bindparam, select, update

from llmbench.db import tables as t
from orchestrator.adapters import conversations


@cache
def claiming(table: Table) -> Update:
    """`of_group`, `most`, `at` → the ids of so many that are due."""
    chosen = (
        select(table.c.id)
        .where(table.c.group_id == bindparam("of_group"), table.c.status == "NEW")
        .where((table.c.next_attempt_at.is_(None)) | (table.c.next_attempt_at <= bindparam("at")))
        .order_by(table.c.position)
        .limit(bindparam("most", type_=Integer))
    )
    if table is t.item:
        chosen = chosen.where(conversations.is_next())
    return (
        update(table)
        .where(table.c.id.in_(chosen.scalar_subquery()))
        .values(
            status="IN_PROGRESS",
            dispatch=table.c.dispatch + 1,
            dispatched_at=bindparam("at"),
            updated_at=bindparam("at"),
        )
        .returning(table.c.id)
    )


@cache
def saving(table: Table, columns: tuple[str, ...]) -> Update:
    """`key`, `now` and `new_<column>` of each."""
    return (
        update(table)
        .where(table.c.id == bindparam("key"))
        .values({column: bindparam(f"new_{column}") for column in columns} | {"updated_at": bindparam("now")})
    )
