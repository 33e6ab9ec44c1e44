"""Read the body of a successful response (2xx) into a draft: SSE, JSON lines, or one JSON document."""

from collections.abc import Iterator
from typing import Any, Protocol

from inference_gateway.domain import ollama_answer, openai_answer
from inference_gateway.domain.draft import BrokenOff, Draft, NotACompletion
from inference_gateway.domain.framing import (
    ANSWER_LIMIT_BYTES,
    AnswerTooLarge,
    Framing,
    JsonLines,
    ServerSentEvents,
)
from inference_gateway.domain.http_call import Dialect, JsonPaths
from inference_gateway.domain.json_answer import JsonAnswer
from inference_gateway.domain.json_of import TooDeep, json_of

_DONE = b"[DONE]"


class Reader(Protocol):
    """Reads the answers of one provider API into a draft: an event of a stream, or a complete body.

    `value` is the parsed JSON, `at_s` the seconds since the request was sent. Both methods may raise `NotACompletion`.
    """

    def read_chunk(self, draft: Draft, value: Any, at_s: float) -> None: ...

    def read_complete(self, draft: Draft, value: Any) -> None: ...


_READERS: dict[Dialect, Reader] = {Dialect.OPENAI: openai_answer, Dialect.OLLAMA: ollama_answer}


class Reading:
    """Reads the body of one response into `draft`, the completion as far as it was read.

    The caller passes the chunks of the body to `feed`, calls `close`, and then takes `draft`.
    """

    def __init__(self, dialect: Dialect | JsonPaths, content_type: str) -> None:
        self.draft = Draft()
        self.done = False
        """True once the final event `[DONE]` was read."""
        self._reader: Reader = JsonAnswer(dialect) if isinstance(dialect, JsonPaths) else _READERS[dialect]
        self._content_type = content_type.partition(";")[0].strip().lower()
        self._framing: Framing | None = None
        self._body = bytearray()
        if self._content_type == "text/event-stream":
            self._framing = ServerSentEvents()
        elif self._content_type in ("application/x-ndjson", "application/jsonl", "application/ndjson"):
            self._framing = JsonLines()

    @property
    def streamed(self) -> bool:
        return self._framing is not None

    def feed(self, chunk: bytes, at_s: float) -> None:
        """Read a chunk that arrived at `at_s`. Raises `NotACompletion` if it is unreadable, and `AnswerTooLarge` if the
        body or a line exceeds its limit."""
        if self._framing is None and not self._body and chunk.startswith((b"data:", b": ")):
            # Some servers send an event stream with another content type.
            self._framing = ServerSentEvents()
        if self._framing is not None:
            self._read(self._framing.feed(chunk), at_s)
            return
        self._body += chunk
        if len(self._body) > ANSWER_LIMIT_BYTES:
            raise AnswerTooLarge("answer", ANSWER_LIMIT_BYTES)

    def close(self, at_s: float) -> None:
        """Finish at the end of the body. Raises `BrokenOff` if a stream ended in the middle of a completion, and
        `NotACompletion` if no completion can be read from the body."""
        if self._framing is not None:
            self._read(self._framing.close(), at_s)
            self.draft.close()
            if self.draft.error is None and not self.draft.finished:
                if self.draft.has_choices:
                    raise BrokenOff("its stream ended")
                raise NotACompletion("the stream ended before the answer was complete")
            if self.draft.error is None and not self.draft.has_choices:
                raise NotACompletion("the stream has no choices")
            return
        if not self._body.strip():
            raise NotACompletion("the body is empty")
        try:
            value = json_of(bytes(self._body))
        except TooDeep as error:
            raise NotACompletion(f"the body is {error}") from None
        except ValueError:
            raise NotACompletion(f"the body is not JSON but {self._content_type or 'of no declared type'}") from None
        self._reader.read_complete(self.draft, value)
        self.draft.close()

    def _read(self, events: Iterator[bytes], at_s: float) -> None:
        for event in events:
            if not event.strip():
                continue
            if event.strip() == _DONE:
                self.done = True
                self.draft.finished = self.draft.finished or self.draft.has_choices
                continue
            try:
                value = json_of(event)
            except TooDeep as error:
                raise NotACompletion(f"an event of the stream is {error}") from None
            except ValueError:
                raise NotACompletion("an event of the stream is not JSON") from None
            self._reader.read_chunk(self.draft, value, at_s)
