"""The outcomes of a model call, one class per kind, and the measurements of an answer."""

from typing import Annotated, Final, Literal

from pydantic import Field

from llmbench.contracts.base import Value


class Usage(Value):
    """Token counts. `source` says whether the provider reported them or the gateway estimated them.

    `completion_tokens` include `reasoning_tokens`, and `prompt_tokens` include `cached_prompt_tokens`. The gateway
    adapts the counts of providers that exclude them.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_prompt_tokens: int | None = None
    source: Literal["reported", "estimated"] = "reported"


class Cost(Value):
    """The cost of a call in US dollars.

    `source` says whether the provider reported it, or it was computed from the tokens with the user's own price or a
    published list price.
    """

    usd: float
    source: Literal["reported", "own_price", "list_price"]


class Timings(Value):
    """The times of a call, in milliseconds since the request was sent.

    `first_token_ms` is the time to the first token of any kind, `first_content_ms` to the first token of the answer
    itself. They differ for reasoning models. Both are null when the answer was not streamed.

    `tokens_per_second` is the generation rate without the initial wait. It is the number of completion tokens after the
    first one, divided by the time from the first token to the last. Reasoning that the provider counts but does not
    stream precedes the first token and is excluded. The rate is null when nothing was streamed or everything arrived at
    once.
    """

    total_ms: int
    first_token_ms: int | None = None
    first_content_ms: int | None = None
    tokens_per_second: float | None = None


class CallFigures(Value):
    """Measurements of an answered call, under the names that rows, database columns and exports use.

    Unknown measurements are null; if the call was not answered, all measurements except `cached` are null. `cost_usd`
    is null when no price is known. A `cached` answer caused no cost; its times are those of the earlier call.
    `finish_reason` is `length` when the answer was cut at its token limit. `Usage` and `Timings` explain the other
    fields.
    """

    time_ms: int | None = None
    first_token_ms: int | None = None
    first_content_ms: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    usage_source: Literal["reported", "estimated"] | None = None
    tokens_per_second: float | None = None
    finish_reason: str | None = None
    cost_usd: float | None = None
    cached: bool = False


FIGURES: Final = tuple(CallFigures.model_fields)
"""The names of the fields of `CallFigures`, in the order of rows and exports."""

TOKENS_KEPT = 16
"""The maximum number of tokens that are kept with their log-probabilities from each end of an answer. The end of a
judge's verdict contains its score."""


class TokenChoices(Value):
    """A token of an answer. `top` maps the likeliest tokens at the same position to their log-probabilities."""

    token: str
    top: dict[str, float]


CUT = "length"
"""The `finish_reason` of an answer that ended at its token limit."""

CITATIONS_KEPT = 200


class Citation(Value):
    """A source that the answering service cites in a field of its response; `relevance` is from 0 to 1."""

    document: str
    section: str | None = None
    relevance: float | None = Field(default=None, ge=0, le=1)


AnswerKind = Literal["text", "tool_calls", "json", "media", "reasoning", "empty"]
"""The kind of content in an answer.

`tool_calls`: the text, if any, followed by the calls as one line of JSON. `json`: the content was a number, a boolean,
an object or a list, stored as JSON. `media`: audio or images, of which only a transcript is kept. `reasoning`: the
model wrote only its reasoning. `empty`: no content at all.
"""


