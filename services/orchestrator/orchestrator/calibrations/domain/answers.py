"""The answers of a run with the scores of one judge, and the labels that people gave them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID


@dataclass(frozen=True)
class JudgedAnswer:
    """An answer of a run. `normalised` (0…1) and `passed` are the judge's verdict; `None` if the judge did not score
    it.

    Answers with the same `cluster` depend on each other. The cluster is their document, conversation or case.
    """

    item_id: UUID
    target_id: UUID
    target: str
    task_id: str
    epoch: int
    cluster: str
    category: str | None
    normalised: float | None
    passed: bool | None


@dataclass(frozen=True)
class Labels:
    """The labels that people gave to one answer, by person. `decision` is the final label if a person decided it, else
    `None`. `is_audit` is true if the answer is in the annotation task's random slice."""

    item_id: UUID
    labels: Mapping[str, float]
    decision: float | None = None
    is_audit: bool = False


@dataclass(frozen=True)
class LabelRow:
    """A label of a file or a request. It names the answer by `item_id`, or by the case with target and epoch.

    `is_word` is true if the label was given as a word such as "pass", which is 1 on a scale from 0 to 1.
    """

    line: int
    label: float
    annotator: str
    item_id: UUID | None = None
    task_id: str | None = None
    target: str | None = None
    epoch: int | None = None
    is_word: bool = False


@dataclass(frozen=True)
class Fault:
    """An error in a row of labels: the number of its line, the field, and the message."""

    line: int
    field: str | None
    message: str


@dataclass(frozen=True)
class Matched:
    """The labels of each answer for which there are rows, and the faults of the rows that cannot be used."""

    labels: list[Labels] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def match(rows: Sequence[LabelRow], answers: Sequence[JudgedAnswer]) -> Matched:
    """Find the answer of each row, and collect the labels by answer. A row becomes a fault if it fits no answer or
    several answers, or if the person has already labelled its answer."""
    by_id = {answer.item_id: answer for answer in answers}
    by_case: dict[str, list[JudgedAnswer]] = {}
    for answer in answers:
        by_case.setdefault(answer.task_id, []).append(answer)
    labels: dict[UUID, dict[str, float]] = {}
    faults: list[Fault] = []
    for row in rows:
        found = _answer_of(row, by_id, by_case)
        if isinstance(found, Fault):
            faults.append(found)
        elif row.annotator in (given := labels.setdefault(found.item_id, {})):
            faults.append(Fault(row.line, "annotator", f"{row.annotator!r} labels this answer twice"))
        else:
            given[row.annotator] = row.label
    return Matched([Labels(item_id, given) for item_id, given in labels.items()], faults)


def _answer_of(
    row: LabelRow, by_id: Mapping[UUID, JudgedAnswer], by_case: Mapping[str, Sequence[JudgedAnswer]]
) -> JudgedAnswer | Fault:
    if row.item_id is not None:
        answer = by_id.get(row.item_id)
        return answer or Fault(row.line, "item_id", f"{row.item_id} is no item of the run")
    name = row.task_id or ""
    of_case = by_case.get(name, [])
    if not of_case:
        return Fault(row.line, "case", f"{name[:80]!r} is no case of the run")
    wanted = [
        answer
        for answer in of_case
        if row.target in (None, answer.target) and (row.epoch is None or row.epoch == answer.epoch)
    ]
    if len(wanted) == 1:
        return wanted[0]
    if not wanted:
        return Fault(row.line, "target", f"no answer to {name[:80]!r} has this target and epoch")
    targets = {answer.target for answer in wanted}
    lacking = "target" if len(targets) > 1 else "epoch"
    return Fault(row.line, lacking, f"is missing: the run has {len(wanted)} answers to {name[:80]!r}")
