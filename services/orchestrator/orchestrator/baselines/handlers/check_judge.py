"""Judge stored answers of a baseline again before the gates of a run are decided, and say whether the judge changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from llmbench.contracts.run_words import RunStatus
from llmbench.errors import Problem
from orchestrator.baselines.domain.judge_drift import ALPHA, FEWEST, JudgeDrift, judge_drift
from orchestrator.baselines.ports.judge_checks import CheckState, JudgeCheckStore, NewCheck, SharedJudge
from orchestrator.baselines.ports.store import GateToDecide
from orchestrator.comparison.handlers.gate_metric import EVALUATOR_PREFIX
from orchestrator.evaluations.domain.placement import Active, Place, place
from orchestrator.evaluations.ports.factory import EvaluationFactory
from orchestrator.kernel.domain.local_provider import is_local
from orchestrator.runs.domain.schedule import Model
from orchestrator.runs.handlers.leadership import Leadership

_SETTLED: Final = (RunStatus.FINISHED, RunStatus.CANCELLED, RunStatus.PAUSED)
"""The statuses in which the result of a check is read. PAUSED is included, because a check that is paused, for instance
over budget, may never go on by itself, and its gates could never be decided."""
_MEASURED: Final = ("cost", "latency")
"""The metrics on which no judge has an influence."""


@dataclass(frozen=True)
class JudgeChecked:
    """The result of a judge check for the gates in `gate_ids`: a `drift`, or a `problem` that says why there is
    none."""

    gate_ids: frozenset[UUID]
    check_run_id: UUID | None = None
    drift: JudgeDrift | None = None
    problem: str | None = None


class JudgeChecks:
    """Begin judge checks, and read their results. `hosted` are host names and addresses at which a provider counts as
    hosted, even if they belong to this machine or network."""

    def __init__(
        self, store: JudgeCheckStore, factory: EvaluationFactory, leadership: Leadership, *, hosted: frozenset[str]
    ) -> None:
        self._store = store
        self._factory = factory
        self._leadership = leadership
        self._hosted = hosted

    async def results(self, run_id: UUID, gates: Sequence[GateToDecide]) -> Mapping[UUID, JudgeChecked] | None:
        """Return the result of each judge check that the gates need, by the id of the run whose answers were judged
        again. Begin the checks that are missing. Return `None` until all checks are over.

        A gate needs no check if no judge has an influence on it. It also needs none if the run that it compares with,
        the baseline or the anchor, has too few judged answers.
        """
        results: dict[UUID, JudgeChecked] = {}
        going = False
        for source_id in dict.fromkeys(gate.baseline_run_id for gate in gates if gate.baseline_run_id != run_id):
            judges = await self._store.shared_judges(run_id, source_id)
            of_source = [gate for gate in gates if gate.baseline_run_id == source_id]
            influenced = frozenset(gate.gate_id for gate in of_source if asked_judges(gate.metric, gate.task, judges))
            if not influenced:
                continue
            state = await self._store.state(run_id, source_id)
            if state is None:
                try:
                    going |= await self._begin(run_id, source_id, judges)
                except Problem as problem:
                    results[source_id] = JudgeChecked(influenced, problem=problem.detail)
            elif state.status not in _SETTLED:
                going = True
            else:
                results[source_id] = _result(influenced, state)
        if going:
            return None
        return {source_id: _strict(checked, len(results)) for source_id, checked in results.items()}

    async def forget_failed(self, run_id: UUID, results: Mapping[UUID, JudgeChecked]) -> None:
        """Forget all checks of the run if one of them has no result. The next decision of the run's gates then begins
        new checks."""
        if any(checked.problem is not None for checked in results.values()):
            await self._store.forget(run_id)

    async def _begin(self, run_id: UUID, source_id: UUID, judges: Sequence[SharedJudge]) -> bool:
        """Begin a judge check. Return `False` if the run `source_id` has too few judged answers."""
        models = {model for judge in judges for model in judge.models}
        providers = await self._store.providers({provider_id for provider_id, _ in models})
        local = {
            model for model in models if model[0] in providers and is_local(providers[model[0]], hosted=self._hosted)
        }
        active = await self._factory.active()
        concurrent = place(local, active) is Place.CONCURRENT
        kept = _kept(models, active) if concurrent else {}
        begun = await self._store.begin(NewCheck(run_id, source_id, judges, concurrent, kept))
        if begun and (state := await self._store.state(run_id, source_id)) is not None:
            await self._leadership.wake(state.check_run_id)
            await self._leadership.admit()
        return begun


def asked_judges(metric: str, task: str | None, judges: Sequence[SharedJudge]) -> list[SharedJudge]:
    """Return the judges that have an influence on the metric of a gate."""
    if metric in _MEASURED:
        return []
    of_task = [judge for judge in judges if task is None or judge.task == task]
    if not metric.startswith(EVALUATOR_PREFIX):
        return [judge for judge in of_task if judge.weight > 0]
    return [judge for judge in of_task if judge.slot == metric.removeprefix(EVALUATOR_PREFIX)]


def _kept(models: set[Model], active: Active | None) -> dict[Model, int]:
    """Return the `models` that the active run uses as well, each with the active run's concurrency. Both runs send
    their calls to such a model through one queue, so the concurrency must not change."""
    return {held.model: held.concurrency for held in (active.held if active else ()) if held.model in models}


def _result(influenced: frozenset[UUID], state: CheckState) -> JudgeChecked:
    drift = judge_drift(state.answers)
    problem = None
    if drift is None:
        reason = f" ({state.reason})" if state.reason else ""
        problem = (
            f"The judge scored {len(state.answers)} stored answers of the baseline again, and {FEWEST} are needed to "
            f"know that it has not changed{reason}. Look at the run {state.check_run_id}, then decide the gates again."
        )
    return JudgeChecked(influenced, state.check_run_id, drift, problem)


def _strict(checked: JudgeChecked, checks: int) -> JudgeChecked:
    """Return the result of a check, decided with the false alarm probability `ALPHA` / `checks` (Bonferroni). `checks`
    is the number of judge checks of the run."""
    drift = checked.drift
    if drift is None:
        return checked
    strict = JudgeDrift(drift.answers, drift.shift, drift.p, changed=drift.p <= ALPHA / checks)
    return JudgeChecked(checked.gate_ids, checked.check_run_id, strict)
