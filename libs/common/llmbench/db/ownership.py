"""Declare which services may use a table: the one service that writes it, and those that read, lock or vacuum it.

The rights of the logins, the test that searches for writers, and the documentation are derived from these declarations.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import MetaData, Table

from llmbench.db.grants import Grants

_KEY = "access"


@dataclass(frozen=True)
class Access:
    """The names of the services that may use a table. Only `owner` writes it."""

    owner: str
    readers: tuple[str, ...] = ()
    # Services that lock rows against changes, each with the column that it may update for this purpose.
    lockers: Mapping[str, str] = field(default_factory=dict)
    # Services that vacuum the table after they removed many rows.
    maintainers: tuple[str, ...] = ()


def owned_by(
    owner: str,
    *,
    readers: Iterable[str] = (),
    lockers: Mapping[str, str] | None = None,
    maintainers: Iterable[str] = (),
) -> dict[str, Access]:
    """Return the argument `info` of a `Table` that only the service `owner` writes.

    `lockers` maps a service that locks rows to the column that it may update for this purpose.
    """
    return {_KEY: Access(owner, tuple(readers), lockers or {}, tuple(maintainers))}


def access(table: Table) -> Access:
    """Return the declaration in the table's `info`. Raises `ValueError` for a table without one."""
    declared = table.info.get(_KEY)
    if not isinstance(declared, Access):
        raise ValueError(f"table {table.name} names no owner: give it info=owned_by(…)")
    return declared


def grants(metadata: MetaData) -> dict[str, Grants]:
    """Return the rights of each service that uses a table of `metadata`, by the service's name."""
    tables = {name: access(table) for name, table in sorted(metadata.tables.items())}
    services = sorted({service for each in tables.values() for service in _services(each)})
    return {service: _grants(service, tables) for service in services}


def _services(access: Access) -> set[str]:
    return {access.owner, *access.readers, *access.lockers, *access.maintainers}


def _grants(service: str, tables: Mapping[str, Access]) -> Grants:
    return Grants(
        role=f"llmbench_{service.replace('-', '_')}",
        writes=tuple(name for name, access in tables.items() if access.owner == service),
        reads=tuple(name for name, access in tables.items() if service in access.readers),
        locks=tuple((name, access.lockers[service]) for name, access in tables.items() if service in access.lockers),
        maintains=tuple(name for name, access in tables.items() if service in access.maintainers),
    )
