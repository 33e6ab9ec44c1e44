"""The rights of the logins, as plain values.

This module does not import SQLAlchemy, because the supervisor of `llmbench up` imports it and has to stay small.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Grants:
    """The rights of one service. PostgreSQL lets a login lock a row only if it may update a column of the table."""

    role: str
    writes: tuple[str, ...]
    reads: tuple[str, ...] = ()
    # Pairs of table and column: the right to update the column lets the service lock rows.
    locks: tuple[tuple[str, str], ...] = ()
    # Tables that the service may vacuum. Only PostgreSQL 17 and newer have this right; otherwise autovacuum does the
    # work.
    maintains: tuple[str, ...] = ()
