"""How a call ended: from status, headers, body or fault to the closed union of outcomes.

Messages are one plain sentence or two: what was answered, by which URL, what to do. They hold no
header value and no secret.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from urllib.parse import urljoin

from inference_gateway.domain.draft import Draft, ReportedError, error_of
from inference_gateway.domain.embedding_answer import NoEmbeddings
from inference_gateway.domain.faults import Fault, FaultKind, sentence
from inference_gateway.domain.http_call import Exchange
from inference_gateway.domain.retry_after import retry_after_s
from inference_gateway.domain.text import one_line, redacted, storable
from inference_gateway.domain.urls import shown
from llmbench.contracts.base import preview
from llmbench.contracts.outcome import (
    CUT,
    Answered,
    AnswerKind,
    Malformed,
    Outcome,
    RateLimited,
    Refused,
    Rejected,
    TimedOut,
    Timings,
    TokenChoices,
    Unavailable,
    Usage,
)

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; what is estimated by it is marked as such."""
_QUOTE_LIMIT = 250
_NAME_LIMIT = 200
_LEAST_MEASURABLE_S = 0.001
_LEAST_MEASURABLE_TOKENS = 2
_CONTEXT = re.compile(
    r"context[_ ]length|maximum context|context size|context window|exceed_context|too many (input )?tokens"
    r"|(prompt|input) is too long|reduce the length",
    re.IGNORECASE,
)
# As providers other than OpenAI, or its newer API, call it.
_CUT = frozenset(
    {CUT, "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "token_limit"}
)
_STOPPED = frozenset({"content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii", "refusal"})
_FILTERED = re.compile(r"content[_ ]filter|content[_ ]policy|ResponsibleAI", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """What the classification needs to know of the question."""

    url: str
    model: str
    prompt_characters: int
    now: datetime
    secrets: Iterable[str] = field(default=(), repr=False)
    in_container: bool = False
    logprobs: bool = False


def classify(exchange: Exchange, asked: Asked) -> Outcome:
    outcome = _classify(exchange, asked)
    if isinstance(outcome, Answered):
        return outcome
    message = one_line(redacted(outcome.message, asked.secrets))
    return outcome.model_copy(update={"message": message})


def not_embeddings(what: NoEmbeddings | ReportedError, exchange: Exchange, asked: Asked) -> Outcome:
    """Of a 200 answer without the vectors that were asked for."""
    if isinstance(what, ReportedError):
        outcome: Outcome = _of_reported_error(what, exchange, asked)
    else:
        outcome = Malformed(message=f"{shown(asked.url)} answered, but not with embeddings: {what}.")
    return outcome.model_copy(update={"message": one_line(redacted(getattr(outcome, "message", ""), asked.secrets))})


def answer_texts(draft: Draft) -> tuple[str, str | None]:
    """Content and reasoning, fit to be stored. Calls of tools are the content's last line."""
    text, reasoning = "".join(draft.content), storable("".join(draft.reasoning))
    if draft.calls:
        text = f"{text.rstrip()}\n{draft.calls.as_json()}" if text.strip() else draft.calls.as_json()
    return storable(text), reasoning or None


def refusal_text(draft: Draft) -> str | None:
    """The words in which the model refused, fit to be stored."""
    return storable("".join(draft.refusal)) or None


def _answer_kind(draft: Draft, content: str) -> AnswerKind:
    if draft.calls:
        return "tool_calls"
    if content.strip() and draft.as_json:
        return "json"
    if draft.media:
        return "media"
    if content.strip():
        return "text"
    # Reasoning that the provider counts and does not show.
    hidden = draft.usage is not None and bool(draft.usage.reasoning_tokens)
    return "reasoning" if hidden or any(part.strip() for part in draft.reasoning) else "empty"


_Classified = Answered | Refused | RateLimited | TimedOut | Unavailable | Rejected | Malformed


def _classify(exchange: Exchange, asked: Asked) -> _Classified:
    if exchange.fault is not None:
        return _of_fault(exchange.fault, asked)
    if exchange.draft is not None:
        if exchange.draft.error is not None:
            return _of_reported_error(exchange.draft.error, exchange, asked)
        return _of_draft(exchange.draft, exchange.total_s, asked)
    return _of_status(exchange.status or 0, _reason(exchange.body), exchange, asked)


def _of_fault(fault: Fault, asked: Asked) -> _Classified:
    message = sentence(fault, asked.url, in_container=asked.in_container)
    match fault.kind:
        case FaultKind.TIMEOUT:
            return TimedOut(message=message)
        case FaultKind.TOO_LARGE | FaultKind.NOT_HTTP | FaultKind.NO_COMPLETION:
            return Malformed(message=message)
        case FaultKind.NOT_SENT:
            return Rejected(message=message, http_status=0)
        case _:
            return Unavailable(message=message)


def _of_draft(draft: Draft, total_s: float, asked: Asked) -> _Classified:
    content, _ = answer_texts(draft)
    refusal = "".join(draft.refusal)
    if refusal.strip() and not content.strip():
        return Refused(message=f"The model refused: {_quote(refusal, asked)}.")
    reason = (draft.finish_reason or "").lower()
    if reason in _STOPPED:
        return Refused(message=f"The content filter of {shown(asked.url)} stopped the answer.")
    if draft.finish_reason == "error":
        return Malformed(message=f'{shown(asked.url)} broke off its answer with finish_reason "error".')
    text, truncated = preview(content)
    usage = draft.usage or _estimate(draft, asked)
    return Answered(
        preview=text,
        truncated=truncated,
        finish_reason=CUT if reason in _CUT else _name(draft.finish_reason),
        model_reported=_name(draft.model),
        usage=usage,
        timings=_timings(draft, total_s, usage),
        last_tokens=_tokens(draft.last_tokens) if asked.logprobs else None,
        citations=draft.citations,
        answer_kind=_answer_kind(draft, content),
        first_tokens=_tokens(draft.first_tokens) if asked.logprobs else None,
    )


def _tokens(kept: Iterable[tuple[str, dict[str, float]]]) -> tuple[TokenChoices, ...] | None:
    found = tuple(
        TokenChoices(token=storable(token), top={storable(name): value for name, value in top.items()})
        for token, top in kept
    )
    return found or None


def _name(text: str | None) -> str | None:
    return None if text is None else one_line(text, _NAME_LIMIT)


def _estimate(draft: Draft, asked: Asked) -> Usage:
    content, reasoning = answer_texts(draft)
    written = len(content) + len(reasoning or "")
    return Usage(
        prompt_tokens=estimated_tokens(asked.prompt_characters),
        completion_tokens=estimated_tokens(written),
        source="estimated",
    )


def estimated_tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def _timings(draft: Draft, total_s: float, usage: Usage) -> Timings:
    return Timings(
        total_ms=_ms(total_s),
        first_token_ms=None if draft.first_token_s is None else _ms(draft.first_token_s),
        first_content_ms=None if draft.first_content_s is None else _ms(draft.first_content_s),
        tokens_per_second=_speed(draft, usage),
    )


def _speed(draft: Draft, usage: Usage) -> float | None:
    """As `Timings` says: (tokens - 1) / (last token - first token).

    The first token ends the wait for the prompt, so the time after it made one token less. Hidden
    reasoning took place in that wait: counted here, it would make a model look several times faster.
    """
    if draft.first_token_s is None or draft.last_token_s is None:
        return None
    shown = (usage.completion_tokens or 0) - (0 if draft.reasoning else usage.reasoning_tokens or 0)
    generating_s = draft.last_token_s - draft.first_token_s
    # An answer that came in one piece tells nothing about speed.
    if shown < _LEAST_MEASURABLE_TOKENS or generating_s < _LEAST_MEASURABLE_S:
        return None
    return round((shown - 1) / generating_s, 2)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _of_reported_error(error: ReportedError, exchange: Exchange, asked: Asked) -> _Classified:
    if error.status is not None:
        return _of_status(error.status, error.message, exchange, asked)
    if _CONTEXT.search(error.message):
        return _of_status(400, error.message, exchange, asked)
    return Malformed(
        message=f"{shown(asked.url)} reported an error instead of an answer: {_quote(error.message, asked)}"
    )


def _of_status(status: int, reason: str, exchange: Exchange, asked: Asked) -> _Classified:
    said = f"{shown(asked.url)} answered {status}{_phrase(status)}{': ' + _quote(reason, asked) if reason else ''}."
    if status == 429:
        wait = retry_after_s(exchange.headers, now=asked.now)
        return RateLimited(message=f"{said} Too many requests for this key or model.", retry_after_s=wait)
    if status == 408:
        return TimedOut(message=said)
    if status >= 500:
        return Unavailable(message=said, retry_after_s=retry_after_s(exchange.headers, now=asked.now))
    if status in (401, 402, 403):
        # 402: no credit left. Like a wrong key, it fails every call of the group.
        return Rejected(
            message=f"{said} Check the key in the provider's headers, and what it may use.",
            http_status=status,
            cause="unauthorized",
        )
    if status == 404:
        model = f"the model name {asked.model!r} and " if asked.model else ""
        return Rejected(
            message=f"{said} Check {model}the provider's URL.",
            http_status=status,
            cause="not_found",
        )
    if 300 <= status < 400:
        to = exchange.headers.get("location", "")
        where = f" It points to {shown(urljoin(asked.url, to))}." if to else ""
        return Rejected(
            message=f"{said}{where} Redirects are not followed, so that keys stay where they belong: correct the URL.",
            http_status=status,
        )
    if _FILTERED.search(reason) or _FILTERED.search(exchange.body[:4096].decode("utf-8", "replace")):
        return Refused(message=said)
    if status in (400, 413, 422) and (_CONTEXT.search(reason) or b"context_length_exceeded" in exchange.body[:4096]):
        return Rejected(
            message=f"{said} The prompt does not fit the model's context: shorten it or allow a larger context.",
            http_status=status,
            cause="context_overflow",
        )
    if 400 <= status < 500:
        return Rejected(message=said, http_status=status)
    return Malformed(message=said)


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""


def _reason(body: bytes) -> str:
    """What an error body says in words; nothing of a web page."""
    text = body.decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "" if text.startswith("<") else text
    if not isinstance(value, dict):
        return text
    error = error_of(value.get("error"))
    if error is not None:
        return error.message
    return str(value.get("message") or value.get("detail") or "")


def _quote(text: str, asked: Asked) -> str:
    # Redacted before it is cut: half a secret would not be recognised.
    return one_line(redacted(text, asked.secrets), _QUOTE_LIMIT).rstrip(".")
