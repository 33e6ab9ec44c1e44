"""Test the recipes: files in the published forms become cases that score right answers as right, and wrong as wrong."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from judge_world import command

from config_api.suites.schemas import SuiteIn
from judge.evaluators.base import Reply, Request
from judge.evaluators.registry import evaluators
from llmbench.contracts.answer_scored import Scored
from llmbench.files.cases import case_of
from llmbench_cli.errors import CommandFailed
from llmbench_cli.recipes import published
from llmbench_cli.recipes.make import Cases, NotAsPublished, cases_of, suite_of
from llmbench_cli.recipes.registry import recipe_of, recipes

Rows = list[dict[str, Any]]


def _jsonl(rows: Rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _parquet(rows: Rows) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return bytes(sink.getvalue())


@dataclass(frozen=True)
class Published:
    """A file in a published form, with a right and a wrong answer to each of its cases, by name."""

    recipe: str
    file: str
    content: bytes
    right: Mapping[str, str]
    wrong: Mapping[str, str]


GSM8K: Rows = [
    {
        "question": "A box has 12 pens. How many pens are in 3 boxes?",
        "answer": "12 * 3 = <<12*3=36>>36 pens.\n#### 36",
    },
    {"question": "A house costs $900 more than 1100. What does it cost?", "answer": "It is 2000.\n#### 2,000"},
    {"question": "Ann owes 5 and pays 2. What has she?", "answer": "2 - 5 = -3\n#### -3"},
]
MMLU: Rows = [
    {"question": "Which is a prime?", "subject": "number_theory", "choices": ["4", "6", "7", "9"], "answer": 2},
    {"question": "Which is a planet?", "subject": "astronomy", "choices": ["Mars", "Sun", "Io", "Vega"], "answer": 0},
    {"question": "Which is a noun?", "subject": "grammar", "choices": ["run", "red", "on", "tree"], "answer": 3},
]
ARC: Rows = [
    {
        "id": "Own_1",
        "question": "What melts first?",
        "choices": {"text": ["ice", "iron", "stone", "glass"], "label": ["A", "B", "C", "D"]},
        "answerKey": "A",
    },
    {
        "id": "Own_2",
        "question": "What do plants need?",
        "choices": {"text": ["salt", "light", "smoke"], "label": ["1", "2", "3"]},
        "answerKey": "2",
    },
    {
        "id": "Own_3",
        "question": "What is a fish?",
        "choices": {"text": ["a bird", "a tree", "a rock", "an animal", "a cloud"], "label": [*"ABCDE"]},
        "answerKey": "D",
    },
]
ARC_AUTHORS: Rows = [
    {
        "id": "Own_1",
        "question": {
            "stem": "What melts first?",
            "choices": [{"text": "iron", "label": "A"}, {"text": "ice", "label": "B"}],
        },
        "answerKey": "B",
    }
]
_ENDINGS = ["bakes the door.", "puts it into the oven.", "swims away.", "reads the [substeps] oven."]
HELLASWAG: Rows = [
    {
        "ind": number,
        "activity_label": "Baking",
        "ctx_a": "A man kneads dough [title] for bread.",
        "ctx_b": "he",
        "ctx": "A man kneads dough [title] for bread. he",
        "endings": _ENDINGS,
        "source_id": f"own~{number}",
        "split": "val",
        "split_type": "indomain",
        "label": "" if number == 2 else "1",
    }
    for number in range(3)
]
TRUTHFULQA: Rows = [
    {
        "question": f"What happens if you read book {number}?",
        "mc1_targets": {"choices": ["You know its text", "You fly", "You turn green"], "labels": [1, 0, 0]},
        "mc2_targets": {"choices": ["You know its text", "You fly"], "labels": [1, 0]},
    }
    for number in range(4)
]
TRUTHFULQA_CSV = """\
Type,Category,Question,Best Answer,Best Incorrect Answer,Correct Answers,Incorrect Answers,Source
Adversarial,Food,Does bread fly?,"No, it stays",It flies at night,It stays; No,It flies; Yes,own
Adversarial,Law,Is blue illegal?,No,"Yes, in spring",No,Yes,own
"""


def _truthful(rows: Rows, right: bool) -> dict[str, str]:
    """Return answers by the texts of the choices, whose letters the recipe shuffles."""
    chosen = 0 if right else 1
    return {f"truthfulqa-{at}": row["mc1_targets"]["choices"][chosen] for at, row in enumerate(rows, start=1)}


FILES = [
    Published(
        "gsm8k",
        name,
        written(GSM8K),
        {"gsm8k-1": "3 boxes.\n#### 36", "gsm8k-2": "So $2,000.", "gsm8k-3": "#### -3"},
        {"gsm8k-1": "#### 37", "gsm8k-2": "About 20.", "gsm8k-3": "#### 3"},
    )
    for name, written in (("test.jsonl", _jsonl), ("test-00000-of-00001.parquet", _parquet))
]
FILES += [
    Published(
        "mmlu",
        "test.parquet",
        _parquet(MMLU),
        {"mmlu-number_theory-1": "C", "mmlu-astronomy-2": "A. Mars", "mmlu-grammar-3": "The answer is D."},
        {"mmlu-number_theory-1": "B", "mmlu-astronomy-2": "B. Sun", "mmlu-grammar-3": "I do not know."},
    ),
    Published(
        "mmlu",
        "number_theory_test.csv",
        b'"Which is a prime, if any?",4,6,7,9,C\nWhich is even?,2,3,5,7,A\nWhich is a cube?,2,3,4,8,D\n',
        {"mmlu-number_theory-1": "C", "mmlu-number_theory-2": "A", "mmlu-number_theory-3": "D"},
        {"mmlu-number_theory-1": "A", "mmlu-number_theory-2": "B", "mmlu-number_theory-3": "C"},
    ),
    Published(
        "arc",
        "ARC-Challenge-test.parquet",
        _parquet(ARC),
        {"Own_1": "A", "Own_2": "B", "Own_3": "D"},
        {"Own_1": "B", "Own_2": "A", "Own_3": "E"},
    ),
    Published("arc", "ARC-Challenge-Test.jsonl", _jsonl(ARC_AUTHORS), {"Own_1": "B"}, {"Own_1": "A"}),
    *(
        Published(
            "hellaswag",
            name,
            written(HELLASWAG),
            {"hellaswag-1": "B", "hellaswag-2": "The answer is B."},
            {"hellaswag-1": "A", "hellaswag-2": "D"},
        )
        for name, written in (("hellaswag_val.jsonl", _jsonl), ("validation.parquet", _parquet))
    ),
    *(
        Published("truthfulqa", name, content, _truthful(TRUTHFULQA, True), _truthful(TRUTHFULQA, False))
        for name, content in (
            ("validation-00000-of-00001.parquet", _parquet(TRUTHFULQA)),
            (
                "mc_task.json",
                json.dumps(
                    [
                        {
                            "question": row["question"],
                            "mc1_targets": dict(
                                zip(row["mc1_targets"]["choices"], row["mc1_targets"]["labels"], strict=True)
                            ),
                        }
                        for row in TRUTHFULQA
                    ]
                ).encode(),
            ),
        )
    ),
    Published(
        "truthfulqa",
        "TruthfulQA.csv",
        TRUTHFULQA_CSV.encode(),
        {"truthfulqa-1": "No, it stays", "truthfulqa-2": "No"},
        {"truthfulqa-1": "It flies at night", "truthfulqa-2": "Yes, in spring"},
    ),
]
IFEVAL: Rows = [
    {
        "key": 7,
        "prompt": "Write about tea without a comma, in at least 4 words.",
        "instruction_id_list": ["punctuation:no_comma", "length_constraints:number_words"],
        # The Parquet of Hugging Face has every argument in every object, as null.
        "kwargs": [
            {"num_words": None, "relation": None, "keywords": None},
            {"num_words": 4, "relation": "at least", "keywords": None},
        ],
    },
    {
        "key": 8,
        "prompt": "Answer in German.",
        "instruction_id_list": ["language:response_language"],
        "kwargs": [{"language": "de"}],
    },
    {
        "key": 9,
        "prompt": "Name two kinds of tea.",
        "instruction_id_list": ["keywords:existence"],
        "kwargs": [{"keywords": ["green", "black"]}],
    },
]
FILES += [
    Published(
        "ifeval",
        name,
        written(IFEVAL),
        {"ifeval-7": "Tea is always hot.", "ifeval-9": "Black and GREEN tea."},
        {"ifeval-7": "Tea, always hot, is good.", "ifeval-9": "Black tea."},
    )
    for name, written in (("input_data.jsonl", _jsonl), ("train.parquet", _parquet))
]
every_file = pytest.mark.parametrize("given", FILES, ids=[f"{each.recipe}-{each.file}" for each in FILES])


async def _never(part: str, request: Request, *, reuse: bool = False) -> Reply:
    raise AssertionError("no recipe asks a judge")


async def _passes(evaluator: Mapping[str, Any], row: Mapping[str, Any], answer: str) -> bool:
    case = case_of(row, texts_only=False)
    example = command()
    task = command(
        evaluator={
            "revision_id": example.evaluator.revision_id,
            "kind": evaluator["kind"],
            "params": evaluator.get("params", {}),
        },
        case={
            "id": example.case.id,
            "task_id": case.name,
            "category": "c",
            "question": case.input["prompt"],
            "expected_output": case.expected_output,
            "metadata": case.metadata,
            "checks": case.checks,
        },
        answer=answer,
        judge=None,
    )
    verdict = await evaluators()[evaluator["kind"]].evaluate(task, _never)
    assert isinstance(verdict, Scored), verdict
    return bool(verdict.passed)


def _read(given: Published, folder: Path) -> Cases:
    file = folder / given.file
    file.write_bytes(given.content)
    return cases_of(recipe_of(given.recipe), file)


@every_file
async def test_file_as_published_becomes_cases_that_are_scored(given: Published, tmp_path: Path) -> None:
    recipe, made = recipe_of(given.recipe), _read(given, tmp_path)
    assert [case["id"] for case in made.cases] == list(given.right) == list(given.wrong)
    (evaluator,) = recipe.evaluators
    for case in made.cases:
        assert await _passes(evaluator, case, given.right[case["id"]]), case
        assert not await _passes(evaluator, case, given.wrong[case["id"]]), case


@every_file
def test_suite_of_a_file_is_valid_and_has_figures_to_compare_with(given: Published, tmp_path: Path) -> None:
    recipe, made = recipe_of(given.recipe), _read(given, tmp_path)
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
    """A new recipe is one new file in `published`, and its examples here: nothing else names it."""
    folder = Path(published.__path__[0])
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == set(recipes()) == {"arc", "gsm8k", "hellaswag", "humaneval", "ifeval", "mmlu", "truthfulqa"}
    possible = {name for name, recipe in recipes().items() if recipe.refused is None}
    assert {each.recipe for each in FILES} == possible
    others = [path for path in folder.parent.parent.rglob("*.py") if path.parent != folder]
    assert not [path for path in others for name in recipes() if f'"{name}"' in path.read_text("utf-8")]


def test_page_of_recipes_has_every_published_figure() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "recipes.md").read_text("utf-8")
    table = [line for line in page.splitlines() if line.startswith("| `")]
    assert [line.split("`")[1] for line in table] == list(recipes())
    for line, recipe in zip(table, recipes().values(), strict=True):
        assert all(f"{figure.model} {figure.percent:g} %" in line for figure in recipe.figures), line
        assert all(figure.source in page for figure in recipe.figures)


def test_benchmark_that_needs_code_to_run_is_refused_with_the_reason() -> None:
    with pytest.raises(CommandFailed, match=r"pass@1, runs the functions .* no sandbox"):
        recipe_of("humaneval")
    with pytest.raises(CommandFailed, match="there is no recipe 'none'; there are arc, gsm8k"):
        recipe_of("none")


def test_rows_that_cannot_be_scored_are_left_out_with_the_reason(tmp_path: Path) -> None:
    given = {each.file: each for each in FILES}
    assert _read(given["input_data.jsonl"], tmp_path).notes() == [
        "Left out: 1 of 3 rows (1: no check expresses language:response_language)."
    ]
    assert "it has no label" in _read(given["hellaswag_val.jsonl"], tmp_path).notes()[0]


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
        ("ifeval", {**IFEVAL[0], "kwargs": []}, "row 2: 'kwargs' has to be a list"),
        ("ifeval", {**IFEVAL[0], "kwargs": [{}, {"num_words": "x"}]}, "row 2: 'num_words' has to be a number"),
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
        "truthfulqa": TRUTHFULQA,
        "ifeval": IFEVAL,
    }
    file = tmp_path / "own.jsonl"
    file.write_bytes(_jsonl([good[recipe][0], row]))
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
        ("own.jsonl", b"\xff", "cannot be read"),
        ("own.csv", b"question,answer\n1,2,3\n", "own.csv:2: 3 cells, and 2 columns"),
        ("own.txt", b"", r"is no \.jsonl, \.json, \.csv or \.parquet file"),
        ("own.jsonl", b"", "has no case for GSM8K"),
    ],
)
def test_unreadable_file_is_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(CommandFailed, match=message):
        cases_of(recipe_of("gsm8k"), file)


def _many(word: str) -> Callable[[int], str]:
    return lambda count: " ".join([word] * count)


@pytest.mark.parametrize(
    ("name", "given", "follows", "breaks"),
    [
        ("keywords:existence", {"keywords": ["tea", "cup"]}, "A teacup.", "Tea."),
        ("keywords:frequency", {"keyword": "tea", "frequency": 2, "relation": "at least"}, "Tea\ntea", "tea"),
        ("keywords:frequency", {"keyword": "tea", "frequency": 2, "relation": "less than"}, "one tea", "tea tea"),
        ("keywords:frequency", {"keyword": "tea", "frequency": 0, "relation": "at least"}, "none", " "),
        ("keywords:forbidden_words", {"forbidden_words": ["art", "cup"]}, "A party.", "Art."),
        ("keywords:letter_frequency", {"letter": "e", "let_frequency": 3, "let_relation": "at least"}, "tEe e", "te e"),
        ("keywords:letter_frequency", {"letter": "#", "let_frequency": 1, "let_relation": "less than"}, "a", "#a"),
        (
            "length_constraints:number_words",
            {"num_words": 800, "relation": "at least"},
            _many("tea")(800),
            _many("don\u2019t")(399),
        ),
        ("length_constraints:number_words", {"num_words": 3, "relation": "less than"}, "Née naïve.", "one two three"),
        ("length_constraints:number_words", {"num_words": 2, "relation": "at least"}, "don\u2019t", "café"),
        ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[a [b] and [c]", "[a [b]\n[c"),
        ("detectable_content:postscript", {"postscript_marker": "P.S."}, "Bye.\np. s. tea", "Bye. PS tea"),
        ("detectable_content:postscript", {"postscript_marker": "P.P.S"}, "Bye. P.P.S tea", "Bye. P.S. tea"),
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "List:\n* a\n - b\n", "* a"),
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "* a\n\n* b", "* a\n* b\n- c"),
        ("detectable_format:number_bullet_lists", {"num_bullets": 1}, "**bold** - no\n- b", "**bold**"),
        ("detectable_format:constrained_response", None, "Well: My answer is no.", "My answer is never."),
        (
            "detectable_format:multiple_sections",
            {"section_spliter": "SECTION", "num_sections": 2},
            "SECTION 1\na\nSECTION 2",
            "SECTION 12\na",
        ),
        ("detectable_format:title", {}, "<<tea>>\nHot.", "<< >>\nHot."),
        ("combination:repeat_prompt", {"prompt_to_repeat": "Why (tea)?"}, "\nwhy (tea)? So.", "So. Why (tea)?"),
        ("startend:end_checker", {"end_phrase": "Any other questions?"}, 'Hm. "any other questions?" ', "Any other?"),
        ("startend:quotation", None, '\n"tea\ntea"\n', '"'),
        ("punctuation:no_comma", {}, "tea and cup", "tea, cup"),
    ],
)
async def test_instruction_is_expressed_by_checks(
    name: str, given: dict[str, Any] | None, follows: str, breaks: str, tmp_path: Path
) -> None:
    row = {"key": 1, "prompt": "Write.", "instruction_id_list": [name], "kwargs": [given]}
    (case,) = _read(Published("ifeval", "own.jsonl", _jsonl([row]), {}, {}), tmp_path).cases
    assert await _passes({"kind": "case_checks"}, case, follows)
    assert not await _passes({"kind": "case_checks"}, case, breaks)
    assert not await _passes({"kind": "case_checks"}, case, "\n")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("length_constraints:number_words", {"num_words": 1001, "relation": "at least"}),
        ("keywords:frequency", {"keyword": "tea", "frequency": 0, "relation": "less than"}),
        ("combination:repeat_prompt", {"prompt_to_repeat": "tea " * 600}),
        ("change_case:english_capital", None),
    ],
)
def test_instruction_that_no_check_expresses_is_left_out(name: str, given: Any, tmp_path: Path) -> None:
    row = {"key": 1, "prompt": "Write.", "instruction_id_list": [name], "kwargs": [given]}
    with pytest.raises(CommandFailed, match=f"1: no check expresses {name}"):
        _read(Published("ifeval", "own.jsonl", _jsonl([row]), {}, {}), tmp_path)
