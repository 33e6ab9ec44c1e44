"""Describe a call: as a row of the table `model_call`, and as the event that reports its outcome."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

from inference_gateway.domain.http_call import HttpCall, JsonPaths
from llmbench.contracts.base import preview
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Answered, Outcome
from llmbench.contracts.release_model import ReleaseModel

Ask = GenerateCompletion | EmbedTexts
"""The commands that cost money, because a model answers them."""
Command = Ask | ReleaseModel

_NOT_THE_QUESTION = frozenset({"stream", "stream_options", "usage"})


@dataclass(frozen=True)
class FinishedCall:
    """A finished call with its outcome. `response` has facts about the response, such as HTTP status and finish reason.

    `cached_from` is the id of the earlier call whose answer was reused, else `None`.
    """

    outcome: Outcome
    started_at: datetime
    finished_at: datetime
    request: Mapping[str, Any]
    request_hash: str
    content: str | None = None
    reasoning: str | None = None
    response: Mapping[str, Any] | None = None
    cached_from: UUID | None = None


@dataclass(frozen=True)
class RememberedCall:
    outcome: Outcome
    finished_at: datetime


@dataclass(frozen=True)
class PaidAnswer:
    """The stored answer of an earlier call with the same question."""

    call_id: UUID
    outcome: Answered
    content: str | None
    reasoning: str | None
    response: Mapping[str, Any] | None


def request_hash(call: HttpCall, *, within: UUID | None = None, sealed: Sequence[bytes] = ()) -> str:
    """Return a SHA-256 that identifies the question of a call.

    `call` must be the request before any adaptation to the model, because adaptations must not change the hash. With
    `within`, the id of a run, the hash is specific to this run. `sealed` has the encrypted secrets of the request. They
    are part of the hash, because two accounts of one provider may get different answers.
    """
    asked = {name: value for name, value in call.body.items() if name not in _NOT_THE_QUESTION}
    scheme, netloc, *rest = urlsplit(call.url)
    where = urlunsplit((scheme, netloc.rpartition("@")[2], *rest))
    parts = [where, asked] if within is None else [where, asked, str(within)]
    if isinstance(call.dialect, JsonPaths):
        # The same answer, read at other paths, is another result.
        parts.append(asdict(call.dialect))
    if sealed:
        parts.append([hashlib.sha256(secret).hexdigest() for secret in sealed])
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def taken_again(paid: PaidAnswer, *, request: Mapping[str, Any], request_hash: str, now: datetime) -> FinishedCall:
    """Return a call that reuses the answer of the earlier call `paid`. It starts and finishes at `now`, but the timings
    in its outcome are those of the earlier call.

    Its cost is 0 dollars, or `None` if the cost of the earlier call is unknown.
    """
    cost = paid.outcome.cost
    return FinishedCall(
        outcome=paid.outcome.model_copy(
            update={"cached": True, "cost": None if cost is None else cost.model_copy(update={"usd": 0.0})}
        ),
        started_at=now,
        finished_at=now,
        request=request,
        request_hash=request_hash,
        content=paid.content,
        reasoning=paid.reasoning,
        response=paid.response,
        cached_from=paid.call_id,
    )


def purpose_of(command: Command) -> Purpose:
    return Purpose.RELEASE if isinstance(command, ReleaseModel) else command.purpose


def model_of(command: Command) -> str:
    return command.model if isinstance(command, ReleaseModel) else command.request.model


def event_of(command: Command, outcome: Outcome, finished_at: datetime, *, from_memory: bool) -> CallFinished:
    if isinstance(command, ReleaseModel):
        item_id = score_id = None
        prompt = ""
    else:
        item_id, score_id = command.item_id, command.score_id
        prompt = _prompt(command)
    return CallFinished(
        call_id=command.call_id,
        run_id=command.run_id,
        group_id=command.group_id,
        purpose=purpose_of(command),
        item_id=item_id,
        score_id=score_id,
        dispatch=command.dispatch,
        prompt_preview=preview(prompt)[0],
        outcome=outcome,
        from_memory=from_memory,
        finished_at=finished_at,
    )


def _prompt(ask: Ask) -> str:
    if isinstance(ask, EmbedTexts):
        return ask.request.texts[0]
    return next((each.content for each in reversed(ask.request.messages) if each.role == "user"), "")
