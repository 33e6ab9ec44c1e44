"""Try every route of every service with every role. The service must allow or refuse the request by itself, before it
reads the body.

The routes come from the OpenAPI documents, so new ones are included. The expected rights are written here by paths,
independently of the services' own table of rules.
"""

import importlib
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from llmbench.access import SCOPES, Principal, Role, all_allowed
from llmbench.http.authentication import Authentication
from llmbench.http.principal_token import HEADER
from llmbench.ids import new_id
from llmbench_cli.embedded.services import SERVICES
from tools.gen.openapi import documents

SIGN_IN = "/api/auth/"
INVITED = "/v1/annotations/invited"
"""The routes of people with an invitation link, whose token is their only right."""
SHARED = "/api/runs/shared/report"
"""The routes of people with a link to a report, whose token is their only right."""
READING_POSTS = (
    *("/v1/benchmarks/compare", "/v1/benchmarks/check-gate", "/api/gates/{id}/check", "/sample"),
    *("/v1/annotations/tasks/{task_id}/export", "/api/prompts/preview", "/v1/experiments/plan"),
)
OF_ADMINS = (
    *("/api/invitations", "/api/api-keys", "/api/audit-log", "/api/uploads", "/api/retention"),
    *("/api/password-resets", "/api/service-accounts"),
)
CHANGED_BY_ADMINS = ("/api/providers", "/api/members")
CHANGED_BY_OWNERS = ("/api/organisations",)
OF_ANNOTATORS = ("/v1/datasets", "/api/tasks", "/api/organisations", "/v1/annotations/work")
OF_TASK = "/v1/annotations/tasks/{task_id}"
LABELLING = tuple(f"{OF_TASK}/{end}" for end in ("next", "items/{item_id}", "items/{item_id}/draft", "undo"))
"""The routes of labelling. A GET of `next` leases an item, so it is more than reading."""
WITH_ROUTES = ("config-api", "orchestrator", "identity")


def expected(role: Role, method: str, path: str) -> bool:
    """Return whether the role may use the route."""
    reads = (method == "GET" or path.endswith(READING_POSTS)) and path not in LABELLING
    match role:
        case Role.OWNER:
            return True
        case Role.ADMIN:
            return reads or not path.startswith(CHANGED_BY_OWNERS)
        case Role.MEMBER:
            return not path.startswith(OF_ADMINS) and (
                reads or not path.startswith(CHANGED_BY_ADMINS + CHANGED_BY_OWNERS)
            )
        case Role.VIEWER:
            return reads and not path.startswith(OF_ADMINS)
        case Role.ANNOTATOR:
            return (reads and path.startswith(OF_ANNOTATORS)) or path in LABELLING


