"""Rights of the logins, as plain values.

No SQLAlchemy here: the supervisor of `llmbench up` uses this and stays small.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Grants:
    """Rights of one service. PostgreSQL locks a row only for a login that may update one of its columns."""

    role: str
    writes: tuple[str, ...]
    reads: tuple[str, ...] = ()
    # Pairs of table and column: the right to update the column lets the service lock rows.
    locks: tuple[tuple[str, str], ...] = ()
    # Tables that it may vacuum, on a server that knows such a right (17 and newer); else autovacuum does.
    maintains: tuple[str, ...] = ()
