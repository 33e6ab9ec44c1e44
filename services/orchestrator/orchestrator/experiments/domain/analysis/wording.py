"""Write the sentences that explain an analysis to a product manager."""

from collections.abc import Sequence
from typing import Final

from orchestrator.experiments.domain.analysis import sequential
from orchestrator.experiments.domain.analysis.bayes import REFERENCE
from orchestrator.experiments.domain.analysis.comparing import Compared
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, Ends, GuardrailResult, State
from orchestrator.experiments.domain.words import Design, Method

_MINUS: Final = "\N{MINUS SIGN}"


def amount(value: float, *, relative: bool) -> str:
    """Return a difference in words: a share as a percentage, a difference of scores or rates in points of 100.

    >>> amount(-0.0525, relative=True), amount(0.05, relative=False)
    ('\N{MINUS SIGN}5.2 %', '5.0 points')
    """
    return f"{_hundredths(value)} {'%' if relative else 'points'}"


def amounts(ends: Ends, *, relative: bool) -> str:
    """Return an interval of differences in words, with its unit once.

    >>> amounts((-0.02, None), relative=False)
    '\N{MINUS SIGN}2.0 to unknown points'
    """
    low, high = ("unknown" if end is None else _hundredths(end) for end in ends)
    return f"{low} to {high} {'%' if relative else 'points'}"


def _hundredths(value: float) -> str:
    """Return 100 times the value with one decimal, without a plus sign. There is no minus sign if it rounds to 0."""
    rounded = f"{abs(100 * value):.1f}"
    return f"{_MINUS}{rounded}" if value < 0 and float(rounded) else rounded


def of_treatment(setup: AnalysisSetup, compared: Compared, state: State, guardrails: Sequence[GuardrailResult]) -> str:
    """Return sentences about the result of one treatment."""
    name = compared.sample.treatment.name
    seen = _seen(setup, compared)
    if state is State.SHIP:
        holds = " Every guardrail holds." if guardrails else ""
        return f"{name} is better than {setup.control.name}: {seen}.{holds}"
    if state is State.ROLL_BACK:
        return f"{name} is worse than {setup.control.name}: {seen}."
    if state is State.HARMFUL:
        lost = " and ".join(_plain(result.metric) for result in guardrails if result.lost)
        return f"{name} is out: its {lost} is certainly worse than {setup.control.name}'s by more than the margin."
    if state is State.FUTILE:
        planned = amount(setup.minimum_effect, relative=compared.sample.metric.relative)
        return f"{name} is not better than {setup.control.name} by {planned}, the smallest effect that matters: {seen}."
    if state is State.N_LEFT:
        return f"{name} is undecided so far: {seen}."
    if state is State.LIMIT:
        return f"The {setup.units} were too few to tell whether {name} is better or worse: {seen}."
    if state is State.REVIEW:
        return f"{name} needs a decision by a person: {_why_review(setup, compared, guardrails)}"
    return f"Nothing is decided about {name}, because the data cannot be trusted."


def _why_review(setup: AnalysisSetup, compared: Compared, guardrails: Sequence[GuardrailResult]) -> str:
    if setup.is_bandit:
        return "a bandit compares nothing, it only prefers what looks best."
    if compared.better:
        open_ = " and ".join(_plain(result.metric) for result in guardrails if not result.passed)
        return f"{_seen(setup, compared)}, but the guardrail {open_} is undecided."
    if compared.reason:
        return f"there is no test, because {compared.reason}."
    return f"the sample allows an improvement as well as none: {_seen(setup, compared)}."


def _seen(setup: AnalysisSetup, compared: Compared) -> str:
    """Return the estimate with its interval and sample size, worded as the end of a sentence."""
    sample, mean = compared.sample, compared.sample.estimate.mean
    progress = _progress(setup, sample.measured)
    if mean is None:
        return f"no difference is known {progress}"
    relative = sample.metric.relative
    interval = _interval(compared.interval, compared.level, relative=relative)
    chance = ""
    if compared.posterior is not None:
        chance = f", an improvement with a probability of {_percents(compared.posterior.probability_of_improvement)}"
    return f"{_difference(_plain(sample.metric.name), mean, relative=relative)}{interval} {progress}{chance}"


def _percents(probability: float) -> str:
    """Return a probability in percent. It is not rounded to 0 or 100 %, which would claim certainty.

    >>> _percents(0.9544), _percents(0.99999), _percents(1e-9), _percents(1.0)
    ('95.4 %', 'over 99.9 %', 'under 0.1 %', 'over 99.9 %')
    """
    if probability > 0.9995:
        return "over 99.9 %"
    return "under 0.1 %" if probability < 0.0005 else f"{100 * probability:.1f} %"


def _progress(setup: AnalysisSetup, measured: int) -> str:
    """Return the number of clusters that are compared, and the number that was planned at the start."""
    if measured > setup.tuned_for:
        return f"after {measured:,} {setup.units} ({setup.tuned_for:,} were planned)"
    return f"after {measured:,} of {setup.tuned_for:,} {setup.units}"


