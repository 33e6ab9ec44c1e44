"""A request to a provider, and what came of it, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from inference_gateway.domain.draft import Draft
from inference_gateway.domain.faults import Fault


class Dialect(Enum):
    """How an answer is read."""

    OPENAI = "openai"
    OLLAMA = "ollama"


class Streaming(IntEnum):
    """How much of streaming is asked for; a provider that refuses one gets the next lower."""

    OFF = 0
    ON = 1
    WITH_USAGE = 2


class SchemaMode(IntEnum):
    """How strictly an answer's JSON is asked for; a provider that refuses one gets the next lower."""

    NONE = 0
    OBJECT = 1
    STRICT = 2


class Routing(IntEnum):
    """Whether a router may pass the call to a provider that ignores some of its parameters."""

    ANY = 0
    ALL_PARAMETERS = 1


@dataclass(frozen=True)
class JsonPaths:
    """The dialect of one service: where its answer has its parts, the last three within one citation."""

    answer: str
    citations: str | None
    document: str
    section: str
    relevance: str


@dataclass(frozen=True)
class HttpCall:
    """`adaptable` names the parameters that may be asked for otherwise, `notes` say what already is;
    `headers` are the dialect's own, overruled by the user's; `logprobs` says that we asked for them."""

    url: str
    body: Mapping[str, Any]
    dialect: Dialect | JsonPaths = Dialect.OPENAI
    streaming: Streaming = Streaming.OFF
    schema: SchemaMode = SchemaMode.NONE
    logprobs: bool = False
    routing: Routing = Routing.ANY
    adaptable: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "POST"


@dataclass(frozen=True)
class Exchange:
    """`fault` when there was no usable HTTP answer, else `status`; `draft` when there was a
    completion to read, else `body` has the start of what was answered. Header names are lower case."""

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    draft: Draft | None = None
    fault: Fault | None = None
    total_s: float = 0.0
