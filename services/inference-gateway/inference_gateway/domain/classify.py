"""Classify how a call ended: its response, or the fault that prevented a response, becomes one `Outcome`.

The message of an outcome is one or two plain sentences: what happened, at which URL, and, where known, what to do.
Secrets are removed from it.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from http import HTTPStatus
from urllib.parse import urljoin

from inference_gateway.domain.draft import Draft, ReportedError, error_of
from inference_gateway.domain.embedding_answer import NoEmbeddings
from inference_gateway.domain.faults import Fault, FaultKind, sentence
from inference_gateway.domain.http_call import Exchange
from inference_gateway.domain.redaction import redacted
from inference_gateway.domain.retry_after import retry_after_s
from inference_gateway.domain.signs import Meaning, Sign, meaning_of
from inference_gateway.domain.text import one_line, storable
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
    UnavailableCause,
    Usage,
)

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; token counts based on it are marked as estimated."""
_QUOTE_LIMIT = 250
_NAME_LIMIT = 200
_LEAST_MEASURABLE_S = 0.001
_LEAST_MEASURABLE_TOKENS = 2
_CONTEXT = re.compile(
    r"context[_ ]length|maximum context|context size|context window|exceed_context|too many (input )?tokens"
    r"|(prompt|input) is too long|reduce the length",
    re.IGNORECASE,
)
# The finish reasons that mean a cut at the token limit, in the words of all providers.
_CUT = frozenset(
    {CUT, "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded", "token_limit"}
)
_NOT_READY = frozenset({502, 503, 521, 522, 523, 530})
"""The statuses with which a proxy reports that it cannot reach the model's server."""
_BUSY = frozenset({529})
_STOPPED = frozenset({"content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii", "refusal"})
_FILTERED = re.compile(r"content[_ ]filter|content[_ ]policy|ResponsibleAI", re.IGNORECASE)


@dataclass(frozen=True)
class RequestFacts:
    """The facts about a request that are needed to classify its outcome.

    `signs` are the error patterns of its provider. `logprobs` says that log-probabilities were requested.
    """

    url: str
    model: str
    prompt_characters: int
    now: datetime
    secrets: Iterable[str] = field(default=(), repr=False)
    in_container: bool = False
    logprobs: bool = False
    signs: tuple[Sign, ...] = ()


def classify(exchange: Exchange, facts: RequestFacts) -> Outcome:
    outcome = _classify(exchange, facts)
    if isinstance(outcome, Answered):
        return outcome
    message = one_line(redacted(outcome.message, facts.secrets))
    return outcome.model_copy(update={"message": message})


def not_embeddings(problem: NoEmbeddings | ReportedError, exchange: Exchange, facts: RequestFacts) -> Outcome:
    """Return the outcome of a successful response (2xx) without the requested vectors. `problem` describes what the
    response has instead."""
    if isinstance(problem, ReportedError):
        outcome: Outcome = _of_reported_error(problem, exchange, facts)
    else:
        outcome = Malformed(message=f"{shown(facts.url)} answered, but not with embeddings: {problem}.")
    return outcome.model_copy(update={"message": one_line(redacted(getattr(outcome, "message", ""), facts.secrets))})


def answer_texts(draft: Draft) -> tuple[str, str | None]:
    """Return the content and the reasoning (`None` without one), as PostgreSQL can store them.

    Tool calls become the content's last line.
    """
    text, reasoning = "".join(draft.content), storable("".join(draft.reasoning))
    if draft.calls:
        text = f"{text.rstrip()}\n{draft.calls.as_json()}" if text.strip() else draft.calls.as_json()
    return storable(text), reasoning or None


def refusal_text(draft: Draft) -> str | None:
    """Return the text of the model's refusal as PostgreSQL can store it; `None` without a refusal."""
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
    # Some providers count reasoning tokens but do not send the reasoning.
    hidden = draft.usage is not None and bool(draft.usage.reasoning_tokens)
    return "reasoning" if hidden or any(part.strip() for part in draft.reasoning) else "empty"


_Classified = Answered | Refused | RateLimited | TimedOut | Unavailable | Rejected | Malformed


