"""Reading a rubric verdict out of a reply, or saying in one sentence why there is none."""

from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from judge.domain.json_object import last_object, opens_object, whole_object
from llmbench.contracts.rubric import REASON_LIMIT, SCALE_MAX, SCALE_MIN, VERDICT_SCHEMA

_VALIDATOR = Draft202012Validator(VERDICT_SCHEMA)
_CUT = "The verdict was cut by the token limit."


@dataclass(frozen=True)
class RubricVerdict:
    score: int
    reason: str


@dataclass(frozen=True)
class NoVerdict:
    problem: str


def read_verdict(text: str, *, cut: bool) -> RubricVerdict | NoVerdict:
    """`cut` says that the model stopped at its token limit. A score is taken as it is or not at
    all: nothing is clamped, rounded or read out of prose."""
    found = whole_object(text) or last_object(text)
    if found is None:
        return NoVerdict(_CUT if cut or opens_object(text) else _no_object(text))
    # What else a model adds does no harm, nor does a long reason where no grammar bounds it.
    verdict: dict[str, Any] = {key: found[key] for key in ("reason", "score") if key in found}
    if isinstance(verdict.get("reason"), str):
        verdict["reason"] = verdict["reason"].strip()[:REASON_LIMIT]
    fault = next(iter(sorted(_VALIDATOR.iter_errors(verdict), key=lambda error: list(error.path))), None)
    if fault is not None:
        return NoVerdict(_sentence(verdict, fault.message))
    return RubricVerdict(score=int(verdict["score"]), reason=verdict["reason"])


def _no_object(text: str) -> str:
    return "The reply has no JSON object." if text.strip() else "The reply is empty."


def _sentence(verdict: dict[str, Any], message: str) -> str:
    score = verdict.get("score")
    if isinstance(score, int | float) and not isinstance(score, bool) and not SCALE_MIN <= score <= SCALE_MAX:
        return f"The score {str(score)[:20]} is outside {SCALE_MIN} to {SCALE_MAX}."
    return f"The verdict does not fit the schema: {message[:200]}."
