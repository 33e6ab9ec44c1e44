"""The test environment of the judge: a real broker, the real judge, and a small fake gateway."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self
from uuid import UUID

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from judge.evaluators.base import Evaluator, Example, Request
from judge.evaluators.registry import evaluators
from judge.main import Settings, create_app
from llmbench.contracts.answer_scored import AnswerScored, Scored
from llmbench.contracts.base import preview
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.case import GroundTruth
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Answered, NotStarted, Outcome, Timings, Usage
from llmbench.contracts.read_call import CallRead, ReadCall
from llmbench.contracts.run_state import RunGate
from llmbench.ids import new_id
from llmbench.messaging.publish import publish_durably
from llmbench.messaging.streams import COMMANDS, ensure_lane, ensure_streams, lane_durable, run_state_bucket

GOOD = '{"reason": "The sum is right.", "score": 10}'
TIMEOUT_S = 240.0

Script = Callable[[GenerateCompletion], Outcome | str | None]
"""A function that returns the model's reply to a call that is not stored; None leaves the call in flight."""


async def until(condition: Callable[[], bool], timeout_s: float = TIMEOUT_S) -> None:
    async with asyncio.timeout(timeout_s):
        while not condition():  # no event announces an arbitrary condition
            await asyncio.sleep(0.01)


def command(**changes: Any) -> JudgeAnswer:
    """Return a command to score an answer, with fresh ids. `changes` override its fields."""
    example = JudgeAnswer.EXAMPLES[0]
    fresh = {"score_id": new_id(), "run_id": new_id(), "item_id": new_id()}
    return JudgeAnswer.model_validate({**example, **fresh, **changes})


def command_of(evaluator: Evaluator[Any], example: Example) -> JudgeAnswer:
    """Return the command to score the answer of an evaluator's example. The case has the example's fields and a default
    question."""
    task = command()
    plain = {"id": task.case.id, "task_id": "example", "category": "examples", "question": task.case.question}
    return command(
        evaluator={"revision_id": new_id(), "kind": evaluator.kind, "params": example.params},
        case={**plain, **example.case},
        answer=example.answer,
        facts=example.facts,
        citations=example.citations,
        judge=task.lane.model_dump(mode="json") if evaluator.facts(example.params).needs_judge else None,
    )


async def _never(part: str, request: Request, *, reuse: bool = False) -> Any:
    raise AssertionError("an evaluator by program asks no model")


async def score_of(kind: str, answer: str, references: list[str], **params: Any) -> Scored:
    """Score the answer by an evaluator that needs no model, with `params` as its parameters. The references become the
    case's acceptable answers."""
    task = command()
    evaluator = task.evaluator.model_copy(update={"kind": kind, "params": params})
    truth = GroundTruth(acceptable_answers=tuple(references)) if references else None
    case = task.case.model_copy(update={"excellent": None, "expected_output": None, "ground_truth": truth})
    given_ = task.model_copy(update={"evaluator": evaluator, "case": case, "answer": answer, "judge": None})
    verdict = await evaluators()[kind].evaluate(given_, _never)
    assert isinstance(verdict, Scored)
    return verdict


def answered(text: str, finish_reason: str = "stop") -> Answered:
    start, cut = preview(text)
    return Answered(
        preview=start, truncated=cut, finish_reason=finish_reason, usage=Usage(), timings=Timings(total_ms=1)
    )


