"""Check the provider's ledger, its record of calls: their order and concurrency, and that no call is paid twice without
cause."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tests.chaos.checks import check
from tests.chaos.evidence import Evidence, Row
from tests.chaos.plan import Model, Plan

_CLOCK_S = 1.0
"""The tolerance for transit time, in seconds. The provider and this process use the same clock."""


@check
def paid_once(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that no call is answered twice, except calls in flight when a fault lost their answers."""
    times: dict[str, list[Row]] = defaultdict(list)
    for call in evidence.ledger:
        if call["answered"] and call["call_id"]:
            times[call["call_id"]].append(call)
    allowed = [fault.loses * most_at_once(plan) for fault in evidence.broken]
    for call_id, answered in times.items():
        for first, again in pairwise(sorted(answered, key=lambda call: float(call["started_at"]))):
            excuse = next((n for n, left in enumerate(allowed) if left and _between(first, evidence, n, again)), None)
            if excuse is None:
                yield f"call {call_id} of {first['model']} was answered in full twice, and nothing was lost in between"
            else:
                allowed[excuse] -= 1


def paid_again(evidence: Evidence) -> int:
    """Return the number of answered calls that only repeated a call which had been answered before."""
    answered = Counter(call["call_id"] for call in evidence.ledger if call["answered"] and call["call_id"])
    return sum(answered.values()) - len(answered)


def most_at_once(plan: Plan) -> int:
    """Return the highest number of calls that one kill can affect: the sum of the highest concurrencies of models.
    There are `parallel_groups` of them in the sum, because the plan calls so many models at the same time."""
    return sum(sorted((model.concurrency for model in plan.models().values()), reverse=True)[: plan.parallel_groups])


def _between(first: Row, evidence: Evidence, number: int, again: Row) -> bool:
    one = evidence.broken[number]
    return bool(first["finished_at"] <= one.ended_at + _CLOCK_S and again["started_at"] >= one.began_at - _CLOCK_S)


@check
def concurrency(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that no model has more calls in flight than its concurrency.

    Check also that no more models are called at once than `parallel_groups` allows. Two models that are called at once
    must not both be local, and must not belong to one provider.
    """
    models = plan.models()
    moments = sorted(
        moment
        for call in evidence.ledger
        for moment in (
            (call["started_monotonic"], 1, call["model"]),
            (call["finished_monotonic"] or math.inf, 0, call["model"]),
        )
    )
    open_: Counter[str] = Counter()
    told: set[object] = set()
    for at, begins, model in moments:
        open_[model] += 1 if begins else -1
        if open_[model] > models[model].concurrency and model not in told:
            told.add(model)
            yield f"{model} had {open_[model]} calls at once, not {models[model].concurrency} (at {at:.3f})"
        together = tuple(sorted(name for name, count in open_.items() if count))
        if not _may_be_together(plan, [models[name] for name in together]) and together not in told:
            told.add(together)
            yield f"{' and '.join(together)} were called at the same time (at {at:.3f})"


def _may_be_together(plan: Plan, models: Sequence[Model]) -> bool:
    # Each HTTP_JSON service has its own provider.
    own = [plan.services and model.provider > 0 and model in plan.targets for model in models]
    providers = [model.name if is_own else model.provider for model, is_own in zip(models, own, strict=True)]
    return len(models) <= plan.parallel_groups and len(set(providers)) == len(providers)


@check
def phases(evidence: Evidence, plan: Plan) -> Iterator[str]:
    """Check that no judge is called before all calls of the targets have ended."""
    judges = {model.name for model in plan.judges}
    target_calls = [call for call in evidence.ledger if call["model"] not in judges]
    judged = [call["started_monotonic"] for call in evidence.ledger if call["model"] in judges]
    if not judged:
        return
    late = [call for call in target_calls if (call["finished_monotonic"] or math.inf) > min(judged)]
    if late:
        yield f"{len(late)} calls of targets ended after the first call of a judge had begun"
