"""Test which targets of two runs are paired, by which property, and which remain without a partner."""

from typing import Any
from uuid import UUID

from orchestrator.comparison.domain.target_pairs import (
    Difference,
    PairedBy,
    PairedTarget,
    differences,
    pair_targets,
    settings_of,
)


def target(number: int, label: str, model: str = "gpt", *, provider: str = "OpenAI", **params: Any) -> PairedTarget:
    return PairedTarget(UUID(int=number), label, provider, model, settings_of(params))


def paired(
    baseline: list[PairedTarget], candidate: list[PairedTarget], *by_hand: tuple[str, str]
) -> dict[tuple[str, str], PairedBy]:
    labels = {each_target.id: each_target.label for each_target in (*baseline, *candidate)}
    ids = {
        side: {each_target.label: each_target.id for each_target in targets}
        for side, targets in ((0, baseline), (1, candidate))
    }
    found = pair_targets(baseline, candidate, [(ids[0][one], ids[1][other]) for one, other in by_hand])
    return {(labels[pair.baseline], labels[pair.candidate]): pair.paired_by for pair in found.pairs}


def test_targets_with_the_same_label_are_paired_even_if_the_model_changed() -> None:
    before = [target(1, "small", "a"), target(2, "large", "b")]
    after = [target(3, "large", "a", temperature=1), target(4, "small", "b")]
    assert paired(before, after) == {("small", "small"): PairedBy.LABEL, ("large", "large"): PairedBy.LABEL}


def test_renamed_targets_are_paired_by_parameters_before_the_model_alone() -> None:
    before = [target(1, "cold", temperature=0), target(2, "hot", temperature=1), target(3, "other", "llama")]
    after = [target(4, "h", temperature=1), target(5, "c", temperature=0), target(6, "o", "llama", seed=1)]
    assert paired(before, after) == {
        ("cold", "c"): PairedBy.PARAMETERS,
        ("hot", "h"): PairedBy.PARAMETERS,
        ("other", "o"): PairedBy.MODEL,
    }


def test_renamed_target_is_paired_with_what_the_labels_leave_over() -> None:
    before = [target(1, "first"), target(2, "second")]
    after = [target(3, "first"), target(4, "renamed", temperature=1)]
    assert paired(before, after) == {("first", "first"): PairedBy.LABEL, ("second", "renamed"): PairedBy.MODEL}


def test_provider_decides_between_targets_of_one_model_only() -> None:
    before = [target(1, "a", provider="OpenAI"), target(2, "b", provider="Azure")]
    after = [target(3, "x", provider="Azure"), target(4, "y", provider="OpenAI")]
    assert paired(before, after) == {("a", "y"): PairedBy.PARAMETERS, ("b", "x"): PairedBy.PARAMETERS}
    assert paired([before[0], target(5, "l", "llama")], [after[0], target(6, "m", "mistral")]) == {
        ("a", "x"): PairedBy.PARAMETERS
    }


def test_identical_targets_are_not_paired_automatically() -> None:
    before = [target(1, "a"), target(2, "b")]
    after = [target(3, "x"), target(4, "y")]
    assert paired(before, after) == {}
    found = pair_targets(before, after)
    assert [(unpaired.target.label, unpaired.alike) for unpaired in found.only_baseline] == [
        ("a", ["x", "y"]),
        ("b", ["x", "y"]),
    ]
    assert [unpaired.target.label for unpaired in found.only_candidate] == ["x", "y"]
    # When the user fixes one pair, only one way remains to pair the others.
    assert paired(before, after, ("a", "y")) == {("a", "y"): PairedBy.HAND, ("b", "x"): PairedBy.PARAMETERS}


def test_pair_chosen_by_the_user_takes_precedence_over_labels() -> None:
    before = [target(1, "a"), target(2, "b", "llama")]
    after = [target(3, "a"), target(4, "b", "llama")]
    assert paired(before, after, ("a", "b")) == {("a", "b"): PairedBy.HAND}


def test_only_targets_of_two_runs_are_paired_whatever_their_models() -> None:
    assert paired([target(1, "a")], [target(2, "b", "llama")]) == {("a", "b"): PairedBy.ONLY_TARGETS}
    assert paired([target(1, "a")], [target(2, "b", "llama"), target(3, "c", "mistral")]) == {}


def test_differences_list_the_settings_that_changed() -> None:
    before = target(1, "a", temperature=0.0, options={"num_ctx": 2048}, stop=["."])
    after = target(2, "a", "gpt-next", provider="Azure", temperature=0.5, system_prompt="x" * 900, stop=["."])
    found = differences(before, after)
    assert found[:4] == [
        Difference("model", "gpt", "gpt-next"),
        Difference("provider", "OpenAI", "Azure"),
        Difference("options.num_ctx", "2048", None),
        Difference("system_prompt", None, "x" * 199 + "…"),
    ]
    assert found[4:] == [Difference("temperature", "0", "0.5")]
    assert differences(before, before) == []
