"""Translate pydantic's errors about invalid input into messages for people.

A message follows the name of its field: `limit: must be at most 500`. It says how to correct the value and does not
mention pydantic.
"""

import difflib
import re
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from llmbench.errors import FieldError

Fault = Mapping[str, Any]
Place = Sequence[str | int]

_CONTROL = r"[^\x00-\x1f\x7f]+"
_MOST_NAMED = 20
_STEP_CHARACTERS = 80
_TEXT, _WHOLE, _NUMBER = "must be a text", "must be a whole number", "must be a number"
_SWITCH, _LIST, _OBJECT = "must be true or false", "must be a list", "must be an object"
_ID = "must be an id, as 0198c0de-0000-7000-8000-000000000000"
_TIME = "must be a time, as 2026-01-31T12:00:00Z"
_DAY = "must be a date, as 2026-01-31"
_URL = "must be a URL, as https://example.org/path"

_FIXED = {
    "missing": "is missing",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "invalid_key": "must have texts as its names",
    "list_type": _LIST,
    "tuple_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
    "iterable_type": _LIST,
    "string_type": _TEXT,
    "string_unicode": "must be a text of whole characters",
    "string_not_ascii": "must have ASCII characters only",
    "bool_type": _SWITCH,
    "bool_parsing": _SWITCH,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": "is larger than any number here can be",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "decimal_type": _NUMBER,
    "decimal_parsing": _NUMBER,
    "finite_number": "must be finite: neither NaN nor an infinity",
    "none_required": "must be null",
    "uuid_type": _ID,
    "uuid_parsing": _ID,
    "uuid_version": _ID,
    "datetime_type": _TIME,
    "datetime_parsing": _TIME,
    "datetime_object_invalid": _TIME,
    "datetime_from_date_parsing": _TIME,
    "timezone_aware": "must name its offset from UTC, as 2026-01-31T12:00:00Z",
    "timezone_naive": "must not name an offset from UTC",
    "date_type": _DAY,
    "date_parsing": _DAY,
    "date_from_datetime_parsing": _DAY,
    "date_from_datetime_inexact": _DAY,
    "url_type": _URL,
    "url_parsing": _URL,
    "url_syntax_violation": _URL,
    "recursion_loop": "is nested too deeply",
    "recursion_depth_exceeded": "is nested too deeply",
}


# pydantic names no type where a length is checked after a validator; the value may be a text or a list.
_OF_ANY_TYPE = "Value"


def _count(number: Any, singular: str, many: str) -> str:
    return f"{number:,} {singular if number == 1 else many}"


def _figure(number: float) -> str:
    """Format a number without needless decimals: 2, not 2.0."""
    return f"{int(number) if number == int(number) else number:,}"


def _too_short(ctx: Fault) -> str:
    if ctx["min_length"] == 1:
        return "must not be empty"
    if ctx.get("field_type") == _OF_ANY_TYPE:
        return f"must have a length of at least {ctx['min_length']:,}"
    return f"must have at least {ctx['min_length']:,} entries"


def _too_long(ctx: Fault) -> str:
    if ctx.get("field_type") == _OF_ANY_TYPE:
        return f"must have a length of at most {ctx['max_length']:,}"
    return f"must have at most {_count(ctx['max_length'], 'entry', 'entries')}"


def _short_text(ctx: Fault) -> str:
    return "must not be empty" if ctx["min_length"] == 1 else f"must have at least {ctx['min_length']:,} characters"


def _pattern(ctx: Fault) -> str:
    if _CONTROL in ctx["pattern"]:
        return "must not be empty, nor contain control characters"
    return f"must match the pattern {ctx['pattern']}"


_BY_CONTEXT: dict[str, Callable[[Fault], str]] = {
    "value_error": lambda ctx: str(ctx["error"]),
    "assertion_error": lambda ctx: str(ctx["error"]),
    "greater_than": lambda ctx: f"must be greater than {_figure(ctx['gt'])}",
    "greater_than_equal": lambda ctx: f"must be at least {_figure(ctx['ge'])}",
    "less_than": lambda ctx: f"must be less than {_figure(ctx['lt'])}",
    "less_than_equal": lambda ctx: f"must be at most {_figure(ctx['le'])}",
    "multiple_of": lambda ctx: f"must be a multiple of {_figure(ctx['multiple_of'])}",
    "too_short": _too_short,
    "too_long": _too_long,
    "string_too_short": _short_text,
    "string_too_long": lambda ctx: f"must have at most {_count(ctx['max_length'], 'character', 'characters')}",
    "string_pattern_mismatch": _pattern,
    "literal_error": lambda ctx: f"must be {ctx['expected']}",
    "enum": lambda ctx: f"must be {ctx['expected']}",
    "union_tag_invalid": lambda ctx: f"{ctx['discriminator']} must be one of {ctx['expected_tags']}",
    "union_tag_not_found": lambda ctx: f"{ctx['discriminator']} is missing",
    "url_scheme": lambda ctx: f"must be a URL that begins with {ctx['expected_schemes']}",
    "url_too_long": lambda ctx: f"must be a URL of at most {_count(ctx['max_length'], 'character', 'characters')}",
}
_UNWORDED = re.compile(r"^(?:(?:[A-Z]\w* )?[Ii]nput|[A-Z]\w*|[A-Z]\w* input) should (not )?")


