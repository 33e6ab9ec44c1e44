import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.kernel.domain.blocks import ITEMS_PER_BLOCK, cut


@given(cases=st.integers(1, 5000), answers=st.integers(1, 1500))
@pytest.mark.shows("I-07")
def test_blocks_cover_each_position_once_and_never_split_a_case(cases: int, answers: int) -> None:
    blocks = cut(cases=cases, answers=min(answers, 20_000 // cases + 1))
    seen: set[int] = set()
    for block in range(blocks.count):
        for first, last in blocks.ranges(block):
            positions = range(first, last + 1)
            assert positions, "no range is empty"
            # The database computes the block of a position by this formula.
            assert {position % cases // blocks.block_cases for position in positions} == {block}
            assert seen.isdisjoint(positions)
            seen.update(positions)
    assert seen == set(range(cases * blocks.answers))


@given(answers=st.integers(1, 3000))
def test_block_has_about_a_thousand_items(answers: int) -> None:
    items = cut(cases=5000, answers=answers).block_cases * answers
    assert items <= max(ITEMS_PER_BLOCK, answers)
    assert items > ITEMS_PER_BLOCK / 2
