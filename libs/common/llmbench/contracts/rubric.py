"""The rubric evaluator's identity: what makes two of its scores comparable.

The orchestrator names an evaluator revision with these; the judge scores with them. A test of the
judge fails when the prompt changes and `PROMPT_VERSION` does not.
"""

from typing import Any

KIND = "rubric"
SCHEMA_NAME = "rubric_verdict"
SCHEMA_VERSION = "1"
PROMPT_VERSION = "1"
PROMPT_HASHES = {"1": "95c2ae8fc6d39414"}
"""Of each version's prompt text. A new text is a new version with a line of its own here."""
PART_HASHES = {"1": "efa5809f833bde48"}
"""Of the parts that the prompt has only where the case has them (context, expected answer …). Prompts of tasks have
none, so version 1 is what it was for them; a change of these parts is a new version all the same."""
SCALE_MIN = 0
SCALE_MAX = 10
PASS_MARK = 5
REASON_LIMIT = 600
"""Characters. Bounded by the schema, so that a small model cannot run on until its token limit."""

VERDICT_SCHEMA: dict[str, Any] = {
    "type": "object",
    # `reason` first: a model that has written why grades better than one that grades at once.
    "properties": {
        "reason": {"type": "string", "minLength": 1, "maxLength": REASON_LIMIT},
        "score": {"type": "integer", "minimum": SCALE_MIN, "maximum": SCALE_MAX},
    },
    "required": ["reason", "score"],
    "additionalProperties": False,
}
