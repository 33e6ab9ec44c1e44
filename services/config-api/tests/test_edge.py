"""Test config-api with malformed and oversized requests, foreign origins and hosts, unknown paths, an absent database,
and wrong settings."""

from collections.abc import AsyncIterator

import asyncpg
import httpx
import pytest
from asgi_lifespan import LifespanManager
from config_api_asserting import PROBLEM_TYPE, assert_problem

from config_api.main import Settings, create_app
from llmbench.errors import BadSettings, WrongSchemaVersion
from llmbench.service.settings import load

JSON = {"content-type": "application/json"}
TASK = {"task_id": "t", "category": "c", "question": "q"}


NO_JSON = [b"nope", b"{", b'{"task_id": }', b"\xff\xfe", b"[" * 40, b'{"task_id": ' + b"9" * 5000 + b"}"]


async def test_body_that_is_not_json_is_a_400(api: httpx.AsyncClient) -> None:
    for body in NO_JSON:
        assert_problem(await api.post("/api/tasks", content=body, headers=JSON), 400)
    assert_problem(await api.post("/api/tasks", content=b"[" * 100_000, headers=JSON), 422)


NO_OBJECT = [b"", b"null", b"[]", b'"text"', b"7"]


async def test_json_body_that_is_no_object_is_a_422(api: httpx.AsyncClient) -> None:
    for body in NO_OBJECT:
        assert_problem(await api.post("/api/tasks", content=body, headers=JSON), 422, "body")


async def test_question_of_20_mb_is_a_413_and_the_next_request_succeeds(api: httpx.AsyncClient) -> None:
    body = b'{"task_id": "t", "category": "c", "question": "' + b"q" * 20_000_000 + b'"}'

    async def in_chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 65_536):
            yield body[start : start + 65_536]

    assert_problem(await api.post("/api/tasks", content=body, headers=JSON), 413)
    # Without a declared length, the service detects the limit while it receives the body.
    assert_problem(await api.post("/api/tasks", content=in_chunks(), headers=JSON), 413)
    assert (await api.get("/api/tasks")).json()["items"] == []
    assert (await api.post("/api/tasks", json=TASK)).status_code == 201


async def test_foreign_origin_is_refused(api: httpx.AsyncClient) -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1:8401"):
        assert_problem(await api.post("/api/tasks", json=TASK, headers={"origin": origin}), 403)
    assert (await api.get("/api/tasks")).json()["items"] == []
    ours = {"origin": "http://127.0.0.1:8400"}
    assert (await api.post("/api/tasks", json=TASK, headers=ours)).status_code == 201


async def test_foreign_host_is_refused(api: httpx.AsyncClient) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", ""):
        assert_problem(await api.get("/api/tasks", headers={"host": host}), 421)


async def test_unknown_path_method_or_id_is_a_problem(api: httpx.AsyncClient) -> None:
    assert_problem(await api.get("/api/nothing"), 404)
    answer = await api.patch("/api/tasks")
    assert_problem(answer, 405)
    assert answer.headers["allow"]
    for resource in ("tasks", "collections", "providers"):
        assert_problem(await api.get(f"/api/{resource}/no-uuid"), 422, "id")


async def test_service_without_its_database_answers_503_and_recovers(api: httpx.AsyncClient, postgres_url: str) -> None:
    server, _, name = postgres_url.rpartition("/")
    connection = await asyncpg.connect(f"{server}/postgres")
    try:
        await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
        assert_problem(await api.get("/api/tasks"), 503)
        assert_problem(await api.get("/health/ready"), 503)
        await connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    finally:
        await connection.close()
    assert (await api.get("/api/tasks")).status_code == 200


async def test_service_does_not_start_with_another_schema(empty_postgres_url: str, nats_url: str) -> None:
    settings = Settings.model_validate(
        {"LLMBENCH_DATABASE_URL": empty_postgres_url, "LLMBENCH_NATS_URL": nats_url, "LLMBENCH_MASTER_KEY": "k" * 32}
    )
    with pytest.raises(WrongSchemaVersion, match="llmbench migrate"):
        async with LifespanManager(create_app(settings), startup_timeout=240, shutdown_timeout=240):
            pytest.fail("started")


def test_short_master_key_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_MASTER_KEY", "short and secret")
    with pytest.raises(BadSettings, match="LLMBENCH_MASTER_KEY") as refused:
        load(Settings)
    assert "short and secret" not in str(refused.value)


@pytest.mark.parametrize("name", ["OLLAMA_BASE_URL", "LM_STUDIO_BASE_URL"])
def test_link_local_default_provider_url_is_refused_at_start(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The service refuses to start with a default base URL that the gateway would never call. Otherwise the first
    providers would have that URL."""
    monkeypatch.setenv("LLMBENCH_MASTER_KEY", "k" * 32)
    monkeypatch.setenv(f"LLMBENCH_CONFIG_API_{name}", "http://169.254.1.2:11434")
    with pytest.raises(BadSettings, match=f"{name.lower()}: .*LLMBENCH_LINK_LOCAL_PROVIDERS=true allows them"):
        load(Settings)
    monkeypatch.setenv("LLMBENCH_LINK_LOCAL_PROVIDERS", "true")
    assert load(Settings).provider_rules().link_local_allowed


def test_openapi_document_needs_no_server_and_declares_all_problems() -> None:
    document = create_app().openapi()
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names) == 109
    assert {tag for operation in operations for tag in operation["tags"]} == {
        "providers",
        "suites",
        "tasks",
        "collections",
        "datasets",
        "documents",
        "evaluation presets",
        "evaluators",
        "uploads",
        "annotation",
        "prompts",
    }
    for operation in operations:
        for status, response in operation["responses"].items():
            if not status.startswith("2"):
                assert response["content"][PROBLEM_TYPE]["schema"]["$ref"], operation["operationId"]
