"""How a model call ended: a closed union, one clause each."""

from typing import Annotated, Literal

from pydantic import Field

from llmbench.contracts.base import Value


class Usage(Value):
    """Token counts. `source` says whether the provider reported them or the gateway estimated.

    `completion_tokens` includes `reasoning_tokens`, and `prompt_tokens` includes `cached_prompt_tokens`,
    whichever way the provider counts.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_prompt_tokens: int | None = None
    source: Literal["reported", "estimated"] = "reported"


class Cost(Value):
    """What a call cost, in US dollars. `source`: the provider reported it, or it was computed from
    the tokens with the user's own price or with a published list price."""

    usd: float
    source: Literal["reported", "own_price", "list_price"]


class Timings(Value):
    """Milliseconds from sending the request.

    `first_token_ms` counts a token of any kind, `first_content_ms` the first of the answer itself;
    they differ for reasoning models. Both are null when the provider cannot stream.
    `tokens_per_second` is the pace of generating, without the wait for its begin: the completion
    tokens after the first one, over the time from the first token to the last. Reasoning that the
    provider counts but does not show happened before its first token, and is left out. Null when
    nothing was streamed or everything came at once.
    """

    total_ms: int
    first_token_ms: int | None = None
    first_content_ms: int | None = None
    tokens_per_second: float | None = None


TOKENS_KEPT = 16
"""Of an answer with log-probabilities, the last so many tokens are kept: a verdict ends with its score."""


class TokenChoices(Value):
    """A token of the answer, and what the model could have written there: log-probabilities by token."""

    token: str
    top: dict[str, float]


CUT = "length"
"""The `finish_reason` of an answer that ended at its token limit."""

CITATIONS_KEPT = 200


class Citation(Value):
    """A source that a service names for its answer in a field of its own; `relevance` from 0 to 1."""

    document: str
    section: str | None = None
    relevance: float | None = Field(default=None, ge=0, le=1)


AnswerKind = Literal["text", "tool_calls", "json", "media", "reasoning", "empty"]
"""What an answer is made of. `tool_calls`: the text, if any, and then the calls as one line of JSON. `json`: the
content was a number, a boolean, an object or a list, and stands there as JSON. `media`: audio or images, of which
only a transcript is kept. `reasoning`: the model wrote nothing but its reasoning. `empty`: nothing at all."""


class Answered(Value):
    """`preview` is the answer, or its first 4 KiB when `truncated`; the whole is in `model_call`.

    `cost` is null when no price is known. `cached`: the answer of an earlier call was taken; it cost
    nothing (`cost` is 0, or null where that call had no price), and its timings are those of that
    call, not measured now. `notes` say in a sentence each what was asked for otherwise than the user
    had it, because the provider refused: nothing is adapted in silence. `last_tokens` are those of the answer's
    end, where log-probabilities were asked for and given. `citations` are those that the service gave beside the text:
    null where it has no fields for them, empty where there were none. `first_tokens` are those of its beginning, as
    `last_tokens` are of its end. `finish_reason` is `length` where the answer was cut at its token limit, whatever the
    provider calls that.
    """

    kind: Literal["answered"] = "answered"
    preview: str
    truncated: bool = False
    finish_reason: str | None = None
    model_reported: str | None = None
    usage: Usage
    timings: Timings
    cost: Cost | None = None
    cached: bool = False
    notes: tuple[str, ...] = ()
    last_tokens: tuple[TokenChoices, ...] | None = Field(default=None, max_length=TOKENS_KEPT)
    citations: tuple[Citation, ...] | None = Field(default=None, max_length=CITATIONS_KEPT)
    answer_kind: AnswerKind = "text"
    first_tokens: tuple[TokenChoices, ...] | None = Field(default=None, max_length=TOKENS_KEPT)

    @property
    def cut(self) -> bool:
        return self.finish_reason == CUT


class Refused(Value):
    """The model or the provider's content filter declined to answer."""

    kind: Literal["refused"] = "refused"
    message: str


class RateLimited(Value):
    kind: Literal["rate_limited"] = "rate_limited"
    message: str
    retry_after_s: float | None = None


class TimedOut(Value):
    kind: Literal["timed_out"] = "timed_out"
    message: str


class Unavailable(Value):
    """No connection, connection lost, or a 5xx: the provider's trouble, not the request's."""

    kind: Literal["unavailable"] = "unavailable"
    message: str
    retry_after_s: float | None = None


class Rejected(Value):
    """A 4xx. `cause` tells those apart that fail a whole group from those that fail one item."""

    kind: Literal["rejected"] = "rejected"
    message: str
    http_status: int
    cause: Literal["unauthorized", "not_found", "context_overflow", "bad_request"] = "bad_request"


class Malformed(Value):
    """The provider answered with something that is not a completion."""

    kind: Literal["malformed"] = "malformed"
    message: str


class Released(Value):
    """A model was unloaded, or its provider has no way to unload one."""

    kind: Literal["released"] = "released"
    unloaded: bool


class NotStarted(Value):
    """The run is pausing, paused or cancelled: no call was made, and none is remembered. The same
    call (same id) may be asked for again."""

    kind: Literal["not_started"] = "not_started"


Outcome = Annotated[
    Answered | Refused | RateLimited | TimedOut | Unavailable | Rejected | Malformed | NotStarted | Released,
    Field(discriminator="kind"),
]

Failure = Refused | RateLimited | TimedOut | Unavailable | Rejected | Malformed | NotStarted
