"""Find the breaks in a trend: changes between two runs after which their scores are not comparable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Break(StrEnum):
    """A change since the previous run after which the scores of a target cannot be compared with the earlier ones.

    `MODEL` is the model behind the target's label, `PROMPT` its system prompt, and `PARAMETERS` are its other
    parameters. `JUDGE` means that only the judges of evaluators changed, and `EVALUATORS` any other change of the
    evaluators. `SUITE` is another version of the suite, or other tasks of it that have a score.
    """

    MODEL = "model"
    PROMPT = "prompt"
    PARAMETERS = "parameters"
    CASES = "cases"
    SUITE = "suite"
    JUDGE = "judge"
    EVALUATORS = "evaluators"


@dataclass(frozen=True)
class EvaluatorUsed:
    """An evaluator that counts for the overall score: its settings in the run, its judges, and the id of its revision.
    Another prompt or other parameters of the judge give another revision."""

    name: str
    settings: Mapping[str, Any]
    judges: Sequence[str]
    revision: str


@dataclass(frozen=True)
class Conditions:
    """The conditions under which one target's scores in one run were measured.

    `cases` identifies the cases, whatever their order. `parameters` exclude the system prompt. `suite` identifies
    the suite's version and the tasks that count in the score; it is empty for runs without a suite.
    """

    model: str
    prompt: Mapping[str, Any]
    parameters: Mapping[str, Any]
    cases: str
    evaluators: Sequence[EvaluatorUsed] = field(default_factory=tuple)
    suite: str = ""


def breaks(before: Conditions, after: Conditions) -> list[Break]:
    """Return the changes of the conditions from one run to the next. If the list is empty, scores may be compared.

    A changed judge is reported as `JUDGE` if the settings of the evaluators are unchanged, else as `EVALUATORS`. In
    this example, the second run has another judge, and therefore another evaluator revision:

    >>> first = Conditions("m", {}, {}, "all", [EvaluatorUsed("rubric", {"weight": 1}, ["judge-1"], "r-1")])
    >>> second = Conditions("m", {}, {}, "all", [EvaluatorUsed("rubric", {"weight": 1}, ["judge-2"], "r-2")])
    >>> breaks(first, first), breaks(first, second)
    ([], [<Break.JUDGE: 'judge'>])
    """
    names = ("model", "prompt", "parameters", "cases", "suite")
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
