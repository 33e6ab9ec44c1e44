"""Reading a verdict's fields out of a reply, or saying in one sentence why there are none."""

from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from judge.domain.json_object import last_object, opens_object, whole_object
from llmbench.contracts.rubric import REASON_LIMIT

_CUT = "The verdict was cut by the token limit."


@dataclass(frozen=True)
class NoVerdict:
    problem: str


def read_fields(text: str, schema: dict[str, Any], *, cut: bool) -> dict[str, Any] | NoVerdict:
    """The properties of `schema`, a verdict's, from the object in `text`; `cut` says that the model stopped at its
    token limit. They are taken as they are or not at all: nothing is clamped, rounded or read out of prose."""
    found = whole_object(text) or last_object(text)
    if found is None:
        return NoVerdict(_CUT if cut or opens_object(text) else _no_object(text))
    # What else a model adds does no harm, nor does a long reason where no grammar bounds it.
    fields = {name: found[name] for name in schema["properties"] if name in found}
    if isinstance(fields.get("reason"), str):
        fields["reason"] = fields["reason"].strip()[:REASON_LIMIT]
    fault = next(
        iter(sorted(Draft202012Validator(schema).iter_errors(fields), key=lambda error: list(error.path))), None
    )
    if fault is not None:
        return NoVerdict(_sentence(fields, fault.message, schema["properties"]))
    return fields


def _no_object(text: str) -> str:
    return "The reply has no JSON object." if text.strip() else "The reply is empty."


def _sentence(fields: dict[str, Any], message: str, properties: dict[str, Any]) -> str:
    score, bounds = fields.get("score"), properties.get("score", {})
    least, most = bounds.get("minimum"), bounds.get("maximum")
    if isinstance(score, int | float) and not isinstance(score, bool) and not least <= score <= most:
        return f"The score {str(score)[:20]} is outside {least} to {most}."
    return f"The verdict does not fit the schema: {message[:200]}."