def _classify(exchange: Exchange, facts: RequestFacts) -> _Classified:
    if exchange.fault is not None:
        return _of_fault(exchange.fault, facts)
    if exchange.draft is not None:
        if exchange.draft.error is not None:
            return _of_reported_error(exchange.draft.error, exchange, facts)
        return _of_draft(exchange.draft, exchange.total_s, facts)
    return _of_status(exchange.status or 0, _reported(exchange.body), exchange, facts)


def _of_fault(fault: Fault, facts: RequestFacts) -> _Classified:
    message = sentence(fault, facts.url, in_container=facts.in_container)
    match fault.kind:
        case FaultKind.TIMEOUT:
            return TimedOut(message=message)
        case FaultKind.TOO_LARGE | FaultKind.NOT_HTTP | FaultKind.NO_COMPLETION:
            return Malformed(message=message)
        case FaultKind.NOT_SENT:
            return Rejected(message=message, http_status=0)
        case FaultKind.LOST:
            return Unavailable(message=message, cause="connection_lost")
        case _:
            return Unavailable(message=message, cause="no_connection")


def _of_draft(draft: Draft, total_s: float, facts: RequestFacts) -> _Classified:
    content, _ = answer_texts(draft)
    refusal = "".join(draft.refusal)
    if refusal.strip() and not content.strip():
        return Refused(message=f"The model refused: {_quote(refusal, facts)}.")
    reason = (draft.finish_reason or "").lower()
    if reason in _STOPPED:
        message = f"The content filter of {shown(facts.url)} stopped the answer."
        return Refused(message=message, cause="refusal" if reason == "refusal" else "content_filter")
    if draft.finish_reason == "error":
        return Malformed(message=f'{shown(facts.url)} broke off its answer with finish_reason "error".')
    text, truncated = preview(content)
    usage = draft.usage or _estimate(draft, facts)
    return Answered(
        preview=text,
        truncated=truncated,
        finish_reason=CUT if reason in _CUT else _name(draft.finish_reason),
        model_reported=_name(draft.model),
        usage=usage,
        timings=_timings(draft, total_s, usage),
        last_tokens=_tokens(draft.last_tokens) if facts.logprobs else None,
        citations=draft.citations,
        answer_kind=_answer_kind(draft, content),
        first_tokens=_tokens(draft.first_tokens) if facts.logprobs else None,
    )


def _tokens(kept: Iterable[tuple[str, dict[str, float]]]) -> tuple[TokenChoices, ...] | None:
    choices = tuple(
        TokenChoices(token=storable(token), top={storable(name): value for name, value in top.items()})
        for token, top in kept
    )
    return choices or None


def _name(text: str | None) -> str | None:
    return None if text is None else one_line(text, _NAME_LIMIT)


