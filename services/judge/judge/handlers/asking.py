"""Make the judge model's calls: send a command and wait for its outcome, through outages and pauses.

Both the command and the event with its outcome can be lost. So the command is sent again under the same call id, after
a reconnection and after a period without news. If the call was made meanwhile, the gateway answers with its stored
outcome. No command is sent while the run's gate is closed, but a call in flight is awaited.
"""

import asyncio
import logging
from typing import Any
from uuid import UUID

from judge.evaluators.base import CallFailed, Reply, Request, RunPaused
from judge.ports import Calls, Command, Gates, NotSent
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Answered, Malformed, NotStarted, Rejected, Released
from llmbench.contracts.run_state import RunGate
from llmbench.errors import MessageTooLarge
from llmbench.ids import call_id

_log = logging.getLogger(__name__)

RETRY_S = 1.0
CLOSED_GRACE_S = 10.0
"""The seconds, in addition to the call's own timeout, to wait for a call in flight after the gate has closed.

If no outcome arrives by then, the command is taken to have been removed from its queue before the call began.
"""
LONGEST_PATIENCE_FACTOR = 8


class JudgeCaller:
    """Calls the judge's model to score one answer: a callable with the signature of `evaluators.base.Ask`.

    `call_ids` lists all calls so far, in order, including failed ones. A command without an outcome is sent again after
    `patience_s` seconds, then after longer and longer waits.
    """

    def __init__(self, task: JudgeAnswer, *, calls: Calls, gates: Gates, patience_s: float) -> None:
        self._task = task
        self._calls = calls
        self._gates = gates
        self._patience_s = patience_s
        self._loop = asyncio.get_running_loop()
        self.call_ids: list[UUID] = []
        self._costs: list[float | None] = []

    @property
    def cost_usd(self) -> float | None:
        """Return the sum in US dollars of the known costs of answered calls; `None` if no cost is known."""
        known = [cost for cost in self._costs if cost is not None]
        return sum(known) if known else None

    @property
    def unpriced_calls(self) -> int:
        return self._costs.count(None)

    async def __call__(self, part: str, request: Request, *, reuse: bool = False) -> Reply:
        """Make the call and return its reply. Raises `CallFailed` if the call gives no usable answer, and `RunPaused`
        if the run's gate is not open.

        `part` distinguishes the calls for one score. With `reuse`, the gateway may answer from its cache.
        """
        await self.require_open()
        command = self._command(part, request, reuse=reuse)
        self.call_ids.append(command.call_id)
        try:
            outcome = (await self._finished(command)).outcome
        except MessageTooLarge as error:
            raise CallFailed(Rejected(message=str(error), http_status=413, cause="context_overflow")) from error
        if isinstance(outcome, Released):
            raise CallFailed(Malformed(message="The call was answered as if it had been a release."))
        if not isinstance(outcome, Answered):
            raise CallFailed(outcome)
        self._costs.append(_cost(outcome))
        text = await self._complete_text(command.call_id) if outcome.truncated else outcome.preview
        return Reply(text, outcome.cut, last_tokens=outcome.last_tokens, first_tokens=outcome.first_tokens)

    async def require_open(self) -> None:
        """Raise `RunPaused` unless the run's gate is open.

        This process's copy of all gates may be outdated: a command may arrive before the copy shows that its run was
        resumed. So if the copy shows a gate that is not open, the gate is read from the NATS bucket.
        """
        if self._gates.known(self._task.run_id) is RunGate.OPEN:
            return
        await self._require_confirmed()

    async def _require_confirmed(self) -> None:
        while True:
            try:
                gate = await self._gates.confirmed(self._task.run_id)
            except NotSent:
                await asyncio.sleep(RETRY_S)
                continue
            if gate is not RunGate.OPEN:
                raise RunPaused
            return

    def _command(self, part: str, request: Request, *, reuse: bool) -> Command:
        task, lane = self._task, self._task.lane
        common: dict[str, Any] = {
            "call_id": call_id(task.score_id, dispatch=task.dispatch, part=part),
            "run_id": task.run_id,
            "group": lane.group,
            "group_id": lane.group_id,
            "concurrency": lane.concurrency,
            "purpose": Purpose.SCORE,
            "item_id": task.item_id,
            "score_id": task.score_id,
            "dispatch": task.dispatch,
            "provider": lane.provider,
            "timeout_s": lane.timeout_s,
        }
        if isinstance(request, EmbeddingRequest):
            return EmbedTexts(**common, request=request)
        return GenerateCompletion(**common, request=request, use_cache=reuse)

    async def _finished(self, command: Command) -> CallFinished:
        while True:
            with self._calls.expect(command.call_id) as answer:
                finished = await self._await(command, answer)
            if not isinstance(finished.outcome, NotStarted):
                return finished
            # The gateway refused because the run was paused. Either the run is still paused, and the local copy of its
            # gate is outdated, or the pause is over.
            await self._require_confirmed()
            await asyncio.sleep(RETRY_S)

    async def _await(self, command: Command, answer: "asyncio.Future[CallFinished]") -> CallFinished:
        patience = self._patience_s
        send_at = self._loop.time()
        give_up_at: float | None = None
        under_way = False
        while True:
            # Subscribe before the check, so that a change in between is not missed.
            changed, revived = self._gates.changed(), self._calls.revived()
            gate = self._gates.known(command.run_id)
            if gate is RunGate.ABORTED:
                raise RunPaused
            now = self._loop.time()
            if gate is RunGate.OPEN:
                if give_up_at is not None:
                    # The gate opened again. The command may have been purged meanwhile, so send it again.
                    give_up_at, send_at = None, now
                if now >= send_at:
                    if await self._sent(command):
                        under_way = True
                        send_at = self._loop.time() + patience
                        patience = min(2 * patience, LONGEST_PATIENCE_FACTOR * self._patience_s)
                    else:
                        send_at = self._loop.time() + RETRY_S
            elif not under_way:
                raise RunPaused
            elif give_up_at is None:
                give_up_at = now + command.timeout_s + CLOSED_GRACE_S
            elif now >= give_up_at:
                raise RunPaused
            wake_at = send_at if give_up_at is None else give_up_at
            news: set[asyncio.Future[Any]] = {answer, changed, revived}
            await asyncio.wait(
                news,
                timeout=max(0.0, wake_at - self._loop.time()),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if answer.done():
                return answer.result()
            if revived.done():
                send_at = self._loop.time()

    async def _sent(self, command: Command) -> bool:
        try:
            await self._calls.send(command)
        except NotSent as error:
            _log.warning("call %s not sent (%s); trying again", command.call_id, error)
            return False
        return True

    async def _complete_text(self, call: UUID) -> str:
        while True:
            if self._gates.known(self._task.run_id) is RunGate.ABORTED:
                raise RunPaused
            try:
                text = await self._calls.complete_text(call)
            except NotSent as error:
                _log.warning("the text of call %s was not read (%s); trying again", call, error)
                await asyncio.sleep(RETRY_S)
                continue
            if text is None:
                raise CallFailed(Malformed(message="The judge's answer is no longer remembered."))
            return text


def _cost(outcome: Answered) -> float | None:
    """Return an answer's cost, or `None` if it is unknown. A reused answer costs 0, even if the cost of the original is
    unknown."""
    if outcome.cached:
        return 0.0
    return None if outcome.cost is None else outcome.cost.usd
