"""Test names that attack NATS subjects, SQL, logs, CSV, paths or pages.

Each name is either refused with a sentence, or used literally everywhere.
"""

import base64
import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

import asyncpg
import pytest

from tests.platform import Platform, platform
from tests.security.two_organisations import experiment_of

NAMES = (
    *("*", ">", "cmd.infer.>", "a.b..c.", "$JS.API.>", "two  words", "-", "../../etc/passwd", "C:\\x\\..\\y"),
    *("'; DROP TABLE item; --", '"); DELETE FROM run; --', "1 OR 1=1", "%", "_", "\\"),
    *("x') UNION SELECT * FROM run --",),
    *('=HYPERLINK("http://x")', "@SUM(1+1)", "\uff1d1+1", "${jndi:ldap://x}", "{{7*7}}", "%s%n{0.__class__}"),
    *("<script>alert(1)</script>", "\u202egnp.exe", "🦙 模型 ﷽", "e\u0301", "null", "line\u2028break", "x" * 240),
)
SQL = (
    *("' OR '1'='1", "'; SELECT pg_sleep(30); --", "\\'; DROP TABLE run; --", "1); DELETE FROM task; --"),
    *("%' OR 1=1 --", "$$; DROP TABLE run; $$", "x'||(SELECT version())||'", "\x1a", "é\u0000"),
)
# Make names unique by a suffix: a formula must stay at the beginning of the name.
TASKS = tuple(f"{name}#{number}" for number, name in enumerate(NAMES) if name != "x" * 240)


@pytest.mark.timeout(900)
@pytest.mark.shows("S-16")
async def test_hostile_names_are_stored_and_shown_literally() -> None:
    async with platform(tasks=0) as stack:
        await _create_hostile(stack)
        models = [f"mock-0ms-{name}" for name in NAMES]
        run_id = await stack.start_run(*models, name=NAMES[9], tags=["'; --"])
        run = await stack.until_status(run_id, "FINISHED")
        assert run["outcome"] == "complete", run
        items = await stack.items(run_id)
        assert len(items) == len(models)
        assert {item["status"] for item in items} == {"COMPLETED"}
        assert {item["model"] for item in items} == set(models)
        # The provider received exactly these names of models.
        assert {call["model"] for call in await stack.ledger()} >= set(models)
        await _check_search_by_name(stack, run_id, models)
        await _check_csv_cells(stack, run_id)
        names, columns = await _existing_ids(stack, run_id)
        before = await _counts(stack.database_url)
        await _send_sql_in_parameters(stack, names, columns)
        assert await _counts(stack.database_url) == before
        _check_log_lines(stack)


async def _create_hostile(stack: Platform) -> None:
    """Create tasks and providers with hostile names, and a collection with one of the tasks."""
    ids = []
    for name in TASKS:
        body = {"task_id": name, "category": name, "question": name, "excellent": name}
        ids.append((await stack.post("/api/tasks", body))["id"])
        provider = {"name": name, "type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": stack.provider_url}
        await stack.post("/api/providers", provider)
    stack.collection_id = (await stack.post("/api/collections", {"name": "'; --", "task_ids": ids[:1]}))["id"]


async def _check_search_by_name(stack: Platform, run_id: str, models: list[str]) -> None:
    """Check that tasks, providers, items and the run are found by their exact names, even if a name contains SQL
    wildcards."""
    for name in TASKS:
        assert [task["task_id"] for task in (await stack.get("/api/tasks", task_id=name))["items"]] == [name]
        assert [task["task_id"] for task in (await stack.get("/api/tasks", q=name))["items"]] == [name]
        assert [task["task_id"] for task in (await stack.get("/api/tasks", category=name))["items"]] == [name]
        assert [item["name"] for item in (await stack.get("/api/providers", name=name))["items"]] == [name]
    for model in models:
        found = (await stack.get(f"/api/runs/{run_id}/items", model=model))["items"]
        assert [item["model"] for item in found] == [model]
    assert [item["id"] for item in (await stack.get("/api/runs", q=NAMES[9]))["items"]] == [run_id]
    assert (await stack.get("/api/runs", q="%%%"))["items"] == []


async def _check_csv_cells(stack: Platform, run_id: str) -> None:
    for path in (f"/api/runs/{run_id}/export?format=csv", "/api/tasks/export?format=csv"):
        answer = await stack.http.get(path)
        assert answer.status_code == 200
        cells = [cell for row in csv.reader(io.StringIO(answer.text)) for cell in row]
        assert not [cell for cell in cells if cell and cell[0] in "=+@\t\r\n\uff1d\uff0b\uff0d\uff20"]
        assert not [cell for cell in cells if cell.startswith("-") and not _is_number(cell)]
        assert [cell for cell in cells if cell.startswith("'=HYPERLINK")] or "runs" in path


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _cursor(text: str) -> str:
    """Return a well-formed cursor of a listing, with this text in place of a name or a time."""
    return base64.urlsafe_b64encode(json.dumps(["name", text]).encode()).decode().rstrip("=")


def _filter(text: str) -> str:
    return json.dumps({text: text})


WRITTEN = {"cursor": _cursor, "filter": _filter}
BOUND = {"enum", "format", "pattern"}
# These parameters accept only certain values, although the document declares any string.
KNOWN_WORDS = {"cursor", "evaluator", "format", "cluster_by", "cron", "time_zone", "suite"}


