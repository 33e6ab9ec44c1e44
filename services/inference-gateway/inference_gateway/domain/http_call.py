"""A request to a provider, and the result of sending it, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from inference_gateway.domain.draft import Draft
from inference_gateway.domain.faults import Fault


class Dialect(Enum):
    """The format of a provider's answer."""

    OPENAI = "openai"
    OLLAMA = "ollama"


class Streaming(IntEnum):
    """The kind of streaming to request. If a provider refuses one, the next in this order is tried."""

    OFF = 0
    ON = 1
    WITH_USAGE = 2


class SchemaMode(IntEnum):
    """The way to request JSON. If a provider refuses one, the next, less strict one is tried."""

    NONE = 0
    OBJECT = 1
    STRICT = 2


class Routing(IntEnum):
    """The permission for a router to choose a provider that ignores some of the call's parameters."""

    ANY = 0
    ALL_PARAMETERS = 1


@dataclass(frozen=True)
class JsonPaths:
    """The JSONPaths to the parts of a service's answer. The last three are relative to a citation."""

    answer: str
    citations: str | None
    document: str
    section: str
    relevance: str


@dataclass(frozen=True)
class HttpCall:
    """A request. `adaptable` names the parameters that may be changed after a refusal; `notes` describe the changes
    made so far.

    `headers` are the API's own; the user's override them. `logprobs`: log-probabilities were requested.
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
    """The result of a request. Without a usable HTTP answer `fault` is set, else `status`.

    If there was a completion to read, `draft` is set; otherwise `body` has the start of the answer. Header names are in
    lower case.
    """

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    draft: Draft | None = None
    fault: Fault | None = None
    total_s: float = 0.0
