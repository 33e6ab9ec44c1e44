"""The rights of the logins, as plain values.

This module does not import SQLAlchemy, because the supervisor of `llmbench up` imports it and has to stay small.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Grants:
    """The rights of the login `role` on tables. It may change the tables in `writes`, read those in `reads`, and vacuum
    those in `maintains`.

    `locks` has pairs of a table and a column. The login may lock the table's rows. PostgreSQL allows this only to a
    login that may update a column of the table, so the login may update this column.
    """

    role: str
    writes: tuple[str, ...]
    reads: tuple[str, ...] = ()
    # Pairs of table and column: the right to update the column lets the service lock rows.
    locks: tuple[tuple[str, str], ...] = ()
    # Tables that the service may vacuum. PostgreSQL has this right from version 17 on; before, autovacuum does the
    # work.
    maintains: tuple[str, ...] = ()
