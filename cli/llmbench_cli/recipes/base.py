"""Define a recipe, which says how a benchmark's published file becomes the cases and the task of a suite."""

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


class BadRow(ValueError):
    """Raised for a row that is not in the benchmark's published form; the message says what is wrong."""


@dataclass(frozen=True)
class Skipped:
    """A result of `Recipe.convert`: the reason why a row in the published form is left out."""

    reason: str


@dataclass(frozen=True)
class Figure:
    """A published figure in percent, with the model that reached it, how it was asked, and where it was published."""

    percent: float
    model: str
    setting: str
    source: str

    def shown(self) -> str:
        return f"{self.model} {self.percent:g} % ({self.setting}; {self.source})"


@dataclass(frozen=True)
class Row:
    """A row of the user's file. `number` counts the rows from 1, `stem` is the file's name without its ending."""

    number: int
    fields: Mapping[str, Any]
    stem: str = ""

    def text(self, column: str) -> str:
        """Return the text of a column. Raises `BadRow` if it is missing or blank."""
        value = self.fields.get(column)
        if not isinstance(value, str) or not value.strip():
            raise BadRow(f"{column!r} has to be a text, and is {_shown(value)}")
        return value

    def texts(self, column: str) -> list[str]:
        """Return the texts of a column whose value is a list of texts. Raises `BadRow` for any other value, and for an
        empty list."""
        value = self.fields.get(column)
        if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
            raise BadRow(f"{column!r} has to be a list of texts, and is {_shown(value)}")
        return list(value)

    def object(self, column: str) -> Mapping[str, Any]:
        """Return the JSON object in a column. Raises `BadRow` for any other value."""
        value = self.fields.get(column)
        if not isinstance(value, dict):
            raise BadRow(f"{column!r} has to be an object, and is {_shown(value)}")
        return value


@dataclass(frozen=True)
class Recipe:
    """The description of a published benchmark, and the function that converts its file to the cases of a suite.

    - `files`: a text for users that says which published file is needed.
    - `convert`: converts a row of the file to a case of a dataset. May return `Skipped`, and raise `BadRow`.
    - `metric`: a text that says how the benchmark is measured where it was published.
    - `difference`: a text that says how the measurement by llmbench differs from that.
    - `figures`: published figures to compare with.
    - `header`: the columns of a CSV file that is published without a first line of names.
    """

    name: str
    title: str
    category: str
    files: str
    metric: str
    difference: str
    figures: tuple[Figure, ...]
    convert: Callable[[Row], Json | Skipped]
    evaluators: Sequence[Json]
    params: Json = field(default_factory=dict)
    header: tuple[str, ...] = ()

    def description(self, notes: Sequence[str] = ()) -> str:
        """Return the description for the suite. It has the published metric, what llmbench measures differently, the
        published figures to compare with, and `notes`."""
        figures = "; ".join(figure.shown() for figure in self.figures)
        parts = [f"{self.title}. Metric as published: {self.metric}", self.difference]
        return "\n".join([*parts, f"Published: {figures}.", *notes])


def choice_case(identity: str, question: str, choices: Sequence[str], right: int, **metadata: str) -> Json:
    """Return a multiple-choice case with the id `identity`. The choices are shown below the question when a run asks
    it.

    `right` is the index of the right choice in `choices`. Raises `BadRow` if there are too few or too many choices.
    """
    if not 2 <= len(choices) <= len(string.ascii_uppercase):
        raise BadRow(f"{len(choices)} choices are not 2 to {len(string.ascii_uppercase)}")
    if not 0 <= right < len(choices):
        raise BadRow(f"the right choice is number {right}, counted from 0, and there are {len(choices)}")
    letter = string.ascii_uppercase[right]
    return {
        "id": identity,
        "prompt": question,
        "expected_output": letter,
        "metadata": {**metadata, "choices": list(choices)},
    }


LETTER_ONLY = "Answer with the letter of the right choice only."
"""The system prompt of tasks with choices. It makes chat models answer with a letter, as the examples in published
few-shot prompts do."""


def _shown(value: Any) -> str:
    return "missing" if value is None else repr(value)[:60]
