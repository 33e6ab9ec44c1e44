"""Find the question of an annotation task whose labels are compared with the judge's scores, and turn these labels into
numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from orchestrator.calibrations.domain.scale import number_of

_SINGLE: Final = "label"
_LABELS: Final = ("rating", "classification")


class NoQuestion(ValueError):
    """Raised when no question of the annotation task has labels that can be put in order. `field` names the part of the
    request at fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Question:
    """A question whose labels can be put in order. `numbers` maps the text of each label to its number."""

    name: str
    numbers: Mapping[str, float]

    def number(self, labels: Mapping[str, Any]) -> float | None:
        """Return the label of this question as a number. Return `None` if the question was not answered, or if the
        label has no number."""
        given = labels.get(self.name)
        return None if isinstance(given, list | dict) else self.numbers.get(str(given))


def question_of(schema: Mapping[str, Any], name: str | None, values: Mapping[str, float] | None) -> Question:
    """Return the question with this name, by default the first rating, or else the first classification.

    `values` gives each option of a classification its number. Raises `NoQuestion` if no question fits.
    """
    fields = _fields(schema)
    usable = [each for each in fields if each["type"] in _LABELS and not each.get("multiple")]
    if name is not None:
        chosen = next((each for each in usable if each["name"] == name), None)
        if chosen is None:
            message = f"{name[:60]!r} is no rating and no classification of the task; {_listed(usable)}"
            raise NoQuestion("field", message)
    else:
        if not usable:
            raise NoQuestion("annotation_task_id", "the task asks for no rating and no classification")
        chosen = min(usable, key=lambda each: _LABELS.index(each["type"]))
    if chosen["type"] == "rating":
        scale = chosen["scale"]
        return Question(chosen["name"], {str(level): float(level) for level in range(scale["min"], scale["max"] + 1)})
    return Question(chosen["name"], _numbers([option["value"] for option in chosen["options"]], values))


def _fields(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(schema.get("fields") or []) or [{**schema, "name": _SINGLE}]


def _listed(usable: Sequence[Mapping[str, Any]]) -> str:
    names = ", ".join(repr(each["name"]) for each in usable[:10])
    return f"there is {names}" if names else "it has none"


def _numbers(options: Sequence[str], values: Mapping[str, float] | None) -> dict[str, float]:
    if unknown := [name for name in values or () if name not in options]:
        raise NoQuestion("values", f"{unknown[0][:60]!r} is no option of the question")
    numbers = {option: number_of(option) if values is None else values.get(option) for option in options}
    if lacking := [option for option, number in numbers.items() if number is None]:
        message = f"give each option a number: {lacking[0]!r} has none"
        raise NoQuestion("values", message)
    found = {option: number for option, number in numbers.items() if number is not None}
    if len(set(found.values())) < 2:
        raise NoQuestion("values", "the options need at least two different numbers")
    return found
