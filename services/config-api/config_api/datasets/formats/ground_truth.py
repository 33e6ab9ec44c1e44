"""Read and write `ground_truth.yaml`: the questions of a regression suite, with accepted variations of their answers.

    version: "1.0"
    created: "2026-01-21"
    description: "…"
    questions:
      - {id, category, question, expected_answer, variations, citation_required, tags}

Plain values are read as texts, even `no` and `1.10`. If an exported file is read again, it yields the questions that
were exported.
"""

import io
import re
from collections.abc import Iterator
from typing import IO, Any, Final

import yaml

from config_api.datasets.formats.base import (
    Example,
    Fault,
    Fields,
    FileItem,
    Format,
    Header,
    Row,
    Unwritable,
)
from config_api.files.yaml_text import LineDict, YamlText
from llmbench.files.cases import INPUT_FIELDS, given_name
from llmbench.files.lines import not_utf8, require_text
from llmbench.files.unreadable import Unreadable

_MAX_BYTES: Final = 20 * 1024 * 1024
_HEADER: Final = ("version", "created", "description")
_VERSION: Final = re.compile(r"\d+\.\d+(\.\d+)?")
_NEEDED: Final = ("id", "category", "question", "expected_answer")
_OPTIONAL: Final = ("variations", "citation_required", "tags")
_LISTS: Final = ("variations", "tags")
_WORDS: Final = {**dict.fromkeys(("true", "yes", "on"), True), **dict.fromkeys(("false", "no", "off"), False)}


def read(file: IO[bytes]) -> Iterator[FileItem]:
    document = YamlText(_text(file)).document()
    if document is None:
        return
    if not isinstance(document, dict) or not isinstance(document.get("questions"), list):
        raise Unreadable(1, "a ground truth is wanted: version, created, description and a list `questions`")
    if wrong := list(_wrong_header(document)):
        yield Fault(None, *wrong[0], more=tuple(wrong[1:]))
    else:
        yield Header({name: document[name] for name in _HEADER})
    line = 1
    for question in document["questions"]:
        line = question.line if isinstance(question, LineDict) else line
        yield _question(line, question)


def _wrong_header(document: dict[Any, Any]) -> Iterator[tuple[str | None, str]]:
    yield from _unknown(document, (*_HEADER, "questions"))
    for name in _HEADER:
        if not isinstance(document.get(name), str):
            yield name, "is missing, or is no text"
        elif name == "version" and not _VERSION.fullmatch(document[name]):
            yield name, f"{document[name][:80]!r} is not like 1.0 or 1.0.2"


def _unknown(entry: dict[Any, Any], known: tuple[str, ...]) -> Iterator[tuple[str | None, str]]:
    for name in entry:
        if name not in known:
            yield str(name)[:80], f"there is no such field; there are {', '.join(known)}"


def _text(file: IO[bytes]) -> io.StringIO:
    require_text(file)
    read_ = file.read(_MAX_BYTES + 1)
    if len(read_) > _MAX_BYTES:
        raise Unreadable(
            1, f"is larger than {_MAX_BYTES // 1024 // 1024} MiB; YAML is read as a whole, JSON lines are not"
        )
    try:
        return io.StringIO(read_.decode())
    except UnicodeDecodeError as error:
        raise not_utf8(error, 1 + read_.count(b"\n", 0, error.start)) from None


def _question(line: int, question: Any) -> Row | Fault:
    if not isinstance(question, dict):
        return Fault(line, None, "is not a question: `id`, `category`, `question` and `expected_answer` are wanted")
    lists = {name: question.get(name) or [] for name in _LISTS}
    required = question.get("citation_required")
    if wrong := list(_wrong(question, lists, required)):
        return Fault(line, *wrong[0], more=tuple(wrong[1:]), name=given_name({"id": question.get("id")}))
    return Row(
        line,
        {
            "id": question["id"],
            "prompt": question["question"],
            "expected_output": question["expected_answer"],
            "ground_truth": {"answer": question["expected_answer"], "acceptable_answers": lists["variations"]},
            "metadata": {
                "category": question["category"],
                "citation_required": required is None or _WORDS[str(required).lower()],
                "tags": lists["tags"],
            },
        },
    )


