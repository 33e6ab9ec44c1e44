"""Check two organisations with runs at the same time: nothing of one is shown to the other, and machines are shared."""

import math
from collections.abc import Iterator

from tests.chaos.checks import check
from tests.chaos.evidence import Evidence, Row
from tests.chaos.plan import Plan


@check
def neighbours(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that the second organisation's run is complete, and that neither organisation has or sees the other's."""
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
def one_machine(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that models of the two organisations on the local provider were never called at the same time."""
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
