"""Compute ROUGE over words. On ASCII text, the results equal those of the library `rouge-score`, which is not used
because it imports nltk (95 MB, and seconds at the start).

Source: Lin (2004), "ROUGE: A Package for Automatic Evaluation of Summaries"; `rouge-score` 0.1.2.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.domain.cannot_score import CannotScore

MOST_WORDS = 20_000
MOST_LSUM_STEPS = 2_000_000
"""The maximum number of word pairs in `rouge_lsum`, which compares each line of one text with each line of the other.

A pair takes about 1 µs.
"""


@dataclass(frozen=True)
class Rouge:
    """Precision, recall and their harmonic mean `f`, each from 0 to 1; 0 where undefined."""

    f: float
    precision: float
    recall: float


def rouge_n(answer: Sequence[str], reference: Sequence[str], n: int) -> Rouge:
    """Return the overlap of n-grams of words. If a common n-gram occurs twice in one text and three times in the other,
    it counts twice."""
    ours, theirs = _ngrams(answer, n), _ngrams(reference, n)
    return _rouge((ours & theirs).total(), ours.total(), theirs.total())


def rouge_l(answer: Sequence[str], reference: Sequence[str]) -> Rouge:
    """Return the overlap by the longest common subsequence of words."""
    from rapidfuzz.distance import LCSseq

    return _rouge(LCSseq.similarity(answer, reference), len(answer), len(reference))


def rouge_lsum(answer: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]) -> Rouge:
    """Return the overlap of summaries, given as the words of their lines.

    For each line of the reference, the overlap is the union of its longest common subsequences with the lines of the
    answer. Raises `CannotScore` if that would take more than `MOST_LSUM_STEPS` steps.
    """
    words, expected = sum(map(len, answer)), sum(map(len, reference))
    lines = list(dict.fromkeys(map(tuple, answer)))
    steps = expected * (len(lines) + words // 1000) + sum(map(len, lines)) * len(reference)
    if steps > MOST_LSUM_STEPS:
        raise CannotScore(
            f"{expected:,} words in {len(reference):,} lines against {words:,} in {len(answer):,} are too many for "
            "ROUGE-Lsum; use rouge_l or rouge_1."
        )
    placed = [_places(line) for line in lines]
    left = Counter(word for line in answer for word in line)
    due = Counter(word for line in reference for word in line)
    hits = 0
    for line in reference:
        common: set[int] = set()
        for other, places in zip(lines, placed, strict=True):
            if not places.keys().isdisjoint(line):
                common |= _lcs_places(line, other, places)
        for place in sorted(common):
            word = line[place]
            if left[word] > 0 and due[word] > 0:
                hits += 1
                left[word] -= 1
                due[word] -= 1
    return _rouge(hits, words, expected)


def _places(line: Sequence[str]) -> dict[str, int]:
    """Return, for each word, an integer whose bits 1 are the word's positions in the line."""
    positions: dict[str, int] = {}
    for place, word in enumerate(line):
        positions[word] = positions.get(word, 0) | 1 << place
    return positions


def _lcs_places(line: Sequence[str], other: Sequence[str], places: Mapping[str, int]) -> set[int]:
    """Return the positions in `line` of a longest common subsequence with `other`. If there are several, use the one
    that `rouge-score` picks. `places` has the positions of each word of `other` (see `_places`).

    The table has the length of the longest common subsequence of `line[:i]` and `other[:j]`. Its row i is stored as an
    integer (Hyyrö 2004): the length is the number of zeros among the lowest j bits.
    """
    mask = (1 << len(other)) - 1
    row = mask
    rows = [row]
    for word in line:
        matches = places.get(word, 0) & row
        row = ((row + matches) | (row - matches)) & mask
        rows.append(row)
    positions: set[int] = set()
    i, j = len(line), len(other)
    # True when the last word of line[:i] lengthens the subsequence within other[:j] by one.
    grows = _growth(rows, i, j)
    while i and j:
        if line[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            positions.add(i)
        elif grows:
            j -= 1
            grows += (rows[i] >> j & 1) - (rows[i - 1] >> j & 1)
            continue
        else:
            i -= 1
        grows = _growth(rows, i, j) if i else 0
    return positions


def _growth(rows: Sequence[int], i: int, j: int) -> int:
    low = (1 << j) - 1
    return (rows[i - 1] & low).bit_count() - (rows[i] & low).bit_count()


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def _rouge(common: int, answer: int, reference: int) -> Rouge:
    precision = common / answer if answer else 0.0
    recall = common / reference if reference else 0.0
    f = 2 * precision * recall / (precision + recall) if common else 0.0
    return Rouge(f=f, precision=precision, recall=recall)
