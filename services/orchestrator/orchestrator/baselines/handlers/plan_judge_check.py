"""Say what the judge check of a saved gate will do, before a run pays for it."""

from orchestrator.baselines.domain.judge_drift import ALPHA, ANSWERS, FEWEST, REPEATS
from orchestrator.baselines.handlers.check_judge import asked_judges
from orchestrator.baselines.handlers.save_gate import GateParts
from orchestrator.baselines.ports.schemas import BaselineOut, PlannedJudgeCheck, PromotedRun, SavedGate


async def plan_judge_checks(at: GateParts, baseline: BaselineOut, gate: SavedGate) -> list[PlannedJudgeCheck]:
    """Return the planned checks. One check judges stored answers of the baseline again. If the anchor is another run, a
    second check judges stored answers of the anchor.

    The list is empty if no judge has an influence on the gate.
    """
    runs = {run.id: run for run in (baseline.run, baseline.anchor)}
    planned = [await _planned(at, run, gate) for run in runs.values()]
    return [check for check in planned if check is not None]


async def _planned(at: GateParts, run: PromotedRun, gate: SavedGate) -> PlannedJudgeCheck | None:
    judges = await at.judges.shared_judges(run.id, run.id)
    asked = asked_judges(gate.metric, gate.task, judges)
    if not asked:
        return None
    # A check asks all judges of the run, because the gates of a baseline share it.
    answers = await at.judges.judged_answers(run.id, judges)
    names = sorted(judge.slot for judge in asked)
    return PlannedJudgeCheck(
        run_id=run.id,
        run_name=run.name,
        evaluators=names,
        answers=answers if answers >= FEWEST else 0,
        repeats=REPEATS,
        sentence=_words(run.name, names, answers),
    )


def _words(run: str, names: list[str], answers: int) -> str:
    """Return a sentence that describes the planned check.

    >>> _words("Nightly 1", ["rubric"], 10)  # doctest: +ELLIPSIS
    "Before the gate is decided, 10 stored answers of 'Nightly 1' are judged again, 2 times each (rubric). ..."
    >>> _words("Nightly 1", ["rubric"], 3)
    "The judge is not checked: 'Nightly 1' has 3 judged answers, and 5 are needed (rubric)."
    """
    of = f" ({', '.join(names)})"
    if answers < FEWEST:
        return f"The judge is not checked: '{run}' has {answers} judged answers, and {FEWEST} are needed{of}."
    few = "" if answers == ANSWERS else f" With fewer than {ANSWERS}, only a large change is found."
    return (
        f"Before the gate is decided, {answers} stored answers of '{run}' are judged again, {REPEATS} times each{of}. "
        f"An unchanged judge is said to have changed in at most {100 * ALPHA:g} of 100 checks.{few}"
    )
