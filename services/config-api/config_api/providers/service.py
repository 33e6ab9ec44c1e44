"""Read, change and test providers. A change and its event commit in the same transaction."""

from typing import Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from config_api import paging
from config_api.bodies import now
from config_api.conflicts import unique
from config_api.providers import sealing, store, usage
from config_api.providers.defaults import LOCAL_PROVIDERS, Rules
from config_api.providers.gateway import ProviderGateway
from config_api.providers.schemas import (
    HeaderOut,
    ModelOut,
    ProviderIn,
    ProviderModels,
    ProviderOut,
    ProviderPage,
    ProviderTest,
    ProviderTestIn,
    ProviderTypes,
)
from config_api.providers.types import shown
from config_api.versions import missing, require_match
from llmbench.contracts.list_models import ModelsListed
from llmbench.contracts.provider_changed import ProviderChanged
from llmbench.contracts.provider_type import endpoints
from llmbench.db.secrets import SecretBox, origin
from llmbench.db.tables import config_outbox
from llmbench.errors import Problem
from llmbench.ids import new_id
from llmbench.messaging.outbox import put


class ProviderService:
    def __init__(self, engine: AsyncEngine, box: SecretBox, gateway: ProviderGateway, rules: Rules) -> None:
        self._engine = engine
        self._box = box
        self._gateway = gateway
        self._rules = rules

    async def create_defaults(self) -> None:
        """Create the default providers on the first start only, so that a provider deleted by the user does not
        reappear."""
        async with self._engine.begin() as connection:
            if not await store.claim_defaults(connection):
                return
            for type_, name in LOCAL_PROVIDERS.items():
                base_url = self._rules.base_urls[type_]
                models, inference = endpoints(base_url)
                written = store.Written(name, store.Connection(type_, base_url, models, inference, options={}))
                id_ = new_id()
                if await store.insert_unless_named(connection, id_, written):
                    await _tell(connection, "created", id_)

    async def types(self) -> ProviderTypes:
        listed = await self._gateway.types()
        return ProviderTypes(items=[shown(info, self._rules.base_urls) for info in listed.types])

    async def list(self, *, q: str | None, name: str | None, cursor: str | None, limit: int) -> ProviderPage:
        after = paging.decode(cursor, order="name") if cursor else None
        async with self._engine.connect() as connection:
            # Read one row more than requested: it shows that there is a next page.
            rows = await store.list_providers(connection, q=q, name=name, after=after, limit=limit + 1)
        page = [_out(provider) for provider in rows[:limit]]
        last = paging.After("name", page[-1].name) if len(rows) > limit else None
        return ProviderPage(items=page, next_cursor=paging.encode(last) if last else None)

    async def create(self, body: ProviderIn) -> ProviderOut:
        written = await self.checked(body)
        with unique(store.UNIQUE_NAME, what="provider", field="name", value=body.name):
            async with self._engine.begin() as connection:
                return await self.create_in(connection, body, written)

    async def checked(self, body: ProviderIn) -> store.Written:
        """Return the provider's properties as they are stored, validated by the profile of its type.

        Call it before a transaction begins, so that no locks are held while the inference gateway answers. Raises a 422
        problem for invalid properties, and a 503 problem when the gateway does not answer.
        """
        return sealing.written_of(body, self._rules, await self._gateway.describe(body.type, body.options))

    async def create_in(self, connection: AsyncConnection, body: ProviderIn, written: store.Written) -> ProviderOut:
        """Create a provider in the caller's transaction. `written` are the rows to write, which `checked` made from
        `body`.

        Raises a 422 problem for a repeated header name or a header without a value. If the name is taken, the
        database's integrity error is raised.
        """
        id_ = new_id()
        base_url = written.connection.base_url
        headers = sealing.headers_of(body, self._box, provider_id=id_, base_url=base_url, before=None)
        await store.insert_provider(connection, id_, written)
        await store.replace_headers(connection, id_, headers)
        return _out(await _tell(connection, "created", id_))

    async def get(self, id_: UUID) -> ProviderOut:
        return _out(await self._find(id_))

    async def replace(self, id_: UUID, body: ProviderIn, *, if_match: str | None) -> ProviderOut:
        written = await self.checked(body)
        base_url = written.connection.base_url
        with unique(store.UNIQUE_NAME, what="provider", field="name", value=body.name):
            async with self._engine.begin() as connection:
                before = await _locked(connection, id_)
                require_match(if_match, before.version)
                await _refuse_to_move(connection, before, written.connection)
                headers = sealing.headers_of(body, self._box, provider_id=id_, base_url=base_url, before=before)
                await store.update_provider(connection, id_, written)
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
        listed = await self._gateway.models(provider.id, provider.name, provider.connection)
        if listed.problem is not None:
            extra = {"cause": _cause(listed), "url": _url(listed)}
            raise Problem(502, "Provider failed", listed.problem, extra=extra)
        return ProviderModels(models=_models(listed), latency_ms=listed.latency_ms, supported=listed.supported)

    async def test(self, id_: UUID) -> ProviderTest:
        provider = await self._find(id_)
        return _tested(await self._gateway.models(provider.id, provider.name, provider.connection, probe=True))

    async def test_unsaved(self, body: ProviderTestIn) -> ProviderTest:
        """Test a provider with the given values, whether it is saved or not. Nothing is stored.

        The inference gateway gets secrets only encrypted. Raises a 404 problem for an unknown `id`, a 422 problem for
        invalid values, and a 503 problem when the gateway does not answer. A failed test is a result, not a problem.
        """
        before = await self._find(body.id) if body.id else None
        id_ = before.id if before else new_id()
        described = await self._gateway.describe(body.type, body.options)
        connection = sealing.connection_of(body, self._rules, described)
        headers = sealing.headers_of(body, self._box, provider_id=id_, base_url=connection.base_url, before=before)
        listed = await self._gateway.models(id_, body.name or "", connection, headers=headers, probe=True)
        return _tested(listed)

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


