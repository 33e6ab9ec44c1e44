"""Define the endpoints of `/api/providers`."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Request, Response

from config_api.bodies import Search
from config_api.paging import CursorText, Limit
from config_api.problems import CHANGED, INVALID, MISSING, TAKEN, answers
from config_api.providers.schemas import (
    ProviderConflict,
    ProviderFailed,
    ProviderIn,
    ProviderModels,
    ProviderOut,
    ProviderPage,
    ProviderTest,
    ProviderTestIn,
    ProviderTypes,
)
from config_api.providers.service import ProviderService
from config_api.versions import IfMatch, show_created, show_version
from llmbench.access import Resource
from llmbench.http.service_router import ServiceRouter

PATH = "/api/providers"
router = ServiceRouter(prefix=PATH, tags=["providers"], resource=Resource.PROVIDERS, responses=INVALID)

IN_USE = answers(409, "The name is taken (`errors`), or runs use the provider (`runs`).", ProviderConflict)
FAILED = answers(502, "The provider does not answer as it should; `detail` says why.", ProviderFailed)
UNANSWERED = answers(503, "The inference gateway or PostgreSQL does not answer.")


def _service(request: Request) -> ProviderService:
    service: ProviderService = request.app.state.providers
    return service


Service = Annotated[ProviderService, Depends(_service)]


@router.get("")
async def list_providers(
    service: Service,
    limit: Limit = 50,
    cursor: CursorText = None,
    q: Annotated[Search | None, Query(description="Searched in the name, ignoring case.")] = None,
    name: Annotated[Search | None, Query(description="Exactly this name: without items it is free.")] = None,
) -> ProviderPage:
    """List providers, sorted by name."""
    return await service.list(q=q, name=name, cursor=cursor, limit=limit)


@router.get("/types", responses=UNANSWERED)
async def list_provider_types(service: Service) -> ProviderTypes:
    """List the provider types, each with the initial values of a form and a description of its options."""
    return await service.types()


@router.post("/test", responses=MISSING | UNANSWERED)
async def test_unsaved_provider(body: ProviderTestIn, service: Service) -> ProviderTest:
    """Test a provider with the values of a form, whether it is saved or not. Nothing is stored."""
    return await service.test_unsaved(body)


@router.post("", status_code=201, responses=TAKEN | UNANSWERED)
async def create_provider(body: ProviderIn, service: Service, response: Response) -> ProviderOut:
    provider = await service.create(body)
    show_created(response, provider, PATH)
    return provider


@router.get("/{id}", responses=MISSING)
async def get_provider(id: UUID, service: Service, response: Response) -> ProviderOut:
    provider = await service.get(id)
    show_version(response, provider)
    return provider


@router.put("/{id}", responses=MISSING | IN_USE | CHANGED | UNANSWERED)
async def update_provider(
    id: UUID, body: ProviderIn, service: Service, response: Response, if_match: IfMatch = None
) -> ProviderOut:
    """Replace the entire provider.

    A secret header without a value keeps its stored value, as long as `base_url` stays on the same server. Type and
    server cannot change while an unfinished run uses the provider.
    """
    provider = await service.replace(id, body, if_match=if_match)
    show_version(response, provider)
    return provider


@router.delete("/{id}", status_code=204, responses=MISSING | IN_USE)
async def delete_provider(id: UUID, service: Service) -> None:
    """Delete a provider, unless a run uses it or has used it."""
    await service.delete(id)


@router.get("/{id}/models", responses=MISSING | FAILED | UNANSWERED)
async def list_provider_models(id: UUID, service: Service) -> ProviderModels:
    """List the provider's models: the models that its options name or, if they name none, the models that the provider
    reports."""
    return await service.models(id)


@router.post("/{id}/test", responses=MISSING | UNANSWERED)
async def test_provider(id: UUID, service: Service) -> ProviderTest:
    """Test a provider by requesting its models, or by one question if its type has no list of models. A failed test is
    a normal response: `ok` is false, and `problem` says why."""
    return await service.test(id)
