"""Validate JSON against a user's JSON Schema, without network access and in bounded time.

`jsonschema` validates, with three changes. Patterns are matched with RE2. `uniqueItems` compares items as texts, not in
pairs. Each keyword checks a deadline, because branching references ("$defs": a → b b, b → c c …) take exponential time.
The changes also apply to a subschema with a `$schema` of its own, for which the library would use its original checks.
"""

import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from judge.domain.cannot_score import CannotScore
from judge.domain.json_object import last_values
from judge.domain.patterns import LONGEST, BadPattern, Pattern

PATIENCE_S = 2.0
PATIENCE_WITH_SCHEMA_S = 5.0
"""The time limit for validating a schema, in seconds: nested `anyOf` in 100,000 characters could take minutes."""
LONGEST_SCHEMA_CHARS = 100_000


class BadSchema(ValueError):
    """Raised when a schema is invalid, too large, or not supported; the message says why."""


class NoJson(ValueError):
    """Raised when an answer is not JSON, or contains none where prose is allowed; the message says why."""


@dataclass(frozen=True)
class Json:
    """A JSON value from an answer; `rule` names the place where it was found, such as "code block"."""

    value: Any
    rule: str


_MOST_VALUES: Final = 20
_FENCE: Final = re.compile(r"```|~~~")
_OPENS: Final = '{["'


def checked(schema: Any, *, patience_s: float = PATIENCE_WITH_SCHEMA_S) -> None:
    """Check that `schema` is a valid JSON Schema that answers can be checked against.

    Raises `BadSchema` if it is not, if it is too large, or if the check takes more than `patience_s` seconds.
    """
    deadline = time.monotonic() + patience_s
    try:
        written = json.dumps(schema, allow_nan=False)
        if len(written) > LONGEST_SCHEMA_CHARS:
            raise BadSchema(f"the schema is longer than {LONGEST_SCHEMA_CHARS:,} characters")
        _require_schema(schema, deadline)
        for pattern in _patterns(schema):
            Pattern(pattern)
            if time.monotonic() > deadline:
                raise _TooLong
    except _TooLong:
        raise BadSchema(f"looking it through took more than {patience_s:.0f} s; make it smaller") from None
    except BadPattern as error:
        raise BadSchema(str(error)) from None
    except RecursionError:
        raise BadSchema("the schema is nested too deeply") from None


def _require_schema(schema: Any, deadline: float) -> None:
    """Validate the schema like the library's `check_schema`, but within a deadline. Raises `BadSchema` if it is
    invalid."""
    from jsonschema.exceptions import best_match

    dialect = _dialect(schema)
    described = _dialect(dialect.META_SCHEMA)
    error = best_match(_timed(described, deadline)(dialect.META_SCHEMA).iter_errors(schema))
    if error is not None:
        where = "/".join(map(str, error.absolute_path))
        raise BadSchema(f"not a JSON Schema: {error.message[:200]}{f' at {where}' if where else ''}")


def first_fit(values: Sequence[Json], schema: Any, *, limit: int) -> tuple[Json, list[str]]:
    """Return the first value that fits the schema, with an empty list; if none fits, the first value with its faults.

    At most `limit` faults are listed. The checks of all values together may take `PATIENCE_S` seconds. Raises
    `CannotScore` if a check is impossible or takes too long, and `ValueError` if there are no values.
    """
    deadline = time.monotonic() + PATIENCE_S
    kept: tuple[Json, list[str]] | None = None
    for each in values:
        value_faults = faults(each.value, schema, limit=limit, deadline=deadline)
        if not value_faults:
            return each, []
        kept = kept or (each, value_faults)
    if kept is None:
        raise ValueError("no values")
    return kept


def faults(value: Any, schema: Any, *, limit: int, deadline: float) -> list[str]:
    """Return at most `limit` faults of the value, each with its path. `deadline` is a time of `time.monotonic`.

    Raises `CannotScore` if the check is impossible: the deadline passes, a reference in the schema cannot be resolved,
    a number is too large, or the nesting is too deep.
    """
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    validator = _timed(_dialect(schema), deadline)(schema, registry=Registry())
    try:
        listed = []
        for error in validator.iter_errors(value):
            where = "/".join(map(str, error.absolute_path)) or "the whole"
            listed.append(f"{where[:100]}: {error.message[:200]}")
            if len(listed) == limit:
                break
        return listed
    except Unresolvable as error:
        raise CannotScore(f"The schema refers to what it does not contain, and nothing is fetched: {error}") from None
    except OverflowError:
        raise CannotScore("A number in the answer is too large to be checked.") from None
    except RecursionError:
        raise CannotScore("The answer or the schema is nested too deeply to be checked.") from None
    except _TooLong:
        raise CannotScore(f"Checking the answer against the schema took more than {PATIENCE_S:.0f} s.") from None


