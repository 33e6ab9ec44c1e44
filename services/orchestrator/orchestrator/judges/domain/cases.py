"""A case of a judge check: two answers of which one is better, or one answer that passes or fails."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from llmbench.contracts.case import Case

OWN_SET: Final = "llmbench adversarial 1"
"""The name of the product's own set of cases. A changed set gets another name, so that judges are compared only on the
same cases."""
CHECK: Final = "judge_check"
"""The field of the run's `evaluation` that describes the check."""
PAIR: Final = "pair"
SINGLE: Final = "single"
KIND: Final = "kind"
RIGHT: Final = "right"
REASON: Final = "why"
"""The keys `kind`, `right` and `why` in the metadata of the run's cases. Judges do not see them, because no judge's
prompt contains metadata."""

Kind = Literal["pair", "single"]
Right = Literal["first", "second", "tie", "pass", "fail"]


@dataclass(frozen=True)
class CheckCase:
    """A case of a judge check. `first` and `second` are the answers to judge; `second` is null if there is only one.

    `right` is the right verdict. For a pair it names the better answer, or is `tie`; for a single answer it is `pass`
    or `fail`. `reason` says in a sentence why it is right.
    """

    id: str
    category: str
    question: str
    first: str
    second: str | None
    right: Right
    reason: str | None = None
    context: str | None = None

    @property
    def kind(self) -> Kind:
        return SINGLE if self.second is None else PAIR

    def case(self, id_: UUID) -> Case:
        """Return the case as the run stores it. A pair's second answer is the reference that `pairwise` compares with;
        a single answer has no reference, so the judge has to find out by itself what is right."""
        metadata: dict[str, str] = {KIND: self.kind, RIGHT: self.right}
        if self.reason:
            metadata[REASON] = self.reason
        return Case(
            id=id_,
            task_id=self.id,
            category=self.category,
            question=self.question,
            context=self.context,
            expected_output=self.second,
            metadata=metadata,
        )

    def digest(self) -> bytes:
        content = [self.id, self.category, self.question, self.first, self.second, self.right, self.context]
        return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).digest()


def digest_of(cases: Sequence[CheckCase]) -> str:
    """Return a hash of all cases in their order. Checks of the same cases are comparable."""
    return hashlib.sha256(b"".join(case.digest() for case in cases)).hexdigest()[:16]


def case_problems(cases: Sequence[CheckCase]) -> list[tuple[int, str, str]]:
    """Return the index, the field and the error message of each case that cannot be used."""
    problems: list[tuple[int, str, str]] = []
    seen: dict[str, int] = {}
    for place, case in enumerate(cases):
        allowed = ("pass", "fail") if case.second is None else ("first", "second", "tie")
        if case.right not in allowed:
            what = "a single answer" if case.second is None else "a pair"
            problems.append((place, "right", f"is {case.right!r}; for {what} it is {' or '.join(allowed)}"))
        if case.second is not None and case.first.strip() == case.second.strip():
            problems.append((place, "second", "is the same text as the first answer, so no judge would be asked"))
        if case.id in seen:
            problems.append((place, "id", f"{case.id[:80]!r} is also the id of case {seen[case.id]}"))
        seen.setdefault(case.id, place)
    return problems
