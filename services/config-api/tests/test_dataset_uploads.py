"""Test that valid uploads are stored completely. Broken or hostile uploads give one clear error message and leave
nothing behind."""

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from config_api_asserting import assert_problem
from dataset_world import bomb, dataset, jsonl, numbered, parquet, stored_files, upload, upload_version
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.db.tables import dataset_version, ground_truth, test_case

HEAD = '{"prompt": "fine"}\n'
EMPTY = "must not be empty"


async def _is_empty(api: httpx.AsyncClient, path: str, files: Path, engine: AsyncEngine) -> None:
    """Assert that the upload stored no rows and no files, and that the dataset is unchanged."""
    assert stored_files(files) == []
    assert (await api.get(path)).json()["version"] == 1
    async with engine.connect() as connection:
        for table in (dataset_version, test_case, ground_truth):
            assert (await connection.execute(select(func.count()).select_from(table))).scalar_one() == 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cases.csv", "id;prompt;difficulty\r\na;\"one\r\nline\";1\r\nb;two;2\r\n"),
        ("cases.tsv", "\ufeffid\tQuestion\tdifficulty\na\t\"one\r\nline\"\t1\nb\ttwo\t2"),
        ("cases.json", '\ufeff[{"id": "a", "prompt": "one\\r\\nline", "difficulty": "1"},\r\n'
                       '{"id": "b", "question": "two", "difficulty": "2"}]'),
        ("cases.jsonl", jsonl({"id": "a", "prompt": "one\r\nline", "difficulty": "1"},
                              {"id": "b", "input": "two", "metadata": {"difficulty": "2"}})),
        ("cases.parquet", parquet(id=["a", "b"], prompt=["one\r\nline", "two"], difficulty=["1", "2"])),
    ],
)  # fmt: skip
async def test_every_format_yields_the_same_cases(api: httpx.AsyncClient, name: str, content: bytes | str) -> None:
    path = await dataset(api)
    version = await upload_version(api, path, content, name)
    cases = (await api.get(f"{path}/versions/1/cases")).json()["cases"]
    assert [(case["name"], case["input"], case["metadata"]) for case in cases] == [
        ("a", {"prompt": "one\r\nline"}, {"difficulty": "1"}),
        ("b", {"prompt": "two"}, {"difficulty": "2"}),
    ]
    assert version["content_hash"] == "9cc5bfd93b0d805fdc52e414a8bdff9963e6c8cc15efd1ea737f9870749a34a4"


def _zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", "x")
    return file.getvalue()


