"""Describe comparisons in the sentences of the HTML report. The web page of a comparison shows the same sentences."""

import math
from collections.abc import Iterator

from orchestrator.comparison.domain.coverage import ENOUGH_PERCENT
from orchestrator.comparison.domain.verdicts import Verdict
from orchestrator.comparison.handlers.gate_words import counted
from orchestrator.comparison.ports.benchmarks import RunComparison
from orchestrator.comparison.ports.comparison import ColumnComparison, ComparedColumn, PassComparison, ScoreComparison
from orchestrator.kernel.domain.html_page import percent, seconds
from orchestrator.results.ports.figure_schemas import Interval

_MOST_CLUSTERS_NAMED = 100_000
"""More clusters than this are not recommended: hardly any dataset is that large."""


def quality_words(name: str, base: str, compared: ColumnComparison | RunComparison) -> str:
    """Say which of the two is better, whether that is certain, and by how much. `name` is the candidate's name, and
    `base` the baseline's."""
    score = compared.score
    if score is None:
        return f"{name} and {base}: no verdict. {compared.note or 'There are no scores to compare.'}"
    if compared.withheld is not None:
        return f"{name} and {base}: no verdict. {compared.withheld}"
    if score.mean is None:
        return f"{name} and {base}: no verdict. No case is scored in both."
    means = f"{percent(score.mean_here)} against {percent(score.mean_baseline)}"
    if score.verdict is Verdict.LOW_COVERAGE:
        return (
            f"{name} and {base}: no verdict. Only {_covered(compared)} that both have are scored in both, and "
            f"{ENOUGH_PERCENT}% are needed: the other cases may be the ones that differ."
        )
    if score.verdict is Verdict.NOT_SEPARABLE:
        return f"{name} and {base} cannot be told apart ({means}). {_why_not_separable(score, score.mean)}"
    return (
        f"{name} is {score.verdict} than {base}: {means}. The difference is more than chance: "
        f"{points(score.mean)} points{_bounds(score.simultaneous, ', {}')}."
    )


def case_words(score: ScoreComparison | None, missing: int, *, one_run: bool) -> str | None:
    """Return a sentence with the numbers of cases that got better, got worse or stayed equal, and of the `missing`
    cases. Return `None` without scores. Columns of `one_run` are models side by side: nothing changed between them."""
    if score is None:
        return None
    more = "" if missing == 0 else f" {missing:,} more {'case is' if missing == 1 else 'cases are'} not compared."
    better, equal = ("is" if score.better == 1 else "are", "equal") if one_run else ("got", "stayed equal")
    return (
        f"Of {counted(score.cases, 'compared case')}, {score.better:,} {better} better, {score.worse:,} worse, and "
        f"{score.equal:,} {equal}.{more}"
    )


def pass_words(passes: PassComparison | None, name: str, base: str, *, one_run: bool) -> str | None:
    """Return a sentence that says how many cases pass only in the candidate, and how many only in the baseline. Return
    `None` if no case passed or failed in both columns. Columns of `one_run` are called by `name` and `base`, because
    neither came before the other."""
    if passes is None or passes.cases == 0:
        return None
    if passes.gained + passes.lost == 0:
        return "The same cases pass."
    chance = " This may be chance." if passes.verdict is Verdict.NOT_SEPARABLE else ""
    here, there = (f"with {name}", f"with {base}") if one_run else ("now", "before")
    return f"{counted(passes.gained, 'case')} passed only {here}, and {passes.lost:,} only {there}.{chance}"


def zero_words(compared: ColumnComparison) -> str | None:
    """Return a sentence with the numbers of refused or malformed answers, which count as 0. Return `None` if there are
    none."""
    if compared.zeros + compared.baseline_zeros == 0:
        return None
    return (
        f"Refused or malformed answers count as 0: {compared.zeros:,} here, and {compared.baseline_zeros:,} of the "
        "baseline's."
    )