@dataclass
class World:
    """A broker connection that acts as the judge's gateway and records what happened.

    - `received`: every command of the judge to the gateway.
    - `paid`: the ids of the calls that reached the model.
    - `scored`: the verdicts that the judge published.
    """

    url: str
    script: Script = lambda _: GOOD
    received: list[GenerateCompletion] = field(default_factory=list)
    paid: list[UUID] = field(default_factory=list)
    scored: list[AnswerScored] = field(default_factory=list)
    texts: dict[UUID, str] = field(default_factory=dict)
    memory: dict[UUID, Outcome] = field(default_factory=dict)
    nats: Client = field(init=False)
    _lane: "asyncio.Task[None]" = field(init=False)

    async def __aenter__(self) -> Self:
        self.nats = await nats.connect(
            self.url,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.05,
        )
        await ensure_streams(self.js)
        await self.nats.subscribe("evt.score.*", cb=self._record_verdict)
        await self.nats.subscribe(ReadCall.SUBJECT, cb=self._read)
        self._lane = asyncio.create_task(self._serve())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._lane.cancel()
        await asyncio.wait({self._lane})
        await self.nats.close()

    @property
    def js(self) -> JetStreamContext:
        return self.nats.jetstream()

    async def judge(self, task: JudgeAnswer) -> None:
        await publish_durably(self.js, task, service="test")

    async def verdict(self, task: JudgeAnswer) -> AnswerScored:
        """Wait for the first verdict on the score of the command `task`, and return the event with this verdict."""
        await until(lambda: any(scored.score_id == task.score_id for scored in self.scored))
        return next(scored for scored in self.scored if scored.score_id == task.score_id)

    async def gate(self, task: JudgeAnswer, gate: RunGate) -> None:
        await (await run_state_bucket(self.js)).put(str(task.run_id), gate.value.encode())

    async def gate_is_seen(self, task: JudgeAnswer, gate: RunGate) -> None:
        """Set the gate of the task's run to `gate`, and wait until the running judge has noticed the change.

        Probe commands of the same run show this: the judge requests a call for a probe only while it sees the gate
        open.
        """
        await self.gate(task, gate)
        script, self.script = self.script, lambda _: GOOD if gate is RunGate.OPEN else NotStarted()
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                probe = command(run_id=task.run_id)
                await self.judge(probe)
                await self.verdict(probe)
                if bool(self.calls_of(probe)) == (gate is RunGate.OPEN):
                    break
        self.script = script

    def calls_of(self, task: JudgeAnswer) -> list[GenerateCompletion]:
        return [call for call in self.received if call.score_id == task.score_id]

    async def nothing_pending(self) -> None:
        """Wait until the broker has no pending and no unacknowledged command for the judge."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                info = await self.js.consumer_info(COMMANDS, "judge")
                if not info.num_ack_pending and not info.num_pending:
                    return
                await asyncio.sleep(0.02)

    async def disable_redelivery_timeout(self) -> None:
        """Disable the redelivery of unacknowledged commands until the next judge starts.

        Commands that a judge hands back (nak) are still redelivered.
        """
        await self._disable_redelivery_timeout("judge")

    async def _disable_redelivery_timeout(self, durable: str) -> None:
        info = await self.js.consumer_info(COMMANDS, durable)
        await self.js.add_consumer(COMMANDS, info.config.evolve(ack_wait=3600.0))

    async def finish(self, call: GenerateCompletion, outcome: Outcome) -> None:
        """Publish the outcome of a call that stayed in flight, and store it as the gateway would."""
        self.memory[call.call_id] = outcome
        await self._report(call, outcome, from_memory=False)

    async def _serve(self) -> None:
        group = command().lane.group
        while True:
            try:
                await ensure_streams(self.js)
                await ensure_lane(self.js, group, concurrency=16)
                await self._disable_redelivery_timeout(lane_durable(group))
                lane = await self.js.pull_subscribe_bind(lane_durable(group), stream=COMMANDS)
                while True:
                    with contextlib.suppress(nats.errors.TimeoutError):
                        for message in await lane.fetch(1, timeout=0.5):
                            await self._answer(message)
            except (NatsError, OSError):
                await asyncio.sleep(0.1)

    async def _answer(self, message: Msg) -> None:
        call = GenerateCompletion.model_validate_json(message.data)
        self.received.append(call)
        known = self.memory.get(call.call_id)
        if known is None:
            self.paid.append(call.call_id)
            reply = self.script(call)
            if isinstance(reply, str):
                self.texts[call.call_id] = reply
                reply = answered(reply)
            if reply is not None and reply.kind != "not_started":
                self.memory[call.call_id] = reply
            outcome = reply
        else:
            outcome = known
        if outcome is not None:
            await self._report(call, outcome, from_memory=known is not None)
        await message.ack()

    async def _report(self, call: GenerateCompletion, outcome: Outcome, *, from_memory: bool) -> None:
        finished = CallFinished(
            **call.model_dump(include={"call_id", "run_id", "group_id", "purpose", "item_id", "score_id", "dispatch"}),
            outcome=outcome,
            from_memory=from_memory,
            finished_at=datetime.now(UTC),
        )
        await publish_durably(self.js, finished, service="test")

    async def _record_verdict(self, message: Msg) -> None:
        self.scored.append(AnswerScored.model_validate_json(message.data))

    async def _read(self, message: Msg) -> None:
        call = ReadCall.model_validate_json(message.data).call_id
        await message.respond(CallRead(call_id=call, content=self.texts.get(call)).model_dump_json().encode())


@contextlib.asynccontextmanager
async def running_judge(url: str, **settings: Any) -> AsyncIterator[None]:
    """Run the real judge application, without its HTTP server."""
    app = create_app(Settings(nats_url=url, **{"patience_s": 600, **settings}))
    async with app.router.lifespan_context(app):
        yield