def routes(service: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield method, path and OpenAPI operation of the service's routes. Left out are the routes that an invitation link
    or a link to a shared report opens without signing in."""
    for path, operations in documents()[service]["paths"].items():
        if not path.startswith((INVITED, SHARED)):
            yield from ((method.upper(), path, operation) for method, operation in operations.items())


def app_for(service: str, principal: Principal) -> FastAPI:
    """Return the service's application, configured so that every token belongs to this principal."""

    async def read(token: str) -> Principal:
        return principal

    module = importlib.import_module(f"{SERVICES[service]}.main")

    class Settings(module.Settings):  # type: ignore[name-defined, misc]
        def authentication(self) -> Authentication:
            return Authentication(read=read)

    app: FastAPI = module.create_app(Settings.model_construct(master_key=SecretStr("")))
    return app


@pytest.mark.parametrize("service", WITH_ROUTES)
def test_every_route_names_the_right_that_it_needs(service: str) -> None:
    without = [f"{method} {path}" for method, path, operation in routes(service) if "x-access" not in operation]
    assert all(SIGN_IN in each for each in without), without
    assert {operation["x-access"] for _, _, operation in routes(service) if "x-access" in operation} <= SCOPES


async def test_routes_of_invited_people_are_these_and_need_no_right() -> None:
    paths = {path: of_path for path, of_path in documents()["config-api"]["paths"].items() if path.startswith(INVITED)}
    assert set(paths) == {INVITED, *(f"{INVITED}/{end}" for end in ("next", "items/{item_id}", "undo"))} | {
        f"{INVITED}/items/{{item_id}}/draft"
    }
    app = app_for("config-api", Principal(new_id(), new_id(), Role.VIEWER, new_id()))
    async with client(app) as http:
        for path, operations in paths.items():
            for method, operation in operations.items():
                assert "x-access" not in operation
                answer = await http.request(method, concrete(path), headers={HEADER: "token"})
                assert answer.status_code not in (401, 403), (method, path)


async def test_routes_of_shared_reports_are_these_and_need_no_right() -> None:
    """Shared reports need no right: every caller gets the same 410, because the requests' token belongs to no link."""
    paths = {path: of_path for path, of_path in documents()["orchestrator"]["paths"].items() if path.startswith(SHARED)}
    assert {path: sorted(of_path) for path, of_path in paths.items()} == {SHARED: ["get", "post"]}
    assert not any("x-access" in operation for operation in paths[SHARED].values())
    async with client(app_for("orchestrator", Principal(new_id(), new_id(), Role.VIEWER, new_id()))) as http:
        read = await http.get(SHARED, headers={HEADER: "token", "Llmbench-Report-Link": "token"})
        opened = await http.post(SHARED, data={"token": "token"}, headers={HEADER: "token"})
    assert (read.status_code, opened.status_code) == (410, 410)


def test_services_without_routes_have_none() -> None:
    assert {service for service in SERVICES if documents()[service]["paths"]} == set(WITH_ROUTES)


@pytest.mark.shows("S-31")
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("service", ["config-api", "orchestrator"])
async def test_role_may_use_exactly_the_expected_routes(service: str, role: Role) -> None:
    app = app_for(service, Principal(new_id(), new_id(), role, new_id()))
    assert await refused(app, service) == {
        f"{method} {path}" for method, path, _ in routes(service) if not expected(role, method, path)
    }


@pytest.mark.shows("S-31")
@pytest.mark.parametrize("role", Role)
def test_role_may_use_exactly_the_expected_routes_of_the_identity_service(role: Role) -> None:
    """The identity service accepts only tokens signed with its own key. So this test sends no requests, and compares
    the rights that the routes declare."""
    rights = {f"{method} {path}": operation.get("x-access") for method, path, operation in routes("identity")}
    allowed = set(all_allowed(Principal(new_id(), new_id(), role, new_id())))
    outcome = {name: right in allowed for name, right in rights.items() if right is not None}
    assert outcome == {name: expected(role, *name.split(" ", 1)) for name in outcome}


@pytest.mark.shows("S-31")
@pytest.mark.parametrize("service", ["config-api", "orchestrator"])
async def test_scopes_without_rights_open_no_route(service: str) -> None:
    app = app_for(service, Principal(new_id(), new_id(), Role.OWNER, new_id(), frozenset()))
    assert await refused(app, service) == {f"{method} {path}" for method, path, _ in routes(service)}


@pytest.mark.shows("S-30")
@pytest.mark.parametrize("service", ["config-api", "orchestrator", "identity"])
async def test_request_without_exactly_one_principal_opens_no_route(service: str) -> None:
    app = app_for(service, Principal(new_id(), new_id(), Role.OWNER, new_id()))
    for headers in ([], [(HEADER, "one"), (HEADER, "two")]):
        async with client(app) as http:
            for method, path, _ in routes(service):
                if SIGN_IN not in path:
                    answer = await http.request(method, concrete(path), headers=headers)
                    assert answer.status_code == 401, (method, path)


async def refused(app: FastAPI, service: str) -> set[str]:
    """Return the routes that are refused for lack of rights. The application is not started, so all other routes fail
    with another error."""
    found = set()
    async with client(app) as http:
        for method, path, operation in routes(service):
            answer = await http.request(method, concrete(path), headers={HEADER: "token"})
            if answer.status_code == 403:
                assert answer.json()["needed"] == operation["x-access"]
                found.add(f"{method} {path}")
    return found


def client(app: FastAPI) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8400")


def concrete(path: str) -> str:
    return re.sub(r"\{[^}]+\}", "00000000-0000-7000-8000-000000000001", path)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_MASTER_KEY", "only-for-tests-only-for-tests-only-for-tests")
