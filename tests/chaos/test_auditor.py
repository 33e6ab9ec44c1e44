"""Test that the auditor reports each kind of violation, using manipulated evidence."""

import copy
from dataclasses import replace

import pytest

from tests.chaos.auditor import audit, ending
from tests.chaos.check_calls import concurrency, paid_once
from tests.chaos.checks import checks
from tests.chaos.doctored import DOCTORED, Doctoring, repeated_call, two_groups_at_once
from tests.chaos.evidence import Broken
from tests.chaos.sound import PLAN, sound

pytestmark = pytest.mark.never_rerun


@pytest.mark.parametrize(("check", "says", "doctoring"), DOCTORED, ids=[one.__name__ for _, _, one in DOCTORED])
def test_auditor_finds_the_manipulated_evidence(check: str, says: str, doctoring: Doctoring) -> None:
    evidence = copy.deepcopy(sound())
    found = audit(doctoring(evidence) or evidence, PLAN)
    assert any(violation.startswith(f"{check}: ") and says in violation for violation in found), found


def test_sound_evidence_has_no_violations() -> None:
    assert audit(sound(), PLAN) == []


def test_run_that_ended_before_any_fault_is_not_late() -> None:
    unbroken = replace(sound(), broken=[], finished_at=1_795_378_987.4)
    for call in unbroken.ledger:
        call["answered"] = True
    assert list(ending(unbroken, 30.0)) == []


@pytest.mark.parametrize(
    ("parallel_groups", "providers", "may_be"),
    [(2, (1, 2), True), (2, (0, 1), True), (2, (1, 1), False), (2, (0, 0), False), (1, (1, 2), False)],
)
def test_models_of_different_providers_may_be_called_at_once_when_the_plan_says_so(
    parallel_groups: int, providers: tuple[int, int], may_be: bool
) -> None:
    evidence = sound()
    two_groups_at_once(evidence)
    targets = tuple(replace(model, provider=at) for model, at in zip(PLAN.targets, providers, strict=True))
    plan = replace(PLAN, targets=targets, parallel_groups=parallel_groups)
    assert (list(concurrency(evidence, plan)) == []) is may_be


def test_stream_may_lack_messages_that_a_fault_purged() -> None:
    evidence = sound()
    del evidence.stream[:3]
    forgetful = replace(evidence, broken=[Broken("purge the streams", {}, 2.5, 3.0, 0, forgets=True)])
    assert audit(forgetful, PLAN) == []


def test_every_check_has_manipulated_evidence() -> None:
    assert {check for check, _, _ in DOCTORED} == {*checks(), ending.__name__}


def test_call_in_flight_at_a_kill_may_be_repeated() -> None:
    evidence = sound()
    repeated = [repeated_call(evidence, 2, at=20.0), repeated_call(evidence, 3, at=21.0)]
    evidence.ledger.extend(repeated)
    # Beta's concurrency is 2, so a kill may cause two repeated calls.
    assert list(paid_once(evidence, PLAN)) == []
