"""Read and write the tables `provider` and `provider_header`: one function per query, in the caller's transaction."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, Select, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from config_api.paging import After
from llmbench.contracts.provider import ModelPrice
from llmbench.db.tables import default_providers, provider, provider_header
from llmbench.ids import new_id
from llmbench.organisation import bound_organisation

UNIQUE_NAME = "provider_org_id_name_key"


@dataclass(frozen=True)
class Connection:
    """The type, addresses and options of a provider, without headers."""

    type: str
    base_url: str
    models_endpoint: str
    inference_endpoint: str
    options: dict[str, Any]


@dataclass(frozen=True)
class Written:
    """The properties of a provider that a user sets, without headers."""

    name: str
    connection: Connection
    prices: tuple[ModelPrice, ...] = ()

    def columns(self) -> dict[str, Any]:
        return {"name": self.name, "prices": self.prices, **asdict(self.connection)}


@dataclass(frozen=True)
class Header:
    """A header of a provider. A secret header has `sealed_value`, any other `plain_value`."""

    header_key: str
    is_secret: bool
    plain_value: str | None = None
    sealed_value: bytes | None = None
    hint: str | None = None


@dataclass(frozen=True)
class Provider:
    id: UUID
    name: str
    connection: Connection
    prices: tuple[ModelPrice, ...]
    headers: tuple[Header, ...]
    version: int
    created_at: datetime
    updated_at: datetime
    created_by: UUID | None


def _providers() -> Select[Any]:
    return select(provider)


def _provider(row: Row[Any], headers: tuple[Header, ...]) -> Provider:
    connection = Connection(
        type=row.type,
        base_url=row.base_url,
        models_endpoint=row.models_endpoint,
        inference_endpoint=row.inference_endpoint,
        options=row.options,
    )
    prices = tuple(ModelPrice.model_validate(price) for price in row.prices)
    return Provider(
        row.id,
        row.name,
        connection,
        prices,
        headers,
        row.version,
        row.created_at,
        row.updated_at,
        row.created_by,
    )


async def claim_defaults(connection: AsyncConnection) -> bool:
    """Record that the current organisation has its default providers. Return whether this was not recorded before.

    After `True` the caller creates the default providers in the same transaction. For each organisation, only one
    committed transaction ever gets `True`.
    """
    first = upsert(default_providers).values(org_id=bound_organisation()).on_conflict_do_nothing()
    return (await connection.execute(first)).rowcount == 1


async def insert_provider(connection: AsyncConnection, id_: UUID, written: Written) -> None:
    await connection.execute(insert(provider).values(id=id_, **written.columns()))


async def insert_unless_named(connection: AsyncConnection, id_: UUID, written: Written) -> bool:
    """Insert the provider, unless a provider of that name exists. Return whether it was inserted."""
    values = {"id": id_, **written.columns()}
    new = upsert(provider).values(values).on_conflict_do_nothing(constraint=UNIQUE_NAME)
    return (await connection.execute(new)).rowcount == 1


async def find_provider(connection: AsyncConnection, id_: UUID, *, lock: bool = False) -> Provider | None:
    """Return the provider, or `None` if it does not exist.

    With `lock`, no run can begin to use the provider until the transaction ends: the run's foreign key waits for the
    lock.
    """
    query = _providers().where(provider.c.id == id_)
    row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    if row is None:
        return None
    headers = await _headers(connection, [id_])
    return _provider(row, headers.get(id_, ()))


async def update_provider(connection: AsyncConnection, id_: UUID, written: Written) -> None:
    values = {**written.columns(), "version": provider.c.version + 1, "updated_at": func.now()}
    await connection.execute(update(provider).where(provider.c.id == id_).values(values))


async def delete_provider(connection: AsyncConnection, id_: UUID) -> None:
    await connection.execute(delete(provider).where(provider.c.id == id_))


async def list_providers(
    connection: AsyncConnection, *, q: str | None, name: str | None, after: After | None, limit: int
) -> list[Provider]:
    query = _providers()
    if name is not None:
        query = query.where(provider.c.name == name)
    if q:
        query = query.where(provider.c.name.icontains(q, autoescape=True))
    if after is not None:
        query = query.where(provider.c.name > after.key)
    rows = (await connection.execute(query.order_by(provider.c.name).limit(limit))).all()
    headers = await _headers(connection, [row.id for row in rows])
    return [_provider(row, headers.get(row.id, ())) for row in rows]


async def replace_headers(connection: AsyncConnection, id_: UUID, headers: Sequence[Header]) -> None:
    await connection.execute(delete(provider_header).where(provider_header.c.provider_id == id_))
    rows = [
        {"id": new_id(), "provider_id": id_, "position": position, **asdict(header)}
        for position, header in enumerate(headers)
    ]
    if rows:
        await connection.execute(insert(provider_header), rows)


async def _headers(connection: AsyncConnection, ids: Sequence[UUID]) -> dict[UUID, tuple[Header, ...]]:
    query = select(provider_header).where(provider_header.c.provider_id.in_(ids)).order_by(provider_header.c.position)
    found: dict[UUID, tuple[Header, ...]] = {}
    for row in await connection.execute(query):
        header = Header(row.header_key, row.is_secret, row.plain_value, row.sealed_value, row.hint)
        found[row.provider_id] = (*found.get(row.provider_id, ()), header)
    return found