def _estimate(draft: Draft, facts: RequestFacts) -> Usage:
    content, reasoning = answer_texts(draft)
    written = len(content) + len(reasoning or "")
    return Usage(
        prompt_tokens=estimated_tokens(facts.prompt_characters),
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
    """Return the tokens per second, as `Timings` defines them: (tokens - 1) / (last token - first token).

    The first token is not counted, because the measured time begins when it arrives. Tokens of hidden reasoning are not
    counted either, because they precede the first token. The result is `None` without streaming, for a single token,
    and if all tokens arrived at once.
    """
    if draft.first_token_s is None or draft.last_token_s is None:
        return None
    shown = (usage.completion_tokens or 0) - (0 if draft.reasoning else usage.reasoning_tokens or 0)
    generating_s = draft.last_token_s - draft.first_token_s
    # An answer that came in one piece has no measurable speed.
    if shown < _LEAST_MEASURABLE_TOKENS or generating_s < _LEAST_MEASURABLE_S:
        return None
    return round((shown - 1) / generating_s, 2)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _of_reported_error(error: ReportedError, exchange: Exchange, facts: RequestFacts) -> _Classified:
    if error.status is not None:
        return _of_status(error.status, error, exchange, facts)
    meaning = meaning_of(facts.signs, None, error.text)
    if meaning is not None:
        report = f"{shown(facts.url)} reported an error instead of an answer: {_quote(error.message, facts)}."
        return _of_meaning(meaning, report, exchange.status or 0, exchange, facts)
    if _CONTEXT.search(error.message):
        return _of_status(400, error, exchange, facts)
    return Malformed(
        message=f"{shown(facts.url)} reported an error instead of an answer: {_quote(error.message, facts)}"
    )


def _of_meaning(meaning: Meaning, report: str, status: int, exchange: Exchange, facts: RequestFacts) -> _Classified:
    message, wait_s = f"{report} {meaning.value}", retry_after_s(exchange.headers, now=facts.now)
    match meaning:
        case Meaning.LOADING:
            return Unavailable(message=message, retry_after_s=wait_s, cause="not_ready")
        case Meaning.BUSY:
            return Unavailable(message=message, retry_after_s=wait_s, cause="busy")
        case Meaning.NO_CREDIT:
            return RateLimited(message=message, retry_after_s=wait_s, out_of_credit=True)
        case Meaning.TOO_LARGE:
            return Rejected(message=message, http_status=status)


def _unavailable_cause(status: int, wait_s: float | None) -> UnavailableCause:
    """Return the cause of the error `status`, with `wait_s` as the time to wait that the server requests.

    A 529, or a 503 with a time to wait, means `busy`. A 503 without one, and the other statuses of a proxy that cannot
    reach the model's server, mean `not_ready`. All others mean `server_error`.
    """
    if status in _BUSY or (status == 503 and wait_s is not None):
        return "busy"
    return "not_ready" if status in _NOT_READY else "server_error"


def _of_status(status: int, error: ReportedError, exchange: Exchange, facts: RequestFacts) -> _Classified:
    reason = error.message
    report = f"{shown(facts.url)} answered {status}{_phrase(status)}{': ' + _quote(reason, facts) if reason else ''}."
    meaning = meaning_of(facts.signs, status, error.text)
    if meaning is not None:
        return _of_meaning(meaning, report, status, exchange, facts)
    if status == 429:
        wait = retry_after_s(exchange.headers, now=facts.now)
        return RateLimited(message=f"{report} Too many requests for this key or model.", retry_after_s=wait)
    if status == 408:
        return TimedOut(message=report)
    if status >= 500:
        wait = retry_after_s(exchange.headers, now=facts.now)
        return Unavailable(message=report, retry_after_s=wait, cause=_unavailable_cause(status, wait))
    if status in (401, 402, 403):
        return Rejected(
            message=f"{report} Check the key in the provider's headers, and what it may use.",
            http_status=status,
            cause="unauthorized",
        )
    if status == 404:
        model = f"the model name {facts.model!r} and " if facts.model else ""
        return Rejected(
            message=f"{report} Check {model}the provider's URL.",
            http_status=status,
            cause="not_found",
        )
    if 300 <= status < 400:
        to = exchange.headers.get("location", "")
        where = f" It points to {shown(urljoin(facts.url, to))}." if to else ""
        return Rejected(
            message=f"{report}{where} Redirects are not followed, so that keys stay where they belong: correct the "
            "URL.",
            http_status=status,
        )
    if _FILTERED.search(reason) or _FILTERED.search(exchange.body[:4096].decode("utf-8", "replace")):
        return Refused(message=report, cause="content_filter")
    if status in (400, 413, 422) and (_CONTEXT.search(reason) or b"context_length_exceeded" in exchange.body[:4096]):
        return Rejected(
            message=f"{report} The prompt does not fit the model's context: shorten it or allow a larger context.",
            http_status=status,
            cause="context_overflow",
        )
    if 400 <= status < 500:
        return Rejected(message=report, http_status=status)
    return Malformed(message=report)


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""


def _reported(body: bytes) -> ReportedError:
    """Return the error that the body of an error response reports. If the body is a web page, the message is empty."""
    text = body.decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ReportedError("" if text.startswith("<") else text, None)
    # Google's OpenAI-compatible endpoint sends the error object in a list.
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    if not isinstance(value, dict):
        return ReportedError(text, None)
    error = error_of(value.get("error"))
    if error is None:
        codes = tuple(value[name] for name in ("code", "type") if isinstance(value.get(name), str))
        return ReportedError(str(value.get("message") or value.get("detail") or ""), None, codes)
    if not error.codes:
        # vLLM and TGI send `error` as a text, and the codes in fields next to it.
        return replace(error, codes=tuple(str(value[name]) for name in ("error_type", "code") if name in value))
    return error


def _quote(text: str, facts: RequestFacts) -> str:
    # Redact before cutting: half a secret would not be recognised.
    return one_line(redacted(text, facts.secrets), _QUOTE_LIMIT).rstrip(".")
