"""A request to a provider, and the result of sending it, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from inference_gateway.domain.draft import Draft
from inference_gateway.domain.faults import Fault


class Dialect(Enum):
    """The format of an answer."""

    OPENAI = "openai"
    OLLAMA = "ollama"


class Streaming(IntEnum):
    """The extent of streaming to request. When a provider refuses one, the next lower is tried."""

    OFF = 0
    ON = 1
    WITH_USAGE = 2


class SchemaMode(IntEnum):
    """The strictness of the requested JSON. When a provider refuses one, the next lower is tried."""

    NONE = 0
    OBJECT = 1
    STRICT = 2


class Routing(IntEnum):
    """The permission for a router to choose a provider that ignores some of the call's parameters."""

    ANY = 0
    ALL_PARAMETERS = 1


@dataclass(frozen=True)
class JsonPaths:
    """The JSONPaths of one service: where its answer has its parts. The last three are within one citation."""

    answer: str
    citations: str | None
    document: str
    section: str
    relevance: str


@dataclass(frozen=True)
class HttpCall:
    """A request. `adaptable` names the parameters that may be changed after a refusal, `notes` say which already are.

    `headers` are the API's own; the user's override them. `logprobs`: we asked for log-probabilities.
    """

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
    """The result of a request. `fault` is set when there was no usable HTTP answer, else `status`.

    `draft` is set when there was a completion to read, else `body` has the start of the answer. Header names are lower
    case.
    """

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    draft: Draft | None = None
    fault: Fault | None = None
    total_s: float = 0.0