async def _send_sql_in_parameters(stack: Platform, names: Mapping[str, str], columns: list[str]) -> None:
    """Send SQL in every query parameter of every GET operation. A parameter that accepts any text gets a 200 at least
    once.
    """
    for service in ("config-api", "orchestrator"):
        document = (await stack.http.get(f"/openapi/{service}.json")).json()
        for path, name, takes_any_text in _parameters(document):
            given: dict[str, Any] = {"column": columns} if path.startswith("/api/comparisons") else {}
            if path == "/api/runs/groups":
                given = {"by": "tag"}
            if path == "/api/leaderboards":
                given = {"suite": NAMES[9]}
            statuses = set()
            for text in SQL:
                value = WRITTEN[name](text) if name in WRITTEN else text
                answer = await stack.http.get(path.format_map(names), params=given | {name: value})
                assert answer.status_code in (200, 400, 404, 422), (path, name, text, answer.text)
                statuses.add(answer.status_code)
            assert 200 in statuses or not takes_any_text, (path, name)


async def _existing_ids(stack: Platform, run_id: str) -> tuple[dict[str, str], list[str]]:
    """Return existing ids to insert into paths, and two targets in the form that the query parameter `column` of
    comparisons expects."""
    run = await stack.get(f"/api/runs/{run_id}")
    dataset = await stack.post("/v1/datasets", {"name": NAMES[9]})
    case = {"file": ("cases.jsonl", b'{"prompt": "1 + 1?"}\n')}
    uploaded = await stack.http.post(f"/v1/datasets/{dataset['dataset_id']}/versions", files=case)
    written = await stack.http.post("/v1/documents", files={"file": ("paper.txt", b"One and one are two.")})
    assert (uploaded.status_code, written.status_code) == (201, 201), (uploaded.text, written.text)
    preset = await stack.post("/api/evaluation-presets", {"name": NAMES[9], "settings": {"max_retries": 2}})
    subject = {"kind": "preset", "id": preset["id"]}
    baseline = await stack.post("/api/baselines", {"subject": subject, "label": NAMES[9], "run_id": run_id})
    what = {"kind": "run", "request": stack.run_body("mock-0ms")}
    schedule = await stack.post(
        "/api/schedules", {"name": NAMES[9], "cron": "0 3 1 1 *", "time_zone": "UTC", "what": what}
    )
    experiment = await stack.post("/v1/experiments", experiment_of(NAMES[9]) | {"sources": "none"})
    published = await stack.post(f"/v1/datasets/{dataset['dataset_id']}/versions/1/publish")
    source = {"dataset": NAMES[9]}
    await stack.post("/api/suites", {"name": NAMES[9], "tasks": [{"name": "one", "source": source}]})
    annotation = {
        "name": NAMES[9],
        "dataset_version_id": published["version_id"],
        "instructions": NAMES[10],
        "annotation_schema": {"type": "text"},
    }
    task = await stack.post("/v1/annotations/tasks", annotation)
    annotator = await stack.post("/v1/annotations/annotators", {"name": NAMES[9]})
    judge = {"provider_id": stack.provider_id, "model": "mock-0ms-judge"}
    check = await stack.post("/api/judge-checks", {"judge": judge, "check_providers": False})
    await stack.until_status(check["id"], "FINISHED")
    names = {
        "id": baseline["id"],
        "task_id": task["task_id"],
        "annotator_id": annotator["annotator_id"],
        "check_id": check["id"],
        "schedule_id": schedule["id"],
        "experiment_id": experiment["experiment_id"],
        "run_id": run_id,
        "item_id": (await stack.items(run_id))[0]["id"],
        "collection_id": stack.collection_id,
        "dataset_id": dataset["dataset_id"],
        "version_number": "1",
        "document_id": written.json()["document_id"],
    }
    return names, [f"{run_id}:{target['id']}" for target in run["targets"][:2]]


def _parameters(document: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Yield the query parameters of GET operations: path, name, and whether any text is allowed."""
    for path, operations in document["paths"].items():
        for parameter in operations.get("get", {}).get("parameters", ()):
            if parameter["in"] == "query":
                forms = parameter["schema"].get("anyOf", [parameter["schema"]])
                any_text = any(form.get("type") == "string" and not BOUND & set(form) for form in forms)
                yield path, parameter["name"], any_text and parameter["name"] not in KNOWN_WORDS


async def _counts(database_url: str) -> dict[str, int]:
    connection = await asyncpg.connect(database_url)
    try:
        rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = sorted(row["tablename"] for row in rows)
        return {table: await connection.fetchval(f'SELECT count(*) FROM "{table}"') for table in tables}
    finally:
        await connection.close()


def _check_log_lines(stack: Platform) -> None:
    for name, service in stack.services.items():
        for line in service.log().split("\n"):
            assert not line or json.loads(line)["service"] == name, line


@pytest.mark.parametrize("name", ["", "x" * 256, "nul\x00", "torn \ud800"], ids=["empty", "long", "nul", "torn"])
def test_empty_too_long_or_malformed_model_name_is_refused(name: str) -> None:
    """The name of the model must be refused. The test validates `JudgeChoice`, and all other request bodies use the
    type of its field `model` for names of models."""
    from pydantic import ValidationError

    from orchestrator.runs.api.bodies import JudgeChoice

    with pytest.raises(ValidationError):
        JudgeChoice.model_validate({"provider_id": "0193a000-0000-7000-8000-000000000001", "model": name})
