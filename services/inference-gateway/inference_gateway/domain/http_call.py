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


@dataclass(frozen=True)
class HttpCall:
    url: str
    body: Mapping[str, Any]
    dialect: Dialect = Dialect.OPENAI
    streaming: Streaming = Streaming.OFF
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
