"""Define the schema of labels, which says what people are asked about an item, and check the labels that they give.

A schema asks for one label (`type` with its options or scale) or for several named fields. Both become a list of
`Field`s: a schema without `fields` has the single field `label`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Self

from pydantic import Field as Bounded
from pydantic import PrivateAttr, model_validator

from config_api.bodies import Input, Name, OptionalText, Text
from llmbench.errors import FieldError

MOST_FIELDS = 20
MOST_OPTIONS = 100
MOST_SPANS = 200
MOST_TEXT_CHARACTERS = 20_000
SINGLE_FIELD = "label"
"""The name of the only field of a schema that has no `fields`."""
PAIR: Final = ("a", "b", "tie")
"""The labels of a pairwise comparison: the first answer is better, the second one is, or neither."""

Identifier = Annotated[str, Bounded(min_length=1, max_length=60, pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
OptionValue = Annotated[Name, Bounded(max_length=60)]


class FieldType(StrEnum):
    CLASSIFICATION = "classification"
    RATING = "rating"
    RANKING = "ranking"
    TEXT = "text"
    PAIRWISE = "pairwise"
    SPANS = "spans"


WITH_OPTIONS: Final = frozenset({FieldType.CLASSIFICATION, FieldType.RANKING, FieldType.SPANS})


class Option(Input):
    value: OptionValue
    label: OptionalText = None
    description: OptionalText = None


class Scale(Input):
    """A rating scale: the whole numbers from `min` to `max`. `labels` names some of these numbers in words."""

    min: int = Bounded(ge=-100, le=100)
    max: int = Bounded(ge=-100, le=100)
    labels: dict[str, Annotated[str, Bounded(max_length=200)]] = Bounded(default_factory=dict, max_length=201)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min >= self.max:
            raise ValueError("min must be below max")
        levels = {str(level) for level in self.levels()}
        if unknown := sorted(set(self.labels) - levels):
            raise ValueError(f"labels: {unknown[0]!r} is no level of the scale")
        return self

    def levels(self) -> range:
        return range(self.min, self.max + 1)


class Condition(Input):
    """The condition under which a field is asked for: the label of the earlier field `field` is one of `values`."""

    field: Identifier
    values: list[str | int] = Bounded(min_length=1, max_length=MOST_OPTIONS)


class Question(Input):
    """A question without its name: the type, and the options or the scale that belong to it."""

    type: FieldType
    options: list[Option] = Bounded(default_factory=list, max_length=MOST_OPTIONS)
    scale: Scale | None = None
    multiple: bool = Bounded(default=False, description="Several options may be chosen (classification only).")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.type in WITH_OPTIONS:
            values = [option.value for option in self.options]
            if len(values) < (1 if self.type is FieldType.SPANS else 2):
                raise ValueError(f"a {self.type} needs options")
            if twice := [value for value, count in Counter(values).items() if count > 1]:
                raise ValueError(f"options: {twice[0]!r} is there twice")
        elif self.options:
            raise ValueError(f"a {self.type} has no options")
        if (self.type is FieldType.RATING) != (self.scale is not None):
            raise ValueError("a rating needs a scale, and nothing else has one")
        if self.multiple and self.type is not FieldType.CLASSIFICATION:
            raise ValueError("only a classification may be multiple")
        return self


class Field(Question):
    """A question with its name: one of the questions that annotators answer about an item."""

    name: Identifier
    title: OptionalText = None
    help: OptionalText = None
    required: bool = True
    only_if: Condition | None = None


class AnnotationSchema(Input):
    """The questions about each item: one label, described by `type`, or several `fields`."""

    type: FieldType | None = None
    options: list[Option] = Bounded(default_factory=list, max_length=MOST_OPTIONS)
    scale: Scale | None = None
    multiple: bool = False
    fields: list[Field] = Bounded(default_factory=list, max_length=MOST_FIELDS)
    # The single field of a schema without `fields`. It is built once, because each label is checked against it.
    _single: list[Field] = PrivateAttr(default_factory=list)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.fields) == (self.type is not None):
            raise ValueError("name a type, or a list of fields: one of the two")
        if self.fields and (self.options or self.scale or self.multiple):
            raise ValueError("with fields, options and scale belong to the fields")
        if self.type is not None:
            asked = {"type": self.type, "options": self.options, "scale": self.scale, "multiple": self.multiple}
            self._single = [Field.model_validate({"name": SINGLE_FIELD, **asked})]
        _check_fields(self.fields)
        return self

    def questions(self) -> list[Field]:
        """Return the fields of the schema, in order."""
        return self._single or self.fields


def _check_fields(fields: Sequence[Field]) -> None:
    before: dict[str, Field] = {}
    for field in fields:
        if field.name in before:
            raise ValueError(f"fields: {field.name!r} is there twice")
        if field.only_if is not None:
            on = before.get(field.only_if.field)
            if on is None:
                raise ValueError(f"{field.name}: only_if names {field.only_if.field!r}, which is no field before it")
            possible = _choices(on)
            if wrong := [value for value in field.only_if.values if value not in possible]:
                raise ValueError(f"{field.name}: only_if: {on.name!r} can't be {wrong[0]!r}")
        before[field.name] = field


def _choices(field: Field) -> Sequence[str | int]:
    if field.type is FieldType.CLASSIFICATION:
        return [option.value for option in field.options]
    if field.type is FieldType.PAIRWISE:
        return PAIR
    return field.scale.levels() if field.scale is not None else ()


def asked(field: Field, labels: Mapping[str, Any]) -> bool:
    """Return whether the field is asked for, given the labels of the fields before it."""
    if field.only_if is None:
        return True
    given = labels.get(field.only_if.field)
    return any(each in field.only_if.values for each in (given if isinstance(given, list) else [given]))


def label_faults(schema: AnnotationSchema, labels: Mapping[str, Any], *, characters: int | None) -> list[FieldError]:
    """Return the errors in the labels of an item, each with its field.

    `characters` is the length of the text in which spans are marked; `None` if the item has no text.
    """
    fields = schema.questions()
    known = {field.name for field in fields}
    faults = [FieldError(f"labels.{name}", "is no field of the schema") for name in labels if name not in known]
    for field in fields:
        given = labels.get(field.name)
        if given is None:
            if field.required and asked(field, labels):
                faults.append(FieldError(f"labels.{field.name}", "is required"))
        elif not asked(field, labels):
            faults.append(FieldError(f"labels.{field.name}", "is not asked for, given the other labels"))
        else:
            faults += [FieldError(f"labels.{field.name}", fault) for fault in _faults(field, given, characters)]
    return faults


def _faults(field: Field, given: object, characters: int | None) -> Iterator[str]:
    values = [option.value for option in field.options]
    match field.type:
        case FieldType.CLASSIFICATION if field.multiple:
            chosen = given if isinstance(given, list) else None
            if chosen is None or not chosen or any(each not in values for each in chosen):
                yield f"must be a list of some of {_listed(values)}"
            elif len(set(chosen)) < len(chosen):
                yield "names an option twice"
        case FieldType.CLASSIFICATION:
            if given not in values:
                yield f"must be one of {_listed(values)}"
        case FieldType.PAIRWISE:
            if given not in PAIR:
                yield f"must be one of {_listed(PAIR)}"
        case FieldType.RATING:
            assert field.scale is not None
            if type(given) is not int or given not in field.scale.levels():
                yield f"must be a whole number from {field.scale.min} to {field.scale.max}"
        case FieldType.RANKING:
            # The numbers 1 and 2 are not the options "1" and "2". No option equals a list or an object.
            if not isinstance(given, list) or sorted(map(repr, given)) != sorted(map(repr, values)):
                yield f"must have each of {_listed(values)} once, the best first"
        case FieldType.TEXT:
            if not isinstance(given, str) or not given.strip() or "\x00" in given:
                yield "must be a text that says something"
            elif len(given) > MOST_TEXT_CHARACTERS:
                yield f"must have at most {MOST_TEXT_CHARACTERS:,} characters"
        case FieldType.SPANS:
            yield from _span_faults(given, values, characters)


def _span_faults(given: object, values: Sequence[str], characters: int | None) -> Iterator[str]:
    if characters is None:
        yield "can't be given: the item has no text to mark"
        return
    if not isinstance(given, list) or len(given) > MOST_SPANS:
        yield f"must be a list of at most {MOST_SPANS} spans"
        return
    for span in given:
        if not isinstance(span, dict) or set(span) != {"start", "end", "label"}:
            yield "each span has start, end and label"
            return
        start, end = span["start"], span["end"]
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= characters:
            yield f"a span lies within the text: 0 ≤ start < end ≤ {characters}"
            return
        if span["label"] not in values:
            yield f"a span's label must be one of {_listed(values)}"
            return


def _listed(values: Sequence[object]) -> str:
    shown = ", ".join(repr(value) for value in values[:10])
    return f"{shown} and {len(values) - 10} more" if len(values) > 10 else shown


Instructions = Annotated[Text, Bounded(max_length=100_000)]
