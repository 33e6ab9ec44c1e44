"""Test how the results of several gates become one verdict, and that *worse* needs more evidence if there are more
gates."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmbench.contracts.gate_words import GateVerdict
from orchestrator.baselines.domain.run_verdict import GateOutcome, combined
from orchestrator.comparison.domain.clusters import ClusterSums
from orchestrator.comparison.domain.coverage import GatePair
from orchestrator.comparison.domain.gate import GateState, decide_gate

DECIDED = [verdict for verdict in GateVerdict if verdict is not GateVerdict.PENDING]


def outcome(verdict: GateVerdict, *, lower: bool = False, forgives: bool = False) -> GateOutcome:
    return GateOutcome(verdict, "against main", "because", lower_than_baseline=lower, forgives_undecided=forgives)


outcomes = st.builds(outcome, st.sampled_from(DECIDED), lower=st.booleans(), forgives=st.booleans())


@pytest.mark.parametrize(
    ("verdict", "lower", "forgives", "passed"),
    [
        (GateVerdict.FINE, False, False, True),
        (GateVerdict.WORSE, False, True, False),
        (GateVerdict.LOW_COVERAGE, False, True, False),
        (GateVerdict.NOT_JUDGED, False, True, False),
        (GateVerdict.UNDECIDED, False, False, False),
        (GateVerdict.UNDECIDED, False, True, True),
        (GateVerdict.UNDECIDED, True, True, False),
    ],
)
def test_only_fine_and_forgiven_undecided_gates_pass(
    verdict: GateVerdict, lower: bool, forgives: bool, passed: bool
) -> None:
    result = combined([outcome(verdict, lower=lower, forgives=forgives)])
    assert (result.verdict, result.passed) == (verdict, passed)
    assert result.sentence == f"{verdict}: against main: because"


@given(st.lists(outcomes, min_size=1, max_size=6))
def test_run_passes_only_if_every_gate_passes_and_is_fine_only_if_every_gate_is(gates: list[GateOutcome]) -> None:
    result = combined(gates)
    assert result.passed == all(gate.passed for gate in gates)
    assert (result.verdict is GateVerdict.FINE) == all(gate.verdict is GateVerdict.FINE for gate in gates)
    assert result.verdict in {gate.verdict for gate in gates}
    assert (result.verdict is GateVerdict.WORSE) == any(gate.verdict is GateVerdict.WORSE for gate in gates)


@given(st.lists(outcomes, min_size=1, max_size=4), outcomes)
def test_further_gate_never_improves_a_verdict(gates: list[GateOutcome], further: GateOutcome) -> None:
    assert not combined([*gates, further]).passed or combined(gates).passed


def test_sentence_names_the_gate_that_keeps_the_run_from_passing() -> None:
    forgiven = GateOutcome(GateVerdict.UNDECIDED, "against main", "forgiven", forgives_undecided=True)
    decides = GateOutcome(GateVerdict.UNDECIDED, "the anchor of main", "decides")
    sentence = combined([forgiven, decides]).sentence
    assert sentence == "undecided: the anchor of main: decides (1 more gate is undecided)"
    fine = [outcome(GateVerdict.FINE), outcome(GateVerdict.FINE)]
    assert combined(fine).sentence == "fine: 2 gates, each rules its margin out"


def test_larger_family_turns_worse_into_undecided_and_never_changes_fine() -> None:
    """The more pairs of targets are decided together, the more evidence *worse* needs: a small loss becomes
    *undecided*. The evidence for *fine* does not depend on the number of pairs."""
    states = []
    for loss, family in product((0.0, 0.067, 0.2), (1, 40)):
        sums = ClusterSums.of([-loss + 0.1 * (case % 5 - 2) for case in range(300)])
        decided = decide_gate([GatePair(sums, 300, 300)], margin=0.05, family=family)
        states.append(decided.state)
    fine, worse, undecided = GateState.FINE, GateState.WORSE, GateState.UNDECIDED
    assert states == [fine, fine, worse, undecided, worse, worse]
