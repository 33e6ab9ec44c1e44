"""Decide the gates of a finished run: compare it with the baselines and anchors of its subject."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from llmbench.contracts.gate_words import GateVerdict
from llmbench.errors import Problem
from orchestrator.baselines.domain.judge_drift import REPEATS, JudgeDrift, drift_words
from orchestrator.baselines.domain.run_verdict import GateOutcome, combined
from orchestrator.baselines.handlers.check_judge import JudgeChecked
from orchestrator.baselines.ports.store import DueComparison, GateToDecide
from orchestrator.comparison.handlers.find_columns import PairedRuns, find_columns, pair_runs
from orchestrator.comparison.handlers.gate import gate
from orchestrator.comparison.handlers.gate_metric import titled
from orchestrator.comparison.ports.comparison import Column, ComparisonReader
from orchestrator.comparison.ports.gates import GateOut, GateRequest
from orchestrator.results.ports.gate_schemas import DecidedGate, DecidedPair, JudgeCheckOut, Role
from orchestrator.results.ports.queries import RunReader
from orchestrator.results.ports.schemas import RunSummary
from orchestrator.runs.ports.transaction import StoredVerdict


@dataclass(frozen=True)
class _Other:
    """The baseline or anchor with which the finished run is compared.

    Each target of the finished run forms a pair with one of the other run. Each entry of `sets` is such a pair, as two
    columns (targets of runs). `left_out` is a sentence about targets without a partner. If the two runs cannot be
    compared, `sets` is empty, and `problem` says why.
    """

    name: str
    sets: Sequence[Sequence[Column]] = ()
    left_out: str = ""
    problem: str | None = None


async def judge_run(
    reader: ComparisonReader,
    runs: RunReader,
    run_id: UUID,
    due: DueComparison,
    checks: Mapping[UUID, JudgeChecked] = MappingProxyType({}),
) -> StoredVerdict | None:
    """Decide all gates of the run together. Return `None` if no gate applies, or if the run was removed. A run that
    has become the baseline or the anchor meanwhile is not compared with itself.

    A gate that cannot be decided, for instance because different judges scored the runs, is *not judged*, with the
    reason. `checks` has the results of judge checks, by the id of the run whose answers were judged again.
    """
    run = await runs.run(run_id)
    gates = [chosen for chosen in due.gates if chosen.baseline_run_id != run_id]
    if run is None or not gates:
        return None
    others: dict[UUID, _Other] = {}
    for chosen in gates:
        if chosen.baseline_run_id not in others:
            others[chosen.baseline_run_id] = await _other(reader, runs, run, chosen.baseline_run_id)
    # Each pair of targets counts once for each gate, so that a false alarm is as rare as with one pair.
    family = sum(len(others[chosen.baseline_run_id].sets) for chosen in gates)
    decided = [await _checked(reader, chosen, others, family, checks) for chosen in gates]
    verdict = combined([outcome for _, outcome in decided])
    stored = [result.model_dump(mode="json") for result, _ in decided]
    return StoredVerdict(verdict.verdict, verdict.passed, verdict.sentence, stored)


async def _other(reader: ComparisonReader, runs: RunReader, run: RunSummary, other_id: UUID) -> _Other:
    other = await runs.run(other_id)
    if other is None:
        return _Other(str(other_id), problem="It was removed.")
    try:
        paired = pair_runs([other, run], baseline=0)
        sets = [await find_columns(reader, refs) for refs in paired.sets]
    except Problem as problem:
        return _Other(other.name, problem=problem.detail)
    return _Other(other.name, sets, _left_out(paired))


def _left_out(paired: PairedRuns) -> str:
    labels = ", ".join(f"'{target.label}' of '{target.run_name}'" for target in paired.unpaired)
    return f" Not compared, because the other run has no such target: {labels}." if labels else ""


async def _checked(
    reader: ComparisonReader,
    chosen: GateToDecide,
    others: Mapping[UUID, _Other],
    family: int,
    checks: Mapping[UUID, JudgeChecked],
) -> tuple[DecidedGate, GateOutcome]:
    """Decide a gate by comparing the runs. If the gate's judge check has no result, or found that the judge has
    changed, the runs are not compared, and the verdict says why. `family` is the number of pairs that are decided
    together."""
    checked = checks.get(chosen.baseline_run_id)
    if checked is None or chosen.gate_id not in checked.gate_ids:
        return await _decide(reader, chosen, others, family)
    other = others[chosen.baseline_run_id]
    if other.problem is None and checked.drift is None:
        return _stopped(chosen, other, GateVerdict.NOT_JUDGED, checked.problem or "")
    if other.problem is not None or checked.drift is None or checked.check_run_id is None:
        return await _decide(reader, chosen, others, family)
    shown, outcome = (
        _stopped(chosen, other, GateVerdict.JUDGE_CHANGED, drift_words(checked.drift, other.name))
        if checked.drift.changed
        else await _decide(reader, chosen, others, family)
    )
    return shown.model_copy(update={"judge_check": _shown_check(checked.check_run_id, checked.drift)}), outcome


def _shown_check(check_run_id: UUID, drift: JudgeDrift) -> JudgeCheckOut:
    return JudgeCheckOut(
        run_id=check_run_id,
        answers=drift.answers,
        repeats=REPEATS,
        shift=drift.shift,
        p=drift.p,
        changed=drift.changed,
    )


async def _decide(
    reader: ComparisonReader, chosen: GateToDecide, others: Mapping[UUID, _Other], family: int
) -> tuple[DecidedGate, GateOutcome]:
    other = others[chosen.baseline_run_id]
    if other.problem is not None:
        return _stopped(chosen, other, GateVerdict.NOT_JUDGED, other.problem)
    request = GateRequest(chosen.metric, chosen.margin, force=True, task=chosen.task)
    try:
        result = await gate(reader, other.sets, request, baseline=0, cluster_by=chosen.cluster_by, family=family)
    except Problem as problem:
        return _stopped(chosen, other, GateVerdict.NOT_JUDGED, problem.detail)
    return _decided(chosen, other, result)


def _decided(chosen: GateToDecide, other: _Other, result: GateOut) -> tuple[DecidedGate, GateOutcome]:
    verdict = GateVerdict(result.state)
    deciding = next(pair for pair in result.pairs if pair.state is result.state)
    named = f"{deciding.label}: " if len(result.pairs) > 1 else ""
    pairs = [
        DecidedPair(
            target_id=pair.target_id,
            label=pair.label,
            verdict=GateVerdict(pair.state),
            sentence=pair.sentence,
            mean=pair.mean,
            mean_here=pair.mean_here,
            mean_baseline=pair.mean_baseline,
            interval=pair.interval,
            cases=pair.cases,
            clusters=pair.clusters,
            coverage=pair.coverage,
        )
        for pair in result.pairs
    ]
    outcome = _outcome(chosen, verdict, f"{named}{deciding.sentence}{other.left_out}", lower=result.lower_than_baseline)
    return _shown(chosen, other, outcome, result.title, pairs, relative=result.relative), outcome


def _stopped(chosen: GateToDecide, other: _Other, verdict: GateVerdict, why: str) -> tuple[DecidedGate, GateOutcome]:
    """Return the result of a gate that was decided without a comparison of the runs. `verdict` is its verdict, and
    `why` the reason."""
    outcome = _outcome(chosen, verdict, why)
    named = titled(chosen.metric, chosen.task, of_suite=chosen.of_suite)
    return _shown(chosen, other, outcome, named.title, [], relative=named.relative), outcome


def _outcome(chosen: GateToDecide, verdict: GateVerdict, sentence: str, *, lower: bool = False) -> GateOutcome:
    role = "the anchor of" if chosen.role is Role.ANCHOR else "against"
    return GateOutcome(
        verdict,
        subject=f"{role} {chosen.label}",
        sentence=sentence,
        lower_than_baseline=lower,
        forgives_undecided=chosen.undecided == "ok",
    )


def _shown(
    chosen: GateToDecide,
    other: _Other,
    outcome: GateOutcome,
    title: str,
    pairs: list[DecidedPair],
    *,
    relative: bool,
) -> DecidedGate:
    return DecidedGate(
        gate_id=chosen.gate_id,
        baseline_id=chosen.baseline_id,
        label=chosen.label,
        role=chosen.role,
        baseline_run_id=chosen.baseline_run_id,
        baseline_run_name=other.name,
        metric=chosen.metric,
        task=chosen.task,
        title=title,
        relative=relative,
        margin=chosen.margin,
        undecided=chosen.undecided,
        verdict=outcome.verdict,
        passed=outcome.passed,
        lower_than_baseline=outcome.lower_than_baseline,
        sentence=outcome.sentence,
        pairs=pairs,
    )
