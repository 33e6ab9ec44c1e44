"""Every format's EXAMPLES hold; what is written is read back as it was; hostile files are one sentence."""

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config_api.files.yaml_text import YamlText
from config_api.tasks.schemas import TaskIn
from config_api.transfer.formats.base import FIELDS, Example, Fault, Format, Note, Row
from config_api.transfer.formats.registry import formats, recognised, writable
from llmbench.files.unreadable import Unreadable

CASES = [
    pytest.param(format_, example, id=f"{format_.name}-{number}")
    for format_ in formats().values()
    for number, example in enumerate(format_.examples, start=1)
]


def _read(name: str, text: str, stem: str = "file") -> list[Row | Fault | Note]:
    return list(formats()[name].read(io.StringIO(text, newline="\n"), stem))


def test_every_format_has_examples_and_is_recognised() -> None:
    assert set(formats()) == {"csv", "json", "jsonl", "yaml", "promptfoo", "openai-evals"}
    assert set(writable()) == {"csv", "json", "jsonl", "yaml"}
    for format_ in formats().values():
        assert format_.examples
        assert recognised(format_.file_names[0].replace("*", "my")) is format_


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("Tasks.CSV", "csv"),
        ("promptfooconfig.yaml", "promptfoo"),
        ("promptfooconfig.prod.yml", "promptfoo"),
        ("tasks.yml", "yaml"),
        ("dir/samples.jsonl", "openai-evals"),
        ("other.jsonl", "jsonl"),
    ],
)
def test_a_file_is_recognised_by_its_name(file_name: str, name: str) -> None:
    format_ = recognised(file_name)
    assert format_ is not None
    assert format_.name == name


def test_an_unknown_ending_is_no_format() -> None:
    assert recognised("tasks.xlsx") is None


@pytest.mark.parametrize(("format_", "example"), CASES)
def test_an_example_is_read_as_it_says(format_: Format, example: Example) -> None:
    assert tuple(_read(format_.name, example.text, example.file_name)) == example.found


# Everything that a stored task may hold: the schema itself decides what that is.
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)
_NASTY = st.sampled_from(["=1+1", "'=1", "''@x", "'tis", "-5", "a,b;c\td", '"', "no", "~", "null", "1.10", "\u2028"])
_NAME = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=255)
_TASKS = st.lists(
    st.fixed_dictionaries(
        {"task_id": _NAME | _NASTY, "category": _NAME, "question": _TEXT | _NASTY},
        optional=dict.fromkeys(("excellent", "good", "pass", "incorrect_answer_direction"), _TEXT | _NASTY)
        | {"subcategory": _NAME},
    ),
    max_size=4,
)


