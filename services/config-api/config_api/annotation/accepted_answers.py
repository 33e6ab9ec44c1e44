"""Choose the answers of a run that become the ground truth of their cases, by the labels on which people agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from config_api.annotation.label_schema import PAIR, AnnotationSchema, Field, FieldType
from config_api.annotation.result_schemas import VersionFromConsensus
from config_api.problems import invalid

_KINDS = (FieldType.CLASSIFICATION, FieldType.RATING, FieldType.PAIRWISE)


@dataclass(frozen=True)
class Agreed:
    """The labels of an item that people agree on, by field. Each field has a confidence; `confidence` is the lowest of
    these."""

    labels: Mapping[str, Any]
    confidence: float


@dataclass(frozen=True)
class Truth:
    """The new ground truth of a case: the right `answer`, and the labels that people agree on. `answer` is `None` if
    the labels name no answer."""

    answer: str | None
    agreed: Agreed


@dataclass(frozen=True)
class Accepted:
    """The item whose answer becomes the ground truth of a case. `place` is the index of that answer in the item: 0, or
    1 for the second answer of a pair."""

    item_id: UUID
    place: int
    agreed: Agreed


def deciding_field(schema: AnnotationSchema, wanted: VersionFromConsensus) -> Field:
    """Return the field that decides which answers are accepted.

    Raises a 422 problem if there is no such field, or if the labels in `wanted.accept` do not fit the field.
    """
    fields = [field for field in schema.questions() if field.type in _KINDS and not field.multiple]
    named = [field for field in fields if wanted.field in (None, field.name)]
    if not named:
        raise invalid("field", "name a classification with one option, a rating or a comparison of the task")
    field = next((each for each in named if each.type is FieldType.PAIRWISE), named[0])
    if field.type is FieldType.PAIRWISE:
        if wanted.accept:
            raise invalid("accept", "is not for pairs: the better answer of a pair is accepted")
        return field
    values = field.scale.levels() if field.scale is not None else [option.value for option in field.options]
    if not wanted.accept:
        listed = ", ".join(str(value) for value in values[:20])
        raise invalid("accept", f"name the labels of {field.name!r} that make an answer right, among {listed}")
    if strange := [value for value in wanted.accept if value not in values]:
        raise invalid("accept", f"{str(strange[0])[:60]!r} is no label of {field.name!r}")
    return field


def accepted_answers(
    agreed: Mapping[UUID, Agreed], case_of: Mapping[UUID, UUID], field: Field, accept: Sequence[str | int]
) -> dict[UUID, Accepted]:
    """Return the accepted answer of each case that has one, by case id.

    An answer is accepted if the label of `field` on which people agree is in `accept`. If `field` compares pairs, the
    answer that people prefer is accepted instead. If a case has several accepted answers, the one with the highest
    confidence is taken, or the first of equally confident answers. `case_of` has the id of each item's case.
    """
    found: dict[UUID, Accepted] = {}
    for item_id, each in agreed.items():
        label, case_id = each.labels.get(field.name), case_of.get(item_id)
        if field.type is FieldType.PAIRWISE:
            place = PAIR.index(label) if label in PAIR[:2] else None
        else:
            place = 0 if label in accept else None
        if case_id is None or place is None:
            continue
        before = found.get(case_id)
        if before is None or each.confidence > before.agreed.confidence:
            found[case_id] = Accepted(item_id, place, each)
    return found
