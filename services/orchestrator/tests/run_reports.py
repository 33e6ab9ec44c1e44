"""The keys by which tests recognise a command that was sent before, and the reports about calls and scores."""

from datetime import UTC, datetime
from uuid import UUID

from llmbench.contracts.answer_scored import AnswerScored, Verdict
from llmbench.contracts.base import Message
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Released
from llmbench.contracts.release_model import ReleaseModel
from llmbench.ids import call_id

Key = tuple[str, UUID, int]
"""The key of a command, the same whenever it is sent again: its type, the id of its call or score, and its dispatch
number."""


def key_of(command: Message) -> Key:
    if isinstance(command, JudgeAnswer):
        return command.type, command.score_id, command.dispatch
    assert isinstance(command, GenerateCompletion | EmbedTexts | ReleaseModel)
    return command.type, command.call_id, command.dispatch


def report_of(command: GenerateCompletion | EmbedTexts, outcome: Outcome) -> CallFinished:
    return CallFinished(
        call_id=command.call_id,
        run_id=command.run_id,
        group_id=command.group_id,
        purpose=command.purpose,
        item_id=command.item_id,
        score_id=command.score_id,
        dispatch=command.dispatch,
        outcome=outcome,
        finished_at=datetime.now(UTC),
    )


def release_report_of(command: ReleaseModel) -> CallFinished:
    return CallFinished(
        call_id=command.call_id,
        run_id=command.run_id,
        group_id=command.group_id,
        purpose=Purpose.RELEASE,
        dispatch=command.dispatch,
        outcome=Released(unloaded=True),
        finished_at=datetime.now(UTC),
    )


def score_report_of(command: JudgeAnswer, verdict: Verdict) -> AnswerScored:
    return AnswerScored(
        score_id=command.score_id,
        run_id=command.run_id,
        item_id=command.item_id,
        dispatch=command.dispatch,
        verdict=verdict,
        call_ids=(call_id(command.score_id, dispatch=command.dispatch),),
        scored_at=datetime.now(UTC),
    )
