"""Divide a run into blocks of items. The statistics of each block are stored, and added up for the run.

A block consists of some cases with all their answers, over every target and epoch. A cluster that is a single case lies
within one block. A conversation or a document may span several blocks; the sums of its parts are added when statistics
are read.

Each case has the same number of answers. The positions of items begin with the first answer of every case; the second
answer of every case follows, and so on. The items of a block are therefore several ranges of positions: one with the
first answers of its cases, one with the second answers, and so on. A run that answers its items by ascending position
changes one block after another.
"""

from collections.abc import Iterator
from dataclasses import dataclass

ITEMS_PER_BLOCK = 1000


@dataclass(frozen=True)
class Blocks:
    """The division of a run into blocks: groups of cases whose statistics are stored together. Each block has
    `block_cases` cases; the last one may have fewer. Blocks are numbered from 0.

    `cases` is the number of cases of the run, `answers` the number of answers per case over all targets and epochs.
    """

    cases: int
    answers: int
    block_cases: int

    @property
    def count(self) -> int:
        return -(-self.cases // self.block_cases)

    def ranges(self, block: int) -> Iterator[tuple[int, int]]:
        """Yield the first and the last position of each range of items that belong to the block.

        A run with five cases and two answers per case has the first answers at the positions 0 to 4, the second answers
        at 5 to 9. In blocks of two cases, the last block has only the fifth case:

        >>> list(Blocks(cases=5, answers=2, block_cases=2).ranges(2))
        [(4, 4), (9, 9)]
        """
        first = block * self.block_cases
        last = min(first + self.block_cases, self.cases) - 1
        for answer in range(self.answers):
            yield answer * self.cases + first, answer * self.cases + last


def cut(*, cases: int, answers: int) -> Blocks:
    """Divide a run into blocks: groups of cases whose statistics are stored together. A block has at most
    `ITEMS_PER_BLOCK` items, but at least one case. `answers` is the number of answers per case, over all targets and
    epochs."""
    return Blocks(cases, answers, max(1, ITEMS_PER_BLOCK // answers))
