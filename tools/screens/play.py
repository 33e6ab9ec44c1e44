"""The answers and verdicts of the mock models in the pictures. The models are invented, so no picture makes a claim
about a real one."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


@dataclass(frozen=True)
class Task:
    """A task with three possible answers: a correct one with an explanation, a nearly correct one, and a wrong one."""

    task_id: str
    category: str
    subcategory: str
    question: str
    excellent: str
    good: str
    wrong: str


TASKS = tuple(Task(**row) for row in yaml.safe_load(Path(__file__).with_name("tasks.yaml").read_text("utf-8")))
JUDGE = "atlas-judge-large"
LOCAL = frozenset({"cedar-8b", "quartz-3b"})
"""The models that run on the user's machine; the others are hosted."""


@dataclass(frozen=True)
class Model:
    """A model of the mock provider, called `name`. Its latency is that of the mock model `behaves`: `mock-90ms-jitter`
    answers in about 90 ms.

    `excellent` and `good` are the approximate percentages of excellent and good answers; the remaining answers are
    wrong. Models with `excellent` below 50 do worse in arithmetic.
    """

    name: str
    behaves: str
    excellent: int
    good: int
    price: tuple[float, float]
    """US dollars per million input and output tokens."""
    too_long: tuple[str, ...] = ()
    """The ids of tasks that exceed the model's context length."""


MODELS = (
    Model("aurora-70b", "mock-420ms-jitter", 80, 14, (24.0, 96.0)),
    Model("lynx-24b", "mock-190ms-jitter", 68, 24, (4.0, 12.0)),
    Model("cedar-8b", "mock-90ms-jitter", 38, 30, (0.8, 2.4)),
    Model("quartz-3b", "mock-120ms-jitter", 16, 28, (1.0, 3.0), ("three-switches", "vaccines")),
)
SLOW = Model("lynx-24b-preview", "mock-2.5s-jitter", 60, 25, (4.0, 12.0))
# Model and task of each answer to which the judge gives no usable verdict.
MUTE = (("cedar-8b", "polite-refusal"),)
_EVASION = "A refusal is a delicate thing, and it would be unfair to put a number on it."

_OPENINGS = ("", "Let me see. ", "Here is the answer: ", "In short: ", "Good question. ")
_REASONS = {
    "excellent": ("Right, and the way to it is shown.", "Correct and complete; nothing is missing."),
    "good": ("Right, but without the explanation that was asked for.", "Correct result, terse."),
    "wrong": ("Falls for the usual mistake; the result is wrong.", "Contradicts the reference."),
}
_SCORES = {"excellent": (9, 10, 10), "good": (6, 7, 8), "wrong": (0, 1, 2, 3)}


def prepared_replies() -> Iterator[dict[str, Any]]:
    """Yield the bodies of the requests `POST /control` that set the replies of each mock model."""
    for model in (*MODELS, SLOW):
        yield {"model": model.name, "as": model.behaves, "says": [_line(model, task) for task in TASKS]}
    verdicts = [_verdict(model, task) for model in (*MODELS, SLOW) for task in TASKS]
    # Sort long answers first, because the mock uses the first match and a short answer may be part of a longer one.
    verdicts.sort(key=lambda line: -len(line["when"][1]))
    verdicts.append({"when": ["That reply was not usable"], "say": _EVASION})
    yield {"model": JUDGE, "as": "mock-40ms-jitter", "says": verdicts}


def _dice(*parts: str) -> int:
    return int.from_bytes(hashlib.blake2b("/".join(parts).encode(), digest_size=8).digest())


def _grade(model: Model, task: Task) -> str:
    # Weaker models fail more often at arithmetic.
    thrown = _dice(model.name, task.task_id) % 100 + (
        12 if task.category == "arithmetic" and model.excellent < 50 else 0
    )
    return "excellent" if thrown < model.excellent else "good" if thrown < model.excellent + model.good else "wrong"


def _answer(model: Model, task: Task) -> str:
    text: str = getattr(task, _grade(model, task))
    # An answer in JSON gets no introductory words.
    return text if text.startswith("{") else _OPENINGS[_dice(model.name, task.question) % len(_OPENINGS)] + text


def _line(model: Model, task: Task) -> dict[str, Any]:
    behaves = {"as": "mock-20ms-overflow"} if task.task_id in model.too_long else {}
    return {"when": [task.question], "say": _answer(model, task), **behaves}


def _verdict(model: Model, task: Task) -> dict[str, Any]:
    answer, grade = _answer(model, task), _grade(model, task)
    # Match the answer between fence marks, so that an equal reference does not match.
    when = [task.question, f"\n{answer}\n=== END"]
    if (model.name, task.task_id) in MUTE:
        return {"when": when, "say": _EVASION}
    reasons, scores = _REASONS[grade], _SCORES[grade]
    reason = reasons[_dice(answer, "reason") % len(reasons)]
    score = scores[_dice(answer, "score") % len(scores)]
    return {"when": when, "say": f'{{"reason": "{reason}", "score": {score}}}'}
