"""Test the recipes, which make cases from files of published benchmarks: the cases' evaluators pass right answers and
fail wrong ones.
"""

import gzip
from pathlib import Path
from typing import Any

import pytest
from published_files import (
    ARC,
    FILES,
    GSM8K,
    HELLASWAG,
    HUMANEVAL,
    IFEVAL,
    MMLU,
    TRUTHFULQA,
    Published,
    jsonl,
    passes,
    read,
)

from config_api.suites.schemas import SuiteIn
from llmbench.confined.confinement import cannot_confine_code
from llmbench_cli.errors import CommandFailed
from llmbench_cli.recipes import published
from llmbench_cli.recipes.make import NotAsPublished, cases_of, suite_of
from llmbench_cli.recipes.registry import recipe_of, recipes

every_file = pytest.mark.parametrize("given", FILES, ids=[f"{each.recipe}-{each.file}" for each in FILES])


@every_file
async def test_file_as_published_becomes_cases_that_are_scored(given: Published, tmp_path: Path) -> None:
    if given.recipe == "humaneval" and (lacking := cannot_confine_code()) is not None:
        pytest.skip(lacking)
    recipe, made = recipe_of(given.recipe), read(given, tmp_path)
    assert [case["id"] for case in made.cases] == list(given.right) == list(given.wrong)
    (evaluator,) = recipe.evaluators
    for case in made.cases:
        assert await passes(evaluator, case, given.right[case["id"]]), case
        assert not await passes(evaluator, case, given.wrong[case["id"]]), case


@every_file
def test_suite_of_a_file_is_valid_and_has_figures_to_compare_with(given: Published, tmp_path: Path) -> None:
    recipe, made = recipe_of(given.recipe), read(given, tmp_path)
    suite = SuiteIn.model_validate(suite_of(recipe, made, name="Own", version=3, size=2, seed=5))
    (task,) = suite.tasks
    assert (task.source.dataset, task.source.version) == ("Own", 3)
    assert task.sample is not None
    assert (task.sample.size, task.sample.seed) == (2, 5)
    assert task.params.temperature == 0
    for figure in recipe.figures:
        assert figure.shown() in (suite.description or "")
        assert "arXiv:" in figure.source
    left_out = made.rows - len(made.cases)
    assert left_out == sum(made.skipped.values())
    assert (f"Left out: {left_out} of {made.rows} rows" in (suite.description or "")) is (left_out > 0)


def test_recipe_is_one_file_and_each_has_a_published_form_here() -> None:
    """A new recipe needs only a new file in the folder `published`, and an invented file for its tests in
    `published_files.py`. No other file names it."""
    folder = Path(published.__path__[0])
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == set(recipes()) == {"arc", "gsm8k", "hellaswag", "humaneval", "ifeval", "mmlu", "truthfulqa"}
    assert {each.recipe for each in FILES} == set(recipes())
    others = [path for path in folder.parent.parent.rglob("*.py") if path.parent != folder]
    assert not [path for path in others for name in recipes() if f'"{name}"' in path.read_text("utf-8")]


def test_page_of_recipes_has_every_published_figure() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "recipes.md").read_text("utf-8")
    table = [line for line in page.partition("| instruction |")[0].splitlines() if line.startswith("| `")]
    assert [line.split("`")[1] for line in table] == list(recipes())
    for line, recipe in zip(table, recipes().values(), strict=True):
        assert all(f"{figure.model} {figure.percent:g} %" in line for figure in recipe.figures), line
        assert all(figure.source in page for figure in recipe.figures)


def test_unknown_recipe_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(CommandFailed, match="there is no recipe 'none'; there are arc, gsm8k"):
        recipe_of("none")


def test_rows_that_cannot_be_scored_are_left_out_with_the_reason(tmp_path: Path) -> None:
    given = {each.file: each for each in FILES}
    assert read(given["input_data.jsonl"], tmp_path).notes() == []
    assert "it has no label" in read(given["hellaswag_val.jsonl"], tmp_path).notes()[0]


