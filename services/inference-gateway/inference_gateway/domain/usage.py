"""Compute the numbers that a finished call adds to the usage of its day."""

from dataclasses import dataclass

from inference_gateway.domain.call import Command, FinishedCall, purpose_of
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.outcome import Answered
from llmbench.contracts.release_model import ReleaseModel


@dataclass(frozen=True)
class Used:
    """The numbers that one call adds to the usage of its day, in the order of the columns.

    `calls` is 0 for a reused answer and for the release of a model, else 1. `unpriced_calls` is 1 for an answered call
    without a known price. `items` is 1 for an answer to an item of a run, and 0 for a warm-up or a judge's verdict.
    """

    calls: int
    unpriced_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    items: int = 0


def used_by(command: Command, call: FinishedCall) -> Used:
    """Return the numbers that the call adds to the usage of its day. A failed call counts as a call, because the
    provider may charge for it."""
    if isinstance(command, ReleaseModel):
        return Used(calls=0)
    outcome = call.outcome
    if not isinstance(outcome, Answered):
        return Used(calls=1)
    items = int(purpose_of(command) is Purpose.ITEM)
    if call.cached_from is not None:
        return Used(calls=0, items=items)
    return Used(
        calls=1,
        unpriced_calls=int(outcome.cost is None),
        prompt_tokens=outcome.usage.prompt_tokens or 0,
        completion_tokens=outcome.usage.completion_tokens or 0,
        cost_usd=outcome.cost.usd if outcome.cost else 0.0,
        items=items,
    )
