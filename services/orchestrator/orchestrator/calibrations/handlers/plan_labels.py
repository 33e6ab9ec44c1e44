"""Plan how many labels of people are needed to correct a judge's mean or pass rate. The plan uses the correlation
between judge and people, and the spread of the labels, as a calibration measured them."""

from typing import Final, Literal

from orchestrator.calibrations.ports.schemas import CalibrationOut, LabelPlanOut, PlannedLabels

_UNKNOWN: Final = "judge or people gave all answers the same value, so nothing can be planned from this calibration"


def plan_labels(
    calibration: CalibrationOut,
    *,
    measure: Literal["pass_rate", "mean"],
    half_width: float,
    budget: float | None,
    answers: int | None,
    label_cost: float,
    judge_cost: float | None,
) -> PlannedLabels:
    """Plan how many answers people have to label to correct the judge's pass rate or mean. One plan is for an interval
    of ± `half_width`, another for `budget`, if there is one. If a plan is impossible, the result says why instead.

    `answers` is the number of all answers. By default, it is the largest number of answers of a target with corrected
    figures. Without such a target, it is the number of labelled answers. `judge_cost` is by default the mean cost of a
    verdict in the calibration, or 0 if that is unknown.
    """
    from orchestrator.results.domain.calibration.correcting import plan_for_budget, plan_for_width

    figures = calibration.figures
    basis = figures.of_pass_rate if measure == "pass_rate" else figures.of_mean
    count = answers or max((each.answers for each in figures.corrected), default=calibration.answers)
    cost = figures.verdict_cost_usd or 0.0 if judge_cost is None else judge_cost
    width = spent = None
    width_because = budget_because = None
    if basis.correlation is None or basis.spread is None:
        width_because = budget_because = _UNKNOWN
    else:
        # The weight of a judge that contradicts people is 0, so such a judge saves no labels.
        correlation = max(0.0, basis.correlation)
        width = plan_for_width(
            correlation=correlation,
            spread=basis.spread,
            answers=count,
            half_width=half_width,
            judge_cost=cost,
            label_cost=label_cost,
        )
        if width is None:
            narrow = f"±{half_width * 100:g}%" if measure == "pass_rate" else f"±{half_width:g}"
            width_because = f"not even labels of all {count:,} answers make the interval as narrow as {narrow}"
        if budget is not None:
            spent = plan_for_budget(correlation=correlation, budget=budget, judge_cost=cost, label_cost=label_cost)
            if spent is None:
                budget_because = (
                    "the budget does not pay for two labels"
                    if cost > 0
                    else "a verdict of the judge costs nothing here: send judge_cost"
                )
    return PlannedLabels(
        measure=measure,
        correlation=basis.correlation,
        spread=basis.spread,
        answers=count,
        label_cost=label_cost,
        judge_cost=cost,
        for_width=None if width is None else LabelPlanOut.model_validate(width),
        width_impossible_because=width_because,
        for_budget=None if spent is None else LabelPlanOut.model_validate(spent),
        budget_impossible_because=budget_because,
    )
