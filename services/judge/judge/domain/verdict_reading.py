"""Parse a verdict's fields from a reply, or explain in a sentence why the reply has no valid verdict.

A verdict is a JSON object with the field that decides, such as `score` or `winner`. If a reply has verdicts with
different values of this field, it has no valid verdict. Verdicts with equal values count as one.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from judge.domain.json_object import DuplicateKey, objects, opens_object
from llmbench.contracts.rubric import REASON_LIMIT

_CUT = "The verdict was cut by the token limit."
_SHOWN = 4
_WHOLE_NUMBER = re.compile(r"\s*(-?[0-9]{1,3})(?:\.0{1,3})?\s*(?:/\s*([0-9]{1,3})\s*)?", re.ASCII)
"""An integer as text: `8`, `8.0`, or `8/10`."""


@dataclass(frozen=True)
class NoVerdict:
    problem: str


def read_fields(text: str, schema: dict[str, Any], *, decides: str, cut: bool) -> dict[str, Any] | NoVerdict:
    """Return the fields of `schema` from the verdict in `text`, or `NoVerdict` with the problem.

    `decides` is the field that makes an object a verdict. `cut` says that the model stopped at its token limit. An
    integer written as a string ("8", "8/10") and an enum value in other capitals are accepted, and a long reason is
    cut. Nothing else is changed: no number is clamped or rounded, and nothing is read from prose.
    """
    found = list(objects(text))
    if not found:
        return NoVerdict(_CUT if cut or opens_object(text) else _no_object(text))
    verdicts = [_fields(candidate, schema) for candidate in found if decides in candidate]
    different = _different([verdict[decides] for verdict in verdicts])
    if len(different) > 1:
        listed = ", ".join(different[:_SHOWN]) + (" …" if len(different) > _SHOWN else "")
        return NoVerdict(f"The reply has {len(different)} verdicts that differ: {listed}.")
    validator = Draft202012Validator(schema)
    # The last object is usually complete; an earlier one may be a draft.
    candidates = [*reversed(verdicts)] or [_fields(found[-1], schema)]
    fields = next((candidate for candidate in candidates if validator.is_valid(candidate)), candidates[0])
    fault = next(iter(sorted(validator.iter_errors(fields), key=lambda error: list(error.path))), None)
    return fields if fault is None else NoVerdict(_sentence(fields, fault.message, schema["properties"]))


def _fields(candidate: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return only the fields of the schema, with accepted spellings normalised and the reason cut to `REASON_LIMIT`."""
    properties = schema["properties"]
    fields = {name: _as_asked(candidate[name], properties[name]) for name in properties if name in candidate}
    if isinstance(fields.get("reason"), str):
        fields["reason"] = fields["reason"].strip()[:REASON_LIMIT]
    return fields


def _as_asked(value: Any, schema: dict[str, Any]) -> Any:
    if isinstance(value, str) and schema.get("type") == "integer":
        match = _WHOLE_NUMBER.fullmatch(value)
        if match and (match[2] is None or int(match[2]) == schema.get("maximum")):
            return int(match[1])
    if isinstance(value, str) and "enum" in schema:
        word = value.strip().casefold()
        return next(
            (value_of_schema for value_of_schema in schema["enum"] if str(value_of_schema).casefold() == word), value
        )
    return value


def _different(values: Sequence[Any]) -> list[str]:
    """Return each different value once, as a short text, in order. 8 equals 8.0. Both values of a `DuplicateKey` are
    returned."""
    flat = [each for value in values for each in (value if isinstance(value, DuplicateKey) else (value,))]
    return list(dict.fromkeys(map(_short, flat)))


def _short(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)[:40]


def _no_object(text: str) -> str:
    return "The reply has no JSON object." if text.strip() else "The reply is empty."


def _sentence(fields: dict[str, Any], message: str, properties: dict[str, Any]) -> str:
    score, bounds = fields.get("score"), properties.get("score", {})
    least, most = bounds.get("minimum"), bounds.get("maximum")
    if isinstance(score, int | float) and not isinstance(score, bool) and not least <= score <= most:
        return f"The score {str(score)[:20]} is outside {least} to {most}."
    return f"The verdict does not fit the schema: {message[:200]}."