_WHOLE = parquet(prompt=["one", "two"])
_DEEP = '{"prompt": "x", "m": ' + "[" * 100_000 + "]" * 100_000 + "}\n"
_FAULTS = [
    ("empty.csv", b"", "no rows"),
    ("header only.csv", "prompt\n", "no rows"),
    ("nothing.json", "[]", "no rows"),
    ("big cell.csv", f"prompt\n{'x' * 10_000_000}\n", "line 2: the line is longer than 8 MiB"),
    ("big cell.csv", f"prompt\n{'x' * 1_500_000}\n", "row 2, column prompt: must have at most 1,000,000"),
    ("big cell.jsonl", HEAD + '{"prompt": "' + "x" * 10_000_000 + '"}', "line 2: the line is longer"),
    (
        "big cell.json",
        '[{"prompt": "' + "x" * 10_000_000 + '"}]',
        "row 1, column prompt: must have at most 1,000,000",
    ),
    ("big cell.parquet", parquet(prompt=["fine", "x" * 10_000_000]), "row 2, column prompt: has 10,000,000"),
    ("bomb.parquet", bomb(700, one_value=False), "unpacks to 630,"),
    ("hidden bomb.parquet", bomb(700, one_value=True), "unpacks to more than"),
    ("nul.csv", "prompt\na\0b\n", "row 2, column prompt: must not contain NUL"),
    ("nul.jsonl", HEAD + '{"prompt": "x", "m": {"a": ["\\u0000"]}}', "NUL"),
    ("half a pair.jsonl", HEAD + '{"prompt": "x", "m": "\\ud800"}', "row 2: contains half of a surrogate pair"),
    ("twice.csv", "prompt,a,a\nx,1,2\n", "line 1: the column 'a' is there twice"),
    ("twice.csv", "prompt,question\nx,y\n", "row 2, column question: is there twice, under two names"),
    ("twice.jsonl", '{"prompt": "x", "prompt": "y"}\n', "row 1: is not JSON: the field 'prompt' is there twice"),
    ("same id.jsonl", jsonl({"id": "a", "prompt": "x"}, {"id": "a", "prompt": "y"}), "row 2, column id: is also on"),
    ("mixed.jsonl", jsonl({"prompt": "x", "n": 1}, {"prompt": "y", "n": "1"}), "column n: is a text, but a number"),
    ("mixed.json", '[{"prompt": 7}]', "row 1, column prompt: must be a text"),
    (
        "no prompt.csv",
        "id,story\na,b\n",
        "row 2, column prompt: is missing; where another column has it, say so: map <column>=prompt",
    ),
    ("blank.jsonl", '{"prompt": " "}', "row 1, column prompt: must not be empty"),
    ("deep.jsonl", HEAD + _DEEP, "row 2: is nested more than 50 deep"),
    ("deep.json", "[" + _DEEP + "]", "is nested more than 50 deep"),
    ("infinite.jsonl", '{"prompt": "x", "n": 1e999}', "row 1: contains a number that is not finite"),
    ("nan.jsonl", '{"prompt": "x", "n": NaN}', "NaN is no value of JSON"),
    ("long number.jsonl", '{"prompt": "x", "n": ' + "9" * 5_000 + "}", "row 1: is not JSON"),
    ("cut.json", '[{"prompt": "x"}, {"prompt": "y"', "is not JSON"),
    ("cut.csv", 'prompt\n"x\n', "is not CSV"),
    ("cut.parquet", _WHOLE[:-20], "Parquet ends with PAR1"),
    ("damaged.parquet", b"PAR1" + b"\0" * 200 + b"PAR1", "is not Parquet, or damaged"),
    ("really.csv", _WHOLE, "is Parquet; name it .parquet"),
    ("really.parquet", "prompt\nx\n", "it does not begin with PAR1"),
    ("really.json", jsonl({"prompt": "x"}, {"prompt": "y"}), "a JSON list is wanted"),
    ("really.jsonl", gzip.compress(b"{}"), "compressed with gzip"),
    ("really.csv", _zip(), "a ZIP archive or a spreadsheet"),
    ("utf16.csv", "prompt\nx\n".encode("utf-16"), "is UTF-16"),
    ("latin1.csv", "prompt\nfine\nz\xfcrich\n".encode("latin-1"), "line 3: is not UTF-8"),
    ("latin1.json", '[\n{"prompt": "z\xfcrich"}]'.encode("latin-1"), "line 2: is not UTF-8"),
    ("cells.csv", "prompt\nx,y\n", "row 2: has 2 cells, but the header has 1"),
    ("columns.csv", ",".join(f"c{at}" for at in range(1_001)) + "\n", "has 1,001 columns"),
    ("role.jsonl", '{"prompt": "x", "conversation": [{"role": "system", "content": "y"}]}', "conversation.0.role"),
    ("truth.jsonl", '{"prompt": "x", "ground_truth": {"anwser": "y"}}', "column ground_truth.anwser"),
    ("truth.yaml", "version: '1'\ncreated: c\ndescription: d\nquestions: []\n", "is not like 1.0"),
    ("alias.yaml", "version: &a '1.0'\ncreated: *a\ndescription: d\nquestions: []\n", "alias"),
]


@pytest.mark.parametrize(
    ("name", "content", "said"), _FAULTS, ids=[f"{name}: {said}"[:60] for name, _, said in _FAULTS]
)
@pytest.mark.shows("I-21", "S-13")
async def test_broken_or_hostile_file_is_refused_and_leaves_nothing(
    api: httpx.AsyncClient, files: Path, engine: AsyncEngine, name: str, content: bytes | str, said: str
) -> None:
    path = await dataset(api)
    answer = await upload(api, path, content, name)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["detail"]
    await _is_empty(api, path, files, engine)


