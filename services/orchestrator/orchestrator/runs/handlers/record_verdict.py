"""Store the verdict of a finished run's gates and publish it, or request another one."""

from llmbench.contracts.gate_words import GateNews
from llmbench.contracts.run_words import RunStatus
from llmbench.errors import Problem
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import RunRecords, StoredVerdict, Verdicts


async def decide_again(ledger: Ledger[RunRecords]) -> None:
    """Let the run be compared again with the present baselines of its subject (its preset or suite). Raises a 409
    `Problem` if the run is not finished, or has no subject."""
    run = ledger.run
    if run.status is not RunStatus.FINISHED:
        detail = f"The run is {run.status}: its gates are decided when it is finished."
        raise Problem(409, "The run is not finished", detail, extra={"run_status": run.status})
    if not run.gated:
        detail = "The run has no subject, such as a preset, so it has no baseline. Compare it with `llmbench compare`."
        raise Problem(409, "The run has no subject", detail)
    run.gate_due = True
    ledger.status_changed()
    ledger.note("the gates are decided again")


async def record_verdict(ledger: Ledger[Verdicts], verdict: StoredVerdict | None, *, last_seq: int) -> None:
    """Store the verdict of the run's gates, which compare the run with a baseline. A null `verdict` means that the run
    has no gates.

    `last_seq` is the number of the run's last event when its results were read. If the run has changed since, nothing
    is stored, and its results have to be compared again. Nothing is stored either if another orchestrator has stored a
    verdict meanwhile.
    """
    run = ledger.run
    if not run.gate_due or run.status is not RunStatus.FINISHED or run.last_seq != last_seq:
        return
    run.gate_due = False
    if verdict is None:
        await ledger.transaction.drop_verdict()
        ledger.status_changed()
        return
    await ledger.transaction.save_verdict(verdict, ledger.now)
    news = GateNews(verdict=verdict.verdict, passed=verdict.passed, sentence=verdict.sentence)
    ledger.status_changed(news)
    ledger.note(f"gates: {verdict.sentence}", "info" if verdict.passed else "warning")
