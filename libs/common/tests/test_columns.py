"""Test that columns of well-known datasets are recognised, and that unknown columns become metadata and are listed."""

from typing import Any

import pytest

from llmbench.files.cases import BadCase, case_of
from llmbench.files.columns import OUTPUT, Columns, chosen_map

GSM8K = "Natalia sold 48/2 = 24 clips in May.\n#### 72"


def read(row: dict[str, Any], *map_: str, outputs: bool = False, texts_only: bool = False) -> dict[str, Any]:
    """Return the non-empty parts of the test case that is read from the row. `map_` has texts `column=field`, a user's
    own mapping. With `outputs`, columns of model outputs are recognised too."""
    case = case_of(Columns(chosen_map(map_), outputs).read(row), texts_only=texts_only)
    said = {"input": case.input, "expected": case.expected_output, "truth": case.truth, "metadata": case.metadata}
    return {name: value for name, value in said.items() if value}


def case_with_prompt(prompt: str, **more: Any) -> dict[str, Any]:
    return {"input": {"prompt": prompt} | more}


CHOSEN = {**case_with_prompt("Why?"), "expected": "B", "metadata": {"choices": ["x", "y"]}}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"question": "Why?", "answer": GSM8K}, {**case_with_prompt("Why?"), "expected": GSM8K}),
        ({"instruction": "Sum", "input": "1, 2", "output": "3"}, {**case_with_prompt("Sum\n\n1, 2"), "expected": "3"}),
        ({"instruction": "Sing", "input": "", "output": "La"}, {**case_with_prompt("Sing"), "expected": "La"}),
        ({"input": "Hi", "output": "Ho"}, {**case_with_prompt("Hi"), "metadata": {"output": "Ho"}}),
        (
            {"problem": "1+1", "solution": "So 2", "answer": 2},
            {**case_with_prompt("1+1"), "expected": "2", "metadata": {"solution": "So 2"}},
        ),
        (
            {"question": "Why?", "choices": ["x", "y"], "answer": 1, "subject": "s"},
            {**CHOSEN, "metadata": {"choices": ["x", "y"], "subject": "s"}},
        ),
        ({"question": "Why?", "choices": ["x", "y"], "answer": "b"}, CHOSEN),
        ({"question": "Why?", "choices": ["x", "y"], "answer": "(B)"}, CHOSEN),
        ({"question": "Why?", "options": ["x", "y"], "answer": "Y "}, CHOSEN),
        ({"question": "Why?", "choices": {"text": ["x", "y"], "label": ["1", "2"]}, "answerKey": "2"}, CHOSEN),
        (
            {
                "question": "Why?",
                "choices": [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}],
                "answerKey": "B",
            },
            CHOSEN,
        ),
        ({"question": "Why?", "A": "x", "B": "y", "answer": "B"}, CHOSEN),
        ({"sentence": "Why?", "option1": "x", "option2": "y", "answer": "2"}, CHOSEN),
        ({"goal": "Why?", "sol1": "x", "sol2": "y", "label": 1}, CHOSEN),
        ({"ctx": "Why?", "endings": ["x", "y"], "label": "1"}, CHOSEN),
        (
            {"ctx": "Why?", "endings": ["x", "y"], "label": ""},
            {**case_with_prompt("Why?"), "metadata": {"choices": ["x", "y"]}},
        ),
        (
            {"ctx": "Why?", "endings": ["x", "y"], "label": -1},
            {**case_with_prompt("Why?"), "metadata": {"choices": ["x", "y"]}},
        ),
        (
            {"question": "Why?", "choices": {"A": "x", "C": "y"}, "answer": "C"},
            {**case_with_prompt("Why?"), "expected": "C", "metadata": {"choices": {"A": "x", "C": "y"}}},
        ),
        (
            {"question": "How?", "choices": ["3", "4"], "answer": "4"},
            {**case_with_prompt("How?"), "expected": "B", "metadata": {"choices": ["3", "4"]}},
        ),
        (
            {"context": "Text", "question": "Who?", "answers": {"text": ["I", "me", "I"], "answer_start": [1]}},
            {**case_with_prompt("Who?", context="Text"), "truth": {"acceptable_answers": ["I", "me"]}},
        ),
        (
            {"question": "Is it?", "passage": "It is.", "answer": True},
            {**case_with_prompt("Is it?", context="It is."), "expected": "true"},
        ),
        (
            {
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Hi"},
                    {"role": "assistant", "content": "Ho"},
                    {"role": "user", "content": [{"type": "text", "text": "Why?"}]},
                    {"role": "assistant", "content": "So."},
                ]
            },
            {
                **case_with_prompt(
                    "Why?",
                    system_prompt="Be brief.",
                    conversation=[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Ho"}],
                ),
                "expected": "So.",
            },
        ),
        (
            {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho"}]},
            {**case_with_prompt("Hi"), "expected": "Ho"},
        ),
        (
            {"input": [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}], "ideal": ["a", "b"]},
            {**case_with_prompt("U", system_prompt="S"), "truth": {"acceptable_answers": ["a", "b"]}},
        ),
        (
            {"prompt": "Hi", "expected": "Ho", "topic": "t"},
            {**case_with_prompt("Hi"), "expected": "Ho", "metadata": {"topic": "t"}},
        ),
        (
            {"prompt": "Hi", "expected_output": "Ho", "answer": "x"},
            {**case_with_prompt("Hi"), "expected": "Ho", "metadata": {"answer": "x"}},
        ),
        (
            {"prompt": "Hi", "ground_truth": "Ho", "answer": "x"},
            {**case_with_prompt("Hi"), "truth": {"answer": "Ho"}, "metadata": {"answer": "x"}},
        ),
        (
            {"id": 7, "question": "Hi", "choices": "one or two"},
            {**case_with_prompt("Hi"), "metadata": {"choices": "one or two"}},
        ),
    ],
)
def test_columns_of_well_known_datasets_are_recognised(row: dict[str, Any], said: dict[str, Any]) -> None:
    assert read(row) == said