async def test_all_bad_rows_are_counted_and_the_first_are_listed(
    api: httpx.AsyncClient, files: Path, engine: AsyncEngine
) -> None:
    path = await dataset(api)
    cases = [{**case, "prompt": None if at % 2 else "p"} for at, case in enumerate(numbered(2_000))]
    problem: dict[str, Any] = (await upload(api, path, jsonl(*cases))).json()
    assert (problem["row_count"], problem["bad_row_count"], len(problem["bad_rows"])) == (2_000, 1_000, 100)
    assert problem["bad_rows"][:2] == [
        {"line": 2, "field": "prompt", "message": EMPTY},
        {"line": 4, "field": "prompt", "message": EMPTY},
    ]
    await _is_empty(api, path, files, engine)


_ALL_FAULTS: list[tuple[str, bytes | str, list[tuple[int | None, str]]]] = [
    ("twice.csv", "id,prompt\nc1,\nc1,hi\n", [(2, "prompt"), (3, "id")]),
    ("kinds.jsonl", jsonl({"prompt": "x", "n": 1}, {"prompt": "", "n": "1"}), [(2, "n"), (2, "prompt")]),
    (
        "truth.yaml",
        "version: '1'\ncreated: c\ndescription: d\nquestions:\n- {id: q, category: '', tags: x}\n- {id: q}\n",
        [
            (None, "version"),
            *[(5, name) for name in ("category", "question", "expected_answer", "tags")],
            *[(6, name) for name in ("category", "question", "expected_answer", "id")],
        ],
    ),
]


@pytest.mark.parametrize(("name", "content", "wrong"), _ALL_FAULTS, ids=[name for name, _, _ in _ALL_FAULTS])
async def test_every_fault_of_a_file_is_reported(
    api: httpx.AsyncClient, name: str, content: bytes | str, wrong: list[tuple[int | None, str]]
) -> None:
    problem = (await upload(api, await dataset(api), content, name)).json()
    assert [(bad_row["line"], bad_row["field"]) for bad_row in problem["bad_rows"]] == wrong


async def test_invalid_header_is_not_counted_as_a_row(api: httpx.AsyncClient) -> None:
    question = "{id: q, category: c, question: q, expected_answer: a}"
    text = f"version: '1'\ncreated: c\ndescription: d\nquestions:\n- {question}\n"
    path = await dataset(api)
    problem = (await upload(api, path, text, "truth.yaml")).json()
    assert (problem["title"], problem["row_count"], problem["bad_row_count"]) == ("Bad header", 1, 0)
    assert problem["detail"] == "The header is bad (version: '1' is not like 1.0 or 1.0.2)"
    assert [error["field"] for error in problem["errors"]] == ["header.version"]
    stored = (await upload(api, path, text, "truth.yaml", keep_invalid=True)).json()
    assert (stored["validation_status"], stored["validation_error_count"]) == ("INVALID", 1)
    assert stored["validation_errors"] == ["header, version: '1' is not like 1.0 or 1.0.2"]
    assert (await api.get(f"{path}/versions/1/cases")).json()["total"] == 0


async def test_faults_of_entries_on_one_line_name_the_entry(api: httpx.AsyncClient) -> None:
    content = '[{"id": "a", "prompt": "x"}, {"id": "a", "prompt": "y"}, {"prompt": ""}]'
    problem = (await upload(api, await dataset(api), content, "cases.json")).json()
    assert [bad_row["message"] for bad_row in problem["bad_rows"]] == [
        "is also on line 1: a (entry 2)",
        f"{EMPTY} (entry 3)",
    ]


