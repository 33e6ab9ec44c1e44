"""Test the initial values of a provider form, the options of each type, and the default providers of the first
start."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import nats
from asgi_lifespan import LifespanManager
from config_api_asserting import assert_problem, create_resource
from nats.aio.msg import Msg
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.main import Settings, create_app
from llmbench.db.tables import config_outbox, default_providers, provider
from llmbench.messaging.fence import fence

DEFAULT_NAMES = ["Local LM Studio", "Local Ollama"]
AZURE = {"name": "A", "type": "AZURE_OPENAI", "base_url": "https://me.openai.azure.com"}


async def test_every_provider_type_has_what_a_form_needs(api: httpx.AsyncClient) -> None:
    types = {item["type"]: item for item in (await api.get("/api/providers/types")).json()["items"]}
    assert [*types] == [
        *("OLLAMA", "LM_STUDIO", "OPENAI", "OPENROUTER", "AZURE_OPENAI", "CUSTOM_OPEN_AI_COMPATIBLE", "HTTP_JSON")
    ]
    for type_, about in types.items():
        # The form shows the values that a provider gets when the request omits them.
        base_url = about["base_url"] or about["base_url_example"]
        made = await create_resource(api, "/api/providers", name=type_, type=type_, base_url=base_url)
        for field in ("models_endpoint", "inference_endpoint"):
            assert made[field] == about[field]
        assert all(option["description"] and option["kind"] for option in about["options"])
        assert len({option["name"] for option in about["options"]}) == len(about["options"]) > 0
        # The examples of all options are valid together.
        options = {option["name"]: option["example"] for option in about["options"]}
        answer = await api.put(
            f"/api/providers/{made['id']}",
            json={"name": type_, "type": type_, "base_url": base_url, "options": options},
        )
        assert answer.status_code == 200, answer.text
    assert {type_ for type_, about in types.items() if about["base_url"] is None} == {
        "AZURE_OPENAI",
        "CUSTOM_OPEN_AI_COMPATIBLE",
        "HTTP_JSON",
    }
    assert (types["AZURE_OPENAI"]["secret_header"], types["OLLAMA"]["secret_header"]) == ("api-key", None)
    assert (types["OPENAI"]["secret_header"], types["OPENAI"]["secret_prefix"]) == ("Authorization", "Bearer ")


BAD_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"api_version": "v1"}, "options.api_version"),
    ({"api_version": None}, "options.api_version"),
    ({"api_version": "2024-10-21&x=1"}, "options.api_version"),
    ({"deployment": "a/b"}, "options.deployment"),
    ({"deployments": "gpt"}, "options.deployments"),
    ({"deployments": []}, "options.deployments"),
    ({"deployments": ["a", "../b"]}, "options.deployments.1"),
    ({"deployments": ["a", 7]}, "options.deployments.1"),
    ({"deployments": ["a", "b", "a"]}, "options.deployments.2"),
    ({"model": "m"}, "options.model"),
    ({"messages": []}, "options.messages"),
]


async def test_azure_options_are_validated_when_saved(api: httpx.AsyncClient) -> None:
    for options, field in BAD_OPTIONS:
        assert_problem(await api.post("/api/providers", json={**AZURE, "options": options}), 422, field)
    for number, version in enumerate(("2024-10-21", "2025-04-01-preview", "preview", "latest")):
        body = {**AZURE, "name": f"A{number}", "options": {"api_version": version, "deployments": ["gpt-4o"]}}
        await create_resource(api, "/api/providers", **body)


BAD_PATHS_AND_TEMPLATES: list[tuple[dict[str, Any], str, str]] = [
    ({"answer_path": "answer"}, "options.answer_path", "is no JSONPath"),
    ({"answer_path": "$..answer"}, "options.answer_path", "may only take names"),
    ({"citations_path": "$[?@.a]"}, "options.citations_path", "may only take names"),
    ({"answer_path": 7}, "options.answer_path", "must be a text"),
    ({"answer_pth": "$.a"}, "options.answer_pth", "is no option of HTTP_JSON"),
    ({"request": "{{question}}"}, "options.request", "must be an object"),
    ({"request": {"q": "?"}}, "options.request", "must have a place for the question"),
    ({"request": {"q": "{{prompt}}"}}, "options.request", "{{prompt}}, which does not exist"),
    ({"request": {"q": ["{{question}}"] * 31}}, "options.request", "more than 30 placeholders"),
    ({"request": {"q": "{{question}}", "{{model}}": 1}}, "options.request", "is the name of a field"),
    ({"models": []}, "options.models", "must not be empty"),
    ({"models": ["a", "a"]}, "options.models", "must not name a model twice"),
]


async def test_template_and_paths_of_an_http_json_service_are_validated_when_saved(api: httpx.AsyncClient) -> None:
    body = {"name": "R", "type": "HTTP_JSON", "base_url": "http://127.0.0.1:8080"}
    for options, field, words in BAD_PATHS_AND_TEMPLATES:
        answer = await api.post("/api/providers", json={**body, "options": options})
        problem = assert_problem(answer, 422, field)
        assert words in str(problem["detail"]), problem
    made = await create_resource(api, "/api/providers", **body)
    assert (made["inference_endpoint"], made["options"]) == ("/query", {})


async def test_unknown_option_is_kept(api: httpx.AsyncClient) -> None:
    body = {"name": "P", "type": "OLLAMA", "options": {"brand_new": {"x": [1]}, "api_version": 7}}
    assert (await create_resource(api, "/api/providers", **body))["options"] == body["options"]
    assert_problem(
        await api.post("/api/providers", json={**body, "name": "Q", "options": {"model": "m"}}), 422, "options.model"
    )


async def test_local_providers_exist_after_the_first_start(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    items = (await api.get("/api/providers")).json()["items"]
    assert [(item["name"], item["type"], item["base_url"]) for item in items] == [
        ("Local LM Studio", "LM_STUDIO", "http://127.0.0.1:1234"),
        ("Local Ollama", "OLLAMA", "http://127.0.0.1:11434"),
    ]
    for item in items:
        assert (item["models_endpoint"], item["inference_endpoint"]) == ("/v1/models", "/v1/chat/completions")
        assert (item["headers"], item["prices"], item["options"]) == ([], [], {})
    async with engine.connect() as connection:
        assert (await connection.execute(select(default_providers.c.org_id))).scalar_one() is not None


async def test_base_urls_of_default_providers_come_from_settings(settings: Settings, provider_types: None) -> None:
    elsewhere = {"ollama_base_url": "http://ollama:11434", "lm_studio_base_url": "http://box:1234/v1"}
    async with _started(settings.model_copy(update=elsewhere)) as api:
        urls = [item["base_url"] for item in (await api.get("/api/providers")).json()["items"]]
        assert urls == ["http://box:1234/v1", "http://ollama:11434"]
        types = (await api.get("/api/providers/types")).json()["items"]
        assert {item["type"]: item["base_url"] for item in types}["OLLAMA"] == "http://ollama:11434"
        another = await create_resource(api, "/api/providers", name="Another", type="LM_STUDIO")
        assert (another["base_url"], another["models_endpoint"]) == ("http://box:1234/v1", "/models")


async def test_deleted_default_provider_is_not_created_again(settings: Settings) -> None:
    async with _started(settings) as api:
        for item in (await api.get("/api/providers", params={"q": "Ollama"})).json()["items"]:
            assert (await api.delete(f"/api/providers/{item['id']}")).status_code == 204
    async with _started(settings) as api:
        items = (await api.get("/api/providers")).json()["items"]
        assert [item["name"] for item in items] == ["Local LM Studio"]


async def test_simultaneous_starts_create_the_default_providers_once(settings: Settings, engine: AsyncEngine) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(_start_and_stop(settings.model_copy(update={"nats_url": "nats://127.0.0.1:1"})))
    async with engine.connect() as connection:
        names = (await connection.execute(select(provider.c.name).order_by(provider.c.name))).scalars().all()
        event_count = (await connection.execute(select(func.count()).select_from(config_outbox))).scalar_one()
    assert (names, event_count) == (DEFAULT_NAMES, 2)


async def test_existing_provider_with_a_default_name_is_unchanged(settings: Settings, engine: AsyncEngine) -> None:
    """An existing provider with the name of a default provider is not replaced: a user of an older version may have
    created it."""
    async with _started(settings) as api:
        mine = (await api.get("/api/providers", params={"name": "Local Ollama"})).json()["items"][0]
    async with engine.begin() as connection:
        await connection.execute(delete(default_providers))
    async with _started(settings) as api:
        assert (await api.get(f"/api/providers/{mine['id']}")).json() == mine
        assert len((await api.get("/api/providers")).json()["items"]) == 2


async def test_unknown_provider_type_is_refused_with_the_known_ones(api: httpx.AsyncClient) -> None:
    body = {"name": "P", "type": "GOPHER", "base_url": "http://127.0.0.1:9"}
    problem = assert_problem(await api.post("/api/providers", json=body), 422, "type")
    known = [item["type"] for item in (await api.get("/api/providers/types")).json()["items"]]
    assert f"the known types are {', '.join(known)}" in str(problem["detail"])
    assert_problem(await api.post("/api/providers", json={**body, "type": ""}), 422, "type")
    assert_problem(await api.post("/api/providers", json={**body, "type": "X" * 65}), 422, "type")


async def test_without_the_gateway_providers_can_be_read_and_changes_are_a_503(
    settings: Settings, engine: AsyncEngine
) -> None:
    async with _started(settings) as api:
        stored = (await api.get("/api/providers")).json()["items"]
        assert [item["name"] for item in stored] == DEFAULT_NAMES
        path = f"/api/providers/{stored[0]['id']}"
        async with engine.begin() as connection:
            # Simulate a type whose profile was removed since.
            await connection.execute(provider.update().where(provider.c.id == stored[0]["id"]).values(type="GOPHER"))
        assert (await api.get(path)).json()["type"] == "GOPHER"
        body = {"name": "P", "type": "OLLAMA"}
        for answer in (
            await api.get("/api/providers/types"),
            await api.post("/api/providers", json=body),
            await api.put(path, json=body),
            await api.post("/api/providers/test", json=body),
        ):
            assert "inference gateway does not answer" in str(assert_problem(answer, 503)["detail"])
        assert len((await api.get("/api/providers")).json()["items"]) == 2
        assert (await api.delete(path)).status_code == 204


async def test_gateway_of_another_version_is_a_503(settings: Settings, nats_url: str) -> None:
    connection = await nats.connect(nats_url)

    async def answer(message: Msg) -> None:
        await message.respond(b'{"types": 7}')

    await connection.subscribe("req.provider.*", cb=answer)
    await fence(connection)
    async with _started(settings) as api:
        assert "another version" in str(assert_problem(await api.get("/api/providers/types"), 503)["detail"])
        response = await api.post("/api/providers", json={"name": "P", "type": "OLLAMA"})
        assert "another version" in str(assert_problem(response, 503)["detail"])
    await connection.close()


@asynccontextmanager
async def _started(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the service, which is ready and connected to NATS."""
    async with _served(settings) as client:
        while (await client.get("/health/ready")).status_code != 200:
            continue
        yield client


@asynccontextmanager
async def _served(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        LifespanManager(create_app(settings), startup_timeout=240, shutdown_timeout=240) as manager,
        httpx.AsyncClient(transport=httpx.ASGITransport(app=manager.app), base_url="http://127.0.0.1") as client,
    ):
        yield client


async def _start_and_stop(settings: Settings) -> None:
    async with _served(settings) as api:
        # A start waits only two seconds for the database; each readiness check tries again.
        while not (await api.get("/api/providers")).json()["items"]:
            await api.get("/health/ready")
