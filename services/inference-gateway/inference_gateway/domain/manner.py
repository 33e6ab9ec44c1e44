"""How a provider's model is asked: for everything at first, for less where it refused some.

What a model understands is learned from its own refusals, of which none is an answer and none is
paid, rather than from lists of names, which age. A step down is taken only where the refusal names
what it is about, and what is then asked otherwise is noted with the answer: `temperature`, `top_p`
and `seed` are left to the model, a JSON Schema becomes JSON mode and then plain text,
log-probabilities are done without. What a user
put into the options, and `stop` (without which it would be another answer), is never left out: the
refusal stands.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from inference_gateway.domain.http_call import Exchange, HttpCall, Routing, SchemaMode, Streaming

LIMITS = ("max_tokens", "max_completion_tokens")
"""Two names of one thing: a model that refuses one is asked by the other, and nothing is lost."""
OMISSIBLE = ("temperature", "top_p", "seed")

_STATUSES = (400, 404, 422, 501)
_LOGPROBS = re.compile(r"log[_ ]?prob", re.IGNORECASE)
_STREAM = re.compile(r"\bstream(ing|ed)?\b", re.IGNORECASE)
_SCHEMA = re.compile(
    r"response[_ ]format|json[_ ](schema|object|mode)|structured output|grammar|\.format\b", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?:unsupported (?:parameter|value)|unknown (?:parameter|name|field)|unrecognized request arguments? supplied)"
    r"[:\s]*[\\'\"`]*(\w+)"
    r"|[\\'\"`](\w+)[\\'\"`]+ (?:is (?:not supported|unsupported|not permitted|not allowed)|does not support)",
    re.IGNORECASE,
)
_NO_ENDPOINT = re.compile(r"no endpoints? found that (can handle|support)", re.IGNORECASE)


@dataclass(frozen=True)
class Manner:
    streaming: Streaming = Streaming.WITH_USAGE
    schema: SchemaMode = SchemaMode.STRICT
    logprobs: bool = True
    without: frozenset[str] = frozenset()
    other_limit: bool = False
    """The limit of tokens goes by the other of its two names."""
    routing: Routing = Routing.ALL_PARAMETERS


def step_down(manner: Manner, call: HttpCall, exchange: Exchange) -> Manner | None:
    """How to ask instead, or `None` when the refusal is about nothing that can be asked otherwise.

    Every step is down, so there is an end to it.
    """
    if exchange.status not in _STATUSES:
        return None
    text = exchange.body.decode("utf-8", "replace")
    if exchange.status == 404:
        if call.routing is Routing.ALL_PARAMETERS and _NO_ENDPOINT.search(text):
            return replace(manner, routing=Routing.ANY)
        return None
    if call.logprobs and _LOGPROBS.search(text):
        return replace(manner, logprobs=False)
    if call.streaming is not Streaming.OFF and ("stream_options" in text or "include_usage" in text):
        lower = Streaming.ON if call.streaming is Streaming.WITH_USAGE else Streaming.OFF
        return replace(manner, streaming=lower)
    if call.schema is not SchemaMode.NONE and _SCHEMA.search(text):
        return replace(manner, schema=SchemaMode(call.schema - 1))
    name = refused_parameter(text)
    if name in call.adaptable:
        if name in LIMITS:
            return None if manner.other_limit else replace(manner, other_limit=True)
        return replace(manner, without=manner.without | {name})
    if call.streaming is not Streaming.OFF and name in (None, "stream") and _STREAM.search(text):
        return replace(manner, streaming=Streaming.OFF)
    return None


def refused_parameter(text: str) -> str | None:
    """The parameter that an error body calls unsupported, in the wordings of OpenAI, Azure, and of
    servers that validate with pydantic; `None` when it names none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        error = value.get("error")
        if isinstance(error, dict) and str(error.get("code")) in ("unsupported_parameter", "unsupported_value"):
            return str(error.get("param"))
        extra = _extra(value.get("detail"))
        if extra is not None:
            return extra
    found = _NAMED.search(text)
    return None if found is None else found[1] or found[2]


def _extra(detail: Any) -> str | None:
    if not isinstance(detail, list):
        return None
    for fault in detail:
        if isinstance(fault, dict) and fault.get("type") == "extra_forbidden" and isinstance(fault.get("loc"), list):
            return str(fault["loc"][-1])
    return None
