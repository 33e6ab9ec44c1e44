"""Read the mock's behaviour from a model's name: `mock-<latency>[-<flag>…]`.

A test that uses a model name of its own does not disturb others. README.md lists the flags.
"""

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from zlib import crc32

_LATENCY = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
_EVERY = re.compile(r"(\d{3})every(\d+)")
_FIRST = re.compile(r"(\d{3})first(\d+)")
_STATUS = re.compile(r"[3-5]\d\d")
_NUMBERED = re.compile(r"(retryafter|tokens)(\d+)")

FLAGS = frozenset(
    {
        "jitter",  # takes between half and twice its latency, depending on the prompt
        "hang",  # takes the request and never answers
        "reset",  # closes the connection without an answer
        "cut",  # streams half an answer, then breaks the connection
        "truncate",  # streams half an answer, then ends the response properly, but without a finish reason
        "badjson",  # answers 200 with a body that is no JSON
        "html",  # answers 200 with a web page
        "empty",  # answers 200 with no choices
        "huge",  # answers with more than any reader should accept
        "drip",  # streams a byte now and then, and never ends
        "flood",  # streams 300 MB, for as long as the client reads
        "unparsed",  # as a judge: prose instead of a verdict
        "chatty",  # as a judge: prose around a valid verdict
        "outofrange",  # as a judge: a score outside every scale
        "cutoff",  # as a judge: half a verdict, ended by the token limit
        "filtered",  # finish_reason content_filter
        "refuse",  # the message has `refusal` instead of content
        "overflow",  # answers 400 context_length_exceeded
        "uncited",  # as a RAG service: has no citations
        "nousage",  # never reports usage
        "nostream",  # answers 400 to `stream`
        "nostreamoptions",  # answers 400 to `stream_options`
        "plain",  # answers plain JSON even when asked to stream
        "reasoner",  # like OpenAI's reasoning models: refuses max_tokens and sampling parameters, hides its reasoning
        "thinkblock",  # writes its reasoning into the answer, between <think> and </think>
        "noschema",  # answers 400 to `response_format` json_schema
        "nojson",  # answers 400 to any `response_format`
        "nologprobs",  # answers 400 to `logprobs`
        "noendpoint",  # like OpenRouter: answers 404 if the request sets `require_parameters`
        "think",  # reasons before it answers
        "toolcalls",  # answers with two tool calls, and no text
        "thinkonly",  # reasons until its token limit, and answers nothing
        "parts",  # the content is a list of parts: reasoning, then text
        "number",  # the content is a number
        "object",  # the content is an object
        "image",  # an image in a field of its own, and no text
        "audio",  # audio with its transcript, and no text
        "nothing",  # the content is null
        "weird",  # NUL, U+2028, a split emoji and a lone surrogate in the answer
        "hostile",  # attacks the program that shows the answer; as a judge, a valid verdict whose reason attacks
        "longline",  # 2 MB on one line
        "streamerror",  # reports an error in the middle of the stream
        "leak",  # answers 400 and repeats the Authorization header in the error text
    }
)


@dataclass(frozen=True)
class Behaviour:
    latency_s: float = 0.0
    always: int | None = None
    every: tuple[int, int] | None = None
    first: tuple[int, int] | None = None
    retry_after_s: int | None = None
    tokens: int | None = None
    flags: frozenset[str] = field(default_factory=frozenset)

    def latency_at(self, prompt: str) -> float:
        if "jitter" not in self.flags:
            return self.latency_s
        return float(self.latency_s * 2 ** (crc32(prompt.encode("utf-8", "replace")) / 2**31 - 1))

    def status(self, number: int) -> int:
        """Return the HTTP status for the call `number` of this model, counted from 1; 200 if the call succeeds."""
        if self.always is not None:
            return self.always
        if self.first is not None and number <= self.first[1]:
            return self.first[0]
        if self.every is not None and number % self.every[1] == 0:
            return self.every[0]
        return 200


@lru_cache(maxsize=4096)
def behaviour_of(model: str) -> Behaviour | None:
    """Return the behaviour that a model's name describes. Unknown parts of the name have no effect.

    Return `None` if the first part of the name is not `mock`, because no such model exists.
    """
    prefix, *words = model.split("-")
    if prefix != "mock":
        return None
    found = Behaviour()
    for word in words:
        found = _with(found, word)
    return found


def _with(found: Behaviour, word: str) -> Behaviour:
    if match := _LATENCY.fullmatch(word):
        return replace(found, latency_s=float(match[1]) / (1000 if match[2] == "ms" else 1))
    if match := _EVERY.fullmatch(word):
        return replace(found, every=(int(match[1]), int(match[2])))
    if match := _FIRST.fullmatch(word):
        return replace(found, first=(int(match[1]), int(match[2])))
    if match := _NUMBERED.fullmatch(word):
        number = int(match[2])
        return replace(found, retry_after_s=number) if match[1] == "retryafter" else replace(found, tokens=number)
    if _STATUS.fullmatch(word):
        return replace(found, always=int(word))
    if word in FLAGS:
        return replace(found, flags=found.flags | {word})
    # Any other part only makes the name unique ("mock-0ms-target2").
    return found
