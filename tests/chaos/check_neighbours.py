"""Check two organisations that have runs at the same time. Neither sees the other's run or uses the other's key, and
they use the local provider one after the other."""

import math
from collections.abc import Iterator

from tests.chaos.checks import check
from tests.chaos.evidence import Evidence, Row
from tests.chaos.plan import Plan


@check
def neighbours(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that the second organisation's run is complete, and that neither organisation has rows of the other's run,
    or was shown any of it."""
    both = evidence.neighbours
    if both is None:
        return
    if (both.run["status"], both.run["outcome"]) != ("FINISHED", "complete"):
        yield f"the neighbour's run is {both.run['status']}, {both.run['outcome']}: {both.run['status_reason']}"
    open_ = [item["task_id"] for item in both.items if item["status"] != "COMPLETED"]
    if open_ or len(both.items) != both.run["counts"]["items"]:
        yield f"the neighbour's items {open_} of {len(both.items)} are not completed"
    for table, count in both.misplaced.items():
        yield f"{count} rows of {table} belong to the other organisation"
    yield from both.shown


@check
def own_keys(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that each organisation's calls had its own provider key."""
    both = evidence.neighbours
    if both is None:
        return
    for whose, calls, key in (("the run's", evidence.ledger, None), ("the neighbour's", both.ledger, both.key)):
        wrong = {call["model"] for call in calls if call["key"] != key}
        if wrong:
            yield f"{whose} calls of {', '.join(sorted(wrong))} had another organisation's key"


@check
def one_machine(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that the local provider was never called by both organisations at the same time."""
    both = evidence.neighbours
    if both is None:
        return
    local = {name for name, model in plan.models().items() if model.provider == 0}
    for ours in evidence.ledger:
        for theirs in both.ledger:
            if ours["model"] in local and _overlap(ours, theirs):
                yield f"{ours['model']} and the neighbour's {theirs['model']} were called at the same time"
                return


def _overlap(one: Row, other: Row) -> bool:
    return bool(
        one["started_monotonic"] < (other["finished_monotonic"] or math.inf)
        and other["started_monotonic"] < (one["finished_monotonic"] or math.inf)
    )