def _stored(drawn: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    for fields in drawn:
        try:
            task = TaskIn.model_validate(fields)
        except ValueError:
            # Blank, or with a control character in a name: such a task cannot exist.
            continue
        dumped = task.model_dump(by_alias=True, exclude_none=True)
        yield {name: dumped[name] for name in FIELDS if name in dumped}


@pytest.mark.parametrize("name", sorted(writable()))
@given(drawn=_TASKS)
def test_what_is_written_is_read_back_as_it_was(name: str, drawn: list[dict[str, Any]]) -> None:
    tasks, writing = list(_stored(drawn)), writable()[name]
    entries = [writing.entry(task, number == 0) for number, task in enumerate(tasks)]
    text = writing.opening + "".join(entries) + writing.closing
    # As a file comes in: UTF-8 bytes, lines ending in \n only.
    stream = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8-sig", newline="\n")
    found = list(formats()[name].read(stream, "file"))
    assert all(isinstance(row, Row) for row in found)
    back = [TaskIn.model_validate(row.fields) for row in found if isinstance(row, Row)]
    assert [task.model_dump(by_alias=True, exclude_none=True) for task in back] == tasks


def test_a_spreadsheet_runs_nothing_of_a_csv_file() -> None:
    for start in "=+-@\t\r":
        line = writable()["csv"].entry({"task_id": "a", "category": "b", "question": f"{start}cmd"}, True)
        assert f"'{start}cmd" in line


@given(st.text())
@pytest.mark.parametrize("name", sorted(formats()))
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    with contextlib.suppress(Unreadable):
        assert all(part.line >= 1 for part in _read(name, text))


HOSTILE = [
    ("yaml", "a: &a [x]\nb: [*a, *a]\n", "a list of tasks is wanted"),
    ("yaml", "- &a [x, x]\n- [*a, *a]\n", "alias"),
    ("yaml", "- " + "[" * 5000, "nested"),
    ("yaml", "- !!python/object/apply:os.system ['true']\n", "tag"),
    ("yaml", "- {task_id: a, task_id: b}\n", "twice"),
    ("yaml", "- a\n---\n- b\n", "second YAML document"),
    ("yaml", "- a: 'x\n", "not YAML"),
    ("yaml", "- {<<: {a: b}, [c]: d}\n", "name must be a text"),
    ("json", "[" * 200_000, "nested"),
    ("json", '[{"a": ' + "[" * 60 + "]" * 60 + "}]", "nested"),
    ("json", '[{"task_id": "a", "task_id": "b"}]', "twice"),
    ("json", '[{"a": NaN}]', "NaN"),
    ("json", "[{}", "missing"),
    ("json", "[{},]", "comma"),
    ("json", "[] []", "follows"),
    ("json", "{}", "list of tasks"),
    ("json", '[{"a": ' + "9" * 5000 + "}]", "not JSON"),
    ("csv", 'task_id,category,question\na,b,"open\n', "quote"),
    ("csv", 'task_id,category,question\na,b,"' + "x" * 2_000_001 + '"\n', "field larger"),
    ("csv", "task_id,category,question,colour\n", "colour"),
    ("csv", "task_id,question\n", "'category'"),
    ("csv", "task_id,category,question,question\n", "twice"),
    ("csv", "", "lacks the column"),
    ("promptfoo", "- a\n", "configuration"),
    ("promptfoo", "prompts: [x]\ntests: file://t.csv\n", "must be a list"),
]


def test_a_file_of_nothing_but_commas_is_refused_before_it_is_read_to_its_end() -> None:
    with pytest.raises(Unreadable, match="2000 values"):
        list(YamlText(io.StringIO("- [" + "a," * 2001 + '"without an end'), max_values=2000).entries())


@pytest.mark.parametrize(("name", "text", "says"), HOSTILE)
def test_a_hostile_file_is_refused_with_its_line(name: str, text: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says) as refused:
        _read(name, text)
    assert refused.value.line >= 1
    assert len(refused.value.message) < 300


def test_a_line_of_deep_json_is_a_bad_row_and_the_next_is_read() -> None:
    deep, fine = _read("jsonl", "[" * 200_000 + '\n{"task_id": "a"}\n')
    assert isinstance(deep, Fault)
    assert fine == Row(2, {"task_id": "a"})


def test_a_template_that_multiplies_its_text_is_refused_before_it_is_made() -> None:
    config = f"prompts: ['{'{{x}}' * 100_000}']\ntests: [{{vars: {{x: '{'y' * 100_000}'}}}}]\n"
    [fault] = _read("promptfoo", config)
    assert isinstance(fault, Fault)
    assert "characters" in fault.message


def test_promptfoo_merges_the_default_test_and_names_what_it_loses() -> None:
    found = _read(
        "promptfoo",
        """
prompts: ["{{q}}"]
scenarios: []
defaultTest:
  assert: [{type: llm-rubric, value: "Is polite, says {{q}}", provider: x}]
  options: {prefix: "Please: ", transform: "output.trim()"}
tests:
  - description: The first
    vars: {q: hello}
    metadata: {category: greetings, level: "1"}
    assert:
      - type: assert-set
        threshold: 0.5
        assert: [{type: contains-any, value: [hi, hello]}, {type: javascript, value: output.length}]
      - {type: not-equals, value: bye}
""",
    )
    [row] = [part for part in found if isinstance(part, Row)]
    assert row.line == 8
    assert row.fields == {
        "task_id": "file-1",
        "category": "greetings",
        "subcategory": None,
        "question": "Please: hello",
        "excellent": "Is polite, says hello\nContains one of: hi; hello",
        "incorrect_answer_direction": "Is exactly: bye",
    }
    lost = [part.message.removeprefix("not carried over: ") for part in found if isinstance(part, Note)]
    assert lost == [
        "scenarios",
        "provider of the assertion llm-rubric",
        "threshold of an assert-set",
        "the assertion javascript",
        "options.transform",
        "metadata.level",
        "description",
    ]


def test_a_conversation_keeps_its_speakers() -> None:
    line = (
        '{"input": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"},'
        ' {"role": "user", "content": "2+2?"}]}'
    )
    [row, note] = _read("openai-evals", line)
    assert isinstance(row, Row)
    assert row.fields["question"] == "User: Hi\n\nAssistant: Yes?\n\nUser: 2+2?"
    assert row.fields["excellent"] is None
    assert isinstance(note, Note)