async def _refuse_to_move(connection: AsyncConnection, before: store.Provider, after: store.Connection) -> None:
    """Raise a 409 problem if the server or the type changes while an unfinished run uses the provider.

    The answers of such a run would come from two servers.
    """
    moved = origin(before.connection.base_url) != origin(after.base_url)
    if moved or before.connection.type != after.type:
        runs = await usage.runs_using(connection, before.id, unfinished=True)
        if runs:
            what = "base_url cannot lead to another server" if moved else "type cannot change"
            raise usage.in_use(f"While unfinished runs use the provider, its {what}:", runs)


async def _tell(
    connection: AsyncConnection, change: Literal["created", "updated", "deleted"], id_: UUID
) -> store.Provider:
    provider = await store.find_provider(connection, id_)
    assert provider is not None, "the transaction holds it"
    event = ProviderChanged(change=change, id=id_, name=provider.name, at=now())
    await put(connection, config_outbox, [event])
    return provider


def _tested(listed: ModelsListed) -> ProviderTest:
    return ProviderTest(
        ok=listed.problem is None,
        latency_ms=listed.latency_ms,
        models=_models(listed),
        problem=listed.problem,
        cause=_cause(listed),
        url=_url(listed),
    )


def _cause(listed: ModelsListed) -> str | None:
    # A gateway of an earlier version sends `cause` instead of `problem_kind`, and `url` instead of `url_tried`.
    return listed.problem_kind or listed.cause


def _url(listed: ModelsListed) -> str:
    return listed.url_tried or listed.url


def _models(listed: ModelsListed) -> list[ModelOut]:
    return [ModelOut(id=model) for model in listed.models]


def _out(provider: store.Provider) -> ProviderOut:
    return ProviderOut(
        id=provider.id,
        name=provider.name,
        type=provider.connection.type,
        base_url=provider.connection.base_url,
        models_endpoint=provider.connection.models_endpoint,
        inference_endpoint=provider.connection.inference_endpoint,
        options=provider.connection.options,
        headers=[
            HeaderOut(
                header_key=header.header_key,
                header_value=header.plain_value,
                is_secret=header.is_secret,
                hint=header.hint,
            )
            for header in provider.headers
        ],
        prices=list(provider.prices),
        version=provider.version,
        created_at=provider.created_at,
        updated_at=provider.updated_at,
        created_by=provider.created_by,
    )
