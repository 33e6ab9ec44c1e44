"""Describe a gate's result in sentences, which the API returns and the terminal prints."""

from collections.abc import Sequence

from orchestrator.comparison.domain.gate import GateState
from orchestrator.comparison.domain.gate_check import Basis
from orchestrator.comparison.ports.gates import GateCheckOut, GatePairOut
from orchestrator.comparison.ports.pairs import TaskCoverage


def least_covered(tasks: Sequence[TaskCoverage]) -> TaskCoverage | None:
    """Return the task with the lowest coverage: the smallest share of its cases is scored in both columns. Return
    `None` if there are no tasks."""
    return min(tasks, key=lambda task: task.scored_cases / task.shared_cases, default=None)


def pair_words(
    pair: GatePairOut, title: str, relative: bool, margin: float, *, least: TaskCoverage | None = None
) -> str:
    """Describe the result of one pair. For an undecided result, also say how many clusters, or which margin, would
    decide it. `relative` is true if changes and margin are shown as percentages. `least` is the suite task with the
    lowest coverage, if the metric is a weighted mean of tasks."""
    if pair.state is GateState.LOW_COVERAGE:
        return _low_coverage(pair, least)
    sentence = f"{title} {_change(pair, relative)} in {counted(pair.cases, 'case')}"
    loss = f"a {'rise' if relative else 'loss'} of {_amount(margin, relative)}"
    if pair.state is GateState.FINE:
        return f"{sentence}: {loss} is ruled out."
    if pair.state is GateState.WORSE:
        return f"{sentence}: {loss} or more is certain."
    sure = (
        f" It is {'higher' if relative else 'lower'} than the baseline for certain." if pair.lower_than_baseline else ""
    )
    return f"{sentence}: {loss} is neither ruled out nor certain.{sure}{_would_decide(pair, relative)}"


def weak_words(pair: GatePairOut, relative: bool, margin: float) -> str:
    """Explain why a gate is refused: it would rarely give an unchanged model the verdict *fine*. Also say how many
    clusters, or which margin, the gate needs."""
    return (
        f"With {counted(pair.clusters, _noun(pair))} a margin of {_amount(margin, relative)} finds an unchanged model "
        f"fine in {_share(pair.probability_fine or 0)}, and 80 of 100 are needed.{_needs(pair, relative)}"
    )


def checked_words(check: GateCheckOut, relative: bool, margin: float) -> str:
    """Describe how a gate behaves on an unchanged model. For an unreliable gate, also say how many clusters, or which
    margin, it needs."""
    against = (
        "random halves of the epochs of each case"
        if check.basis is Basis.EPOCHS
        else "random pairs of cases, which differ by more than two answers to one case"
    )
    sentence = (
        f"Against itself ({against}): {counted(check.worse, 'false alarm')} in {check.checks}. With "
        f"{counted(check.clusters, _noun(check))} and a margin of {_amount(margin, relative)} an unchanged model is "
        f"fine in {_share(check.probability_fine)}."
    )
    if check.holds:
        return sentence
    return f"{sentence} 80 of 100 are needed.{_needs(check, relative)}"


def counted(count: int, noun: str) -> str:
    """Return the number with its noun, such as "1 case" or "3 cases"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _noun(gate_pair: GatePairOut | GateCheckOut) -> str:
    """Return the noun for clusters: "case" if each cluster is one case, else "cluster"."""
    return "case" if gate_pair.clusters == gate_pair.cases else "cluster"


def _low_coverage(pair: GatePairOut, least: TaskCoverage | None) -> str:
    shared = pair.shared_cases if least is None else least.shared_cases
    scored = round(pair.coverage * shared)
    of_task = "" if least is None else f" of the task '{least.task}'"
    return (
        f"Only {scored} of the {counted(shared, 'case')}{of_task} that both have are scored in both, and 90 % "
        f"are needed: the other cases may be the ones that differ. Retry what failed (`llmbench retry`), then "
        f"compare again."
    )


def _would_decide(pair: GatePairOut, relative: bool) -> str:
    ways = [
        counted(pair.clusters_needed, _noun(pair)) if pair.clusters_needed else "",
        f"a margin of {_amount(pair.margin_needed, relative)}" if pair.margin_needed else "",
    ]
    listed = " or ".join(filter(None, ways))
    return f" {listed[0].upper()}{listed[1:]} would decide, if its mean stays." if listed else ""


def _needs(gate_pair: GatePairOut | GateCheckOut, relative: bool) -> str:
    ways = [
        f"ask {counted(gate_pair.clusters_needed, _noun(gate_pair))}" if gate_pair.clusters_needed else "",
        f"allow a margin of {_amount(gate_pair.margin_needed, relative)}" if gate_pair.margin_needed else "",
    ]
    listed = ", or ".join(filter(None, ways))
    return f" {listed[0].upper()}{listed[1:]}." if listed else ""


def _change(pair: GatePairOut, relative: bool) -> str:
    if pair.mean is None:
        return "unknown"
    mean = f"{_signed(pair.mean)} {'%' if relative else 'points'}"
    if pair.interval is None:
        return f"{mean} (90 % two-sided: not known)"
    low, high = (_signed(bound) for bound in (pair.interval.low, pair.interval.high))
    return f"{mean} (90 % two-sided: {low} to {high})"


def _signed(value: float) -> str:
    """Return a hundred times the value with its sign. A value that rounds to 0 has none."""
    rounded = f"{value * 100:+.1f}"
    return "0.0" if float(rounded) == 0 else rounded.replace("-", "\N{MINUS SIGN}")


def _amount(value: float | None, relative: bool) -> str:
    """Return a margin in the units of the screen: points of scores and rates, percent of cost and latency."""
    if value is None:
        return ""
    size = f"{value * 100:g}"
    return f"{size} %" if relative else f"{size} point{'' if size == '1' else 's'}"


def _share(probability: float) -> str:
    """Return a text such as "12 of 100 comparisons". Probabilities near 0 or 1 are not rounded to 0 or 100."""
    percent = round(probability * 100)
    if percent == 100 and probability < 1:
        return "more than 99 of 100 comparisons"
    return f"{'fewer than 1' if percent == 0 else percent} of 100 comparisons"
