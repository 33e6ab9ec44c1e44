"""Score one answer: turn the command into the event with the verdict."""

import logging
from datetime import UTC, datetime

from judge.evaluators.base import CallFailed, RunPaused, UnfitParams
from judge.evaluators.registry import evaluators, no_such
from judge.handlers.asking import JudgeCaller
from judge.ports import Calls, Gates
from llmbench.contracts.answer_scored import AnswerScored, Errored, JudgeRefused, Verdict
from llmbench.contracts.judge_answer import JudgeAnswer, NoJudge
from llmbench.contracts.outcome import NotStarted, Refused, Rejected

_log = logging.getLogger(__name__)


async def judge_answer(task: JudgeAnswer, *, calls: Calls, gates: Gates, patience_s: float) -> AnswerScored:
    """Score the answer and return the event with the verdict.

    A refusal by the judge model becomes `JudgeRefused`, any other error `Errored`. If the run's gate closes before
    the scoring is complete, the event has the verdict `Errored` with `NotStarted`. The orchestrator then sends the
    command again later under the same dispatch. Paid calls are stored, so they are not repeated. After `patience_s`
    seconds without an outcome, a call's command is sent again.
    """
    caller = JudgeCaller(task, calls=calls, gates=gates, patience_s=patience_s)
    try:
        await caller.require_open()
        verdict = await _verdict(task, caller)
    except RunPaused:
        verdict = Errored(failure=NotStarted())
    return AnswerScored(
        score_id=task.score_id,
        run_id=task.run_id,
        item_id=task.item_id,
        dispatch=task.dispatch,
        verdict=verdict,
        call_ids=tuple(caller.call_ids),
        cost_usd=caller.cost_usd,
        unpriced_calls=caller.unpriced_calls,
        scored_at=datetime.now(UTC),
    )


async def _verdict(task: JudgeAnswer, caller: JudgeCaller) -> Verdict:
    evaluator = evaluators().get(task.evaluator.kind)
    if evaluator is None:
        return _impossible(no_such(task.evaluator.kind))
    try:
        return await evaluator.evaluate(task, caller)
    except CallFailed as failed:
        if isinstance(failed.outcome, Refused):
            return JudgeRefused(message=failed.outcome.message, cause=failed.outcome.cause)
        return Errored(failure=failed.outcome)
    except RunPaused:
        raise
    except UnfitParams as error:
        return _impossible(f"The parameters of the evaluator {task.evaluator.kind!r} do not fit. {error}")
    except NoJudge as error:
        return _impossible(str(error))
    except Exception as error:  # noqa: BLE001  # a bug in an evaluator must not cause endless redelivery
        _log.exception("evaluator %s failed on score %s", task.evaluator.kind, task.score_id)
        return _impossible(f"The evaluator {task.evaluator.kind!r} failed: {error!r}")


def _impossible(message: str) -> Errored:
    return Errored(failure=Rejected(message=message[:2000], http_status=400, cause="bad_request"))