def test_choices_written_as_text_are_parsed() -> None:
    for spelt in ('["x", "y"]', "['x', 'y']", "{'text': ['x', 'y'], 'label': ['1', '2']}"):
        answer = "2" if "label" in spelt else "1"
        assert read({"question": "Why?", "choices": spelt, "answer": answer}, texts_only=True) == CHOSEN


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "Why?", "choices": ["x", "y"], "answer": 2}, "is 2, but there are 2 choices, counted from 0"),
        ({"question": "Why?", "choices": ["x", "y"], "answer": "7"}, "counted from 0"),
        ({"question": "Why?", "choices": ["1", "0"], "answer": "1"}, "the name of one choice and the text of another"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "has the role 'tool'"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "there is no question"),
        ({"messages": "no"}, "must be a list of messages"),
        ({"question": "a", "prompt": "b"}, "twice, under two names"),
        ({"question": "a", "answers": [{"x": 1}]}, "must be a text or a list of texts"),
    ],
)
def test_ambiguous_or_unreadable_row_is_refused(row: dict[str, Any], message: str) -> None:
    with pytest.raises(BadCase) as bad:
        read(row)
    assert message in str(bad.value.faults)


def test_mapping_takes_precedence_over_column_names() -> None:
    row = {"text": "Why?", "answer": "x", "gold": "y", "extra": "z"}
    said = read(row, "text=question", "gold=expected_output", "extra=metadata.note")
    assert said == {**case_with_prompt("Why?"), "expected": "y", "metadata": {"answer": "x", "note": "z"}}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["answer"], "is not of the form column=field"),
        (["answer=nothing"], "there is no field 'nothing'"),
        (["answer=output"], "there is no field 'output'"),
        (["a=prompt", "a=context"], "the column 'a' is there twice"),
        (["a=prompt", "b=question"], "two columns cannot both be prompt"),
    ],
)
def test_invalid_mapping_is_refused(given: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        chosen_map(given)
    assert chosen_map(["answer=output"], further=[OUTPUT]) == {"answer": "output"}


def test_response_column_is_the_expected_output_only_beside_an_instruction() -> None:
    assert read({"instruction": "Why?", "response": "So."})["expected"] == "So."
    assert "expected" not in read({"instruction": "Why?", "response": "So."}, outputs=True)
    assert read({"prompt": "Why?", "output": "So."})["metadata"] == {"output": "So."}, "an output that is to be scored"


def test_unknown_columns_are_named_if_no_ground_truth_was_found() -> None:
    columns = Columns()
    columns.read({"question": "Why?", "opinion": "So.", "level": 1})
    [warning] = columns.warnings()
    assert "became metadata: opinion, level" in warning
    assert "map=<column>=expected_output" in warning
    columns.read({"question": "Why?", "answer": "So."})
    assert columns.warnings() == ["1 of 2 rows have no ground truth."]
    assert columns.mapping() == [
        {"column": "question", "field": "prompt", "by": "known"},
        {"column": "opinion", "field": "metadata.opinion", "by": "other"},
        {"column": "level", "field": "metadata.level", "by": "other"},
        {"column": "answer", "field": "expected_output", "by": "known"},
    ]
    absent = Columns({"anwser": "expected_output"})
    absent.read({"question": "Why?", "answer": "So."})
    assert absent.unmapped() == "the file has no column 'anwser'; did you mean 'answer'?"
    assert columns.unmapped() is None
