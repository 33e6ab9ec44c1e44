"""Compute how much the annotators of a task agree, and on which labels.

The calculations need numpy. It is imported only when it is first used, so a service without annotation stays small. The
import runs in a thread, so other requests are answered meanwhile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from uuid import UUID

from config_api.annotation.label_schema import PAIR, AnnotationSchema, Field, FieldType
from config_api.annotation.result_schemas import (
    AgreementMetrics,
    CoefficientOut,
    FieldAgreement,
    FieldConsensus,
    PairOut,
)

if TYPE_CHECKING:
    from config_api.annotation.agreement import Coefficient
    from config_api.annotation.consensus import Agreed

MethodName = Literal["majority", "dawid_skene"]
_MOST_PAIRS: Final = 100
_NOT_MEASURED: Final = {
    FieldType.TEXT: "texts are not compared",
    FieldType.SPANS: "spans are not compared",
    FieldType.RANKING: "rankings have Kendall's W per item, as their confidence",
}
_SEVERAL: Final = "labels with several options are not compared"


@dataclass(frozen=True)
class Label:
    """The labels that one annotator gave to one item."""

    id: UUID
    item_id: UUID
    annotator_id: UUID
    labels: Mapping[str, Any]


@dataclass(frozen=True)
class Evaluated:
    """The agreement of a task's annotators. An annotation is the labels that one annotator gave to one item.

    - `consensus`: by item id, the consensus of each field, in the order of the schema.
    - `scores`: by annotation id, the share of other people's labels of the item that equal the annotation's.
    - `rates`: by annotator id, the mean score of the annotator's annotations.
    - `skills`: by annotator id, the share of the annotator's labels that Dawid and Skene's model expects to be right.

    Scores and rates are `None` if there is nothing to compare.
    """

    metrics: AgreementMetrics
    consensus: dict[UUID, list[FieldConsensus]]
    scores: dict[UUID, float | None]
    rates: dict[UUID, float | None]
    skills: dict[UUID, float]


def evaluate(schema: AnnotationSchema, labels: Sequence[Label], method: MethodName) -> Evaluated:
    """Compute the agreement and the consensus of the labels. This can take seconds: run it in a thread."""
    by_field: list[FieldAgreement] = []
    consensus: dict[UUID, list[FieldConsensus]] = defaultdict(list)
    skills: dict[UUID, list[float]] = defaultdict(list)
    for field in schema.questions():
        given = [label for label in labels if label.labels.get(field.name) is not None]
        measured = _measured(field, given, method)
        by_field.append(measured.agreement)
        for item_id, agreed in measured.consensus.items():
            consensus[item_id].append(agreed)
        for annotator_id, skill in measured.skill.items():
            skills[annotator_id].append(skill)
    scores = _scores(schema, labels)
    return Evaluated(
        metrics=_metrics(by_field),
        consensus=dict(consensus),
        scores=scores,
        rates=_rates(labels, scores),
        skills={annotator_id: sum(each) / len(each) for annotator_id, each in skills.items()},
    )


def confidence_of(fields: Sequence[FieldConsensus]) -> float | None:
    """Return the lowest confidence of an item's fields, among the fields that can have a consensus. If such a field has
    none, because several labels have equally many votes, return 0.

    Return `None` if no field can have a consensus.
    """
    measured = [field for field in fields if field.not_measured_because is None]
    if not measured:
        return None
    return min(0.0 if field.value is None else field.confidence or 0.0 for field in measured)


@dataclass(frozen=True)
class _Measured:
    agreement: FieldAgreement
    consensus: dict[UUID, FieldConsensus]
    skill: Mapping[UUID, float]


def _values(field: Field) -> Sequence[str | int]:
    if field.type is FieldType.PAIRWISE:
        return PAIR
    return field.scale.levels() if field.scale is not None else [option.value for option in field.options]


def _measured(field: Field, given: Sequence[Label], method: MethodName) -> _Measured:
    reason = _SEVERAL if field.multiple else _NOT_MEASURED.get(field.type)
    if field.type is FieldType.RANKING:
        return _Measured(_unmeasured(field, str(reason)), _ranked(field, given), {})
    if reason is not None:
        votes = _by_item(given)
        none = {
            item_id: FieldConsensus(
                field=field.name, value=None, confidence=None, votes=len(of_item), not_measured_because=reason
            )
            for item_id, of_item in votes.items()
        }
        return _Measured(_unmeasured(field, reason), none, {})
    return _of_categories(field, given, method)


def _of_categories(field: Field, given: Sequence[Label], method: MethodName) -> _Measured:
    from config_api.annotation import agreement, consensus

    values = _values(field)
    place = {value: index for index, value in enumerate(values)}
    ratings: dict[UUID, dict[UUID, int]] = defaultdict(dict)
    for label in given:
        ratings[label.item_id][label.annotator_id] = place[label.labels[field.name]]
    is_rating = field.type is FieldType.RATING
    level = agreement.Level.ORDINAL if is_rating else agreement.Level.NOMINAL
    numbers = [float(value) for value in values] if is_rating else [float(index) for index in range(len(values))]
    alpha = agreement.krippendorff_alpha(ratings, numbers, level)
    pairs = agreement.cohens_kappas(ratings, len(values), weighted=is_rating)
    pairs.sort(key=lambda pair: -pair.items)
    skills = consensus.dawid_skene(ratings, len(values))
    agreed = skills.agreed if method == "dawid_skene" else consensus.majority(ratings)
    return _Measured(
        FieldAgreement(
            field=field.name,
            level="ordinal" if is_rating else "nominal",
            krippendorff_alpha=_shown(alpha),
            interpretation=agreement.interpretation(alpha.value),
            fleiss_kappa=_shown(agreement.fleiss_kappa(ratings, len(values))),
            cohens_kappas=[PairOut.model_validate(pair, from_attributes=True) for pair in pairs[:_MOST_PAIRS]],
            not_measured_because=None,
        ),
        {item_id: _of_field(field, each, lambda index: values[index]) for item_id, each in agreed.items()},
        skills.skill,
    )


def _ranked(field: Field, given: Sequence[Label]) -> dict[UUID, FieldConsensus]:
    from config_api.annotation.consensus import borda

    values = [option.value for option in field.options]
    found = {}
    for item_id, labels in _by_item(given).items():
        order, agreement = borda([[values.index(value) for value in label.labels[field.name]] for label in labels])
        found[item_id] = FieldConsensus(
            field=field.name,
            value=None if order is None else [values[index] for index in order],
            confidence=agreement,
            votes=len(labels),
            not_measured_because=None,
        )
    return found


def _of_field(field: Field, agreed: Agreed, value_at: Callable[[int], str | int]) -> FieldConsensus:
    return FieldConsensus(
        field=field.name,
        value=None if agreed.value is None else value_at(agreed.value),
        confidence=agreed.confidence,
        votes=agreed.votes,
        not_measured_because=None,
    )


def _unmeasured(field: Field, reason: str) -> FieldAgreement:
    return FieldAgreement(
        field=field.name,
        level=None,
        krippendorff_alpha=None,
        interpretation=None,
        fleiss_kappa=None,
        cohens_kappas=[],
        not_measured_because=reason,
    )


def _shown(coefficient: Coefficient) -> CoefficientOut:
    return CoefficientOut.model_validate(coefficient, from_attributes=True)


def _metrics(fields: Sequence[FieldAgreement]) -> AgreementMetrics:
    first = next((field for field in fields if field.krippendorff_alpha is not None), None)
    if first is None or first.krippendorff_alpha is None or first.fleiss_kappa is None:
        reason = "no field has labels that can be compared"
        return AgreementMetrics(
            krippendorff_alpha=None, fleiss_kappa=None, interpretation=None, undefined_because=reason, fields=[*fields]
        )
    return AgreementMetrics(
        krippendorff_alpha=first.krippendorff_alpha.value,
        fleiss_kappa=first.fleiss_kappa.value,
        interpretation=first.interpretation,
        undefined_because=first.krippendorff_alpha.undefined_because,
        fields=[*fields],
    )


def _by_item(labels: Iterable[Label]) -> dict[UUID, list[Label]]:
    found: dict[UUID, list[Label]] = defaultdict(list)
    for label in labels:
        found[label.item_id].append(label)
    return found


def _scores(schema: AnnotationSchema, labels: Sequence[Label]) -> dict[UUID, float | None]:
    """Return, for each annotation, the share of other people's labels of the same item and field that equal its own
    labels. The share is `None` if there are no such labels. The keys are the annotations' ids.

    Fields of text, spans or several values do not count.
    """
    names = [
        field.name
        for field in schema.questions()
        if not field.multiple and field.type not in (FieldType.TEXT, FieldType.SPANS)
    ]
    scores: dict[UUID, float | None] = {}
    for of_item in _by_item(labels).values():
        for label in of_item:
            same = [
                label.labels[name] == other.labels[name]
                for other in of_item
                if other is not label
                for name in names
                if label.labels.get(name) is not None and other.labels.get(name) is not None
            ]
            scores[label.id] = sum(same) / len(same) if same else None
    return scores


def _rates(labels: Sequence[Label], scores: Mapping[UUID, float | None]) -> dict[UUID, float | None]:
    of_annotator: dict[UUID, list[float]] = defaultdict(list)
    for label in labels:
        score = scores[label.id]
        found = of_annotator[label.annotator_id]
        if score is not None:
            found.append(score)
    return {annotator_id: sum(each) / len(each) if each else None for annotator_id, each in of_annotator.items()}
