"""Write the decision record of an experiment: what was planned, what was seen, and what was decided."""

from collections.abc import Iterator, Sequence

from pydantic import BaseModel

from llmbench.contracts.base import rfc3339
from orchestrator.experiments.domain.analysis.wording import amount, amounts
from orchestrator.experiments.domain.metrics import is_relative
from orchestrator.experiments.domain.requested import OUTSIDE
from orchestrator.experiments.domain.words import Design
from orchestrator.experiments.ports.result_schemas import ComparisonOut, LookOut, VariantResult
from orchestrator.experiments.ports.schemas import ExperimentOut, RoundOut

_NONE = "n/a"
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>#|!~"})


class DecisionRecord(BaseModel):
    """The data for a decision about an experiment: the experiment with its conclusion, its rounds, and every look
    (analysis)."""

    experiment: ExperimentOut
    rounds: list[RoundOut]
    looks: list[LookOut]


def as_markdown(record: DecisionRecord) -> str:
    """Return the record as a page of Markdown. The special characters of Markdown are escaped in users' texts, so that
    these are shown literally."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: DecisionRecord) -> Iterator[str]:
    experiment, looks = record.experiment, record.looks
    yield f"# Experiment: {_text(experiment.name)}"
    yield ""
    if experiment.hypothesis:
        yield f"**Hypothesis.** {_text(experiment.hypothesis)}"
        yield ""
    yield from _decision(experiment)
    yield "## Plan"
    yield ""
    yield from _plan(experiment)
    yield "## Variants"
    yield ""
    yield "| variant | model | allocation | sample | mean | missing |"
    yield "|---|---|---|---|---|---|"
    last = looks[-1] if looks else None
    for variant in experiment.variants:
        result = _result(last, variant.name)
        model = (variant.config.get("model") or {}).get("name", _NONE)
        sample = _NONE if result is None else str(result.sample_size)
        mean = _NONE if result is None else _number(result.metrics.primary.mean)
        name = f"{_text(variant.name)} (control)" if variant.is_control else _text(variant.name)
        share = f"{variant.traffic_allocation:.0%}"
        yield f"| {name} | {_text(str(model))} | {share} | {sample} | {mean} | {variant.missing_count} |"
    yield ""
    if last is not None:
        yield from _results(last)
    yield from _looks(looks, _units(experiment))
    if experiment.notes:
        yield "## Notes"
        yield ""
        yield _text(experiment.notes)


def _decision(experiment: ExperimentOut) -> Iterator[str]:
    yield "## Decision"
    yield ""
    conclusion = experiment.conclusion
    if conclusion is None:
        yield f"There is no conclusion yet: the experiment is {experiment.status}."
    else:
        winner = "no winner" if conclusion.winner_name is None else f"winner {_text(conclusion.winner_name)}"
        by = "" if conclusion.declared_by is None else f" by {_text(conclusion.declared_by)}"
        yield f"**{winner}**, declared {rfc3339(conclusion.declared_at)}{by}."
        if conclusion.notes:
            yield ""
            yield _text(conclusion.notes)
    yield ""
    if experiment.stopped is not None:
        yield f"The experiment stopped by its rule (**{experiment.stopped.rule}**) at {rfc3339(experiment.stopped.at)}:"
        yield _text(experiment.stopped.sentence)
        yield ""
    progress = experiment.progress
    saved = "" if not progress.saved_share else f"; {progress.saved_share:.0%} of the planned calls were not made"
    used = f"{progress.done:,} of {progress.planned or 0:,} planned {_units(experiment)}"
    if progress.planned_calls is not None and experiment.config.design is Design.SPLIT:
        used = f"{progress.calls:,} of {progress.planned_calls:,} planned cases"
    if experiment.sources == OUTSIDE:
        yield f"{used} were used, in {progress.looks} looks."
    else:
        yield (
            f"{used} were used, in {progress.rounds} rounds with {progress.looks} looks, for "
            f"${progress.cost_usd:.4f}{saved}."
        )
    yield ""


def _plan(experiment: ExperimentOut) -> Iterator[str]:
    config = experiment.config
    yield f"- Primary metric: {_text(experiment.primary_metric)} ({experiment.direction.replace('_', ' ')})"
    for guardrail in experiment.guardrail_metrics:
        margin = amount(guardrail.margin, relative=guardrail.relative)
        unit = " of the control's mean" if guardrail.relative else ""
        yield f"- Guardrail: {_text(guardrail.metric)}, margin {margin}{unit}"
    yield f"- Method: {config.method}, design {config.design}, significance level {config.significance_level:g}"
    effect = amount(config.minimum_effect, relative=is_relative(experiment.primary_metric))
    yield f"- Smallest effect that matters: {effect}, to be found with power {config.power:g}"
    planned = experiment.progress.planned or config.maximum_sample_size or _NONE
    yield f"- Largest sample of each variant: {planned} {_units(experiment)}"
    yield f"- Seed: {config.seed}"
    yield ""


def _results(look: LookOut) -> Iterator[str]:
    analysis = look.analysis
    yield "## Result"
    yield ""
    yield _text(analysis.sentence)
    yield ""
    yield _text(analysis.recommendation)
    yield ""
    yield "| treatment | difference | interval | p | chance to be better | effect |"
    yield "|---|---|---|---|---|---|"
    for comparison in analysis.comparisons:
        yield _comparison(comparison)
    yield ""
    guarded = [each for each in look.variants if each.metrics.guardrails and not each.is_control]
    if guarded:
        yield "| treatment | guardrail | difference | margin | verdict |"
        yield "|---|---|---|---|---|"
        for variant in guarded:
            for each in variant.metrics.guardrails:
                verdict = "lost" if each.lost else "holds" if each.passed else "undecided"
                difference, margin = (
                    _amount(each.difference, relative=each.relative),
                    amount(each.margin, relative=each.relative),
                )
                yield f"| {_text(variant.name)} | {_text(each.metric)} | {difference} | {margin} | {verdict} |"
        yield ""
    ratio = analysis.sample_ratio
    if ratio.p_value is not None:
        verdict = "does not fit the allocation" if ratio.mismatch else "fits the allocation"
        yield f"The sample ratio {verdict} (p = {ratio.p_value:.3g})."
        yield ""
    rule = _text(analysis.stopping_rule)
    yield f"Method: {_text(analysis.method)}. Stopping rule: {rule} Computed with {_text(analysis.library)}."
    yield ""
    for assumption in analysis.assumptions:
        yield f"- {_text(assumption)}"
    for warning in analysis.warnings:
        yield f"- Warning: {_text(warning)}"
    yield ""


def _comparison(comparison: ComparisonOut) -> str:
    interval = _NONE
    if comparison.interval is not None:
        interval = f"{amounts(comparison.interval, relative=comparison.relative)} ({comparison.level:.1%})"
    word = f" ({comparison.effect_word})" if comparison.effect_word else ""
    chance = comparison.probability_of_improvement
    difference = _amount(comparison.expected, relative=comparison.relative)
    return (
        f"| {_text(comparison.name)} | {difference} | {interval} | {_number(comparison.p_value)} | "
        f"{_NONE if chance is None else f'{chance:.1%}'} | {_number(comparison.effect_size)}{word} |"
    )


def _units(experiment: ExperimentOut) -> str:
    """Return the word for what a variant's sample size counts. The experiment's page on the screen uses the same
    word."""
    if experiment.sources == OUTSIDE:
        return "units"
    return "cases" if experiment.progress.clusters == experiment.progress.cases else "clusters"


def _looks(looks: Sequence[LookOut], units: str) -> Iterator[str]:
    yield "## Looks"
    yield ""
    if not looks:
        yield "No look was made."
        yield ""
        return
    yield f"| look | time | {units} | state | difference | interval |"
    yield "|---|---|---|---|---|---|"
    for look in looks:
        best = next((each for each in look.analysis.comparisons if each.variant_id == look.analysis.best), None)
        interval = _NONE
        if best is not None and best.interval is not None:
            interval = amounts(best.interval, relative=best.relative)
        difference = _NONE if best is None else _amount(best.expected, relative=best.relative)
        at = rfc3339(look.made_at)
        yield f"| {look.number} | {at} | {look.done} | {look.analysis.state} | {difference} | {interval} |"
    yield ""


def _result(look: LookOut | None, name: str) -> VariantResult | None:
    return None if look is None else next((each for each in look.variants if each.name == name), None)


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.4g}"


def _amount(difference: float | None, *, relative: bool) -> str:
    return _NONE if difference is None else amount(difference, relative=relative)


def _text(value: str) -> str:
    """Return a user's text on one line, with the special characters of Markdown escaped."""
    return " ".join(value.split()).translate(_ESCAPED)
