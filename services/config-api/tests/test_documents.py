"""Test that readable documents are stored with all pages. Unreadable documents give one clear error message and leave
nothing behind."""

from pathlib import Path
from typing import Any

import httpx
import pdf_files
import pytest
from config_api_asserting import assert_problem
from dataset_world import refuse_files, stored_files
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.tables import dataset, document, document_page

Json = dict[str, Any]
PAGES = ("Leave has to be re-\nquested two weeks ahead.", "", "The office answers within three days, as a rule.")


async def add(api: httpx.AsyncClient, file: str, content: bytes, /, **fields: str) -> httpx.Response:
    return await api.post("/v1/documents", files={"file": (file, content)}, data=fields)


async def add_document(api: httpx.AsyncClient, file: str, content: bytes, /, **fields: str) -> Json:
    answer = await add(api, file, content, **fields)
    assert answer.status_code == 201, answer.text
    document: Json = answer.json()
    return document


async def test_document_is_added_shown_and_deleted(api: httpx.AsyncClient, files: Path) -> None:
    answer = await add(api, "folder\\HR.pdf", pdf_files.pdf(*PAGES), description=" Rules ")
    assert answer.status_code == 201, answer.text
    made, path = answer.json(), answer.headers["location"]
    assert (made["name"], made["description"], made["format"]) == ("HR.pdf", "Rules", "pdf")
    assert (made["page_count"], made["empty_page_count"]) == (3, 1)
    assert (await api.get(path)).json() == made
    assert len(stored_files(files)) == 1
    pages = (await api.get(f"{path}/pages", params={"limit": 2})).json()
    assert (pages["total"], pages["has_more"]) == (3, True)
    assert [page["text"].strip() for page in pages["pages"]] == [PAGES[0], ""]
    rest = (await api.get(f"{path}/pages", params={"offset": 2})).json()
    assert ([page["number"] for page in rest["pages"]], rest["has_more"]) == ([3], False)

    await add_document(api, "notes.md", b"# Notes\n", name="Notes")
    listed = (await api.get("/v1/documents", params={"limit": 1})).json()
    assert ([entry["name"] for entry in listed["documents"]], listed["total"], listed["has_more"]) == (
        ["Notes"],
        2,
        True,
    )
    assert (await api.get("/v1/documents", params={"q": "hr."})).json()["total"] == 1
    assert (await api.get("/v1/documents", params={"name": "Note"})).json()["total"] == 0

    assert_problem(await add(api, "HR.pdf", pdf_files.pdf("x y z")), 409, "name")
    assert len(stored_files(files)) == 2
    assert (await api.delete(path)).status_code == 204
    assert len(stored_files(files)) == 1
    for gone in (await api.get(path), await api.get(f"{path}/pages"), await api.delete(path)):
        assert_problem(gone, 404)


_FAULTS = [
    ("a.pdf", b"just text", "does not begin with %PDF-"),
    ("a.pdf", b"%PDF-1.4\n" + b"\0" * 1000, "is no PDF that can be read"),
    ("a.pdf", pdf_files.pdf("Some text")[:200], "is no PDF that can be read"),
    ("encrypted.pdf", pdf_files.encrypted("secret"), "is encrypted"),
    ("restricted.pdf", pdf_files.encrypted(""), "is encrypted"),
    ("scanned.pdf", pdf_files.pdf("", "", ""), "run text recognition (OCR)"),
    ("many.pdf", pdf_files.many_pages(10_000), "has 10,000 pages; there may be 2,000"),
    ("bomb.pdf", pdf_files.bomb(100), "page 1 cannot be read"),
    ("nested.pdf", pdf_files.nested_bomb(), ""),
    ("pages.pdf", pdf_files.loop_of_pages(), ""),
    ("forms.pdf", pdf_files.loop_of_forms(), ""),
    ("nul.txt", b"a\0b", "line 1: contains a NUL"),
    ("utf16.txt", "text".encode("utf-16"), "is UTF-16"),
    ("latin1.md", "fine\nz\xfcrich".encode("latin-1"), "line 2: is not UTF-8"),
    ("empty.md", b" \n\n---\n", "holds no text: it is empty"),
    ("long.txt", b"12345678\n" * 600_000, "has more than 5,000,000 characters"),
    ("zip.txt", b"PK\x03\x04", "a ZIP archive"),
]


@pytest.mark.parametrize(
    ("name", "content", "said"), _FAULTS, ids=[f"{name}: {said}"[:60] for name, _, said in _FAULTS]
)
@pytest.mark.shows("I-21", "S-13")
async def test_broken_or_hostile_document_is_refused_and_leaves_nothing(
    api: httpx.AsyncClient, files: Path, engine: AsyncEngine, name: str, content: bytes, said: str
) -> None:
    answer = await add(api, name, content)
    assert_problem(answer, 422, "file")
    assert said in answer.json()["detail"]
    assert stored_files(files) == []
    async with engine.connect() as connection:
        for table in (document, document_page):
            assert (await connection.execute(select(func.count()).select_from(table))).scalar_one() == 0


