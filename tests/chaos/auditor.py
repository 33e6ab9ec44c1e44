"""Find contradictions between the traces of a run: database, event stream, broker, browser and ledger.

The ledger is the mock provider's record of all calls that it received.
"""

import math
from collections.abc import Iterator

from tests.chaos.checks import checks
from tests.chaos.evidence import Evidence
from tests.chaos.plan import Plan

ENDS_WITHIN_S = 30.0


def audit(evidence: Evidence, plan: Plan, *, ends_within_s: float = ENDS_WITHIN_S) -> list[str]:
    """Return the violations in the evidence, as texts. Each begins with the name of the check that found it."""
    found = [f"{name}: {said}" for name, check in checks().items() for said in check(evidence, plan)]
    return found + [f"ending: {said}" for said in ending(evidence, ends_within_s)]


def ending(evidence: Evidence, within_s: float) -> Iterator[str]:
    """Yield the violation if the run did not end within `within_s` seconds after the last fault."""
    took = took_after_last_fault(evidence)
    if took is None:
        yield f"the run is {evidence.run['status']}, and did not end"
    elif took > within_s:
        yield f"the run ended {took:.1f} s after the last fault"


def took_after_last_fault(evidence: Evidence) -> float | None:
    """Return the seconds from the last fault or failed call to the run's end.

    The result is 0 without a fault or failed call, and None if the run did not end. A fault while the run waits in the
    queue counts as a fault at the run's start.
    """
    if evidence.finished_at is None:
        return None
    faulty = [call["finished_at"] or math.inf for call in evidence.ledger if not call["answered"]]
    last = max([fault.ended_at for fault in evidence.broken] + faulty, default=evidence.finished_at)
    if evidence.queue is not None:
        last = max(last, evidence.queue.rows[-1]["started_at"])
    return max(0.0, evidence.finished_at - last)
