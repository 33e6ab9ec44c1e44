"""What can be done to providers; each change in one transaction with the event that tells of it."""

from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api import paging
from config_api.bodies import now
from config_api.conflicts import unique
from config_api.providers import sealing, store, usage
from config_api.providers.gateway import ProviderGateway
from config_api.providers.schemas import (
    HeaderOut,
    ModelOut,
    ProviderIn,
    ProviderModels,
    ProviderOut,
    ProviderPage,
    ProviderTest,
)
from config_api.versions import missing, require_match
from llmbench.contracts.list_models import ModelsListed
from llmbench.contracts.provider_changed import ProviderChanged
from llmbench.db.tables import config_outbox
from llmbench.errors import Problem
from llmbench.ids import new_id
from llmbench.messaging.outbox import put
from llmbench.secrets import SecretBox, origin


class ProviderService:
    def __init__(self, engine: AsyncEngine, box: SecretBox, gateway: ProviderGateway) -> None:
        self._engine = engine
        self._box = box
        self._gateway = gateway

    async def list(self, *, q: str | None, cursor: str | None, limit: int) -> ProviderPage:
        after = paging.decode(cursor, order="name") if cursor else None
        async with self._engine.connect() as connection:
            # One more than asked for: whether it exists says whether there is a next page.
            rows = await store.list_providers(connection, q=q, after=after, limit=limit + 1)
        page = [_out(provider) for provider in rows[:limit]]
        last = paging.After("name", page[-1].name) if len(rows) > limit else None
        return ProviderPage(items=page, next_cursor=paging.encode(last) if last else None)

    async def create(self, body: ProviderIn) -> ProviderOut:
        id_ = new_id()
        endpoint = sealing.endpoint_of(body)
        headers = sealing.headers_of(body, self._box, provider_id=id_, base_url=endpoint.base_url, before=None)
        with unique(store.UNIQUE_NAME, what="provider", field="name", value=body.name):
            async with self._engine.begin() as connection:
                await store.insert_provider(connection, id_, endpoint)
                await store.replace_headers(connection, id_, headers)
                return _out(await _tell(connection, "created", id_))

    async def get(self, id_: UUID) -> ProviderOut:
        return _out(await self._find(id_))

    async def replace(self, id_: UUID, body: ProviderIn, *, if_match: str | None) -> ProviderOut:
        endpoint = sealing.endpoint_of(body)
        with unique(store.UNIQUE_NAME, what="provider", field="name", value=body.name):
            async with self._engine.begin() as connection:
                before = await _locked(connection, id_)
                require_match(if_match, before.version)
                await _refuse_to_move(connection, before, endpoint)
                headers = sealing.headers_of(
                    body, self._box, provider_id=id_, base_url=endpoint.base_url, before=before
                )
                await store.update_provider(connection, id_, endpoint)
                await store.replace_headers(connection, id_, headers)
                return _out(await _tell(connection, "updated", id_))

    async def delete(self, id_: UUID) -> None:
        async with self._engine.begin() as connection:
            await _locked(connection, id_)
            runs = await usage.runs_using(connection, id_)
            if runs:
                raise usage.in_use("The provider cannot be deleted; delete the runs that used it first:", runs)
            await _tell(connection, "deleted", id_)
            await store.delete_provider(connection, id_)

    async def models(self, id_: UUID) -> ProviderModels:
        provider = await self._find(id_)
        listed = await self._gateway.models(provider)
        if listed.problem is not None:
            extra = {"cause": listed.cause, "url": listed.url}
            raise Problem(502, "Provider failed", listed.problem, extra=extra)
        return ProviderModels(models=_models(listed), latency_ms=listed.latency_ms, supported=listed.supported)

    async def test(self, id_: UUID) -> ProviderTest:
        provider = await self._find(id_)
        listed = await self._gateway.models(provider)
        return ProviderTest(
            ok=listed.problem is None,
            latency_ms=listed.latency_ms,
            models=_models(listed),
            problem=listed.problem,
            cause=listed.cause,
            url=listed.url,
        )

    async def _find(self, id_: UUID) -> store.Provider:
        async with self._engine.connect() as connection:
            provider = await store.find_provider(connection, id_)
        if provider is None:
            raise missing("provider", id_)
        return provider


async def _locked(connection: AsyncConnection, id_: UUID) -> store.Provider:
    provider = await store.find_provider(connection, id_, lock=True)
    if provider is None:
        raise missing("provider", id_)
    return provider


async def _refuse_to_move(connection: AsyncConnection, before: store.Provider, after: store.Endpoint) -> None:
    """A run remembers where its provider is: to move it under a run would mix two servers' answers."""
    moved = origin(before.endpoint.base_url) != origin(after.base_url)
    if moved or before.endpoint.type != after.type:
        runs = await usage.runs_using(connection, before.id, unfinished=True)
        if runs:
            what = "base_url cannot lead to another server" if moved else "type cannot change"
            raise usage.in_use(f"While unfinished runs use the provider, its {what}:", runs)


async def _tell(
    connection: AsyncConnection, change: Literal["created", "updated", "deleted"], id_: UUID
) -> store.Provider:
    provider = await store.find_provider(connection, id_)
    assert provider is not None, "the transaction holds it"
    event = ProviderChanged(change=change, id=id_, name=provider.endpoint.name, at=now())
    await put(connection, config_outbox, [event])
    return provider


def _models(listed: ModelsListed) -> list[ModelOut]:
    return [ModelOut(id=model) for model in listed.models]


def _out(provider: store.Provider) -> ProviderOut:
    return ProviderOut(
        id=provider.id,
        name=provider.endpoint.name,
        type=provider.endpoint.type,
        base_url=provider.endpoint.base_url,
        models_endpoint=provider.endpoint.models_endpoint,
        inference_endpoint=provider.endpoint.inference_endpoint,
        options=provider.endpoint.options,
        headers=[
            HeaderOut(
                header_key=header.header_key,
                header_value=header.plain_value,
                is_secret=header.is_secret,
                hint=header.hint,
            )
            for header in provider.headers
        ],
        version=provider.version,
        created_at=provider.created_at,
        updated_at=provider.updated_at,
    )
