"""Test the importers that make cases for judge checks from published benchmarks. The files are our own, in the format
of each benchmark.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from llmbench_cli.errors import CommandFailed
from llmbench_cli.judge_files.read import cases_of
from llmbench_cli.judge_files.registry import judge_file, judge_files
from llmbench_cli.recipes.base import Json
from llmbench_cli.recipes.make import NotAsPublished

LLMBAR = [
    {"input": "Say hello.", "output_1": "Hello.", "output_2": "Goodbye.", "label": 1},
    {"input": "Count to 3.", "output_1": "1, 2", "output_2": "1, 2, 3", "label": 2},
    {"input": "Say hi.", "output_1": "hi", "output_2": "hi ", "label": 1},
]
JUDGEBENCH = {
    "pair_id": "7f2c",
    "original_id": "12",
    "source": "mmlu-pro-law",
    "question": "Which is it: A or B?",
    "response_model": "some-model",
    "response_A": "It is A.",
    "response_B": "It is B.",
    "label": "B>A",
}
REWARDBENCH = [
    {
        "prompt": f"Question {number}?",
        "chosen": "A good answer.",
        "chosen_model": "one",
        "rejected": "A bad answer.",
        "rejected_model": "other",
        "subset": "alpacaeval-easy",
        "id": number,
    }
    for number in range(20)
]


def conversation(*answers: str) -> list[dict[str, str]]:
    turns: list[dict[str, str]] = []
    for place, answer in enumerate(answers, start=1):
        turns += [{"role": "user", "content": f"Ask {place}"}, {"role": "assistant", "content": answer}]
    return turns


def vote(winner: str, *, judge: str, turn: int = 1, swapped: bool = False) -> dict[str, Any]:
    sides = [("alpaca", conversation("a1", "a2")), ("vicuna", conversation("v1", "v2"))]
    (model_a, said_a), (model_b, said_b) = reversed(sides) if swapped else sides
    return {
        "question_id": 81,
        "model_a": model_a,
        "model_b": model_b,
        "winner": winner,
        "judge": judge,
        "conversation_a": said_a,
        "conversation_b": said_b,
        "turn": turn,
    }


def written(tmp_path: Path, name: str, rows: list[Any]) -> Path:
    file = tmp_path / name
    if file.suffix == ".json":
        file.write_text(json.dumps(rows), "utf-8")
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return file


def imported(form: str, file: Path) -> list[Json]:
    return cases_of(judge_file(form), file).cases


def test_llmbar_keeps_the_places_and_leaves_out_equal_answers(tmp_path: Path) -> None:
    folder = tmp_path / "GPTInst"
    folder.mkdir()
    found = cases_of(judge_file("llmbar"), written(folder, "dataset.json", LLMBAR))
    assert found.name == "LLMBar: GPTInst"
    assert [(case["first"], case["right"], case["category"]) for case in found.cases] == [
        ("Hello.", "first", "GPTInst"),
        ("1, 2", "second", "GPTInst"),
    ]
    assert found.notes() == ["Left out 1: both answers are the same text."]


def test_judgebench_is_read_by_its_label_and_source(tmp_path: Path) -> None:
    (case,) = imported("judgebench", written(tmp_path, "gpt.jsonl", [JUDGEBENCH]))
    assert (case["id"], case["category"], case["right"]) == ("7f2c", "mmlu-pro-law", "second")
    assert (case["first"], case["second"]) == ("It is A.", "It is B.")


def test_rewardbench_does_not_keep_the_chosen_answer_in_first_place(tmp_path: Path) -> None:
    file = tmp_path / "filtered.parquet"
    pq.write_table(pa.Table.from_pylist(REWARDBENCH), file)
    cases = imported("rewardbench", file)
    assert len(cases) == len(REWARDBENCH)
    places = {case["right"] for case in cases}
    assert places == {"first", "second"}
    for case in cases:
        assert case["first" if case["right"] == "first" else "second"] == "A good answer."


def test_mt_bench_takes_the_majority_of_people_whatever_the_order_of_models(tmp_path: Path) -> None:
    rows = [
        vote("model_a", judge="expert_1"),
        vote("model_b", judge="expert_2", swapped=True),
        vote("model_b", judge="expert_3"),
        vote("model_a", judge="expert_1", turn=2),
        vote("model_b", judge="author_1", turn=2),
    ]
    first, second = imported("mt-bench", written(tmp_path, "human.jsonl", rows))
    assert (first["question"], first["first"], first["second"], first["right"]) == ("Ask 1", "a1", "v1", "first")
    assert second["right"] == "tie", "one vote each"
    assert second["first"] == "[Turn 1]\na1\n\n[Turn 2]\na2"
    assert second["question"] == "[Turn 1]\nAsk 1\n\n[Turn 2]\nAsk 2"


def test_own_cases_are_passed_on(tmp_path: Path) -> None:
    rows = [{"question": "1 + 1?", "answer": "3", "right": "fail"}]
    (case,) = imported("cases", written(tmp_path, "mine.jsonl", rows))
    assert case == {"id": "case-1", "category": "all", "question": "1 + 1?", "answer": "3", "right": "fail"}


@pytest.mark.parametrize(
    ("form", "row"),
    [
        ("llmbar", LLMBAR[0] | {"label": 3}),
        ("llmbar", {"input": "x", "output_1": "y"}),
        ("judgebench", JUDGEBENCH | {"label": "A=B"}),
        ("rewardbench", REWARDBENCH[0] | {"id": None}),
        ("mt-bench", vote("nobody", judge="x")),
        ("mt-bench", vote("tie", judge="x") | {"conversation_a": "text"}),
        ("mt-bench", vote("tie", judge="x", turn=2) | {"conversation_b": conversation("only one")}),
        ("cases", {"question": "?", "answer": "x", "right": "pass", "colour": "red"}),
        ("cases", {"question": "?", "answer": ["x"], "right": "pass"}),
        ("cases", {"id": 7, "question": "?", "answer": "x", "right": "pass"}),
        ("cases", {"question": "\ud800", "answer": "x", "right": "pass"}),
        ("llmbar", LLMBAR[0] | {"input": "a\0b"}),
    ],
)
def test_row_that_is_not_as_published_is_named(tmp_path: Path, form: str, row: dict[str, Any]) -> None:
    with pytest.raises(NotAsPublished) as refused:
        imported(form, written(tmp_path, "file.jsonl", [row]))
    assert refused.value.faults[0].startswith("row 1: ")


def test_repeated_ids_and_unknown_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotAsPublished):
        imported("judgebench", written(tmp_path, "file.jsonl", [JUDGEBENCH, JUDGEBENCH]))
    with pytest.raises(CommandFailed, match="there is no format"):
        judge_file("nonsense")


def test_every_format_says_what_its_file_is() -> None:
    assert set(judge_files()) == {"cases", "judgebench", "llmbar", "mt-bench", "rewardbench"}
    assert all(form.files and form.source for form in judge_files().values())