def _wrong(question: dict[Any, Any], lists: dict[str, Any], required: object) -> Iterator[tuple[str | None, str]]:
    yield from _unknown(question, (*_NEEDED, *_OPTIONAL))
    for name in _NEEDED:
        if not isinstance(question.get(name), str) or not question[name].strip():
            yield name, "is missing, empty, or no text"
    for name, values in lists.items():
        if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
            yield name, "is not a list of texts"
    if required is not None and str(required).lower() not in _WORDS:
        yield "citation_required", "is neither true nor false"


def write(cases: Iterator[Fields], header: Fields, file: IO[bytes]) -> None:
    """Write the cases. `header` has the values of the uploaded file's header; missing values get defaults. Raises
    `Unwritable` for a case that the format cannot represent."""
    first = {"version": "1.0", "created": "", "description": ""} | {
        name: header[name] for name in _HEADER & header.keys()
    }
    file.write(_yaml(first))
    file.write(b"questions:\n")
    for case in cases:
        file.write(_yaml([_entry(case)]))


def _entry(case: Fields) -> dict[str, Any]:
    truth, metadata = case.get("ground_truth", {}), case.get("metadata", {})
    answer = case.get("expected_output", truth.get("answer"))
    if answer is None or truth.get("answer", answer) != answer:
        raise Unwritable(f"the case {case['id']!r} has no expected answer, or two that differ")
    if not isinstance(metadata.get("category"), str):
        raise Unwritable(f"the case {case['id']!r} has no category")
    strange = [name for name in INPUT_FIELDS if name != "prompt" and name in case]
    strange += [f"ground_truth.{name}" for name in truth if name not in ("answer", "acceptable_answers", "source")]
    strange += ["checks"] if case.get("checks") else []
    strange += [f"metadata.{name}" for name in metadata if name not in ("category", "citation_required", "tags")]
    if strange or truth.get("source", "IMPORTED") != "IMPORTED":
        raise Unwritable(
            f"the case {case['id']!r} has {(strange or ['ground_truth.source'])[0]}, which a question cannot hold"
        )
    return {
        "id": case["id"],
        "category": metadata["category"],
        "question": case["prompt"],
        "expected_answer": answer,
        "variations": truth.get("acceptable_answers", []),
        "citation_required": metadata.get("citation_required", True),
        "tags": metadata.get("tags", []),
    }


def _yaml(value: Any) -> bytes:
    written: bytes = yaml.dump(
        value, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=120, encoding="utf-8"
    )
    return written


FORMAT: Final = Format(
    name="ground-truth",
    title="Questions with ground truth (YAML)",
    media_type="application/yaml",
    extension="yaml",
    read=read,
    write=write,
    file_names=("*.yaml", "*.yml"),
    examples=(
        Example(
            b'version: "1.0"\ncreated: "2026-01-21"\ndescription: "HR chatbot"\n\nquestions:\n  - id: "Q001"\n'
            b'    category: "vacation_policy"\n    question: "How do I request vacation time?"\n'
            b'    expected_answer: "Through the portal."\n    variations:\n      - "By the portal."\n'
            b"    citation_required: false\n    tags: [time-off, no]\n  - just a text\n  - {id: Q002, category: x, "
            b"question: y, expected_answer: ''}\n",
            (
                Header({"version": "1.0", "created": "2026-01-21", "description": "HR chatbot"}),
                Row(
                    6,
                    {
                        "id": "Q001",
                        "prompt": "How do I request vacation time?",
                        "expected_output": "Through the portal.",
                        "ground_truth": {"answer": "Through the portal.", "acceptable_answers": ["By the portal."]},
                        "metadata": {
                            "category": "vacation_policy",
                            "citation_required": False,
                            "tags": ["time-off", "no"],
                        },
                    },
                ),
                Fault(6, None, "is not a question: `id`, `category`, `question` and `expected_answer` are wanted"),
                Fault(15, "expected_answer", "is missing, empty, or no text", name="Q002"),
            ),
        ),
    ),
)
