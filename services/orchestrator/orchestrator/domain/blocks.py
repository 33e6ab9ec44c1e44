"""How a run is cut into blocks, whose figures are counted by themselves and summed.

A block is some cases with all their answers, of every target and epoch: a cluster that is one case is never cut in two.
A conversation or a document may be, and its parts are added up when figures are read.

Items go by position: every case once for the first answer, then all of them for the next. So a run that goes from item
to item changes one block after the other, and a block is a range of positions per answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass

ITEMS_PER_BLOCK = 1000


@dataclass(frozen=True)
class Blocks:
    """`answers`: how many each case gets, over all targets and epochs."""

    cases: int
    answers: int
    block_cases: int

    @property
    def count(self) -> int:
        return -(-self.cases // self.block_cases)

    def ranges(self, block: int) -> Iterator[tuple[int, int]]:
        """The first and the last position of each of its ranges.

        >>> list(Blocks(cases=5, answers=2, block_cases=2).ranges(2))
        [(4, 4), (9, 9)]
        """
        first = block * self.block_cases
        last = min(first + self.block_cases, self.cases) - 1
        for answer in range(self.answers):
            yield answer * self.cases + first, answer * self.cases + last


def cut(*, cases: int, answers: int) -> Blocks:
    """Blocks of about `ITEMS_PER_BLOCK` items."""
    return Blocks(cases, answers, max(1, ITEMS_PER_BLOCK // answers))
