"""How far a judge can be relied on: what of its replies could be read, and whether it agrees with itself.

Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena" (2023), section 3: judges favour a place. Rates
are null where nothing was asked that they could be of.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class JudgeCounts:
    """`asked` verdicts, of which `parsed` were read, `repaired` of these only after the judge was told what was wrong.
    `swapped` comparisons were judged in both orders, `consistent` of them alike. `agreement` is the sum of the
    self-agreements of `repeated` answers. The last three count the scores of G-Eval by their mode."""

    asked: int
    parsed: int
    repaired: int
    swapped: int = 0
    consistent: int = 0
    repeated: int = 0
    agreement: float | None = None
    logprobs: int = 0
    samples: int = 0
    single: int = 0


@dataclass(frozen=True)
class JudgeFigures:
    """`parse_rate` is the share of the verdicts asked that were read, `repair_rate` the share that was read only after
    a repair; `self_agreement` the mean share of pairs of repeats on the same level."""

    asked: int
    parse_rate: float | None
    repair_rate: float | None
    swapped: int
    swap_consistency: float | None
    repeated: int
    self_agreement: float | None
    modes: dict[str, int]


def judge_figures(counts: JudgeCounts) -> JudgeFigures:
    modes = {"logprobs": counts.logprobs, "samples": counts.samples, "single": counts.single}
    return JudgeFigures(
        asked=counts.asked,
        parse_rate=_rate(counts.parsed, counts.asked),
        repair_rate=_rate(counts.repaired, counts.asked),
        swapped=counts.swapped,
        swap_consistency=_rate(counts.consistent, counts.swapped),
        repeated=counts.repeated,
        self_agreement=_rate(counts.agreement or 0.0, counts.repeated),
        modes={name: count for name, count in modes.items() if count},
    )


def _rate(part: float, whole: int) -> float | None:
    return part / whole if whole else None