async def test_control_characters_of_a_pdf_are_not_stored(api: httpx.AsyncClient) -> None:
    made = await add_document(
        api, "odd.pdf", pdf_files.with_content(b"BT /F1 12 Tf (A\\000B\\001C \\033[31mred) Tj ET")
    )
    pages = (await api.get(f"/v1/documents/{made['document_id']}/pages")).json()["pages"]
    assert "\x00" not in pages[0]["text"]
    assert "\x1b" not in pages[0]["text"]
    assert "red" in pages[0]["text"]


async def test_document_form_needs_one_file_with_a_known_extension(api: httpx.AsyncClient, files: Path) -> None:
    assert_problem(await add(api, "a.docx", b"x"), 422, "file")
    assert_problem(await add(api, "", b"x"), 422, "file")
    assert_problem(await add(api, "a.txt", b"x", title="y"), 422, "title")
    assert_problem(await add(api, "a.txt", b"x", name="a\0b"), 422, "name")
    assert_problem(await add(api, "x" * 300 + ".txt", b"x", name="short"), 422, "file")
    assert_problem(await api.post("/v1/documents", content=b"x"), 415)
    assert stored_files(files) == []


async def test_document_becomes_a_dataset_version_with_the_run_that_asks_about_it(api: httpx.AsyncClient) -> None:
    text = "\f".join(
        f"Page {page}. " + "Everybody has leave, and asks for it ahead of time. " * 20 for page in (1, 2, 3)
    )
    made = await add_document(api, "HR rules!.txt", text.encode(), name="HR rules!")
    path = f"/v1/documents/{made['document_id']}/publish"
    answer = await api.post(path, json={"chunk_characters": 900, "conversations": 2, "turns": 4, "last_page": 2})
    assert answer.status_code == 201, answer.text
    version, run = answer.json()["version"], answer.json()["run"]
    assert (version["status"], version["file_name"]) == ("PUBLISHED", "HR rules!.jsonl")
    assert run["dataset_version_ids"] == [version["version_id"]]
    assert run["evaluators"] == [{"kind": "grounded_questions", "params": {"max_turns": 4}}]
    schema = run["params"]["response_schema"]["json_schema"]["properties"]["conversations"]
    assert (schema["maxItems"], schema["items"]["properties"]["turns"]["maxItems"]) == (2, 4)
    cases = (await api.get(f"{answer.headers['location']}/cases")).json()["cases"]
    assert [case["name"] for case in cases] == ["HR-rules-0001", "HR-rules-0002", "HR-rules-0003"]
    assert all(len(case["input"]["context"]) <= 1_125 for case in cases)
    assert "up to 2 conversations about this extract, each of one to 4 questions" in cases[0]["input"]["prompt"]
    assert cases[0]["metadata"]["document_id"] == made["document_id"]
    for case in cases:
        for page in case["metadata"]["pages"][1:]:
            assert case["input"]["context"][page["start"] :].startswith(f"Page {page['page']}.")
    assert "Page 3." not in cases[-1]["input"]["context"]

    again = await api.post(path, json={"dataset_name": "HR rules!: chunks", "first_page": 3})
    assert again.json()["version"]["version_number"] == 2
    assert (await api.delete(f"/v1/documents/{made['document_id']}")).status_code == 204
    assert (await api.get(answer.headers["location"])).status_code == 200
    assert_problem(await api.post(path, json={}), 404)


async def test_unsuitable_pages_of_a_document_are_refused(api: httpx.AsyncClient, engine: AsyncEngine) -> None:
    made = await add_document(api, "short.txt", b"Just a headline")
    path = f"/v1/documents/{made['document_id']}/publish"
    assert_problem(await api.post(path, json={}), 422, "first_page")
    assert_problem(await api.post(path, json={"first_page": 2}), 422, "first_page")
    assert_problem(await api.post(path, json={"first_page": 2, "last_page": 1}), 422, "body")
    assert_problem(await api.post(path, json={"turns": 11}), 422, "turns")
    async with engine.connect() as connection:
        assert (await connection.execute(select(func.count()).select_from(dataset))).scalar_one() == 0


async def test_refused_publication_of_a_document_leaves_no_dataset(api: httpx.AsyncClient, files: Path) -> None:
    made = await add_document(api, "HR.txt", b"Everybody has leave, and asks for it ahead of time. " * 20)
    refuse_files(files)
    assert_problem(await api.post(f"/v1/documents/{made['document_id']}/publish", json={}), 503)
    assert (await api.get("/v1/datasets")).json()["total"] == 0
