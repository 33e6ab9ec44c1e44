"""Divide a run into blocks, whose items are counted separately and then summed.

A block consists of some cases with all their answers, over every target and epoch. A cluster of one case is never
split. A conversation or a document may be split; the sums of its parts are added when statistics are read.

Positions of items run through all cases for the first answer, then through all cases for the second, and so on. A run
that proceeds item by item therefore changes one block after another, and each block is one range of positions per
answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass

ITEMS_PER_BLOCK = 1000


@dataclass(frozen=True)
class Blocks:
    """The layout of a run's blocks. `answers` is the number of answers per case, over all targets and epochs."""

    cases: int
    answers: int
    block_cases: int

    @property
    def count(self) -> int:
        return -(-self.cases // self.block_cases)

    def ranges(self, block: int) -> Iterator[tuple[int, int]]:
        """Yield the first and last position of each range of the block.

        >>> list(Blocks(cases=5, answers=2, block_cases=2).ranges(2))
        [(4, 4), (9, 9)]
        """
        first = block * self.block_cases
        last = min(first + self.block_cases, self.cases) - 1
        for answer in range(self.answers):
            yield answer * self.cases + first, answer * self.cases + last


def cut(*, cases: int, answers: int) -> Blocks:
    """Choose the number of cases per block so that a block has about `ITEMS_PER_BLOCK` items."""
    return Blocks(cases, answers, max(1, ITEMS_PER_BLOCK // answers))
