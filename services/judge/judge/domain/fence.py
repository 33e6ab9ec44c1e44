"""Fencing text off in a prompt: what stands inside is data, and cannot climb out.

The marks carry a nonce that the author of the text cannot know. It is derived from the score's id
and not drawn, because a prompt must be the same each time it is built.
"""

import hashlib
import re
from uuid import UUID

_SPECIAL_TOKENS = re.compile(
    r"<\|[^<>\n]{0,64}\|>"  # ChatML and its kin
    "|<\uff5c[^<>\\n]{0,64}\uff5c>"  # the same with full-width bars
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
    """`text` between two marks that only we could have written."""
    return f"=== BEGIN {label} {mark}\n{neutralised(text, mark)}\n=== END {mark}"


def neutralised(text: str, mark: str) -> str:
    """`text` in which no chat template's token, no control character and no mark of ours works.

    A reader still sees what was written: tokens are spaced out, not removed.
    """
    text = _CONTROL.sub(" ", text).replace(mark, "(mark)")
    text = _OUR_MARKS.sub("==", text)
    return _SPECIAL_TOKENS.sub(lambda found: f"{found[0][0]} {found[0][1:-1]} {found[0][-1]}", text)


def without_special_tokens(text: str) -> str:
    return _SPECIAL_TOKENS.sub("", text)
