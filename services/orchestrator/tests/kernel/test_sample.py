"""Test that a sample is deterministic and splits no cluster. Also test that each category has its share of a stratified
sample."""

from collections import Counter
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmbench.sampling import allocate
from orchestrator.kernel.domain.sample import MAX_SEED, Sample, SampledCase, Strategy, seed_of, take

SEEDS = st.integers(0, MAX_SEED)
STRATEGIES: st.SearchStrategy[Strategy] = st.sampled_from(("random", "stratified"))


@st.composite
def many_cases(draw: st.DrawFn, *, clustered: bool = True) -> list[SampledCase]:
    groups = st.one_of(st.none(), st.sampled_from("ABC")) if clustered else st.none()
    parts = draw(st.lists(st.tuples(st.sampled_from(("sums", "texts", "code")), groups, groups), max_size=40))
    return [
        SampledCase(UUID(int=place + 1), f"case-{place}", category, key, conversation)
        for place, (category, key, conversation) in enumerate(parts)
    ]


@given(many_cases(), STRATEGIES, SEEDS, st.integers(1, 50), st.permutations(range(40)))
def test_sample_is_the_same_whatever_the_order_of_the_cases(
    cases: list[SampledCase], strategy: Strategy, seed: int, size: int, order: list[int]
) -> None:
    sample = Sample(size, strategy, seed)
    taken = take(cases, sample)
    assert taken == [case.id for case in cases if case.id in set(taken)]
    shuffled = [cases[place] for place in order if place < len(cases)]
    assert set(take(shuffled, sample)) == set(taken)


@given(many_cases(), STRATEGIES, SEEDS, st.integers(1, 50))
def test_complete_clusters_are_taken_until_there_are_enough_cases(
    cases: list[SampledCase], strategy: Strategy, seed: int, size: int
) -> None:
    taken = set(take(cases, Sample(size, strategy, seed)))
    inside = {case.cluster() for case in cases if case.id in taken}
    assert taken == {case.id for case in cases if case.cluster() in inside}
    assert len(taken) >= min(size, len(cases))


@given(many_cases(clustered=False), SEEDS, st.integers(1, 50))
def test_stratified_sample_gives_each_category_its_share_by_largest_remainders(
    cases: list[SampledCase], seed: int, size: int
) -> None:
    taken = set(take(cases, Sample(size, "stratified", seed)))
    found: Counter[str | None] = Counter(case.category for case in cases if case.id in taken)
    totals: dict[str | None, int] = dict(Counter(case.category for case in cases))
    assert found == Counter(allocate(totals, size))
    assert len(taken) == min(size, len(cases))


@given(many_cases(clustered=False), SEEDS, st.integers(1, 39))
def test_smaller_random_sample_is_part_of_a_larger_one(cases: list[SampledCase], seed: int, size: int) -> None:
    smaller, larger = (set(take(cases, Sample(more, "random", seed))) for more in (size, size + 1))
    assert smaller <= larger


@given(many_cases(clustered=False), SEEDS)
def test_case_that_is_added_replaces_at_most_one_case_of_a_random_sample(cases: list[SampledCase], seed: int) -> None:
    before = set(take(cases, Sample(10, "random", seed)))
    after = set(take([*cases, SampledCase(UUID(int=999), "a new case", "sums")], Sample(10, "random", seed)))
    assert len(before - after) <= 1


def test_different_seeds_take_different_cases() -> None:
    cases = [SampledCase(UUID(int=place + 1), f"case-{place}", "sums") for place in range(1000)]
    samples = {tuple(take(cases, Sample(100, "random", seed))) for seed in range(5)}
    assert len(samples) == 5


@pytest.mark.parametrize("size", [5, 6, 1_000_000])
def test_sample_of_more_cases_than_there_are_takes_all(size: int) -> None:
    cases = [SampledCase(UUID(int=place + 1), f"case-{place}", "sums") for place in range(5)]
    assert take(cases, Sample(size, "stratified", 1)) == [case.id for case in cases]


@given(st.text())
def test_seed_of_a_name_is_stable_and_in_bounds(name: str) -> None:
    assert seed_of(name) == seed_of(name)
    assert 0 <= seed_of(name) <= MAX_SEED