class Answered(Value):
    """The provider answered. `preview` is the answer, or its first 4 KiB when `truncated` (see `req.call.read`).

    - `cost` is null when no price is known.
    - `cached`: the answer of an earlier call was reused. `cost` is 0, or null when that call had no price. The timings
      are those of that call.
    - `notes` are sentences, each about a setting of the user that was changed in the request because the provider
      refused it. `adaptations` has only the notes that hold for all answers of the target.
    - `first_tokens` and `last_tokens` are the tokens at both ends of the answer with their log-probabilities, if the
      provider gave them.
    - `citations` come from the service's own fields: null when it has no such fields, empty when it cited nothing.
    - `finish_reason` is `length` when the answer was cut at its token limit, whatever the provider calls that.
    - `redactions` counts the places where the answer repeated a secret of the call. `•••` replaces each of them.
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
    adaptations: tuple[str, ...] = ()
    redactions: int = Field(default=0, ge=0)

    @property
    def cut(self) -> bool:
        return self.finish_reason == CUT

    @property
    def figures(self) -> CallFigures:
        return CallFigures(
            time_ms=self.timings.total_ms,
            first_token_ms=self.timings.first_token_ms,
            first_content_ms=self.timings.first_content_ms,
            prompt_tokens=self.usage.prompt_tokens,
            completion_tokens=self.usage.completion_tokens,
            reasoning_tokens=self.usage.reasoning_tokens,
            usage_source=self.usage.source,
            tokens_per_second=self.timings.tokens_per_second,
            finish_reason=self.finish_reason,
            cost_usd=self.cost.usd if self.cost else None,
            cached=self.cached,
        )


class Refused(Value):
    """The model declined to answer (`refusal`), or the provider's content filter stopped the request or the answer
    (`content_filter`).

    `redactions` counts the places in `message` where `•••` replaces a secret of the call.
    """

    kind: Literal["refused"] = "refused"
    message: str
    cause: Literal["refusal", "content_filter"] = "refusal"
    redactions: int = Field(default=0, ge=0)


class RateLimited(Value):
    """The provider's rate limit was reached, or with `out_of_credit` the account has no credit left.

    `retry_after_s` is the number of seconds that the provider asked to wait; null if it named none.
    """

    kind: Literal["rate_limited"] = "rate_limited"
    message: str
    retry_after_s: float | None = None
    out_of_credit: bool = False


class TimedOut(Value):
    kind: Literal["timed_out"] = "timed_out"
    message: str


UnavailableCause = Literal["no_connection", "not_ready", "busy", "server_error", "connection_lost"]
"""The cause of an outage. `not_ready`: the server or its model is starting. `busy`: the server is overloaded.

After `server_error` (another 5xx status) or `connection_lost`, the request itself may be the cause: the server had
accepted it.
"""


class Unavailable(Value):
    """The provider could not answer now, and may be able to later.

    The connection failed or broke, or the provider answered with a 5xx status. Some providers report a loading model or
    an overload with another status, even within a 200. `cause` is null in messages of earlier versions. `retry_after_s`
    is the number of seconds that the provider asked to wait; null if it named none.
    """

    kind: Literal["unavailable"] = "unavailable"
    message: str
    retry_after_s: float | None = None
    cause: UnavailableCause | None = None


class Rejected(Value):
    """The request cannot succeed as it is: the provider rejected it, or it could not be sent (`http_status` 0).

    When a call for an item or a score is rejected as `unauthorized` or `not_found`, its entire group fails. With any
    other `cause` only the item or score fails.
    """

    kind: Literal["rejected"] = "rejected"
    message: str
    http_status: int
    cause: Literal["unauthorized", "not_found", "context_overflow", "bad_request"] = "bad_request"


class Malformed(Value):
    """The provider's response is not a usable completion, such as invalid JSON or an unknown error within a 200."""

    kind: Literal["malformed"] = "malformed"
    message: str


class Released(Value):
    """The model group no longer needs its model. `unloaded` is true if the provider unloaded the model, and false if it
    cannot unload models."""

    kind: Literal["released"] = "released"
    unloaded: bool


class NotStarted(Value):
    """No call was made, because the run is paused, is pausing, or has ended. No outcome is stored.

    The same call, with the same id, may be requested again.
    """

    kind: Literal["not_started"] = "not_started"


Outcome = Annotated[
    Answered | Refused | RateLimited | TimedOut | Unavailable | Rejected | Malformed | NotStarted | Released,
    Field(discriminator="kind"),
]

Failure = Refused | RateLimited | TimedOut | Unavailable | Rejected | Malformed | NotStarted


def cause_of(failure: Failure) -> str:
    """Return the failure's cause, or its kind if it has no cause."""
    cause: str | None = getattr(failure, "cause", None)
    return cause or failure.kind
