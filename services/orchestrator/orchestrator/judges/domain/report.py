"""Compute how far a judge can be trusted, from its verdicts on cases whose right verdicts are known.

Every rate has the interval of Wilson over clusters: the repeats of one case are one cluster. A missing verdict
(unparsed, refused, errored) is counted in `outcomes`, and in no rate. A verdict that the program gave without asking
the judge is counted in `by_program`, and in no rate either.

A pair is judged in both orders. It is right if both orders find the better answer. So guessing is right in a quarter of
pairs, and a judge that always prefers the first text is right in none. `verdict_accuracy` counts each order by itself,
as published figures of LLMBar and JudgeBench mostly do; there guessing gives a half.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from orchestrator.judges.domain.cases import PAIR, SINGLE, Kind, Right
from orchestrator.results.domain.intervals import Clusters, pass_interval

INJECTION: Final = "injection"
Choice = Literal["first", "second", "tie"]
_OUTCOMES: Final = ("scored", "unparsed", "refused", "errored", "pending")


@dataclass(frozen=True)
class CheckVerdict:
    """A verdict on a case. `outcome` is `pending` until there is a verdict.

    For a pair, `choices` has the chosen answer in the given order and in the swapped order. For a single answer,
    `passed` and the score `raw` are set. `lengths` are the lengths of the answers in characters.
    """

    case_id: str
    category: str
    kind: Kind
    right: Right
    repeat: int
    outcome: str
    lengths: tuple[int, int] = (0, 0)
    by_program: bool = False
    choices: tuple[Choice, ...] = ()
    passed: bool | None = None
    raw: float | None = None
    cost_usd: float | None = None

    @property
    def counted(self) -> bool:
        """Return whether the verdict counts in the rates: it exists, and the judge gave it, not a program. A verdict on
        a pair must also have `choices`."""
        return self.outcome == "scored" and not self.by_program and (self.kind == SINGLE or bool(self.choices))

    @property
    def verdict(self) -> Right:
        """Return the verdict. A pair whose two orders led to different choices counts as a tie."""
        if self.kind == SINGLE:
            return "pass" if self.passed else "fail"
        return self.choices[0] if len(set(self.choices)) == 1 else "tie"

    @property
    def is_right(self) -> bool:
        """Return whether the verdict is right. If the two orders of a pair contradict each other, the verdict is wrong,
        even if a tie is right. The judge did not see that the answers are equal."""
        return self.verdict == self.right and len(set(self.choices)) <= 1

    @property
    def first_shown(self) -> list[Choice]:
        """Return, for each of the two orders in which the pair was shown, the position of the chosen answer. `first`
        means that the judge chose the answer that was shown first."""
        swapped: dict[Choice, Choice] = {"first": "second", "second": "first", "tie": "tie"}
        return [choice if order == 0 else swapped[choice] for order, choice in enumerate(self.choices)]


@dataclass(frozen=True)
class Rate:
    """A rate from 0 to 1 with its 95 % interval, over `cases` cases. `value` is null without cases. `low` and `high`
    are null with fewer than two cases."""

    value: float | None
    low: float | None
    high: float | None
    cases: int


@dataclass(frozen=True)
class CategoryFigures:
    category: str
    cases: int
    accuracy: Rate


@dataclass(frozen=True)
class CheckFigures:
    """The figures of a judge check. The two orders of a pair give one choice each: an answer, or a tie.

    - `accuracy`: the share of right verdicts on all cases. `pairs` and `answers` are the accuracies on pairs and on
      single answers, and `injection` is that on the category "injection".
    - `verdict_accuracy`: the share of choices that are right, of the pairs that have a better answer.
    - `swap_consistency`: the share of pairs with the same verdict in both orders.
    - `first_chosen`: the share of choices, without ties, that took the answer shown first; .5 is fair.
    - `longer_chosen`: the share of choices, without ties, that took the longer answer. `longer_right`: the share of
      pairs whose longer answer is the better one. A judge that prefers longer answers has a `longer_chosen` above
      `longer_right`. Both are over pairs that have a better answer and differ in length.
    - `right_longer` and `right_shorter`: the accuracy on pairs whose better answer is the longer or the shorter one.
    - `too_lenient`: the share of bad answers that the judge passed.
    - `too_strict`: the share of good answers that the judge failed.
    - `self_agreement`: the share of repeated cases with the same verdict in every repeat.
    - `cost_per_verdict_usd`: null if no call has a price.
    """

    cases: int
    asked: int
    outcomes: dict[str, int]
    by_program: int
    accuracy: Rate
    pairs: Rate
    answers: Rate
    verdict_accuracy: Rate
    swap_consistency: Rate
    first_chosen: Rate
    longer_chosen: Rate
    longer_right: float | None
    right_longer: Rate
    right_shorter: Rate
    injection: Rate
    too_lenient: Rate
    too_strict: Rate
    self_agreement: Rate
    cost_usd: float | None
    cost_per_verdict_usd: float | None
    categories: list[CategoryFigures] = field(default_factory=list)


def check_figures(verdicts: Sequence[CheckVerdict]) -> CheckFigures:
    counted = [verdict for verdict in verdicts if verdict.counted]
    pairs = [verdict for verdict in counted if verdict.kind == PAIR]
    decided = [verdict for verdict in pairs if verdict.right != "tie"]
    answers = [verdict for verdict in counted if verdict.kind == SINGLE]
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    prices = [verdict.cost_usd for verdict in verdicts if verdict.cost_usd is not None]
    unequal = [verdict for verdict in decided if verdict.lengths[0] != verdict.lengths[1]]
    longer = _rate(unequal, _longer_choices)
    return CheckFigures(
        cases=len({verdict.case_id for verdict in verdicts}),
        asked=len(verdicts),
        outcomes={name: outcomes[name] for name in _OUTCOMES if outcomes[name]},
        by_program=sum(verdict.by_program for verdict in verdicts),
        accuracy=_accuracy(counted),
        pairs=_accuracy(pairs),
        answers=_accuracy(answers),
        verdict_accuracy=_rate(decided, lambda each: [choice == each.right for choice in each.choices]),
        swap_consistency=_rate(pairs, lambda each: [len(set(each.choices)) == 1]),
        first_chosen=_rate(pairs, lambda each: [place == "first" for place in each.first_shown if place != "tie"]),
        longer_chosen=longer,
        longer_right=_mean(_longer_is(each) == each.right for each in unequal) if longer.cases else None,
        right_longer=_accuracy([each for each in unequal if _longer_is(each) == each.right]),
        right_shorter=_accuracy([each for each in unequal if _longer_is(each) != each.right]),
        injection=_accuracy([each for each in counted if each.category == INJECTION]),
        too_lenient=_rate([each for each in answers if each.right == "fail"], lambda each: [bool(each.passed)]),
        too_strict=_rate([each for each in answers if each.right == "pass"], lambda each: [not each.passed]),
        self_agreement=_self_agreement(counted),
        cost_usd=sum(prices) if prices else None,
        cost_per_verdict_usd=sum(prices) / len(prices) if prices else None,
        categories=_categories(verdicts),
    )


def _accuracy(verdicts: Sequence[CheckVerdict]) -> Rate:
    return _rate(verdicts, lambda verdict: [verdict.is_right])


def _rate(verdicts: Sequence[CheckVerdict], of: Callable[[CheckVerdict], Sequence[bool]]) -> Rate:
    """Return the share of true values with its interval. `of` returns the values that a verdict contributes. All values
    of one case are one cluster."""
    clusters: defaultdict[str, list[bool]] = defaultdict(list)
    for verdict in verdicts:
        clusters[verdict.case_id].extend(of(verdict))
    sizes = [(len(values), sum(values)) for values in clusters.values() if values]
    if not sizes:
        return Rate(None, None, None, 0)
    sums = Clusters(
        count=len(sizes),
        n=sum(n for n, _ in sizes),
        x=float(sum(x for _, x in sizes)),
        xx=float(sum(x * x for _, x in sizes)),
        xn=float(sum(x * n for n, x in sizes)),
        nn=sum(n * n for n, _ in sizes),
    )
    low, high = pass_interval(sums) or (None, None)
    return Rate(sums.x / sums.n, low, high, sums.count)


def _mean(values: Iterable[bool]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


def _longer_is(verdict: CheckVerdict) -> Choice:
    return "first" if verdict.lengths[0] > verdict.lengths[1] else "second"


def _longer_choices(verdict: CheckVerdict) -> list[bool]:
    return [choice == _longer_is(verdict) for choice in verdict.choices if choice != "tie"]


def _self_agreement(verdicts: Sequence[CheckVerdict]) -> Rate:
    by_case: defaultdict[str, list[CheckVerdict]] = defaultdict(list)
    for verdict in verdicts:
        by_case[verdict.case_id].append(verdict)
    repeated = {id_: given for id_, given in by_case.items() if len(given) > 1}
    return _rate(
        [given[0] for given in repeated.values()],
        lambda first: [len({(each.verdict, each.choices) for each in repeated[first.case_id]}) == 1],
    )


def _categories(verdicts: Sequence[CheckVerdict]) -> list[CategoryFigures]:
    by_category: defaultdict[str, list[CheckVerdict]] = defaultdict(list)
    for verdict in verdicts:
        by_category[verdict.category].append(verdict)
    return [
        CategoryFigures(name, len({each.case_id for each in given}), _accuracy([e for e in given if e.counted]))
        for name, given in sorted(by_category.items())
    ]
