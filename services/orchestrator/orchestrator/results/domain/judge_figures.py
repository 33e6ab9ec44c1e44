"""Measure how reliable a judge is: the share of its replies that could be read, and its agreement with itself.

Judges can favour an answer by its position: Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena"
(2023), section 3. So the share of comparisons with the same result in both orders is measured, too. A rate is null if
its denominator is zero.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class JudgeCounts:
    """Counts of a judge's replies.

    `asked` counts the requested verdicts, and `parsed` those that could be read. `repaired` counts the verdicts that
    could be read only after the judge was shown its mistake. `swapped` counts the comparisons that were judged in both
    orders, and `consistent` those of them that had the same result twice. `repeated` counts the answers that the judge
    scored several times. `agreement` is the sum of the self-agreements of these answers. The self-agreement of an
    answer is the share of pairs of its scores that round to the same whole number, from 0 to 1.

    The last three fields count the scores of the evaluator G-Eval by method. `logprobs` is the mean weighted by the
    judge's probabilities, `samples` the mean of several replies, and `single` the score of one reply.
    """

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
    """Rates that describe a judge's reliability.

    - `parse_rate`: the share of the `asked` verdicts that could be read.
    - `repair_rate`: the share of them that could be read only after a repair.
    - `swap_consistency`: the share of the `swapped` comparisons with the same result in both orders.
    - `repeated`: the number of answers that the judge scored several times.
    - `self_agreement`: the share of pairs of an answer's scores that round to the same whole number, averaged
      over the `repeated` answers.
    - `modes`: the number of scores of the evaluator G-Eval, by method.
    """

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