def _difference(metric: str, mean: float, *, relative: bool) -> str:
    """Return the difference in words; one that rounds to 0 is neither higher nor lower.

    >>> _difference("score", -0.05, relative=False), _difference("score", 1e-5, relative=False)
    ('its score is 5.0 points lower', 'its score shows no difference')
    """
    if float(_hundredths(abs(mean))) == 0:
        return f"its {metric} shows no difference"
    return f"its {metric} is {amount(abs(mean), relative=relative)} {'higher' if mean > 0 else 'lower'}"


def _plain(metric: str) -> str:
    return metric.replace("_", " ")


def _interval(ends: Ends | None, level: float, *, relative: bool) -> str:
    if ends is None:
        return ""
    return f" ({100 * level:.3g} % interval {amounts(ends, relative=relative)})"


def of_experiment(
    setup: AnalysisSetup, state: State, best: str, sentences: Sequence[str], problems: Sequence[str]
) -> str:
    """Return the sentences about the result of the experiment. `best` is the name of the treatment that they
    describe."""
    if state is State.UNHEALTHY:
        return f"The data cannot be trusted, so no winner is named. {' '.join(problems)}"
    if len(sentences) == 1:
        return sentences[0]
    start = f"{best} is the best of the treatments that beat {setup.control.name}. " if state is State.SHIP else ""
    return start + " ".join(sentences)


def recommendation(setup: AnalysisSetup, state: State, best: str) -> str:
    """Return a sentence that recommends what to do now."""
    control = setup.control.name
    return {
        State.UNHEALTHY: "Find out why the data is incomplete or divided wrongly, and start again.",
        State.N_LEFT: "Continue the experiment.",
        State.SHIP: f"Use {best} instead of {control}.",
        State.ROLL_BACK: f"Keep {control}.",
        State.HARMFUL: f"Keep {control}: a guardrail is lost.",
        State.FUTILE: f"Keep {control}: an effect that matters is ruled out.",
        State.LIMIT: f"Keep {control}, or continue with more {setup.units}.",
        State.REVIEW: f"Decide between {control} and {best} yourself: the statistics do not.",
    }[state]


def stopping_rule(setup: AnalysisSetup) -> str:
    if setup.is_bandit:
        return f"The experiment ends with {setup.planned:,} {setup.units} of each variant. It names no winner."
    if setup.method is Method.SEQUENTIAL:
        return (
            f"The experiment may stop at every look, from {setup.minimum:,} {setup.units} on: when the interval "
            "excludes no difference and every guardrail holds, when a guardrail is lost, or when the planned effect is "
            f"outside the interval. It ends with {setup.planned:,} {setup.units}."
        )
    return f"The experiment is decided once, with {setup.planned:,} {setup.units}. Earlier looks decide nothing."


def assumptions(setup: AnalysisSetup, caps: Sequence[tuple[str, float | None]]) -> list[str]:
    """Return the assumptions of the method, as sentences. `caps` has the cap of each metric of cost or latency, by
    name."""
    units = setup.units
    order = "" if setup.outside else ", and come in an order that was fixed before the start"
    found = [f"{units.capitalize()} are independent of each other{order}."]
    if setup.design is Design.PAIRED:
        found.append("Every variant answers the same cases.")
    else:
        found.append("A unit gets its variant by chance, and counts once.")
    if setup.is_bandit:
        return [*found, "The means are biased, because variants with a bad start get fewer units."]
    if setup.method is Method.SEQUENTIAL:
        if setup.metric.bounds is not None:
            low, high = setup.metric.bounds
            found.append(f"Values lie between {low:g} and {high:g}. Their distribution may have any shape.")
        for name, cap in caps:
            limit = f"a cap from the first {units}" if cap is None else f"{cap:g}"
            found.append(f"A {units.removesuffix('s')} whose {name} is more than {limit} counts as exactly that much.")
    elif setup.method is Method.BAYESIAN and setup.prior is not None:
        found.append("Before the data, the difference is normally distributed as the prior says.")
    else:
        found.append(f"There are enough {units} for their mean to be normally distributed.")
    if len(setup.treatments) > 1:
        how = "Holm's method" if setup.method is Method.FREQUENTIST else "dividing the significance level"
        found.append(f"The number of treatments is corrected for by {how}.")
    return found


def prior_words(setup: AnalysisSetup, prior: str | None) -> str | None:
    if setup.method is not Method.BAYESIAN or setup.is_bandit:
        return None
    return f"Prior: {prior or REFERENCE}."


def method_words(setup: AnalysisSetup, used: Sequence[str]) -> str:
    """Return the name of the method, with the names of the statistical tests that were used."""
    if setup.is_bandit:
        return "Thompson sampling"
    return f"{setup.method.value}: {', '.join(dict.fromkeys(used)) or sequential.METHOD}"
