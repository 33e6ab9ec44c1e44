"""Find the breaks in a trend: changes between two runs after which their scores are not comparable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Break(StrEnum):
    """A change since the run before: of the model behind the label, its system prompt, its other parameters, the
    cases, the judge of an evaluator, or the evaluators themselves."""

    MODEL = "model"
    PROMPT = "prompt"
    PARAMETERS = "parameters"
    CASES = "cases"
    JUDGE = "judge"
    EVALUATORS = "evaluators"


@dataclass(frozen=True)
class EvaluatorUsed:
    """An evaluator that counts for the overall score: its settings in the run, its judges, and its revision, which
    depends on both and on the judge's prompt and parameters."""

    name: str
    settings: Mapping[str, Any]
    judges: Sequence[str]
    revision: str


@dataclass(frozen=True)
class Conditions:
    """The conditions of one target's scores in one run.

    `cases` identifies the cases, whatever their order. `parameters` do not include the system prompt.
    """

    model: str
    prompt: Mapping[str, Any]
    parameters: Mapping[str, Any]
    cases: str
    evaluators: Sequence[EvaluatorUsed] = field(default_factory=tuple)


def breaks(before: Conditions, after: Conditions) -> list[Break]:
    """Return the changes from one run to the next. Nothing changed if the list is empty.

    A changed judge is a break of its own only if the settings of the evaluators are the same.

    >>> first = Conditions("m", {}, {}, "all", [EvaluatorUsed("rubric", {"weight": 1}, ["judge-1"], "r-1")])
    >>> second = Conditions("m", {}, {}, "all", [EvaluatorUsed("rubric", {"weight": 1}, ["judge-2"], "r-2")])
    >>> breaks(first, first), breaks(first, second)
    ([], [<Break.JUDGE: 'judge'>])
    """
    names = ("model", "prompt", "parameters", "cases")
    found = [Break(name) for name in names if getattr(before, name) != getattr(after, name)]
    old, new = _by_name(before), _by_name(after)
    if old == new:
        return found
    same_settings = {name: one.settings for name, one in old.items()} == {
        name: one.settings for name, one in new.items()
    }
    other_judges = same_settings and any(sorted(old[name].judges) != sorted(new[name].judges) for name in old)
    return [*found, Break.JUDGE if other_judges else Break.EVALUATORS]


def _by_name(conditions: Conditions) -> dict[str, EvaluatorUsed]:
    return {evaluator.name: evaluator for evaluator in conditions.evaluators}
