"""Decide about each treatment, and about the experiment. A method may only decide when its stopping rule permits it."""

from collections.abc import Sequence

from orchestrator.experiments.domain.analysis.comparing import Compared
from orchestrator.experiments.domain.analysis.guarding import all_passed, any_lost
from orchestrator.experiments.domain.analysis.types import AnalysisSetup, GuardrailResult, State
from orchestrator.experiments.domain.words import Method

OUT = frozenset({State.SHIP, State.ROLL_BACK, State.HARMFUL, State.FUTILE})
"""The states in which a treatment gets no more calls. Only sequential experiments reach them before the sample is
complete."""

_OPEN_FIRST = (State.N_LEFT, State.REVIEW, State.LIMIT, State.FUTILE, State.ROLL_BACK, State.HARMFUL)


def decide_treatment(
    setup: AnalysisSetup, compared: Compared, guardrails: Sequence[GuardrailResult], *, final: bool
) -> State:
    """Return the state of a treatment. The caller has checked that its data can be trusted. `final` is true if no more
    calls will be made."""
    complete = compared.sample.ended >= setup.planned
    if setup.is_bandit:
        return State.REVIEW if complete else State.LIMIT if final else State.N_LEFT
    if setup.method is Method.SEQUENTIAL:
        return _sequential(setup, compared, guardrails, last=complete or final)
    if not complete:
        return State.LIMIT if final else State.N_LEFT
    if any_lost(guardrails):
        return State.HARMFUL
    if compared.better:
        return State.SHIP if all_passed(guardrails) else State.REVIEW
    if compared.worse:
        return State.ROLL_BACK
    return State.FUTILE if _futile(setup, compared) else State.REVIEW


def _sequential(
    setup: AnalysisSetup, compared: Compared, guardrails: Sequence[GuardrailResult], *, last: bool
) -> State:
    if any_lost(guardrails):
        return State.HARMFUL
    if compared.sample.ended >= setup.minimum:
        if compared.worse:
            return State.ROLL_BACK
        if compared.better:
            if all_passed(guardrails):
                return State.SHIP
            return State.REVIEW if last else State.N_LEFT
        if _futile(setup, compared):
            return State.FUTILE
    return State.LIMIT if last else State.N_LEFT


def _futile(setup: AnalysisSetup, compared: Compared) -> bool:
    return compared.high is not None and compared.high < setup.minimum_effect


def decide_experiment(states: Sequence[State], *, healthy: bool) -> State:
    """Return the state of the experiment. It is UNHEALTHY if the data cannot be trusted (`healthy` is false).

    Otherwise it is the first of these states that any treatment has: N_LEFT (undecided), SHIP, and then the other
    states in the order of `_OPEN_FIRST`.
    """
    if not healthy:
        return State.UNHEALTHY
    if State.N_LEFT in states:
        return State.N_LEFT
    if State.SHIP in states:
        return State.SHIP
    return next(state for state in _OPEN_FIRST if state in states)


def may_decide(setup: AnalysisSetup, compared: Compared) -> bool:
    """Return whether guardrails may be decided now: at any time by the sequential method, otherwise only when the
    planned sample is complete."""
    return setup.method is Method.SEQUENTIAL or compared.sample.ended >= setup.planned
