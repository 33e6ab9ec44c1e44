"""Find the columns to compare: by their ids, or by pairing the targets of runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from llmbench.errors import FieldError, Problem
from orchestrator.comparison.domain.target_pairs import (
    PairedBy,
    PairedTarget,
    Pairing,
    Unpaired,
    pair_targets,
    settings_of,
)
from orchestrator.comparison.ports.benchmarks import UnpairedTarget
from orchestrator.comparison.ports.comparison import Column, ColumnRef, ComparisonReader
from orchestrator.results.ports.schemas import RunSummary, TargetOut


@dataclass(frozen=True)
class PairedRuns:
    """The paired targets of several runs. Each entry of `sets` is one set of paired targets: one column per run, in the
    order of the runs.

    `paired_by` says, by target id, how each target of another run was paired with a target of the baseline.
    """

    sets: Sequence[Sequence[ColumnRef]]
    paired_by: Mapping[UUID, PairedBy] = field(default_factory=dict)
    unpaired: Sequence[UnpairedTarget] = ()


async def find_columns(reader: ComparisonReader, refs: Sequence[ColumnRef]) -> list[Column]:
    """Return the columns (targets of runs) that `refs` name. Raises a 404 `Problem` if a column does not exist, and a
    422 `Problem` if a column is named twice."""
    for at, ref in enumerate(refs):
        if ref in refs[:at]:
            raise _invalid("column", f"{ref.run_id}:{ref.target_id} is named twice")
    columns: list[Column] = []
    for ref, column in zip(refs, await reader.columns(refs), strict=True):
        if column is None:
            raise Problem(404, "No such column", f"There is no target {ref.target_id} in a run {ref.run_id}.")
        columns.append(column)
    return columns


def pair_runs(runs: Sequence[RunSummary], *, baseline: int, by_hand: Sequence[tuple[UUID, UUID]] = ()) -> PairedRuns:
    """Pair the targets of each run with those of the baseline run, which has the index `baseline`.

    Only those targets of the baseline are compared that are paired with a target of every other run. `by_hand` has the
    pairs (target of the baseline, target of the other run) that the user chose; it is allowed only with two runs.

    Raises a 422 `Problem` if nothing can be paired. Also raises one if `by_hand` has an unknown target, or one target
    twice.
    """
    base = runs[baseline]
    others = [run for at, run in enumerate(runs) if at != baseline]
    if by_hand and len(others) > 1:
        raise _invalid("pairs", "targets are paired by hand between two runs: name two, or name `columns`")
    chosen = _chosen(by_hand, base, others[0])
    pairings = {run.id: pair_targets(_targets(base), _targets(run), chosen) for run in others}
    matched = {
        run_id: {pair.baseline: pair.candidate for pair in pairing.pairs} for run_id, pairing in pairings.items()
    }
    complete = [
        target.id for target in base.targets if all(target.id in counterparts for counterparts in matched.values())
    ]
    if not complete:
        reasons = "; ".join(
            f"'{target.label}': {target.reason}" for target in _unpaired(base, others, pairings, complete)
        )
        message = (
            f"no targets of these runs belong together ({reasons}). Pair them by hand: `pairs`, or "
            "`llmbench compare … --pair BASELINE=CANDIDATE`"
        )
        raise Problem(422, "Nothing to compare", message, errors=[FieldError("run_ids", message)])
    return PairedRuns(
        sets=[
            [ColumnRef(run.id, target_id if run.id == base.id else matched[run.id][target_id]) for run in runs]
            for target_id in complete
        ],
        paired_by={pair.candidate: pair.paired_by for pairing in pairings.values() for pair in pairing.pairs},
        unpaired=_unpaired(base, others, pairings, complete),
    )


def _targets(run: RunSummary) -> list[PairedTarget]:
    return [_target(target) for target in run.targets]


def _target(target: TargetOut) -> PairedTarget:
    settings = settings_of(target.params.model_dump(mode="json"))
    if target.prompt is not None:
        settings["prompt"] = f"{target.prompt.name} v{target.prompt.number}"
    return PairedTarget(target.id, target.label, target.provider_name, target.model, settings)


def _chosen(by_hand: Sequence[tuple[UUID, UUID]], base: RunSummary, other: RunSummary) -> list[tuple[UUID, UUID]]:
    for run, ids in (
        (base, [baseline for baseline, _ in by_hand]),
        (other, [candidate for _, candidate in by_hand]),
    ):
        labels = {target.id: target.label for target in run.targets}
        for at, id_ in enumerate(ids):
            if id_ not in labels:
                known = ", ".join(f"'{target.label}' ({target.id})" for target in run.targets)
                raise _invalid("pairs", f"'{run.name}' has no target {id_}: it has {known}")
            if id_ in ids[:at]:
                raise _invalid("pairs", f"'{labels[id_]}' of '{run.name}' is in two pairs: a target is in one")
    return list(by_hand)


def _unpaired(
    base: RunSummary, others: Sequence[RunSummary], pairings: Mapping[UUID, Pairing], complete: Sequence[UUID]
) -> list[UnpairedTarget]:
    """Return the targets that are not compared, each with a reason: first those of the baseline, then those of the
    other runs. If several runs have no counterpart of a baseline's target, its reason names the first of these runs."""
    targets: dict[UUID, UnpairedTarget] = {}
    for run in others:
        for unpaired in pairings[run.id].only_baseline:
            targets.setdefault(unpaired.target.id, _shown(base, run, unpaired))
    for run in others:
        for unpaired in pairings[run.id].only_candidate:
            targets[unpaired.target.id] = _shown(run, base, unpaired)
        targets |= {target.target_id: target for target in _dropped(run, base, pairings[run.id], complete)}
    return list(targets.values())


def _dropped(run: RunSummary, base: RunSummary, pairing: Pairing, complete: Sequence[UUID]) -> Iterable[UnpairedTarget]:
    """Yield the targets of `run` that are paired with a target of the baseline, but still not compared. The reason is
    that a third run has no counterpart of that target of the baseline."""
    labels = {target.id: target.label for target in (*run.targets, *base.targets)}
    for pair in pairing.pairs:
        if pair.baseline not in complete:
            reason = f"'{labels[pair.baseline]}' of '{base.name}', its counterpart, has none in another run"
            yield _unpaired_target(run, pair.candidate, labels[pair.candidate], reason)


def _shown(run: RunSummary, other: RunSummary, unpaired: Unpaired) -> UnpairedTarget:
    return _unpaired_target(run, unpaired.target.id, unpaired.target.label, _reason(unpaired, other.name))


def _unpaired_target(run: RunSummary, target_id: UUID, label: str, reason: str) -> UnpairedTarget:
    return UnpairedTarget(run_id=run.id, run_name=run.name, target_id=target_id, label=label, reason=reason)


def _reason(unpaired: Unpaired, other: str) -> str:
    if not unpaired.alike:
        return f"no target of '{other}' that is left has its label or its model"
    names = ", ".join(f"'{label}'" for label in unpaired.alike)
    has = "has" if len(unpaired.alike) == 1 else "have"
    return f"{names} of '{other}' {has} its model, but neither labels nor parameters tell which belong together"


def _invalid(field_: str, message: str) -> Problem:
    return Problem(422, "Invalid request", f"{field_}: {message}", errors=[FieldError(field_, message)])
