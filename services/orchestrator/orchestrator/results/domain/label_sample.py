"""Choose the answers that people label: some by priority, and always a slice that is drawn at random.

Only the random slice may be used to correct statistics (decision 0055), because answers that were chosen by priority
differ from the other answers.
"""

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class Answer:
    """An answer that may be chosen. A higher `urgency` is chosen first; `None` comes last.

    Answers with the same `case` answer the same question, in the same epoch.
    """

    item_id: UUID
    target_id: UUID
    case: Hashable
    urgency: float | None = None


@dataclass(frozen=True)
class CalledAnswer:
    """An answer that can be found by the name of its case, the name of its target, and its epoch."""

    item_id: UUID
    case: str
    target: str
    epoch: int


@dataclass(frozen=True)
class Wanted:
    """The sample that is wanted: `size` answers, or all answers if `size` is null.

    The share `audit_share` of the sample is drawn at random from all answers. The rest is chosen by urgency if
    `by_priority` is true, else also at random. The same seed chooses the same answers.
    """

    size: int | None
    audit_share: float
    seed: int
    by_priority: bool


@dataclass(frozen=True)
class Chosen:
    item_id: UUID
    other_item_id: UUID | None
    is_audit: bool


@dataclass(frozen=True)
class Candidate:
    """A single answer, or a pair of answers, that people may be asked to label. `other_item_id` is the second answer of
    a pair, in the order in which the two are shown; it is null for a single answer."""

    item_id: UUID
    other_item_id: UUID | None
    urgency: float | None


def answer_called(
    case: str, target: str | None, epoch: int | None, answers: Sequence[CalledAnswer]
) -> CalledAnswer | str:
    """Return the only answer with this case, target and epoch. If none or several fit, return a text that says so. A
    target or epoch of `None` fits every answer."""
    of_case = [each for each in answers if each.case == case]
    if not of_case:
        return f"the run has no answer to a case {case[:80]!r}"
    fit = [each for each in of_case if target in (None, each.target) and epoch in (None, each.epoch)]
    if len(fit) == 1:
        return fit[0]
    if not fit:
        return f"no answer to {case[:80]!r} has this target and epoch"
    lacking = "target" if len({each.target for each in fit}) > 1 else "epoch"
    return f"the run has {len(fit)} answers to {case[:80]!r}: name the {lacking}"


def singles_of(answers: Sequence[Answer]) -> list[Candidate]:
    """Return one candidate for each answer, because the answers are shown one by one."""
    return [Candidate(each.item_id, None, each.urgency) for each in answers]


def pairs_of(answers: Sequence[Answer], targets: tuple[UUID, UUID], *, seed: int) -> list[Candidate]:
    """Return the pairs of answers of two targets to the same case. The seed decides which answer comes first."""
    first, second = ({each.case: each for each in answers if each.target_id == target} for target in targets)
    # The order is drawn for all pairs alike, so it does not depend on which of them are chosen.
    chance = random.Random(f"order {seed}")  # noqa: S311
    candidates = []
    for left, right in sorted(_pairs(first, second), key=lambda pair: pair[0].item_id):
        shown = (right, left) if chance.random() < 0.5 else (left, right)
        urgencies = [each.urgency for each in shown if each.urgency is not None]
        candidates.append(Candidate(shown[0].item_id, shown[1].item_id, max(urgencies, default=None)))
    return candidates


def _pairs(first: Mapping[Hashable, Answer], second: Mapping[Hashable, Answer]) -> list[tuple[Answer, Answer]]:
    return [(first[case], second[case]) for case in first if case in second]


def choose(candidates: Sequence[Candidate], wanted: Wanted) -> list[Chosen]:
    """Choose `wanted.size` candidates, and return them in a random order.

    The share `wanted.audit_share` of them is chosen at random. The others are those with the highest `urgency` if
    `wanted.by_priority` is true, else also random. The seed decides the choice and the order, whatever the order of
    `candidates`.
    """
    chance = random.Random(wanted.seed)  # noqa: S311
    drawn = sorted(candidates, key=lambda each: min(each.item_id, each.other_item_id or each.item_id))
    chance.shuffle(drawn)
    total = len(drawn) if wanted.size is None else min(wanted.size, len(drawn))
    audited = round(wanted.audit_share * total)
    rest = drawn[audited:]
    if wanted.by_priority:
        # The sort is stable, so equally urgent answers stay in their random order.
        rest.sort(key=lambda each: (each.urgency is None, -(each.urgency or 0.0)))
    chosen = [Chosen(each.item_id, each.other_item_id, is_audit=True) for each in drawn[:audited]]
    chosen += [Chosen(each.item_id, each.other_item_id, is_audit=False) for each in rest[: total - audited]]
    chance.shuffle(chosen)
    return chosen
