"""Read the results of runs' gates, and the subjects of runs. A subject is the preset or the suite by which the baseline
of a run is found."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from llmbench.contracts.gate_words import GateVerdict
from llmbench.db import tables as t
from orchestrator.kernel.adapters.subjects import names_of, subject_of
from orchestrator.results.ports.gate_schemas import DecidedGate, Role, SubjectOut, VerdictOnRun

_PENDING = VerdictOnRun(verdict=GateVerdict.PENDING, passed=None, sentence=None, decided_at=None)


async def subjects_of(connection: AsyncConnection, runs: Sequence[RowMapping]) -> dict[UUID, SubjectOut]:
    """Return the subjects of runs by run id. `runs` are rows of the table `run`. Runs without a subject are left
    out."""
    subjects = {row["id"]: subject for row in runs if (subject := subject_of(row)) is not None}
    names = await names_of(connection, subjects.values()) if subjects else {}
    return {
        run_id: SubjectOut(kind=subject.kind, id=subject.id, name=names[subject])
        for run_id, subject in subjects.items()
        if subject in names
    }


async def gates_of(connection: AsyncConnection, runs: Sequence[RowMapping]) -> dict[UUID, VerdictOnRun]:
    """Return the result of each run's gates by run id. `runs` are rows of the table `run`. While a run's gates are
    still to be decided, its result is pending. Other runs without a valid result are left out."""
    found = {row["id"]: _PENDING for row in runs if row["gate_due"]}
    for row in await _verdicts(connection, [row for row in runs if row["id"] not in found]):
        found[row["run_id"]] = VerdictOnRun(
            verdict=GateVerdict(row["verdict"]),
            passed=row["body"]["passed"],
            sentence=row["body"]["sentence"],
            decided_at=row["decided_at"],
            baseline_run_id=next(
                (gate["baseline_run_id"] for gate in row["body"]["gates"] if gate["role"] != Role.ANCHOR), None
            ),
        )
    return found


async def decided_gates(connection: AsyncConnection, run: RowMapping) -> list[DecidedGate]:
    """Return the result of each gate of a run. `run` is a row of the table `run`. The list is empty while the run has
    no valid result."""
    rows = [] if run["gate_due"] else await _verdicts(connection, [run])
    return [DecidedGate.model_validate(gate) for row in rows for gate in row["body"]["gates"]]


async def _verdicts(connection: AsyncConnection, runs: Sequence[RowMapping]) -> Sequence[RowMapping]:
    """Return the verdicts on these runs. If a run was reopened after its verdict, the outdated verdict is left out."""
    ended: dict[UUID, Any] = {row["id"]: row["finished_at"] for row in runs if row["finished_at"] is not None}
    if not ended:
        return []
    query = select(t.gate_verdict).where(t.gate_verdict.c.run_id.in_(ended))
    rows = (await connection.execute(query)).mappings().all()
    return [row for row in rows if row["run_finished_at"] == ended[row["run_id"]]]
