"""Fence untrusted text in a prompt: marked lines before and after the text show the model that it is only data.

The marks contain a nonce that the author of the text cannot know, so the text cannot end its own fence. The nonce is
derived from the score's id instead of drawn at random, because a prompt must be identical whenever it is built.
"""

import hashlib
import re
from uuid import UUID

_SPECIAL_TOKENS = re.compile(
    r"<\|[^<>\n]{0,64}\|>"  # tokens of ChatML and similar templates
    "|<\uff5c[^<>\\n]{0,64}\uff5c>"  # the same tokens with full-width bars
    r"|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]"
    r"|<</?SYS>>"
    r"|</?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn|start_of_image)>",
    re.IGNORECASE,
)
_OUR_MARKS = re.compile(r"={3,}(?=\s*(?:BEGIN|END)\b)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def nonce(score_id: UUID) -> str:
    return hashlib.sha256(f"llmbench-fence/{score_id}".encode()).hexdigest()[:8]


def fenced(label: str, text: str, mark: str) -> str:
    """Return `text`, neutralised, between two lines: BEGIN with `label` and `mark`, and END with `mark`.

    `mark` is a nonce, so the author of the text cannot write these lines.
    """
    return f"=== BEGIN {label} {mark}\n{neutralised(text, mark)}\n=== END {mark}"


def neutralised(text: str, mark: str) -> str:
    """Return `text` with chat template tokens, control characters and the fence's marks made harmless.

    Tokens get spaces inside, so that they have no effect but a reader still sees them. Tabs and line breaks stay.
    """
    text = _CONTROL.sub(" ", text).replace(mark, "(mark)")
    text = _OUR_MARKS.sub("==", text)
    return _SPECIAL_TOKENS.sub(lambda match: f"{match[0][0]} {match[0][1:-1]} {match[0][-1]}", text)


def without_special_tokens(text: str) -> str:
    return _SPECIAL_TOKENS.sub("", text)
