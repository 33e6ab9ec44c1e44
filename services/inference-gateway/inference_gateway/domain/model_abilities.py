"""Adapt requests to a model: send all parameters first, and fewer after the model refused some.

A model's abilities are learned from its refusals, which contain no answer and cost nothing. A list of model names would
become outdated. Each of these changes is reported in a note with the answer:

- `temperature`, `top_p` and `seed` are not sent, so the model uses its own defaults;
- a JSON Schema becomes JSON mode, then plain text;
- log-probabilities are not requested;
- OpenRouter may choose an upstream provider that ignores some parameters.

Two changes need no note. The answer is streamed without token counts, or not streamed. The token limit is sent under
its other name (`max_tokens` or `max_completion_tokens`).

The user's own options and `stop` are never dropped, because the answer would be a different one. If the model refuses
one of them, the call fails.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from inference_gateway.domain.http_call import Exchange, HttpCall, Routing, SchemaMode, Streaming

LIMITS = ("max_tokens", "max_completion_tokens")
"""The two names of the token limit. If a model refuses one, the limit is sent under the other, so nothing is lost."""
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
_UNSUPPORTED = ("unsupported_parameter", "unsupported_value")
_OURS = re.compile(rf"\b({'|'.join((*OMISSIBLE, *LIMITS))})\b")
_NO_ENDPOINT = re.compile(r"no endpoints? found that (can handle|support)", re.IGNORECASE)


@dataclass(frozen=True)
class ModelAbilities:
    """The parameters that a model accepts, as far as its refusals have shown. The defaults try everything.

    `without` names the sampling parameters that it refused.
    """

    streaming: Streaming = Streaming.WITH_USAGE
    schema: SchemaMode = SchemaMode.STRICT
    logprobs: bool = True
    without: frozenset[str] = frozenset()
    other_limit: bool = False
    """True if the model accepts the token limit only under the other of its two names."""
    routing: Routing = Routing.ALL_PARAMETERS


def step_down(abilities: ModelAbilities, call: HttpCall, exchange: Exchange) -> ModelAbilities | None:
    """Return the model's abilities without the one that it lacks, as the refusal in `exchange` shows.

    Return `None` if the response is not a refusal, or if it names nothing that may be left out. Every step removes an
    ability, so repeated steps end.
    """
    if exchange.status not in _STATUSES:
        return None
    text = exchange.body.decode("utf-8", "replace")
    if exchange.status == 404:
        if call.routing is Routing.ALL_PARAMETERS and _NO_ENDPOINT.search(text):
            return replace(abilities, routing=Routing.ANY)
        return None
    if call.logprobs and _LOGPROBS.search(text):
        return replace(abilities, logprobs=False)
    if call.streaming is not Streaming.OFF and ("stream_options" in text or "include_usage" in text):
        lower = Streaming.ON if call.streaming is Streaming.WITH_USAGE else Streaming.OFF
        return replace(abilities, streaming=lower)
    if call.schema is not SchemaMode.NONE and _SCHEMA.search(text):
        return replace(abilities, schema=SchemaMode(call.schema - 1))
    name = refused_parameter(text)
    if name in call.adaptable:
        if name in LIMITS:
            return None if abilities.other_limit else replace(abilities, other_limit=True)
        return replace(abilities, without=abilities.without | {name})
    if call.streaming is not Streaming.OFF and name in (None, "stream") and _STREAM.search(text):
        return replace(abilities, streaming=Streaming.OFF)
    return None


def refused_parameter(text: str) -> str | None:
    """Return the parameter that an error body calls unsupported; `None` if it names no parameter.

    The wordings of OpenAI, Azure, and servers that validate with pydantic are recognised.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        error = value.get("error")
        # Some servers send OpenAI's error without the enclosing `error`.
        error = error if isinstance(error, dict) else value
        if str(error.get("code")) in _UNSUPPORTED:
            param, message = error.get("param"), str(error.get("message"))
            return param if isinstance(param, str) and param else _named(message) or _only_one(message)
        extra = _extra(value.get("detail"))
        if extra is not None:
            return extra
    return _named(text)


def _named(text: str) -> str | None:
    match = _NAMED.search(text)
    return None if match is None else match[1] or match[2]


def _only_one(message: str) -> str | None:
    """Return the adaptable parameter that a message mentions; `None` unless it mentions exactly one."""
    mentioned = set(_OURS.findall(message))
    return mentioned.pop() if len(mentioned) == 1 else None


def _extra(detail: Any) -> str | None:
    if not isinstance(detail, list):
        return None
    for fault in detail:
        if isinstance(fault, dict) and fault.get("type") == "extra_forbidden" and isinstance(fault.get("loc"), list):
            return str(fault["loc"][-1])
    return None
