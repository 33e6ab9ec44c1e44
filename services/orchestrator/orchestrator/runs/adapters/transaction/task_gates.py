"""Read and save the gates between the tasks of a suite run."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Select, bindparam, select, update

from llmbench.contracts.run_words import ItemStatus, TaskGateStatus
from llmbench.db import tables as t
from orchestrator.kernel.adapters.rows import ITEMS, task_gate_of
from orchestrator.kernel.domain.overall import WeightedScore
from orchestrator.kernel.domain.records import Item, TaskGate
from orchestrator.runs.adapters import new_scores
from orchestrator.runs.adapters import step_statements as statements
from orchestrator.runs.adapters.transaction.records import RecordRows

_KEY = ("target_id", "task", "gating_task")
_STATE = ("status", "score", "scored", "decided_at")


class TaskGateRows(RecordRows):
    """Implement the ports `TaskGates` and `TaskGating`: read and save the gates between a suite's tasks, and read the
    scores by which a gate is decided."""

    async def task_gates(self, status: TaskGateStatus) -> list[TaskGate]:
        return await self._read_gates(statements.task_gates().where(t.run_task_gate.c.status == status))

    async def due_task_gates(self) -> list[TaskGate]:
        return await self._read_gates(statements.due_task_gates())

    async def items_of_tasks(self, target_id: UUID, tasks: Sequence[str], status: ItemStatus) -> list[Item]:
        of_run = ITEMS.where(t.item.c.run_id == self.run.id, t.item.c.status == status)
        return await self._read_items(of_run.where(t.item.c.target_id == target_id, t.item.c.suite_task.in_(tasks)))

    async def save_task_gates(self, gates: Sequence[TaskGate]) -> None:
        gate = t.run_task_gate.c
        saving = update(t.run_task_gate).where(gate.run_id == self.run.id)
        saving = saving.where(*(gate[name] == bindparam(f"of_{name}") for name in _KEY))
        saving = saving.values({name: bindparam(f"new_{name}") for name in _STATE})
        names = {f"of_{name}": name for name in _KEY} | {f"new_{name}": name for name in _STATE}
        rows = [{parameter: getattr(each, name) for parameter, name in names.items()} for each in gates]
        await self._connection.execute(saving, rows)

    async def program_scores(self, gate: TaskGate) -> Mapping[UUID, Sequence[WeightedScore]]:
        of_task = select(t.item.c.id).where(t.item.c.run_id == self.run.id)
        of_task = of_task.where(t.item.c.position.between(gate.first_position, gate.last_position))
        item_ids = (await self._connection.execute(of_task)).scalars().all()
        by_program = (
            select(t.run_evaluator.c.evaluator_revision_id)
            .join(t.run_group, t.run_group.c.id == t.run_evaluator.c.group_id)
            .where(t.run_evaluator.c.run_id == self.run.id, t.run_group.c.provider_id.is_(None))
        )
        revisions = set((await self._connection.execute(by_program)).scalars())
        scores = await self.scores_by_item(item_ids)
        return {id_: [score for score in found if score.revision_id in revisions] for id_, found in scores.items()}

    async def create_scores_of_items(self, item_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        return await new_scores.create_scores_of_items(self._connection, self.run.id, item_ids)

    async def _read_gates(self, query: Select[Any]) -> list[TaskGate]:
        rows = await self._connection.execute(query, {"of_run": self.run.id})
        return [task_gate_of(row) for row in rows.mappings()]
