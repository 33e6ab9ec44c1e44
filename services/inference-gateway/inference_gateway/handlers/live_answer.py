"""Publish an answer while the provider streams it, for people who watch: each message has the text so far."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from inference_gateway.domain.draft import Draft
from inference_gateway.domain.redaction import Redaction
from inference_gateway.ports import LiveAnswers, Watch
from llmbench.contracts.answer_streamed import MAX_STREAMED_CHARACTERS, AnswerStreamed
from llmbench.contracts.generate_completion import GenerateCompletion

PUBLISH_EVERY_S: Final = 0.15
"""The shortest time between two messages about one answer: faster than a person reads, slower than tokens arrive."""


def watch_of(
    command: GenerateCompletion,
    live: LiveAnswers,
    secrets: Sequence[str],
    clock: Callable[[], float] = time.monotonic,
) -> Watch | None:
    """Return a function that publishes the answer as it arrives; `None` unless the command asks for that.

    The published texts contain none of the `secrets`. They also leave out a last part that may be the beginning of a
    secret.
    """
    item_id = command.item_id
    if not command.live or item_id is None:
        return None
    redaction = Redaction(secrets)
    due_at = float("-inf")

    def watch(draft: Draft) -> None:
        nonlocal due_at
        now = clock()
        if now < due_at:
            return
        content, reasoning = _shown(draft.content, redaction), _shown(draft.reasoning, redaction)
        if content or reasoning:
            due_at = now + PUBLISH_EVERY_S
            live.publish(AnswerStreamed(run_id=command.run_id, item_id=item_id, content=content, reasoning=reasoning))

    return watch


def _shown(parts: Sequence[str], redaction: Redaction) -> str:
    return redaction.unfinished("".join(parts))[:MAX_STREAMED_CHARACTERS]