async def test_file_with_bad_rows_can_be_stored_for_inspection(api: httpx.AsyncClient, files: Path) -> None:
    path = await dataset(api)
    content = jsonl(*numbered(600), {"id": "x"})
    answer = await upload(api, path, content, keep_invalid=True)
    assert answer.status_code == 201, answer.text
    version = (await api.get(f"{path}/versions/1")).json()
    assert (version["validation_status"], version["validation_error_count"]) == ("INVALID", 1)
    assert version["validation_errors"] == [
        "row 601, column prompt: is missing; where another column has it, say so: map <column>=prompt"
    ]
    assert stored_files(files)[0].read_text() == content
    assert (await api.get(f"{path}/versions/1/cases")).json()["total"] == 0
    assert_problem(await api.post(f"{path}/versions/1/publish"), 409)


async def test_upload_form_has_one_file_and_a_description(api: httpx.AsyncClient, files: Path) -> None:
    path = await dataset(api)
    url = f"{path}/versions"
    answer = await api.post(url, files={"file": ("c.jsonl", HEAD)}, data={"description": " Nightly "})
    assert (answer.status_code, answer.json()["description"]) == (201, "Nightly")
    before = stored_files(files)
    assert_problem(await api.post(url, content=HEAD), 415)
    assert_problem(await api.post(url, files={"other": ("c.jsonl", HEAD)}), 422, "other")
    assert_problem(await api.post(url, files=[("file", ("c.jsonl", HEAD)), ("file", ("d.jsonl", HEAD))]), 422, "file")
    assert_problem(await api.post(url, files={"file": ("c.xlsx", HEAD)}), 422, "format")
    assert_problem(await api.post(url, files={"file": ("c.jsonl", HEAD)}, data={"name": "x"}), 422, "name")
    assert_problem(
        await api.post(url, files={"file": ("c.jsonl", HEAD)}, data={"description": "\0"}), 422, "description"
    )
    broken = {"content-type": "multipart/form-data; boundary=x"}
    assert_problem(await api.post(url, content=b"--x\r\nno", headers=broken), 422, "body")
    cut = b'--x\r\nContent-Disposition: form-data; name="file"; filename="c.jsonl"\r\n\r\n{"prompt"'
    assert_problem(await api.post(url, content=cut, headers=broken), 422, "body")
    assert_problem(await api.post(f"{url}?format=xml", files={"file": ("c.jsonl", HEAD)}), 422, "format")
    assert stored_files(files) == before
    answer = await api.post(f"{url}?format=jsonl", files={"file": ("../../c.txt", HEAD)})
    assert (answer.status_code, answer.json()["file_name"]) == (201, "c.txt")


