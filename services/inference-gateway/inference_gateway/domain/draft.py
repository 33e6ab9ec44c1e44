"""Collect a completion: the reader of the provider's API adds each part of the answer to a `Draft`."""

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from inference_gateway.domain.content import Content
from inference_gateway.domain.think_block import ThinkBlock
from inference_gateway.domain.tool_calls import ToolCalls
from llmbench.contracts.outcome import TOKENS_KEPT, Citation, Usage

_LONGEST_TOKEN = 60
_MOST_CHOICES = 20


class NotACompletion(Exception):
    """Raised when a response contains no completion, or only a part of a completion. The message gives the reason."""


class BrokenOff(NotACompletion):
    """Raised when the stream ended after a completion began and before the provider marked it as complete."""


@dataclass(frozen=True)
class ReportedError:
    """An error that a provider reports in the body of a response.

    `message` is in the provider's words. `status` is the HTTP status that the body names, `None` if it names none.

    `codes` are further identifiers of the error, such as `insufficient_quota`.
    """

    message: str
    status: int | None
    codes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join((*self.codes, self.message))


@dataclass
class Draft:
    """A completion while it is read from the response. Its times are seconds since the request was sent, and `None` for
    an answer that was not streamed."""

    content: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    calls: ToolCalls = field(default_factory=ToolCalls)
    media: list[str] = field(default_factory=list)
    """The kinds of media in the answer, such as "an image". The media themselves are not stored."""
    as_json: bool = False
    """True when the content was no text: then `content` is its JSON."""
    finish_reason: str | None = None
    model: str | None = None
    usage: Usage | None = None
    reported_usd: float | None = None
    """The charge that the provider reports."""
    error: ReportedError | None = None
    first_token_s: float | None = None
    first_content_s: float | None = None
    last_token_s: float | None = None
    finished: bool = False
    """True once the provider has marked the answer as complete. A stream that ends without the mark broke off."""
    has_choices: bool = False
    first_tokens: list[tuple[str, dict[str, float]]] = field(default_factory=list)
    last_tokens: deque[tuple[str, dict[str, float]]] = field(default_factory=lambda: deque(maxlen=TOKENS_KEPT))
    """The last tokens of the answer, at most `TOKENS_KEPT`; `first_tokens` has equally many from its beginning.

    Each token comes with the log-probabilities of its alternatives. Both lists are empty if the provider sends none.
    """
    citations: tuple[Citation, ...] | None = None
    """The citations that a service sends apart from the text; None if the options name no JSONPath to citations."""
    notes: list[str] = field(default_factory=list)
    """Notes for the user on parts of the answer that were converted or left out."""
    meta: dict[str, Any] = field(default_factory=dict)
    """Further facts from the provider, stored with the call: id, fingerprint, timings."""
    _think: ThinkBlock = field(default_factory=ThinkBlock, repr=False)

    def add(self, *, content: str = "", reasoning: str = "", refusal: str = "", at_s: float | None) -> None:
        """Append texts that arrived `at_s` seconds after the request was sent; `at_s` is `None` for an answer that was
        not streamed.

        A `<think>` block at the beginning of the content becomes reasoning.
        """
        if at_s is not None and (content or reasoning or refusal):
            self.saw_token(at_s)
        if reasoning:
            self.reasoning.append(reasoning)
        if refusal:
            self.refusal.append(refusal)
        if content:
            self._take(*self._think.feed(content), at_s)

    def add_content(self, content: Content, *, reasoning: str = "", refusal: str = "", at_s: float | None) -> None:
        """Append the content of a message, or of a streamed piece of a message."""
        self.add(
            content=content.text,
            reasoning=reasoning + content.reasoning,
            refusal=refusal + content.refusal,
            at_s=at_s,
        )
        self.as_json = self.as_json or content.as_json
        for call in content.calls:
            self.calls.add_function(call)
        for medium in content.media:
            self.add_medium(medium)
        if content.calls or content.media:
            self.saw_answer(at_s)

    def add_medium(self, medium: str) -> None:
        if medium not in self.media:
            self.media.append(medium)

    def add_tokens(self, listed: object) -> None:
        """Append tokens with their log-probabilities, from a list in OpenAI's format with `top_logprobs`. Other values
        are ignored."""
        for each in listed if isinstance(listed, list) else ():
            if isinstance(each, dict) and isinstance(each.get("token"), str):
                token = (each["token"][:_LONGEST_TOKEN], _choices(each))
                self.last_tokens.append(token)
                if len(self.first_tokens) < TOKENS_KEPT:
                    self.first_tokens.append(token)

    def close(self) -> None:
        """Finish the completion after its last part. Add notes on media, on content that was not text, and on a refusal
        that came with an answer."""
        self._take(*self._think.close(), self.last_token_s)
        if self.media:
            self.notes.append(f"The answer has {' and '.join(self.media)}; of that only text is kept.")
        if self.as_json:
            self.notes.append("The content was no text: it is kept as JSON.")
        if self.refusal and (self.calls or any(self.content)):
            self.notes.append("The model refused beside its answer; the refusal is kept with the response.")
            self.meta["refusal"] = "".join(self.refusal)

    def saw_answer(self, at_s: float | None) -> None:
        """Record that a part without text, such as a tool call, arrived `at_s` seconds after the request was sent."""
        if at_s is None:
            return
        self.saw_token(at_s)
        if self.first_content_s is None:
            self.first_content_s = at_s

    def saw_token(self, at_s: float) -> None:
        if self.first_token_s is None:
            self.first_token_s = at_s
        self.last_token_s = at_s

    def _take(self, reasoning: str, content: str, at_s: float | None) -> None:
        if reasoning:
            self.reasoning.append(reasoning)
        if content:
            self.content.append(content)
            if at_s is not None and self.first_content_s is None:
                self.first_content_s = at_s


def _choices(token: dict[str, Any]) -> dict[str, float]:
    top: dict[str, float] = {}
    for choice in (token, *(token.get("top_logprobs") or ())):
        if isinstance(choice, dict) and isinstance(choice.get("token"), str):
            value = choice.get("logprob")
            if isinstance(value, int | float) and math.isfinite(value) and value <= 0:
                name = choice["token"][:_LONGEST_TOKEN]
                top[name] = max(float(value), top.get(name, -math.inf))
        if len(top) > _MOST_CHOICES:
            break
    return top


def count_of(value: object) -> int | None:
    """Return a provider's token count as an integer; `None` unless it is a number from 0 to 2³¹ - 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**31:
        return None
    return int(value)


def error_of(value: object) -> ReportedError | None:
    """Read the value of a body's field `error`, an object or a text; return `None` for an empty text and for any other
    value."""
    if isinstance(value, str) and value:
        return ReportedError(value, None)
    if isinstance(value, dict):
        code = value.get("code", value.get("status"))
        status = code if isinstance(code, int) and 400 <= code < 600 else None
        codes = tuple(value[name] for name in ("code", "type", "status") if isinstance(value.get(name), str))
        return ReportedError(str(value.get("message") or value.get("type") or "no reason given"), status, codes)
    return None