def read_json(text: str, *, strict: bool) -> list[Json]:
    """Return the JSON values in `text` that may be the answer, the likeliest first.

    If the complete text is JSON, it is the only value. Otherwise, the values are the contents of code blocks, then the
    objects and arrays anywhere in the text. Both are listed from the last to the first, at most `_MOST_VALUES` of
    either. With `strict`, only the complete text counts. Raises `NoJson` if there is no value.
    """
    text = text.removeprefix("\ufeff")
    try:
        return [Json(_loads(text), "whole text")]
    except NoJson as error:
        if strict:
            raise
        reason = error
    blocks = [
        *(Json(value, "code block") for value in _in_blocks(text)),
        *(Json(value, "value in the text") for value in reversed(last_values(text, _MOST_VALUES))),
    ]
    if not blocks:
        raise reason
    return blocks


def _in_blocks(text: str) -> Iterator[Any]:
    for block in reversed(_FENCE.split(text)[1::2][-_MOST_VALUES:]):
        head, _, body = block.partition("\n")
        for inside in (body, block) if not head.strip() or head.strip()[0] not in _OPENS else (block,):
            try:
                yield _loads(inside)
                break
            except NoJson:
                continue


def _loads(text: str) -> Any:
    def refuse(constant: str) -> Any:
        raise NoJson(f"{constant} is not JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise NoJson("the JSON is nested too deeply") from None
    except NoJson:
        raise
    except ValueError as error:
        raise NoJson(f"the answer is not JSON: {str(error)[:100]}") from None


class _TooLong(Exception):
    pass


def _dialect(schema: Any) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    return validator_for(schema, default=Draft202012Validator) if isinstance(schema, dict) else Draft202012Validator


def _timed(dialect: Any, deadline: float) -> Any:
    from jsonschema.validators import extend

    def timed(keyword: Any) -> Any:
        def check(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
            if time.monotonic() > deadline:
                raise _TooLong
            yield from keyword(validator, value, instance, schema) or ()

        return check

    timed_dialect: Any = extend(  # type: ignore[no-untyped-call]
        dialect, {name: timed(keyword) for name, keyword in (dialect.VALIDATORS | _ours()).items()}
    )
    library_evolve = timed_dialect.evolve

    def evolve(validator: Any, **changes: Any) -> Any:
        if time.monotonic() > deadline:
            raise _TooLong
        schema = changes.get("schema", validator.schema)
        if isinstance(schema, dict):
            # Remove `$schema`: for a subschema with it, the library would choose its own validator class.
            changes["schema"] = {name: value for name, value in schema.items() if name != "$schema"}
        return library_evolve(validator, **changes)

    timed_dialect.evolve = evolve
    return timed_dialect


@cache
def _ours() -> dict[str, Any]:
    from jsonschema.exceptions import ValidationError

    def pattern(validator: Any, value: str, instance: Any, schema: Any) -> Iterator[Any]:
        if isinstance(instance, str) and _compiled(value).search(instance) is None:
            yield ValidationError(f"{instance[:60]!r} does not match {value[:60]!r}")

    def unique(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        # Values are compared by canonical text: pairwise comparison would take quadratic time.
        if value and isinstance(instance, list) and len({_canonical(item) for item in instance}) < len(instance):
            yield ValidationError("it has non-unique elements")

    return {"pattern": pattern, "uniqueItems": unique}


@cache
def _compiled(pattern: str) -> Pattern:
    return Pattern(pattern)


def _canonical(value: Any) -> str:
    def normalised(item: Any) -> Any:
        if isinstance(item, float) and item.is_integer():
            return int(item)
        if isinstance(item, list):
            return [normalised(each) for each in item]
        return {name: normalised(each) for name, each in item.items()} if isinstance(item, dict) else item

    return json.dumps(normalised(value), sort_keys=True)


def _patterns(schema: Any) -> Iterator[str]:
    """Yield every pattern in a schema. Raises `BadSchema` for too long a pattern and for `patternProperties`."""
    if isinstance(schema, dict):
        if "patternProperties" in schema:
            raise BadSchema("`patternProperties` is not supported; name the properties, or use `propertyNames`")
        if isinstance(pattern := schema.get("pattern"), str):
            if len(pattern) > LONGEST:
                raise BadSchema(f"a pattern is longer than {LONGEST:,} characters")
            yield pattern
        for value in schema.values():
            yield from _patterns(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _patterns(value)
