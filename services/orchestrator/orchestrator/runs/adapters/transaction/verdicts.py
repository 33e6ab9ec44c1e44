"""Store the verdict of the run's gates."""

from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from llmbench.db import tables as t
from orchestrator.runs.adapters.transaction.records import RecordRows
from orchestrator.runs.ports.transaction import StoredVerdict


class VerdictRows(RecordRows):
    """Implement the port `Verdicts`: save or remove the verdict of the run's gates, which compare the run with a
    baseline."""

    async def save_verdict(self, verdict: StoredVerdict, now: datetime) -> None:
        values = {
            "run_finished_at": self.run.finished_at,
            "verdict": verdict.verdict,
            "body": {"passed": verdict.passed, "sentence": verdict.sentence, "gates": list(verdict.gates)},
            "decided_at": now,
        }
        storing = insert(t.gate_verdict).values(run_id=self.run.id, **values)
        await self._connection.execute(
            storing.on_conflict_do_update(index_elements=[t.gate_verdict.c.run_id], set_=values)
        )

    async def drop_verdict(self) -> None:
        await self._connection.execute(delete(t.gate_verdict).where(t.gate_verdict.c.run_id == self.run.id))