@pytest.mark.parametrize(
    ("recipe", "row", "message"),
    [
        ("gsm8k", {"question": "1 + 1?", "answer": "2"}, "row 2: 'answer' has to end with ####"),
        ("gsm8k", {"answer": "#### 2"}, "row 2: 'question' has to be a text, and is missing"),
        ("mmlu", {**MMLU[0], "answer": 4}, "row 2: 'answer' has to be the place"),
        ("mmlu", {**MMLU[0], "choices": ["a", "b"]}, "row 2: 2 choices are not 4"),
        ("arc", {**ARC[0], "answerKey": "E"}, "row 2: 'answerKey' 'E' has to be one of the labels A, B, C, D"),
        ("hellaswag", {**HELLASWAG[0], "label": "4"}, "row 2: the right choice is number 4"),
        ("hellaswag", {**HELLASWAG[0], "endings": "a"}, "row 2: 'endings' has to be a list of texts"),
        ("truthfulqa", {"question": "Why?", "best_answer": "So."}, "row 2: it has neither 'mc1_targets'"),
        (
            "truthfulqa",
            {**TRUTHFULQA[0], "mc1_targets": {"choices": ["a", "b"], "labels": [1, 1]}},
            "row 2: exactly one",
        ),
        ("humaneval", {**HUMANEVAL[0], "test": None}, "row 2: 'test' has to be a text, and is missing"),
        (
            "humaneval",
            {**HUMANEVAL[0], "test": "import numpy as np\n\ndef check(candidate):\n    pass\n"},
            "row 2: 'test' imports numpy, as in HumanEval+",
        ),
        ("humaneval", {**HUMANEVAL[0], "prompt": "def f():\n    '\ud800'\n"}, "row 2: it cannot be sent: 'utf-8'"),
        (
            "ifeval",
            {**IFEVAL[0], "kwargs": [{"num_words": float("nan")}, {}]},
            "row 2: it cannot be sent: Out of range float",
        ),
        ("ifeval", {**IFEVAL[0], "kwargs": []}, "row 2: 'kwargs' has to be a list"),
        ("ifeval", {**IFEVAL[0], "kwargs": [{}, 3]}, "row 2: 'kwargs' of length_constraints:number_words has to be"),
    ],
)
def test_row_in_another_form_is_named_and_nothing_is_made(
    recipe: str, row: dict[str, Any], message: str, tmp_path: Path
) -> None:
    good = {
        "gsm8k": GSM8K,
        "mmlu": MMLU,
        "arc": ARC,
        "hellaswag": HELLASWAG,
        "humaneval": HUMANEVAL,
        "truthfulqa": TRUTHFULQA,
        "ifeval": IFEVAL,
    }
    file = tmp_path / "own.jsonl"
    file.write_bytes(jsonl([good[recipe][0], row]))
    with pytest.raises(NotAsPublished, match="1 of 2 rows") as failed:
        cases_of(recipe_of(recipe), file)
    assert failed.value.faults[0].startswith(message)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("own.jsonl", b"[1]\n", "own.jsonl:1: not a JSON object"),
        ("own.jsonl", b"{\n", "own.jsonl:1: not a JSON object"),
        ("own.json", b"{}", "is no list of objects"),
        ("own.parquet", b"none", "cannot be read"),
        ("own.jsonl", b"\xff", "is not encoded as UTF-8"),
        ("own.csv", b"question,answer\n1,2,3\n", "own.csv:2: 3 cells, and 2 columns"),
        ("own.txt", b"", r"is no \.jsonl, \.jsonl\.gz, \.json, \.csv or \.parquet file"),
        ("own.txt.gz", b"", r"is no \.jsonl, \.jsonl\.gz, \.json, \.csv or \.parquet file"),
        ("own.jsonl.gz", b"[1]", "cannot be read: Not a gzipped file"),
        ("own.jsonl.gz", gzip.compress(b'{"question": "1 + 1?"}', mtime=0)[:-9], "cannot be read"),
        ("own.jsonl", b"", "has no case for GSM8K"),
    ],
)
def test_unreadable_file_is_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(CommandFailed, match=message):
        cases_of(recipe_of("gsm8k"), file)
