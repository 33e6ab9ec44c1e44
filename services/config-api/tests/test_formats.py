"""Test the formats of tasks: each reads its EXAMPLES, written files are read back unchanged, and hostile files give one
error."""

import contextlib
import io
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config_api.files.yaml_text import YamlText
from config_api.tasks.schemas import TaskIn
from config_api.transfer.formats.base import FIELDS, Example, Fault, FileItem, Format, Note, Row, Suggested
from config_api.transfer.formats.registry import formats, recognised, writable
from llmbench.files.unreadable import Unreadable

CASES = [
    pytest.param(format_, example, id=f"{format_.name}-{number}")
    for format_ in formats().values()
    for number, example in enumerate(format_.examples, start=1)
]


def _read(name: str, text: str, stem: str = "file") -> list[FileItem]:
    return list(formats()[name].read(io.StringIO(text, newline="\n"), stem))


def test_every_task_format_has_examples_and_is_recognised() -> None:
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
def test_task_file_is_recognised_by_its_name(file_name: str, name: str) -> None:
    format_ = recognised(file_name)
    assert format_ is not None
    assert format_.name == name


def test_unknown_file_extension_has_no_format() -> None:
    assert recognised("tasks.xlsx") is None


@pytest.mark.parametrize(("format_", "example"), CASES)
def test_example_of_a_task_format_is_read_as_documented(format_: Format, example: Example) -> None:
    assert tuple(_read(format_.name, example.text, example.file_name)) == example.found


# Texts that a task in the database may have: no surrogates and no NUL; names have no control characters either.
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)
_NASTY = st.sampled_from(["=1+1", "'=1", "''@x", "'tis", "-5", "a,b;c\td", '"', "no", "~", "null", "1.10", "\u2028"])
_NAME = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=255)
_VALUES = st.recursive(
    _TEXT | _NASTY | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_NAME | _NASTY, inner, max_size=2),
    max_leaves=5,
)
_OBJECTS = st.dictionaries(_NAME | _NASTY, _VALUES, max_size=3)