def message(fault: Fault, known: Sequence[str] = ()) -> str:
    """Return the message about `fault`, an error as pydantic's `errors()` returns it.

    For an unknown field, `known` are the names of the valid fields, one of which the message may suggest.

    >>> message({"type": "less_than_equal", "ctx": {"le": 1000}, "msg": "Input should be …"})
    'must be at most 1,000'
    >>> message({"type": "extra_forbidden", "loc": ("modle",), "msg": "Extra …"}, ["model", "label"])
    "there is no field 'modle' here; did you mean 'model'?"
    >>> message({"type": "time_type", "msg": "Input should be a valid time"})
    'must be a valid time'
    """
    kind = fault["type"]
    if kind == "extra_forbidden":
        name = str(fault["loc"][-1])[:_STEP_CHARACTERS]
        return f"there is no field {name!r} here; {meant(name, known)}" if known else f"there is no field {name!r} here"
    if kind in _BY_CONTEXT:
        return _BY_CONTEXT[kind](fault["ctx"])
    return _FIXED.get(kind) or _UNWORDED.sub(lambda match: f"must {match[1] or ''}", str(fault["msg"]))


def faults_of(error: ValidationError, model: Any = None) -> list[FieldError]:
    """Return the errors of a failed validation, one per field, each with the dotted path of its field.

    `model` is the type that was validated. Without it, unknown fields get no suggestion, and paths keep the steps that
    pydantic adds for members of unions.
    """
    # Input values are excluded: they may be secrets.
    errors = error.errors(include_url=False, include_input=False)
    return field_errors([dict(fault) for fault in errors], model)


def field_errors(faults: Sequence[Fault], model: Any = None) -> list[FieldError]:
    """Return pydantic's errors as one error per field, with the dotted path of the field. `model` is the type that was
    validated.

    Errors about several members of a union are combined.

    >>> class Line(BaseModel, extra="forbid"):
    ...     number: int | list[int]
    >>> try:
    ...     Line.model_validate({"number": "x", "numbr": 1})
    ... except ValidationError as error:
    ...     for fault in faults_of(error, Line):
    ...         print(f"{fault.field}: {fault.message}")
    number: must be a whole number, or a list
    numbr: there is no field 'numbr' here; did you mean 'number'?
    """
    found: dict[str, list[str]] = {}
    for fault in faults:
        place, known = walk(fault["loc"], model)
        field = ".".join(str(step)[:_STEP_CHARACTERS] for step in place)
        text = message(fault, known)
        if text not in found.setdefault(field, []):
            found[field].append(text)
    return [FieldError(field, _joined(messages)) for field, messages in found.items()]


def _joined(messages: Sequence[str]) -> str:
    first, *others = messages
    return ", or ".join([first, *(each.removeprefix("must be ") for each in others)])


def walk(place: Place, model: Any) -> tuple[list[str | int], list[str]]:
    """Return the path `place` without the steps that pydantic adds for members of unions, and the field names that
    would be valid as its last step.

    `model` is the validated type; without it the path stays unchanged, and no names are known.

    >>> walk(("lines", 0, "nmbr"), None)
    (['lines', 0, 'nmbr'], [])
    """
    kept: list[str | int] = []
    at = [] if model is None else [model]
    known: list[str] = []
    for step in place:
        members = [member for each in at for member in _members(each)]
        if len(members) > 1:
            # This step of the path is the tag of a union's member.
            named = [member for member in members if getattr(member, "__name__", None) == step]
            at = named or [member for member in members if not _is_model(member)]
            continue
        known = [
            _sent_as(name, field) for each in members if _is_model(each) for name, field in each.model_fields.items()
        ]
        at = [inner for member in members for inner in _inner(member, step)]
        kept.append(step)
    return kept, known


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _names(kind: Any) -> list[str]:
    return [_sent_as(name, field) for name, field in kind.model_fields.items()] if _is_model(kind) else []


def _sent_as(name: str, field: Any) -> str:
    return field.validation_alias if isinstance(field.validation_alias, str) else field.alias or name


def _members(annotation: Any) -> list[Any]:
    """Return the types that a value of type `annotation` may have, except `None`. These are the members of a union, or
    else `annotation` itself."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        return [member for each in get_args(annotation) if each is not types.NoneType for member in _members(each)]
    return [annotation]


def _inner(kind: Any, step: str | int) -> list[Any]:
    if _is_model(kind):
        return [field.annotation for name, field in kind.model_fields.items() if step in (name, _sent_as(name, field))]
    arguments = get_args(kind)
    if not arguments:
        return []
    return [arguments[0] if isinstance(step, int) else arguments[-1]]


def meant(word: str, known: Sequence[str]) -> str:
    """Return a text that suggests the name in `known` that `word` resembles, or else lists up to 20 names of `known`.

    >>> meant("colections", ["collections", "judge"]), meant("x", ["b", "a"]), meant("x", [])
    ("did you mean 'collections'?", "there is 'b', 'a'", 'none exists')
    """
    folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), list(folded), n=1)
    if close:
        return f"did you mean '{folded[close[0]]}'?"
    listed = ", ".join(f"'{name}'" for name in known[:_MOST_NAMED])
    return f"there is {listed}{' …' if len(known) > _MOST_NAMED else ''}" if known else "none exists"
