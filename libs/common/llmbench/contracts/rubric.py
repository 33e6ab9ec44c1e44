"""The identity of the rubric evaluator. Only scores with the same identity are comparable.

The orchestrator builds the identity of the evaluator revision from these constants; the judge scores with them. A test
of the judge fails when the prompt changes and `PROMPT_VERSION` does not.
"""

from typing import Any

KIND = "rubric"
SCHEMA_NAME = "rubric_verdict"
SCHEMA_VERSION = "1"
PROMPT_VERSION = "1"
PROMPT_HASHES = {"1": "95c2ae8fc6d39414"}
"""The hash of each version's prompt text. A changed text needs a new version with its own line here."""
PART_HASHES = {"1": "efa5809f833bde48"}
"""The hash of the optional parts of the prompt (context, expected answer, …), by version.

Only cases that have such fields get these parts. Changing a part needs a new version, too.
"""
SCALE_MIN = 0
SCALE_MAX = 10
PASS_MARK = 5
REASON_LIMIT = 600
"""The maximum length of a reason, in characters. The schema sets it so that a small model cannot write on until its
token limit."""

VERDICT_SCHEMA: dict[str, Any] = {
    "type": "object",
    # `reason` comes first: a model that explains before it grades does so more accurately.
    "properties": {
        "reason": {"type": "string", "minLength": 1, "maxLength": REASON_LIMIT},
        "score": {"type": "integer", "minimum": SCALE_MIN, "maximum": SCALE_MAX},
    },
    "required": ["reason", "score"],
    "additionalProperties": False,
}