def _turn(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _check(kind: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "params": params, "negate": True}


_TASKS = st.lists(
    st.fixed_dictionaries(
        {"task_id": _NAME | _NASTY, "category": _NAME, "question": _TEXT | _NASTY},
        optional=dict.fromkeys(("excellent", "good", "pass", "incorrect_answer_direction"), _TEXT | _NASTY)
        | {"subcategory": _NAME, "system_prompt": _TEXT | _NASTY}
        | {"accepted_answers": st.lists(_TEXT | _NASTY, max_size=3), "metadata": _OBJECTS}
        | {"conversation": st.lists(st.builds(_turn, st.sampled_from(["user", "assistant"]), _TEXT), max_size=2)}
        | {"checks": st.lists(st.builds(_check, _NAME, _OBJECTS), max_size=2)},
    ),
    max_size=4,
)


def _written(task: TaskIn) -> dict[str, Any]:
    """Return the task in the form of a file, without empty fields."""
    stored = task.stored()
    return {name: stored[name] for name in FIELDS if stored[name] not in (None, [], {})}


def _stored(drawn: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for fields in drawn:
        try:
            task = TaskIn.model_validate(fields)
        except ValueError:
            # The database has no such task: its name is blank or has a control character.
            continue
        yield _written(task)


@pytest.mark.parametrize("name", sorted(writable()))
@given(drawn=_TASKS)
def test_written_tasks_are_read_back_unchanged(name: str, drawn: list[dict[str, Any]]) -> None:
    tasks, writing = list(_stored(drawn)), writable()[name]
    entries = [writing.entry(task, number == 0) for number, task in enumerate(tasks)]
    text = writing.opening + "".join(entries) + writing.closing
    # Read the text like an upload: as UTF-8 bytes, in which only \n ends lines.
    stream = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8-sig", newline="\n")
    found = list(formats()[name].read(stream, "file"))
    assert all(isinstance(row, Row) for row in found)
    back = [TaskIn.model_validate(row.fields) for row in found if isinstance(row, Row)]
    assert [_written(task) for task in back] == tasks


def test_formulas_in_csv_cells_are_prefixed_with_a_quote() -> None:
    for start in "=+-@\t\r":
        line = writable()["csv"].entry({"task_id": "a", "category": "b", "question": f"{start}cmd"}, True)
        assert f"'{start}cmd" in line


@given(st.text())
@pytest.mark.parametrize("name", sorted(formats()))
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    with contextlib.suppress(Unreadable):
        assert all(part.line >= 1 for part in _read(name, text) if not isinstance(part, Suggested))


HOSTILE = [
    ("yaml", "a: &a [x]\nb: [*a, *a]\n", "a list of tasks is wanted"),
    ("yaml", "prompts: [x]\ntests: []\n", "name the format: promptfoo"),
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


def test_yaml_with_too_many_values_is_refused_before_it_is_read_completely() -> None:
    with pytest.raises(Unreadable, match="2000 values"):
        list(YamlText(io.StringIO("- [" + "a," * 2001 + '"without an end'), max_values=2000).entries())


@pytest.mark.parametrize(("name", "text", "says"), HOSTILE)
def test_hostile_file_is_refused_with_its_line(name: str, text: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says) as refused:
        _read(name, text)
    assert refused.value.line >= 1
    assert len(refused.value.message) < 300


def test_deeply_nested_json_line_is_a_bad_row_and_the_next_is_read() -> None:
    deep, fine = _read("jsonl", "[" * 200_000 + '\n{"task_id": "a"}\n')
    assert isinstance(deep, Fault)
    assert fine == Row(2, {"task_id": "a"})


def test_template_that_multiplies_its_text_is_refused_before_it_is_rendered() -> None:
    config = f"prompts: ['{'{{x}}' * 100_000}']\ntests: [{{vars: {{x: '{'y' * 100_000}'}}}}]\n"
    [fault] = _read("promptfoo", config)
    assert isinstance(fault, Fault)
    assert "characters" in fault.message


def test_promptfoo_merges_the_default_test_and_names_what_is_lost() -> None:
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
        "excellent": "Is polite, says hello",
        "incorrect_answer_direction": None,
        "checks": [
            {
                "kind": "case_checks",
                "params": {
                    "checks": [{"kind": "contains", "params": {"texts": ["hi", "hello"], "ignore_case": False}}],
                    "pass_share": 0.5,
                },
            },
            {"kind": "exact_match", "params": {"references": ["bye"]}, "negate": True},
        ],
        "metadata": {"level": "1", "promptfoo": ["rubric"]},
    }
    assert [part.evaluator for part in found if isinstance(part, Suggested)] == [
        {"kind": "rubric", "only": {"metadata": {"promptfoo": ["rubric"]}}}
    ]
    lost = [part.message.removeprefix("not carried over: ") for part in found if isinstance(part, Note)]
    assert lost == [
        "scenarios",
        "provider of the assertion llm-rubric",
        "the assertion javascript",
        "options.transform",
        "description",
    ]


def test_conversation_of_an_openai_evals_file_keeps_its_roles() -> None:
    line = (
        '{"input": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"},'
        ' {"role": "user", "content": "2+2?"}]}'
    )
    [row] = _read("openai-evals", line)
    assert isinstance(row, Row)
    assert row.fields["question"] == "2+2?"
    assert row.fields["conversation"] == [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Yes?"},
    ]


def _promptfoo(asserts: str, *, more: str = "") -> dict[str, Any]:
    """Read a promptfoo configuration with one task, which has these assertions. Return the fields of the task. `more`
    has further lines of YAML."""
    found = _read("promptfoo", f"prompts: [Say it]\n{more}tests:\n  - assert: {asserts}\n")
    [row] = [part for part in found if isinstance(part, Row)]
    return dict(row.fields)


@pytest.mark.parametrize(
    ("written", "check"),
    [
        ("{type: equals, value: Paris}", ("exact_match", {"references": ["Paris"]})),
        ("{type: equals, value: {a: 1}}", ("json_schema", {"json_schema": {"const": {"a": 1}}, "strict": True})),
        ("{type: contains, value: 1.10}", ("contains", {"texts": ["1.10"], "ignore_case": False})),
        (
            "{type: contains-all, value: 'a, \"b, c\"'}",
            ("contains", {"texts": ["a", "b, c"], "ignore_case": False, "mode": "all"}),
        ),
        ("{type: icontains-any, value: [a, b]}", ("contains", {"texts": ["a", "b"], "ignore_case": True})),
        ("{type: regex, value: '\\d{2,4}'}", ("regex", {"pattern": "\\d{2,4}"})),
        ("{type: starts-with, value: 'Yes'}", ("starts_with", {"texts": ["Yes"]})),
        ("{type: is-json}", ("json_schema", {"strict": True})),
        (
            "{type: is-json, value: {required: [a], properties: {a: {minimum: 0, default: 'no'}}}}",
            (
                "json_schema",
                {
                    "strict": True,
                    "json_schema": {"required": ["a"], "properties": {"a": {"minimum": 0, "default": "no"}}},
                },
            ),
        ),
        ('{type: contains-json, value: \'{"type": "object"}\'}', ("json_schema", {"json_schema": {"type": "object"}})),
        ("{type: latency, threshold: 1500.5}", ("latency", {"max_ms": 1500})),
        ("{type: cost, threshold: 0.002}", ("cost", {"max_usd": 0.002})),
        ("{type: levenshtein, value: Paris}", ("levenshtein", {"references": ["Paris"], "max_edits": 5})),
        ("{type: rouge-n, value: Paris, threshold: 0.6}", ("rouge_1", {"references": ["Paris"], "pass_mark": 0.6})),
    ],
)
@pytest.mark.parametrize("negate", [False, True])
def test_program_assertion_of_promptfoo_becomes_a_check(
    written: str, check: tuple[str, dict[str, Any]], negate: bool
) -> None:
    asserts = written.replace("type: ", "type: not-", 1) if negate else written
    fields = _promptfoo(f"[{asserts}]")
    kind, params = check
    assert fields["checks"] == [{"kind": kind, "params": params} | ({"negate": True} if negate else {})]
    assert fields["excellent"] is None


def test_assertion_template_is_resolved_and_a_missing_one_named() -> None:
    more = "assertionTemplates:\n  short: {type: latency, threshold: 10}\n"
    fields = _promptfoo("[{$ref: '#/assertionTemplates/short'}]", more=more)
    assert fields["checks"] == [{"kind": "latency", "params": {"max_ms": 10}}]
    found = _read("promptfoo", "prompts: [x]\ntests: [{assert: [{$ref: '#/assertionTemplates/none'}]}]")
    assert [part.message for part in found if isinstance(part, Note)] == [
        "not carried over: the assertion #/assertionTemplates/none"
    ]


def test_threshold_of_a_promptfoo_test_becomes_the_pass_share_of_its_checks() -> None:
    asserts = "[{type: icontains, value: a, weight: 2}, {type: icontains, value: b}]\n    threshold: 0.6"
    [check] = _promptfoo(asserts)["checks"]
    assert check["kind"] == "case_checks"
    assert check["params"]["pass_share"] == 0.6
    assert [part.get("weight", 1) for part in check["params"]["checks"]] == [2, 1]


@pytest.mark.parametrize(
    "written", ["{type: javascript, value: x}", "{type: cost}", "{type: contains, value: file://x}", "{type: regex}"]
)
def test_unsupported_assertion_is_named(written: str) -> None:
    found = _read("promptfoo", f"prompts: [x]\ntests:\n  - assert: [{written}]\n")
    assert [part.message.startswith("not carried over: the assertion") for part in found if isinstance(part, Note)]
    assert not any("checks" in part.fields for part in found if isinstance(part, Row))


def test_yaml_aliases_are_expanded_up_to_a_limit() -> None:
    text = "prompts: [x]\nx-usual: &usual [{type: latency, threshold: 5}]\ntests:\n  - assert: *usual\n"
    text += "  - assert: *usual\n"
    rows = [part for part in _read("promptfoo", text) if isinstance(part, Row)]
    assert [row.fields["checks"] for row in rows] == [[{"kind": "latency", "params": {"max_ms": 5}}]] * 2
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in itertools.pairwise("abcdefgh")
    )
    with pytest.raises(Unreadable, match="stands for more than"):
        _read("promptfoo", bomb)
    with pytest.raises(Unreadable, match="nothing that is written before it"):
        _read("promptfoo", "a: &a [*a]")
