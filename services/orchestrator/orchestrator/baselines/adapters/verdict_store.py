"""Find the runs that are due for a verdict, and the runs with which each has to be compared."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.run_words import RunStatus
from llmbench.db import tables as t
from orchestrator.baselines.ports.store import DueComparison, DueRun, GateToDecide
from orchestrator.kernel.adapters.subjects import is_of, subject_of
from orchestrator.kernel.domain.subject import SubjectKind
from orchestrator.results.ports.gate_schemas import Role


class PostgresVerdictStore:
    """Implement the port `VerdictStore` in PostgreSQL. The engine `everybody` reads the due runs of all organisations;
    the engine `engine` reads one organisation at a time."""

    def __init__(self, engine: AsyncEngine, everybody: AsyncEngine) -> None:
        self._engine = engine
        self._everybody = everybody

    async def due(self, most: int) -> Sequence[DueRun]:
        query = select(t.run.c.id, t.run.c.org_id).where(t.run.c.gate_due, t.run.c.status == RunStatus.FINISHED)
        async with self._everybody.connect() as connection:
            rows = await connection.execute(query.order_by(t.run.c.finished_at).limit(most))
            return [DueRun(row.id, row.org_id) for row in rows]

    async def comparison(self, run_id: UUID) -> DueComparison | None:
        query = select(t.run).where(t.run.c.id == run_id, t.run.c.gate_due)
        async with self._engine.connect() as connection:
            run = (await connection.execute(query)).mappings().one_or_none()
            if run is None:
                return None
            subject = subject_of(run)
            if subject is None:
                return DueComparison(run["last_seq"], [])
            gates = (
                select(t.gate, t.baseline.c.label, t.baseline.c.run_id, t.baseline.c.anchor_run_id)
                .join(t.baseline, t.baseline.c.id == t.gate.c.baseline_id)
                .where(is_of(t.baseline, subject))
                .order_by(t.baseline.c.id, t.gate.c.id)
            )
            if run["baseline_label"] is not None:
                gates = gates.where(t.baseline.c.label == run["baseline_label"])
            rows = (await connection.execute(gates)).mappings().all()
        of_suite = subject.kind is SubjectKind.SUITE
        return DueComparison(run["last_seq"], [gate for row in rows for gate in _to_decide(row, of_suite=of_suite)])


def _to_decide(row: RowMapping, *, of_suite: bool) -> Iterator[GateToDecide]:
    """Yield the row's gate with the baseline as the run to compare with. If the anchor is a run other than the
    baseline, yield the gate again, with the anchor."""
    both = row["run_id"] == row["anchor_run_id"]
    others = [(Role.BOTH if both else Role.BASELINE, row["run_id"])]
    for role, other in others if both else [*others, (Role.ANCHOR, row["anchor_run_id"])]:
        yield GateToDecide(
            gate_id=row["id"],
            baseline_id=row["baseline_id"],
            label=row["label"],
            role=role,
            baseline_run_id=other,
            of_suite=of_suite,
            metric=row["metric"],
            task=row["task"],
            margin=row["margin"],
            undecided=row["undecided"],
            cluster_by=row["cluster_by"],
        )
