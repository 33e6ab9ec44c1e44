"""Combine the results of a run's gates into one verdict.

The verdict of the run is the first verdict in this list that any gate has: *worse*, *the judge changed*, *not judged*,
*low coverage*, *undecided*. It is *fine* only if every gate is fine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from llmbench.contracts.gate_words import GateVerdict

_ORDER: Final = (
    GateVerdict.WORSE,
    GateVerdict.JUDGE_CHANGED,
    GateVerdict.NOT_JUDGED,
    GateVerdict.LOW_COVERAGE,
    GateVerdict.UNDECIDED,
    GateVerdict.FINE,
)


@dataclass(frozen=True)
class GateOutcome:
    """The result of one gate, which compares a run with the baseline or with the anchor.

    `subject` begins the sentence of the verdict. It names the run compared with: "against main" for the baseline, "the
    anchor of main" for the anchor. `lower_than_baseline` is true if a loss is certain, but not whether it reaches the
    margin. With `forgives_undecided`, an undecided gate passes, unless a loss is certain.
    """

    verdict: GateVerdict
    subject: str
    sentence: str
    lower_than_baseline: bool = False
    forgives_undecided: bool = False

    @property
    def passed(self) -> bool:
        if self.verdict is GateVerdict.UNDECIDED:
            return self.forgives_undecided and not self.lower_than_baseline
        return self.verdict is GateVerdict.FINE


@dataclass(frozen=True)
class RunVerdict:
    verdict: GateVerdict
    passed: bool
    sentence: str


def combined(outcomes: Sequence[GateOutcome]) -> RunVerdict:
    """Combine the outcomes of all gates into one verdict on the run. There has to be at least one outcome."""
    verdict = next(verdict for verdict in _ORDER if any(outcome.verdict is verdict for outcome in outcomes))
    return RunVerdict(verdict, all(outcome.passed for outcome in outcomes), _sentence(verdict, outcomes))


def _sentence(verdict: GateVerdict, outcomes: Sequence[GateOutcome]) -> str:
    """Return the sentence that explains a run's verdict.

    If the run is *fine* and has several gates, the sentence counts the gates. Otherwise it is the sentence of one gate
    with this verdict, and says how many more gates have it. An undecided gate may pass (see `GateOutcome`); one that
    does not is chosen first.
    """
    deciding = sorted((each for each in outcomes if each.verdict is verdict), key=lambda outcome: outcome.passed)
    first, more = deciding[0], len(deciding) - 1
    if verdict is GateVerdict.FINE and more:
        return f"{verdict}: {len(outcomes)} gates, each rules its margin out"
    others = f" ({more} more {'gate is' if more == 1 else 'gates are'} {verdict})" if more else ""
    return f"{verdict}: {first.subject}: {first.sentence}{others}"
