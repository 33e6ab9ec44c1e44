"""Describe a request to a provider, and the result of sending it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from inference_gateway.domain.draft import Draft
from inference_gateway.domain.faults import Fault


class Dialect(Enum):
    """The API that defines the format of a provider's answer."""

    OPENAI = "openai"
    OLLAMA = "ollama"


class Streaming(IntEnum):
    """The kind of streaming to request, in ascending order. If a provider refuses a kind, a lower one is tried.

    `WITH_USAGE` also requests the token counts.
    """

    OFF = 0
    ON = 1
    WITH_USAGE = 2


class SchemaMode(IntEnum):
    """The way to request JSON, from the least strict to the strictest. If a provider refuses a mode, a less strict one
    is tried."""

    NONE = 0
    OBJECT = 1
    STRICT = 2


class Routing(IntEnum):
    """The upstream providers that a router such as OpenRouter may choose: any, or only providers that support all
    parameters of the call."""

    ANY = 0
    ALL_PARAMETERS = 1


@dataclass(frozen=True)
class JsonPaths:
    """The JSONPaths to the parts of a service's answer. `answer` and `citations` begin at the entire JSON; `document`,
    `section` and `relevance` begin at one citation."""

    answer: str
    citations: str | None
    document: str
    section: str
    relevance: str


@dataclass(frozen=True)
class HttpCall:
    """A request to a provider.

    `adaptable` names the parameters that may be changed or left out if the model refuses them. `notes` describe how the
    request differs from what the user configured. `headers` are those of the provider type; the user's headers override
    them.
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
    """The result of a request. `fault` says why there is no usable answer; `status` is set once a status arrived.

    `draft` is the completion, if the answer was read as one; otherwise `body` has the answer up to a size limit. Header
    names are in lower case.
    """

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    draft: Draft | None = None
    fault: Fault | None = None
    total_s: float = 0.0
