"""Events as the gateway handles them: the run or experiment, the kind, the number and the JSON."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from stompman.serde import dump_header

from gateway_ws.domain.destinations import ALL_EXPERIMENTS, ALL_RUNS, ANSWER, RUN_TOPIC
from llmbench.contracts.run_event import RUN_TOPICS


class UnreadableEvent(ValueError):
    pass


@dataclass(frozen=True)
class Event:
    run_id: UUID
    kind: str
    seq: int
    body: bytes

    @cached_property
    def run_frame(self) -> bytes:
        """Return the end of a MESSAGE frame on the run's own topic: all that comes after the header `subscription` (see
        `_frame`)."""
        return self._frame(RUN_TOPIC.format(run_id=self.run_id, kind=self.kind))

    @cached_property
    def all_runs_frame(self) -> bytes:
        return self._frame(ALL_RUNS)

    def _frame(self, destination: str) -> bytes:
        return _frame(destination, self.seq, self.body)


@dataclass(frozen=True)
class ExperimentEvent:
    """An event of an experiment. The gateway numbers these events itself (`number`), because their messages have no
    sequence number."""

    experiment_id: UUID
    kind: str
    number: int
    body: bytes

    @cached_property
    def frame(self) -> bytes:
        """Return the end of a MESSAGE frame: all that comes after the header `subscription` (see `_frame`)."""
        return _frame(ALL_EXPERIMENTS, self.number, self.body)


def _frame(destination: str, seq: int | None, body: bytes) -> bytes:
    """Return the end of a MESSAGE frame: all that comes after the header `subscription`. It is built only once, because
    it is the same for all subscribers. The message-id is `seq`, or `0` for a message that is not numbered."""
    headers = (
        ("destination", destination),
        ("message-id", str(seq or 0)),
        ("content-type", "application/json"),
        # A body may contain a NUL, so readers need its length.
        ("content-length", str(len(body))),
    )
    return b"".join((*(dump_header(key, value) for key, value in headers), b"\n", body, b"\x00"))


@dataclass(frozen=True)
class StreamedAnswer:
    """A message about an answer that is still arriving. `frame` is the end of its MESSAGE frame: all that comes after
    the header `subscription` (see `_frame`). `item_id` is the id of the answer's item."""

    run_id: UUID
    item_id: str
    frame: bytes


def streamed_answer(subject: str, body: bytes) -> StreamedAnswer:
    """Return the message on the subject `ctl.answer.<run>`.

    Raises `UnreadableEvent` if the subject or the body is not valid.
    """
    try:
        run_id = UUID(subject.rpartition(".")[2])
        item_id = json.loads(body.decode())["item_id"]
        return StreamedAnswer(run_id, str(item_id), _frame(RUN_TOPIC.format(run_id=run_id, kind=ANSWER), None, body))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadableEvent(f"{subject}: {error!r}") from error


def live_event(subject: str, body: bytes) -> Event:
    """Return the event of a message on the subject `evt.run.<run>.<kind>`.

    Raises `UnreadableEvent` if the subject or the body is not valid. Only the sequence number is read from the body,
    which clients receive unchanged.
    """
    try:
        _, _, run, kind = subject.split(".")
        return Event(run_id=UUID(run), kind=kind, seq=_seq(json.loads(body.decode())), body=body)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadableEvent(f"{subject}: {error!r}") from error


def experiment_event(subject: str, body: bytes, *, number: int) -> ExperimentEvent:
    """Return the event of a message on the subject `evt.experiment.<experiment>.<kind>`.

    Raises `UnreadableEvent` if the subject or the body is not valid. Clients receive the body unchanged.
    """
    try:
        _, _, experiment, kind = subject.split(".")
        if not isinstance(json.loads(body.decode()), dict):
            raise ValueError("the body is not an object")
        return ExperimentEvent(experiment_id=UUID(experiment), kind=kind, number=number, body=body)
    except (ValueError, RecursionError) as error:
        raise UnreadableEvent(f"{subject}: {error!r}") from error


def stored_event(run_id: UUID, fields: Any) -> Event | None:
    """Return the event of one entry in a page of stored events; `None` if its type has no topic.

    `fields` is the entry's parsed JSON. Raises `UnreadableEvent` if it has no type or no valid number.
    """
    try:
        kind = RUN_TOPICS.get(fields["type"])
        if kind is None:
            return None
        body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        return Event(run_id=run_id, kind=kind, seq=_seq(fields), body=body)
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableEvent(repr(error)) from error


def _seq(fields: Any) -> int:
    seq = fields["run_seq"]
    if not isinstance(seq, int) or isinstance(seq, bool):
        raise ValueError(f"run_seq is {seq!r}")
    return seq
