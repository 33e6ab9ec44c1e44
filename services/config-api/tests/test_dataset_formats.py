"""Test that every format reads its EXAMPLES as declared, and that any case is read back as it was written."""

import io
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from tempfile import TemporaryFile
from typing import IO, Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config_api.datasets.checking import Reading, case_fields
from config_api.datasets.formats.base import Example, Format, Header, Row, Unwritable
from config_api.datasets.formats.registry import formats, recognised
from llmbench.files.cases import Case, case_of

CASES = [
    pytest.param(format_, example, id=f"{format_.name}-{number}")
    for format_ in formats().values()
    for number, example in enumerate(format_.examples, start=1)
]


def test_every_format_is_recognised_by_file_name() -> None:
    assert set(formats()) == {"csv", "json", "jsonl", "parquet", "ground-truth"}
    for format_ in formats().values():
        assert recognised(f"my.{format_.extension}") is format_
        assert recognised(format_.file_names[0].replace("*", "MY").upper()) is format_
    assert recognised("cases.xlsx") is None


@pytest.mark.parametrize(("format_", "example"), CASES)
def test_example_of_a_dataset_format_is_read_as_documented(format_: Format, example: Example) -> None:
    assert tuple(format_.read(io.BytesIO(example.content))) == example.found


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1).filter(str.strip)
_NASTY = st.sampled_from(["=1+1", "'=1", "''@x", "-5", "a,b;c\td", '"', "no", "~", "{}", '{"a"', "[1]", " x\r\n"])
_NAME = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(str.strip)
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAME, inner, max_size=3),
    max_leaves=5,
)
_TURNS = st.lists(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": _TEXT}), min_size=1, max_size=3
)
_TRUTH = st.fixed_dictionaries(
    {"answer": _TEXT | _NASTY},
    optional={
        "acceptable_answers": st.lists(_TEXT | _NASTY, max_size=3),
        "citations": st.lists(_TEXT, max_size=2),
        "rubric": st.dictionaries(_NAME.map("r".__add__), _ANY, max_size=2),
        "source": st.sampled_from(["EXPERT", "AUTOMATED"]),
        "confidence": st.floats(0, 1),
    },
)
_ROWS = st.lists(
    st.fixed_dictionaries(
        {"id": _NAME, "prompt": _TEXT | _NASTY},
        optional={
            "context": _TEXT | _NASTY,
            "system_prompt": _TEXT,
            "conversation": _TURNS,
            "turn": st.integers(1, 50),
            "expected_output": _TEXT | _NASTY,
            "ground_truth": _TRUTH,
            "metadata": st.dictionaries(_NAME, _ANY, max_size=3),
        },
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda row: str(row["id"]),
)


def _written(format_: Format, cases: list[Case]) -> io.BytesIO:
    def fields() -> Iterator[dict[str, Any]]:
        for case in cases:
            truth = dict(case.truth or {})
            if case.truth and case.source.value != "IMPORTED":
                truth["source"] = case.source.value
            if case.confidence is not None:
                truth["confidence"] = case.confidence
            yield dict(case_fields(case.name, case.input, case.expected_output, truth, case.metadata))

    with TemporaryFile() as file:
        format_.write(fields(), {}, file)
        file.seek(0)
        return io.BytesIO(file.read())


def _read(format_: Format, file: IO[bytes]) -> list[Case]:
    reading = Reading(file, format_)
    cases: list[Case] = []
    while chunk := reading.next_chunk():
        cases += chunk
    assert reading.bad_rows == []
    return cases


@pytest.mark.parametrize("name", ["csv", "json", "jsonl"])
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
@given(rows=_ROWS)
def test_written_cases_are_read_back_unchanged(name: str, rows: list[dict[str, Any]]) -> None:
    format_ = formats()[name]
    # Put each turn into a conversation of its own as turn 1, because the other turns may be missing. Drop the previous
    # turns that it lists.
    turns = [{**row, "conversation_id": str(row["id"]), "turn": 1} for row in rows if "turn" in row]
    for row in turns:
        row.pop("conversation", None)
    cases = [case_of(row, texts_only=False) for row in (*turns, *(row for row in rows if "turn" not in row))]
    assert _read(format_, _written(format_, cases)) == cases


@dataclass
class Question:
    """A question of a `ground_truth.yaml` file."""

    id: str
    category: str
    question: str
    expected_answer: str
    variations: list[str] = field(default_factory=list)
    citation_required: bool = True
    tags: list[str] = field(default_factory=list)


_QUESTIONS = st.lists(
    st.builds(
        Question,
        id=_NAME,
        category=_TEXT | _NASTY,
        question=_TEXT | _NASTY,
        expected_answer=_TEXT | _NASTY,
        variations=st.lists(_TEXT | _NASTY, max_size=3),
        citation_required=st.booleans(),
        tags=st.lists(_TEXT, max_size=3),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda question: question.id,
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)
@given(questions=_QUESTIONS, description=_TEXT)
def test_ground_truth_file_is_read_and_written_without_loss(questions: list[Question], description: str) -> None:
    """PyYAML writes a file of questions, and the format reads it and writes it again. From the result, PyYAML reads
    equal questions."""
    header = {"version": "1.0.2", "created": "2026-01-21", "description": description}
    document = {**header, "questions": [asdict(question) for question in questions]}
    format_ = formats()["ground-truth"]
    file = io.BytesIO(yaml.safe_dump(document, sort_keys=False).encode())
    found = list(format_.read(file))
    assert found[0] == Header(header)
    cases = [case_of(row.fields, texts_only=False) for row in found[1:] if isinstance(row, Row)]
    exported = io.BytesIO()
    format_.write(
        (case_fields(case.name, case.input, case.expected_output, case.truth, case.metadata) for case in cases),
        header,
        exported,
    )
    again = yaml.safe_load(exported.getvalue())
    assert [Question(**question) for question in again.pop("questions")] == questions
    assert again == header


def test_written_parquet_is_read_back_unchanged() -> None:
    rows: list[dict[str, Any]] = [
        {"prompt": "=1", "ground_truth": {"answer": "{}", "confidence": 0.5}, "metadata": {"n": 1, "tags": ["a"]}},
        {"prompt": "p", "conversation": [{"role": "user", "content": "Hi"}], "expected_output": "[1]"},
    ]
    cases = [case_of({"id": f"c{at}", **row}, texts_only=False) for at, row in enumerate(rows)]
    format_ = formats()["parquet"]
    with TemporaryFile() as file:
        file.write(_written(format_, cases).getvalue())
        assert _read(format_, file) == cases


def test_field_that_a_ground_truth_file_cannot_contain_is_named() -> None:
    case = {"id": "q1", "prompt": "p", "expected_output": "a", "context": "c", "metadata": {"category": "x"}}
    with pytest.raises(Unwritable, match="'q1' has context"):
        formats()["ground-truth"].write(iter([case]), {}, io.BytesIO())


def test_case_without_a_name_is_named_by_its_content() -> None:
    rows = [{"prompt": "a"}, {"prompt": "b"}, {"prompt": "a"}]
    names = [case.name for case in _read(formats()["json"], io.BytesIO(str(rows).replace("'", '"').encode()))]
    assert names[0].startswith("case-")
    assert len(set(names)) == 3
    turned = _read(formats()["json"], io.BytesIO(str(rows[1:]).replace("'", '"').encode()))
    assert [case.name for case in turned] == [names[1], names[0]]


def _faults(text: str, name: str = "csv") -> list[tuple[int | None, str | None, str]]:
    reading = Reading(io.BytesIO(text.encode()), formats()[name])
    while reading.next_chunk():
        pass
    return [(row.line, row.field, row.message) for row in reading.bad_rows]


def test_rows_with_turns_become_cases_of_a_conversation() -> None:
    text = "id,question,conversation_id,turn_number\na2,Second?,a,2\nb1,Other?,b,1\na1,First?,a,1\nplain,Why?,,\n"
    cases = _read(formats()["csv"], io.BytesIO(text.encode()))
    assert [case.input for case in cases] == [
        {"prompt": "Second?", "conversation_id": "a", "turn": 2},
        {"prompt": "Other?", "conversation_id": "b", "turn": 1},
        {"prompt": "First?", "conversation_id": "a", "turn": 1},
        {"prompt": "Why?"},
    ]


@pytest.mark.parametrize(
    ("rows", "line", "field", "said"),
    [
        ("a,1\na,3\n", 3, "turn", "the conversation 'a' has a turn 3 and no turn 2"),
        ("a,2\n", 2, "turn", "has a turn 2 and no turn 1"),
        ("a,1\na,1\n", 3, "turn", "has its turn 1 on line 2 already"),
        ("a,\n", 2, "input", "conversation_id and turn belong together"),
        (",1\n", 2, "input", "conversation_id and turn belong together"),
        ("a,0\n", 2, "turn", "must be at least 1"),
        ("a,51\n", 2, "turn", "must be at most 50"),
        ("a,first\n", 2, "turn", "must be a whole number"),
    ],
)
def test_invalid_turn_is_named_with_line_and_field(rows: str, line: int, field: str | None, said: str) -> None:
    text = "prompt,conversation_id,turn\n" + "".join(f"p{at},{row}\n" for at, row in enumerate(rows.split()))
    [(found_line, found_field, message)] = _faults(text)
    assert (found_line, found_field) == (line, field), message
    assert said in message


def test_turn_row_with_own_conversation_is_refused() -> None:
    row = '{"prompt": "p", "conversation_id": "a", "turn": 1, "conversation": [{"role": "user", "content": "Hi"}]}'
    [(_, _, message)] = _faults(row, "jsonl")
    assert "a turn has no `conversation` of its own" in message
    [(_, field, message)] = _faults('{"prompt": "p", "conversation_id": "a", "turn": true}', "jsonl")
    assert (field, "whole number" in message) == ("turn", True)


def test_parquet_of_the_hugging_face_hub_is_mapped_to_fields() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [
        pa.table({"question": ["2+2?"], "choices": [["3", "4"]], "answer": pa.array([1], pa.int64())}),
        pa.table({"question": ["2+2?"], "choices": [{"text": ["3", "4"], "label": ["1", "2"]}], "answerKey": ["2"]}),
        pa.table({"ctx": ["2+2?"], "endings": [["3", "4"]], "label": ["1"]}),
    ]
    for table in tables:
        file = io.BytesIO()
        pq.write_table(table, file)
        with TemporaryFile() as stored:
            stored.write(file.getvalue())
            stored.flush()
            reading = Reading(stored, formats()["parquet"])
            [case] = reading.next_chunk()
        assert reading.bad_rows == []
        assert (case.input, case.expected_output, case.metadata) == ({"prompt": "2+2?"}, "B", {"choices": ["3", "4"]})