async def test_exported_file_can_be_uploaded_again(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    rows = [
        {"id": f"q{at}", "question": f"=q{at}?", "expected_answer": "a", "ground_truth.acceptable_answers": ["b"],
         "category": "c", "tags": ["t"]}
        for at in range(1_200)
    ]  # fmt: skip
    first = await upload_version(api, path, jsonl(*rows))
    for number, (name, suffix) in enumerate(
        [("csv", "csv"), ("json", "json"), ("jsonl", "jsonl"), ("parquet", "parquet")], start=2
    ):
        answer = await api.get(f"{path}/versions/1/export", params={"format": name})
        assert answer.status_code == 200
        again = await upload_version(api, path, answer.content, f"again.{suffix}")
        assert (again["version_number"], again["content_hash"]) == (number, first["content_hash"]), name
    problem = assert_problem(await api.get(f"{path}/versions/1/export?format=xml"), 422, "format")
    assert "ground-truth" in str(problem["detail"])


async def test_ground_truth_file_is_exported_as_it_was_uploaded(api: httpx.AsyncClient) -> None:
    text = (
        "version: '1.0'\ncreated: '2026-01-21'\ndescription: HR chatbot\nquestions:\n- id: Q001\n"
        "  category: vacation_policy\n  question: How?\n  expected_answer: Through the portal.\n  variations:\n"
        "  - By the portal.\n  citation_required: true\n  tags:\n  - time-off\n"
    )
    path = await dataset(api)
    await upload_version(api, path, text, "ground_truth.yaml")
    answer = await api.get(f"{path}/versions/1/export", params={"format": "ground-truth"})
    assert answer.text == text
    await upload_version(api, path, jsonl({"id": "a", "prompt": "p", "context": "c"}))
    assert_problem(await api.get(f"{path}/versions/2/export", params={"format": "ground-truth"}), 422, "format")


async def test_sample_never_splits_a_conversation(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    cases: list[dict[str, Any]] = [
        {"prompt": f"{talk}{turn}", "conversation_id": talk, "turn": turn, "part": "later" if turn > 1 else "first"}
        for turn in (3, 1, 2)
        for talk in "abcdef"
    ]
    cases += [{"prompt": f"alone {at}", "part": "first"} for at in range(6)]
    await upload_version(api, path, jsonl(*cases))
    await upload_version(api, path, jsonl(*cases[::-1]))

    async def sample(version: int, size: int, **body: Any) -> tuple[dict[str, Any], list[str]]:
        answer = await api.post(f"{path}/versions/{version}/sample", json={"size": size, "seed": 3, **body})
        assert answer.status_code == 200, answer.text
        return answer.json(), [case["input"]["prompt"] for case in answer.json()["cases"]]

    for size in range(1, 25):
        said, prompts = await sample(1, size)
        assert size <= said["sample_size"] == len(prompts) <= min(size + 2, 24)
        assert (await sample(2, size))[1] == prompts
        for talk in "abcdef":
            of_talk = [prompt for prompt in prompts if prompt.startswith(talk) and prompt[1:].isdigit()]
            assert of_talk in ([], [f"{talk}1", f"{talk}2", f"{talk}3"])
    # A conversation belongs to the stratum of its first turn.
    said, _ = await sample(1, 24, strategy="stratified", stratify_by="part")
    assert said["strata"] == [{"value": "first", "total": 24, "sampled": 24}]


async def test_sample_depends_on_the_seed_and_not_on_the_order_of_cases(api: httpx.AsyncClient) -> None:
    path = await dataset(api)
    cases = [{"prompt": f"p{at}", "level": ["easy", "hard", "hard"][at % 3]} for at in range(300)]
    await upload_version(api, path, jsonl(*cases))
    await upload_version(api, path, json.dumps(cases[::-1]), "turned.json")

    async def sample(version: int, **body: Any) -> dict[str, Any]:
        answer = await api.post(f"{path}/versions/{version}/sample", json=body)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    first = await sample(1, size=20, seed=7)
    prompts = [case["input"]["prompt"] for case in first["cases"]]
    assert (first["sample_size"], len(set(prompts)), first["seed"]) == (20, 20, 7)
    assert [case["input"]["prompt"] for case in (await sample(2, size=20, seed=7))["cases"]] == prompts
    other = await sample(1, size=20, seed=8)
    assert [case["input"]["prompt"] for case in other["cases"]] != prompts
    drawn = await sample(1, size=5)
    assert await sample(1, size=5, seed=drawn["seed"]) == drawn
    assert (await sample(1, size=1_000))["sample_size"] == 300

    strata = await sample(1, size=30, seed=1, strategy="stratified", stratify_by="level")
    levels = [case["metadata"]["level"] for case in strata["cases"]]
    assert (levels.count("easy"), levels.count("hard")) == (10, 20)
    assert strata["strata"] == [
        {"value": "easy", "total": 100, "sampled": 10},
        {"value": "hard", "total": 200, "sampled": 20},
    ]
    turned = await sample(2, size=30, seed=1, strategy="stratified", stratify_by="level")
    assert [case["name"] for case in turned["cases"]] == [case["name"] for case in strata["cases"]]

    url = f"{path}/versions/1/sample"
    unknown = {"size": 1, "strategy": "stratified", "stratify_by": "nothing"}
    assert_problem(await api.post(url, json=unknown), 422, "stratify_by")
    assert_problem(await api.post(url, json={"size": 1, "strategy": "stratified"}), 422, "body")
    assert_problem(await api.post(url, json={"size": 0}), 422, "size")
