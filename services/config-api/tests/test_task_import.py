"""Test `POST /api/tasks/import`: all rows or none are imported; errors by line and field, conflicts, hostile files."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from config_api_asserting import assert_problem, create_resource
from sqlalchemy import event, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.checks import CheckService
from config_api.files.utf8 import received
from config_api.main import Settings
from config_api.tasks import store
from config_api.transfer.checking import CHUNK
from config_api.transfer.formats.registry import formats
from config_api.transfer.importing import import_file
from config_api.transfer.schemas import ImportQuery
from llmbench.contracts.registry import parse
from llmbench.contracts.task_changed import TaskChanged
from llmbench.db.engine import open_engine
from llmbench.db.tables import config_outbox, task

GOOD = "task_id,category,question,pass\nsum,arithmetic,17 + 25?,42\ncapital,geography,France?,\n"
MIXED = "task_id,category,question\nfine,c,q\n,c,no id\nlong,c,\nfine,c,again\nlast,c,q\n"

NOBODY = CheckService(lambda: None)
"""A check service that cannot reach a judge service. Files without checks do not need one."""


async def _import(api: httpx.AsyncClient, content: str | bytes, **query: Any) -> httpx.Response:
    params = {"file_name": "tasks.csv", **query}
    return await api.post("/api/tasks/import", content=content, params=params)


async def _imported(api: httpx.AsyncClient, content: str | bytes, **query: Any) -> dict[str, Any]:
    answer = await _import(api, content, **query)
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


async def _names(api: httpx.AsyncClient, **query: Any) -> list[str]:
    return [task["task_id"] for task in (await api.get("/api/tasks", params=query)).json()["items"]]


def _places(problem: dict[str, Any]) -> list[tuple[int, str | None]]:
    return [(bad["line"], bad["field"]) for bad in problem["bad_rows"]]


async def test_imported_tasks_have_their_source_file_and_line(api: httpx.AsyncClient) -> None:
    result = await _imported(api, GOOD, file_name="C:\\my\\tasks.csv")
    assert (result["format"], result["row_count"], result["created"], result["bad_row_count"]) == ("csv", 2, 2, 0)
    assert result["collection"] is None
    assert result["preview"] == []
    capital, total = (await api.get("/api/tasks")).json()["items"]
    assert (capital["task_id"], capital["pass"], capital["source_line"]) == ("capital", None, 3)
    assert (total["question"], total["pass"], total["source_file"]) == ("17 + 25?", "42", "tasks.csv")
    # A task edited by hand keeps its source.
    body = {name: total[name] for name in ("task_id", "category", "question")}
    edited = (await api.put(f"/api/tasks/{total['id']}", json=body)).json()
    assert (edited["source_file"], edited["source_line"], edited["version"]) == ("tasks.csv", 2, 2)


async def test_bad_row_is_named_and_nothing_is_imported(api: httpx.AsyncClient) -> None:
    answer = await _import(api, MIXED)
    problem: dict[str, Any] = assert_problem(answer, 422, "line 3, task_id", "line 4, question", "line 5, task_id")
    assert (problem["row_count"], problem["bad_row_count"]) == (5, 3)
    assert _places(problem) == [(3, "task_id"), (4, "question"), (5, "task_id")]
    assert "line 2" in problem["bad_rows"][2]["message"]
    assert await _names(api) == []


async def test_bad_rows_are_skipped_and_listed_on_request(api: httpx.AsyncClient) -> None:
    result = await _imported(api, MIXED, skip_bad_rows=True)
    assert (result["created"], result["bad_row_count"]) == (2, 3)
    assert _places(result) == [(3, "task_id"), (4, "question"), (5, "task_id")]
    assert await _names(api) == ["fine", "last"]


async def test_dry_run_shows_the_changes_and_makes_none(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    await create_resource(api, "/api/tasks", task_id="last", category="c", question="old")
    result = await _imported(api, MIXED, dry_run=True, on_conflict="update", collection_name="New")
    assert (result["dry_run"], result["created"], result["updated"], result["bad_row_count"]) == (True, 1, 1, 3)
    assert result["collection"] == {"id": None, "name": "New", "created": True, "added": 2}
    assert [(row["line"], row["change"], row["task"]["task_id"]) for row in result["preview"]] == [
        (2, "created", "fine"),
        (6, "updated", "last"),
    ]
    assert await _names(api) == ["last"]
    assert (await api.get("/api/collections")).json()["items"] == []


async def test_existing_tasks_are_refused_skipped_or_updated(api: httpx.AsyncClient) -> None:
    before = await create_resource(api, "/api/tasks", task_id="sum", category="old", question="old?")
    problem: dict[str, Any] = assert_problem(await _import(api, GOOD), 422, "line 2, task_id")
    assert "exists already" in problem["bad_rows"][0]["message"]
    assert await _names(api) == ["sum"]

    result = await _imported(api, GOOD, on_conflict="skip")
    assert (result["created"], result["skipped"]) == (1, 1)
    assert (await api.get(f"/api/tasks/{before['id']}")).json()["question"] == "old?"

    result = await _imported(api, GOOD, on_conflict="update")
    assert (result["created"], result["updated"], result["unchanged"]) == (0, 1, 1)
    after = (await api.get(f"/api/tasks/{before['id']}")).json()
    assert (after["question"], after["version"], after["source_line"]) == ("17 + 25?", 2, 2)

    # Importing the same file again changes nothing, not even a version.
    result = await _imported(api, GOOD, on_conflict="update")
    assert (result["updated"], result["unchanged"]) == (0, 2)
    assert (await api.get(f"/api/tasks/{before['id']}")).json()["version"] == 2

    result = await _imported(api, GOOD + "new,c,q\n", skip_bad_rows=True)
    assert (result["created"], result["bad_row_count"]) == (1, 2)


async def test_imported_tasks_join_a_collection_in_file_order(api: httpx.AsyncClient) -> None:
    result = await _imported(api, GOOD, collection_name="Basics")
    collection = result["collection"]
    assert (collection["name"], collection["created"], collection["added"]) == ("Basics", True, 2)
    assert await _names(api, collection_id=collection["id"]) == ["sum", "capital"]

    more = GOOD + "zero,c,q\nalpha,c,q\n"
    result = await _imported(api, more, on_conflict="skip", collection_id=collection["id"])
    assert (result["collection"]["created"], result["collection"]["added"]) == (False, 2)
    assert await _names(api, collection_id=collection["id"]) == ["sum", "capital", "zero", "alpha"]
    assert (await api.get(f"/api/collections/{collection['id']}")).json()["version"] == 2

    # Tasks that exist already are added to the collection, too.
    result = await _imported(api, more, on_conflict="update", collection_name="Other")
    assert (result["unchanged"], result["collection"]["added"]) == (4, 4)
    assert_problem(await _import(api, GOOD, collection_id=str(uuid4())), 404)
    both = await _import(api, GOOD, collection_id=collection["id"], collection_name="x")
    assert both.status_code == 422


async def test_refused_import_creates_no_collection(api: httpx.AsyncClient) -> None:
    assert (await _import(api, MIXED, collection_name="Basics")).status_code == 422
    assert (await api.get("/api/collections")).json()["items"] == []


@pytest.mark.usefixtures("received_checks")
async def test_promptfoo_import_lists_what_was_lost(api: httpx.AsyncClient) -> None:
    config = "providers: [x]\nprompts: ['{{q}}?']\ntests:\n  - vars: {q: [a, b]}\n    assert: [{type: cost}]\n"
    result = await _imported(api, config, file_name="promptfooconfig.yaml")
    assert (result["format"], result["created"], result["note_count"]) == ("promptfoo", 2, 3)
    assert result["notes"][0] == {"line": 1, "message": "not carried over: providers", "count": 1}
    assert [note["count"] for note in result["notes"][1:]] == [2], "listed once"
    assert await _names(api) == ["promptfooconfig-1", "promptfooconfig-2"]


@pytest.mark.usefixtures("received_checks")
async def test_every_format_example_can_be_imported(api: httpx.AsyncClient) -> None:
    for format_ in formats().values():
        for example in format_.examples:
            answer = await _import(
                api, example.text, format=format_.name, file_name=example.file_name, skip_bad_rows=True, dry_run=True
            )
            assert answer.status_code == 200, answer.text


REFUSED: list[tuple[bytes, dict[str, Any], str]] = [
    (b"task_id,category,question\nok,c,q\nbad,c,\xff\n", {}, "line 3"),
    (b"task_id,category,question\nok,c,q\nbad,c,\xc3", {}, "line 3"),
    ("task_id,category".encode("utf-16"), {}, "line 1"),
    (b"task_id,category,question\na,c,nul\x00here\n", {}, "line 2, question"),
    (b"task_id,category,question\n" + b"x" * 256 + b",c,q\n", {}, "line 2, task_id"),
    (b"task_id,category,question\na,c," + b"x" * 1_000_001 + b"\n", {}, "line 2, question"),
    (b"a: &a [b]\nc: [*a]\n", {"format": "yaml"}, "line 1"),
    (b"- &a [b]\n- *a\n", {"format": "yaml", "skip_bad_rows": True}, "line 2"),
    (b'[{"task_id": "\\ud800", "category": "c", "question": "q"}]', {"format": "json"}, "line 1, task_id"),
    (b'[{"task_id": "a", "category": "c", "question": "q", "colour": 1}]', {"format": "json"}, "line 1, colour"),
    (b'[{"task_id": "a", "category": "c", "question": 7}]', {"format": "json"}, "line 1, question"),
    (b"", {}, "line 1"),
    (b"task_id,category,question\n", {}, "body"),
    (b"[]", {"format": "json"}, "body"),
    (b"x", {"file_name": "tasks.xlsx"}, "format"),
    (b"x", {"format": "xml"}, "format"),
    (b"x", {"on_conflict": "overwrite"}, "on_conflict"),
    (b"x", {"colection": "Basics"}, "colection"),
]


async def test_invalid_import_is_refused_with_its_place(api: httpx.AsyncClient) -> None:
    for content, query, place in REFUSED:
        assert_problem(await _import(api, content, **query), 422, place)
    surrogate = b'{"input": "q", "ideal": "a"}\n{"input": "q", "\\ud800": 1}\n'
    result = await _imported(api, surrogate, format="openai-evals", skip_bad_rows=True)
    [bad] = result["bad_rows"]
    assert (bad["line"], bad["field"].partition(".")[0]) == (2, "metadata")
    assert await _names(api) == ["tasks-1"]


async def test_byte_order_mark_is_not_part_of_the_first_column(api: httpx.AsyncClient) -> None:
    assert (await _imported(api, GOOD.encode("utf-8-sig")))["created"] == 2


async def test_file_over_the_limit_is_a_413_and_a_smaller_one_is_imported(api: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(330):
            yield b"x" * 65_536

    assert_problem(await _import(api, b"x" * (20 * 1024 * 1024 + 1)), 413)
    assert_problem(await api.post("/api/tasks/import", params={"format": "csv"}, content=endless()), 413)
    rows = "".join(f"t{number},c,{'q' * 900_000}\n" for number in range(20))
    assert (await _imported(api, "task_id,category,question\n" + rows))["created"] == 20


async def test_form_upload_of_tasks_is_a_415(api: httpx.AsyncClient) -> None:
    answer = await api.post("/api/tasks/import", params={"format": "csv"}, files={"file": b"x"})
    assert_problem(answer, 415)


async def test_first_of_concurrent_imports_succeeds_and_the_others_are_refused(api: httpx.AsyncClient) -> None:
    backwards = "task_id,category,question\ncapital,c,q\nsum,c,q\n"
    answers = await asyncio.gather(*(_import(api, content) for content in (GOOD, backwards, GOOD, backwards)))
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422]


async def test_number_of_sql_statements_does_not_grow_with_the_rows(settings: Settings) -> None:
    async def statements(name: str, rows: int) -> list[str]:
        seen: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            seen.append(statement)

        async def content() -> AsyncIterator[bytes]:
            yield b"task_id,category,question\n"
            for number in range(rows):
                yield f"{name}-{number},c,q\n".encode()

        async with open_engine(settings.database_url, application_name="test") as engine:
            event.listen(engine.sync_engine, "before_cursor_execute", note)
            async with received(content()) as file:
                query = ImportQuery(file_name="t.csv", collection_name="C")
                result = await import_file(engine, file, formats()["csv"], query, NOBODY)
        assert result.created == rows
        return seen

    await statements("first", 1)
    one, chunk, two = await statements("a", 1), await statements("b", CHUNK), await statements("c", CHUNK + 1)
    assert len(one) == len(chunk)
    assert len(two) == len(one) + 3


async def test_import_publishes_an_event_per_task_and_a_dry_run_none(settings: Settings) -> None:
    # The service is not running, because its relay would empty the outbox.
    async def content(text: str) -> AsyncIterator[bytes]:
        yield text.encode()

    async with open_engine(settings.database_url, application_name="test") as engine:

        async def published_events(text: str, **query: Any) -> list[tuple[str, str]]:
            async with received(content(text)) as file:
                await import_file(engine, file, formats()["csv"], ImportQuery(file_name="t.csv", **query), NOBODY)
            async with engine.begin() as connection:
                bodies = (
                    await connection.execute(select(config_outbox.c.body).order_by(config_outbox.c.seq))
                ).scalars()
                events = [parse(body) for body in bodies]
                await connection.execute(config_outbox.delete())
            return [(event.change, event.name) for event in events if isinstance(event, TaskChanged)]

        assert await published_events(GOOD, dry_run=True) == []
        assert await published_events(GOOD) == [("created", "sum"), ("created", "capital")]
        changed = GOOD.replace("42", "43")
        assert await published_events(changed, on_conflict="update") == [("updated", "sum")]
        async with engine.connect() as connection:
            assert (await connection.execute(select(func.count()).select_from(task))).scalar_one() == 2
            assert set(await store.ids_of(connection, ["sum", "nothing"])) == {"sum"}
