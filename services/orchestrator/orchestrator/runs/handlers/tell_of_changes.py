"""Report the gateway's changes of a request or an answer in the run's warnings and log."""

from llmbench.contracts.outcome import Answered, Refused
from orchestrator.kernel.domain.records import Group
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.ports.transaction import RunRecords


def tell_of_changes(
    ledger: Ledger[RunRecords], group: Group, outcome: Answered | Refused, *, whose: str, task_id: str
) -> None:
    """Store a warning with the run for each change that the gateway made to this request of a target or a judge. If the
    gateway removed secrets from the answer, store a warning and add a log line. Equal warnings are stored only once.

    `whose` names the target or the judge in the messages, and `task_id` the answered task.
    """
    for adaptation in outcome.adaptations if isinstance(outcome, Answered) else ():
        ledger.warn(Warning("adapted_request", f"{whose}: {adaptation}"), group)
    if outcome.redactions:
        message = (
            f"{whose}: the provider repeats a secret of its headers in its answers. Each is replaced by •••, and "
            f"the answers are scored so. Use another key, and ask the provider why."
        )
        ledger.warn(Warning("repeated_secret", message), group)
        places = "1 place" if outcome.redactions == 1 else f"{outcome.redactions} places"
        ledger.note(f"{task_id}: {whose} repeated a secret in {places}, each replaced by •••", "warning", group)