def cost_words(here: ComparedColumn, base: ComparedColumn) -> str | None:
    """Return a sentence that compares the mean costs of an answer; `None` if neither cost is known."""
    mine, other = per_answer(here), per_answer(base)
    if mine is None and other is None:
        return None
    if mine is None and here.figures.cached > 0 and here.figures.timed == 0:
        return f"Its answers came from the cache and cost nothing here; the baseline's cost {_cost(other)} USD each."
    if mine is None or other is None:
        return f"Cost of an answer in USD: {_cost(mine)} against {_cost(other)}, so it cannot be compared."
    # Means of equal costs over different numbers of answers differ by rounding errors.
    if math.isclose(mine, other):
        return "Neither costs anything." if mine == 0 else f"Both cost {_cost(mine)} USD an answer."
    return f"An answer costs {_cost(mine)} USD instead of {_cost(other)}."


def speed_words(here: ComparedColumn, base: ComparedColumn) -> str | None:
    """Return a sentence that compares the median times of an answer; `None` if one of them is unknown."""
    mine, other = here.figures.p50_time_ms, base.figures.p50_time_ms
    if mine is None or other is None:
        return None
    return f"Half of its answers take up to {seconds(mine)}; of the baseline's, {seconds(other)}."


def difference_words(compared: ColumnComparison) -> Iterator[str]:
    """Yield a text for each way in which two columns differ apart from their answers and scores: differing questions
    and references, and settings such as the model or a parameter."""
    if compared.references_note:
        yield compared.references_note
    if compared.questions_differ:
        yield f"The question differs in {counted(compared.questions_differ, 'shared case')}."
    for each in compared.differs:
        yield f"{each.name}: {each.baseline or 'none'} → {each.here or 'none'}"


def per_answer(column: ComparedColumn) -> float | None:
    """Return the mean cost of the answers that were paid for at a known cost, in USD; `None` if there are none."""
    figures = column.figures
    return None if figures.cost_usd is None or not figures.priced else figures.cost_usd / figures.priced


def points(difference: float) -> str:
    """Return a difference of scores in hundredths of the scale. One that rounds to 0 has no sign.

    >>> points(0.042), points(-0.0001)
    ('+4.2', '0.0')
    """
    rounded = f"{difference * 100:+.1f}"
    return "0.0" if float(rounded) == 0 else rounded


def _why_not_separable(score: ScoreComparison, mean: float) -> str:
    if score.better + score.worse == 0:
        return (
            "The one compared case scores the same."
            if score.cases == 1
            else f"All {score.cases:,} compared cases score the same."
        )
    return f"{points(mean)} points{_bounds(score.simultaneous, ' ({})')} may be chance: {_too_few(score, mean)}"


def _too_few(score: ScoreComparison, mean: float) -> str:
    units = counted(score.clusters, "case" if score.cases == score.clusters else "cluster")
    needed = score.clusters_needed
    if mean == 0:
        return f"better and worse cancel out over {units}."
    if score.clusters == 1:
        return f"{units} is too few."
    if needed is None or needed > _MOST_CLUSTERS_NAMED:
        return "a difference this small cannot be distinguished from none."
    return f"{units} are too few, about {needed:,} would tell."


def _covered(compared: ColumnComparison | RunComparison) -> str:
    """Return the number of cases that are scored in both, with the number that both have. If the coverage is that of
    one task, or of one of several pairs, return its percentage instead. It is rounded down: 89.6 % is too little, so
    it must not read as 90."""
    percents = f"{math.floor(compared.coverage * 100 + 1e-9)}%"
    if compared.least_covered is not None:
        return f"{percents} of the cases of the task '{compared.least_covered}'"
    if isinstance(compared, RunComparison) and compared.pairs > 1:
        return f"{percents} of the cases of one pair of targets"
    scored = round(compared.coverage * compared.cases_in_both)
    return f"{scored:,} of the {counted(compared.cases_in_both, 'case')}"


def _bounds(interval: Interval | None, form: str) -> str:
    return "" if interval is None else form.format(f"{points(interval.low)} to {points(interval.high)}")


def _cost(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.6f}"
