"""A call as it is remembered: one row of `model_call`, and the event that tells of it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from inference_gateway.domain.http_call import HttpCall
from llmbench.contracts.base import preview
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.outcome import Outcome
from llmbench.contracts.release_model import ReleaseModel

Command = GenerateCompletion | ReleaseModel

_NOT_THE_QUESTION = frozenset({"stream", "stream_options"})


@dataclass(frozen=True)
class FinishedCall:
    """What a call came to. `response` is what else the provider said, without the text."""

    outcome: Outcome
    started_at: datetime
    finished_at: datetime
    request: Mapping[str, Any]
    request_hash: str
    content: str | None = None
    reasoning: str | None = None
    response: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class RememberedCall:
    outcome: Outcome
    finished_at: datetime


def request_hash(call: HttpCall) -> str:
    """SHA-256 of where and what was asked, leaving out how the answer was to be delivered."""
    asked = {name: value for name, value in call.body.items() if name not in _NOT_THE_QUESTION}
    canonical = json.dumps([call.url, asked], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


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
        prompt = next((each.content for each in reversed(command.request.messages) if each.role == "user"), "")
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
