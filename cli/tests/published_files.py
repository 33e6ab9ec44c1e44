"""Define invented files in the formats in which benchmarks are published. Each has right and wrong answers to its
cases, and a function scores these answers.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from judge_world import command

from judge.evaluators.base import Reply, Request
from judge.evaluators.registry import evaluators
from judge.python_code.permission import permit
from llmbench.contracts.answer_scored import Scored
from llmbench.files.cases import case_of
from llmbench_cli.recipes.make import Cases, cases_of
from llmbench_cli.recipes.registry import recipe_of

Rows = list[dict[str, Any]]


def jsonl(rows: Rows) -> bytes:
    """Return the rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _parquet(rows: Rows) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return bytes(sink.getvalue())


@dataclass(frozen=True)
class Published:
    """A file in the format of a published benchmark, which the recipe named `recipe` reads. `right` and `wrong` map the
    name of each case to a right and a wrong answer."""

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
    """Return an answer to each case, by the case's name: the right answer if `right`, else a wrong one. An answer is
    the text of a choice, because the recipe shuffles the letters."""
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
    for name, written in (("test.jsonl", jsonl), ("test-00000-of-00001.parquet", _parquet))
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
    Published("arc", "ARC-Challenge-Test.jsonl", jsonl(ARC_AUTHORS), {"Own_1": "B"}, {"Own_1": "A"}),
    *(
        Published(
            "hellaswag",
            name,
            written(HELLASWAG),
            {"hellaswag-1": "B", "hellaswag-2": "The answer is B."},
            {"hellaswag-1": "A", "hellaswag-2": "D"},
        )
        for name, written in (("hellaswag_val.jsonl", jsonl), ("validation.parquet", _parquet))
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
HUMANEVAL: Rows = [
    {
        "task_id": f"Own/{number}",
        "prompt": f'def {name}(n: int) -> int:\n    """ Return n {what}.\n    >>> {name}(3)\n    {result}\n    """\n',
        "canonical_solution": f"    return {body}\n",
        "test": f"\n\ndef check(candidate):\n    assert candidate(3) == {result}\n    assert candidate(0) == 0\n\n",
        "entry_point": name,
    }
    for number, (name, what, body, result) in enumerate(
        [("double", "twice", "2 * n", 6), ("square", "squared", "n * n", 9)]
    )
]
FILES += [
    Published(
        "humaneval",
        name,
        written(HUMANEVAL),
        {"Own/0": "```python\ndef double(n):\n    return n + n\n```", "Own/1": "    return n ** 2"},
        {"Own/0": "```python\ndef double(n):\n    return n + 3\n```", "Own/1": "It is the square of n."},
    )
    for name, written in (
        ("HumanEval.jsonl", jsonl),
        ("HumanEval.jsonl.gz", lambda rows: gzip.compress(jsonl(rows), mtime=0)),
        ("test.parquet", _parquet),
    )
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
        {
            "ifeval-7": "Tea is always hot.",
            "ifeval-8": "Tee ist ein heißes Getränk.",
            "ifeval-9": "Black and GREEN tea.",
        },
        {
            "ifeval-7": "Tea, always hot, is good.",
            "ifeval-8": "Tea is a hot beverage.",
            "ifeval-9": "Black tea.",
        },
    )
    for name, written in (("input_data.jsonl", jsonl), ("train.parquet", _parquet))
]


async def _never(part: str, request: Request, *, reuse: bool = False) -> Reply:
    raise AssertionError("no recipe asks a judge")


async def passes(evaluator: Mapping[str, Any], row: Mapping[str, Any], answer: str) -> bool:
    """Return whether the evaluator passes the answer to a case. `row` is the case that the recipe made."""
    permit(allowed=True)
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


def read(given: Published, folder: Path) -> Cases:
    """Write the file into the folder, and return the cases that the recipe makes from it."""
    file = folder / given.file
    file.write_bytes(given.content)
    return cases_of(recipe_of(given.recipe), file)
