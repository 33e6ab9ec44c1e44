"""An orchestrator on a real PostgreSQL and a real NATS, for tests of runs.

The test plays the gateway and the judge: it receives every command and answers it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import UUID

import httpx
import nats
from asgi_lifespan import LifespanManager
from fastapi import FastAPI
from known_evaluators import KNOWN, check_references, describe_evaluator
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js import JetStreamContext
from nats.js.errors import ServiceUnavailableError
from run_reports import Key, key_of, release_report_of, report_of, score_report_of
from run_seed import provider_row, seed
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from llmbench.contracts.answer_scored import Errored, Scored, Verdict
from llmbench.contracts.base import Message
from llmbench.contracts.check_references import CheckReferences
from llmbench.contracts.describe_evaluator import DescribeEvaluator
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.group_opened import GroupOpened
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.list_evaluators import ListEvaluators
from llmbench.contracts.list_models import ModelsListed
from llmbench.contracts.outcome import Answered, NotStarted, Outcome, Refused, Timings, Usage
from llmbench.contracts.registry import parse
from llmbench.contracts.release_model import ReleaseModel
from llmbench.db import tables as t
from llmbench.db.engine import open_engine
from llmbench.ids import new_id
from llmbench.messaging.fence import fence
from llmbench.messaging.owner import organisation_of
from llmbench.messaging.publish import publish_durably
from llmbench.messaging.streams import COMMANDS, ensure_consumer, ensure_streams, lane_durable
from llmbench.organisation import working_for
from orchestrator.main import Settings, create_app

MASTER_KEY = "only for tests, and long enough for one"
PATIENCE_S = 240.0
MODELS = ("model-a", "model-b", "judge")

Answer = Callable[[GenerateCompletion], Awaitable[Outcome | None]]
"""Return the outcome of a call, or `None` to lose the command."""
Judge = Callable[[JudgeAnswer], Awaitable[Verdict | None]]


def answered(text_: str = "42") -> Answered:
    return Answered(
        preview=text_,
        finish_reason="stop",
        usage=Usage(prompt_tokens=5, completion_tokens=2),
        timings=Timings(total_ms=10, first_token_ms=4, first_content_ms=4, tokens_per_second=333.0),
    )


def scored(raw: float = 9) -> Scored:
    return Scored(raw=raw, scale_min=0, scale_max=10, normalised=raw / 10, passed=raw >= 5, reason="The sum is right.")


async def answer_at_once(_: GenerateCompletion) -> Outcome:
    return answered()


async def score_at_once(_: JudgeAnswer) -> Verdict:
    return scored()


def contained(found: bool) -> Scored:
    raw = float(found)
    return Scored(raw=raw, scale_min=0, scale_max=1, normalised=raw, passed=found, reason="It is there.")


@dataclass
class World:
    http: httpx.AsyncClient
    engine: AsyncEngine
    nats: Client
    js: JetStreamContext
    provider_id: UUID
    collection_id: UUID
    seen: list[Message] = field(default_factory=list)
    """The received commands, each once. One that is sent again, as on a busy machine, gets the first one's result."""
    closing: bool = False
    serving: "asyncio.Task[None] | None" = None
    _known: set["Key"] = field(default_factory=set)
    """All commands, including those received before a test cleared `seen`."""
    _under_way: set["Key"] = field(default_factory=set)
    _outcomes: dict["Key", Outcome | Verdict] = field(default_factory=dict)
    """The outcomes that gateway and judge remember: all except "not started"."""
    answer: Answer = answer_at_once
    judge: Judge = score_at_once
    judge_again: Callable[[float], Verdict | None] = scored
    """The verdict of a judge check on an answer whose stored score is given. By default the judge is unchanged."""
    reasoning: str | None = None
    """The reasoning of every answered call."""
    described: list[DescribeEvaluator] = field(default_factory=list)
    checked: list[CheckReferences] = field(default_factory=list)
    checking: Subscription | None = None
    describing: Subscription | None = None
    models: ModelsListed = field(default_factory=lambda: ModelsListed(models=MODELS, url="http://mock/v1/models"))

    def body(self, *models: str, **more: Any) -> dict[str, Any]:
        """Return a request for a run of the given targets (default: `model-a`)."""
        return {
            "judge": {"provider_id": str(self.provider_id), "model": "judge"},
            "targets": [{"provider_id": str(self.provider_id), "model": model} for model in models or ("model-a",)],
            "collection_ids": [str(self.collection_id)],
        } | more

    async def add_provider(self, name: str) -> UUID:
        """Add another provider with the same models."""
        provider_id = new_id()
        async with self.engine.begin() as connection:
            await connection.execute(insert(t.provider).values(provider_row(provider_id, name)))
        return provider_id

    async def start(self, *models: str, **more: Any) -> UUID:
        response = await self.http.post("/api/runs", json=self.body(*models, **more))
        assert response.status_code == 201, response.text
        return UUID(response.json()["id"])

    async def until(
        self, run_id: UUID, condition: Callable[[dict[str, Any]], bool], timeout_s: float = PATIENCE_S
    ) -> dict[str, Any]:
        """Poll the run until the condition holds, and return it. Poll less often if reading it takes long. The error of
        a timeout shows the run's last state."""
        run: dict[str, Any] = {}
        now = asyncio.get_running_loop().time
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    self._require_serving()
                    asked = now()
                    run = (await self.http.get(f"/api/runs/{run_id}")).json()
                    if condition(run):
                        return run
                    await asyncio.sleep(min(max(0.05, 4 * (now() - asked)), 1.0))
        except TimeoutError:
            raise AssertionError(f"the run never got there: {run}") from None

    async def eventually(self, condition: Callable[[], Awaitable[bool]], timeout_s: float = PATIENCE_S) -> None:
        async with asyncio.timeout(timeout_s):
            while not await condition():
                self._require_serving()
                await asyncio.sleep(0.02)

    def _require_serving(self) -> None:
        """Raise the error that ended the serving of commands, if any. No test could continue after it."""
        if self.serving is not None and self.serving.done() and not self.closing:
            self.serving.result()

    async def until_status(self, run_id: UUID, status: str) -> dict[str, Any]:
        await self._until_row(run_id, "status = :status", status=status)
        return await self.until(run_id, lambda run: run["status"] == status)

    async def until_decided(self, run_id: UUID) -> None:
        """Wait until the run is finished and no decision of its gates is due."""
        await self._until_row(run_id, "status = 'FINISHED' AND NOT gate_due")

    async def _until_row(self, run_id: UUID, condition: str, **values: str) -> None:
        """Poll a condition on the run's row alone, which is cheap to read. Return without an error after a timeout."""
        query = text(f"SELECT {condition} FROM run WHERE id = :id")

        async def reached() -> bool:
            async with self.engine.connect() as connection:
                return bool(await connection.scalar(query, {"id": run_id} | values))

        with contextlib.suppress(TimeoutError):
            await self.eventually(reached)

    async def items(self, run_id: UUID) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.http.get(f"/api/runs/{run_id}/items", params={"limit": 500})).json()[
            "items"
        ]
        return found

    async def events(self, run_id: UUID, type_: str) -> list[dict[str, Any]]:
        page = (await self.http.get(f"/api/runs/{run_id}/events", params={"limit": 1000})).json()
        return [event for event in page["events"] if event["type"] == type_]

    def calls(self, purpose: Purpose = Purpose.ITEM) -> list[GenerateCompletion]:
        return [
            command for command in self.seen if isinstance(command, GenerateCompletion) and command.purpose == purpose
        ]

    async def finish_call(self, command: GenerateCompletion | EmbedTexts, outcome: Outcome) -> None:
        """Report the outcome as the gateway does: store the row, then publish the event."""
        if isinstance(outcome, Answered | Refused):
            await self._remember(command, outcome)
        await self._report(report_of(command, outcome))

    async def _remember(self, command: GenerateCompletion | EmbedTexts, outcome: Answered | Refused) -> None:
        now = datetime.now(UTC)
        async with self.engine.begin() as connection:
            await connection.execute(
                text(
                    "INSERT INTO model_call (id, run_id, provider_id, group_id, item_id, score_id, purpose,"
                    " dispatch, model, request_hash, content, reasoning, outcome, started_at, finished_at, org_id)"
                    " VALUES (:id, :run_id, :provider_id, :group_id, :item_id, :score_id, :purpose,"
                    " :dispatch, :model, '', :content, :reasoning, CAST(:outcome AS jsonb), :began, :now,"
                    " (SELECT org_id FROM run WHERE id = :run_id)) ON CONFLICT DO NOTHING"
                ),
                {
                    "id": command.call_id,
                    "run_id": command.run_id,
                    "provider_id": command.provider.provider_id,
                    "group_id": command.group_id,
                    "item_id": command.item_id,
                    "score_id": command.score_id,
                    "purpose": command.purpose,
                    "dispatch": command.dispatch,
                    "model": command.request.model,
                    "content": outcome.preview if isinstance(outcome, Answered) else outcome.message,
                    "reasoning": self.reasoning,
                    "outcome": outcome.model_dump_json(exclude_none=True),
                    "began": now
                    - timedelta(milliseconds=outcome.timings.total_ms if isinstance(outcome, Answered) else 0),
                    "now": now,
                },
            )

    async def serve_commands(self, ready: asyncio.Event) -> None:
        """Answer commands of the judge's lane (queue) and of each lane that opens. As gateway and judge do, acknowledge
        a command at once and answer it in a separate task.

        `ready` is set once every later opening of a lane will be noticed.
        """
        await ensure_streams(self.js, settle=False)
        await ensure_consumer(self.js, COMMANDS, "judge", "cmd.judge.*", max_ack_pending=64)
        served: set[str] = set()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._serve_durable("judge", tasks))

            async def opened(message: Msg) -> None:
                group = GroupOpened.model_validate_json(message.data).group
                if group not in served and not self.closing:
                    served.add(group)
                    tasks.create_task(self._serve_durable(lane_durable(group), tasks))

            await self.nats.subscribe(GroupOpened.SUBJECT, cb=opened)
            await fence(self.nats)
            ready.set()

    async def _serve_durable(self, durable: str, tasks: asyncio.TaskGroup) -> None:
        consumer = await self.js.pull_subscribe_bind(durable, stream=COMMANDS)
        # Check the flag as well: a fetch that is cancelled just as it completes can lose the cancellation.
        while not self.closing:
            try:
                messages = await consumer.fetch(1, timeout=1)
            except (TimeoutError, ServiceUnavailableError):
                # A lane's consumer is deleted when its group is released, and created again when the group is reopened.
                await asyncio.sleep(0.01)
                continue
            for message in messages:
                await message.ack()
                command = parse(message.data)
                if key_of(command) not in self._known:
                    self._known.add(key_of(command))
                    self.seen.append(command)
                if self.closing:
                    return
                with working_for(organisation_of(message.headers)):
                    tasks.create_task(self._serve(command))

    async def _serve(self, command: Message) -> None:
        """Answer a command. A repeated one is ignored while the first is in progress; later it gets the same report."""
        key = key_of(command)
        if key in self._under_way:
            return
        self._under_way.add(key)
        try:
            await self._serve_once(command, key)
        finally:
            self._under_way.discard(key)

    async def _answered(self, command: GenerateCompletion, key: "Key") -> Outcome | None:
        if (known := self._outcomes.get(key)) is not None:
            return cast("Outcome", known)
        outcome = await self.answer(command)
        if outcome is not None and not isinstance(outcome, NotStarted):
            self._outcomes[key] = outcome
        return outcome

    async def _judged(self, command: JudgeAnswer, key: "Key") -> Verdict | None:
        if (known := self._outcomes.get(key)) is not None:
            return cast("Verdict", known)
        stored = await self._stored_score(command)
        verdict = await self.judge(command) if stored is None else self.judge_again(stored)
        if verdict is not None and not (isinstance(verdict, Errored) and isinstance(verdict.failure, NotStarted)):
            self._outcomes[key] = verdict
        return verdict

    async def _stored_score(self, command: JudgeAnswer) -> float | None:
        """Return the score that the judge gave the answer for the baseline, if the command belongs to a judge check."""
        query = text(
            "SELECT score.raw FROM item JOIN judge_check ON judge_check.check_run_id = item.run_id "
            "JOIN score ON score.item_id = item_ids[item.position % cardinality(item_ids) + 1] "
            "AND score.evaluator_revision_id = :revision WHERE item.id = :item"
        )
        keys = {"item": command.item_id, "revision": command.evaluator.revision_id}
        async with self.engine.connect() as connection:
            return (await connection.execute(query, keys)).scalar_one_or_none()

    async def _report(self, report: Message) -> None:
        """Publish the report, and repeat it until the stream has acknowledged it: a busy machine can take longer than
        one attempt waits. The stream drops repetitions, which have the same id."""
        message_id = new_id()
        while True:
            try:
                return await publish_durably(self.js, report, service="test", message_id=message_id)
            except TimeoutError:
                continue

    async def _serve_once(self, command: Message, key: "Key") -> None:
        if isinstance(command, GenerateCompletion):
            outcome = await self._answered(command, key)
            if outcome is not None:
                await self.finish_call(command, outcome)
        elif isinstance(command, EmbedTexts):
            await self.finish_call(command, answered("vectors"))
        elif isinstance(command, ReleaseModel):
            await self._report(release_report_of(command))
        elif isinstance(command, JudgeAnswer):
            verdict = await self._judged(command, key)
            if verdict is not None:
                await self._report(score_report_of(command, verdict))


@asynccontextmanager
async def running_orchestrator(postgres_url: str, nats_url: str, **more: Any) -> AsyncIterator[FastAPI]:
    settings: dict[str, Any] = {"database_url": postgres_url, "nats_url": nats_url, "master_key": MASTER_KEY} | more
    app = create_app(clock=settings.pop("clock", None), settings=Settings(**settings))
    async with LifespanManager(app, startup_timeout=240, shutdown_timeout=240):
        yield app


@asynccontextmanager
async def open_world(
    postgres_url: str, nats_url: str, *, tasks: int = 3, seeded: bool = False, **settings: Any
) -> AsyncIterator[World]:
    """Yield a test environment (`World`) with `tasks` tasks. If `seeded` is true, nothing is inserted: the database has
    the rows of an earlier `World`, and the new `provider_id` and `collection_id` have no rows."""
    connection = await nats.connect(nats_url)
    async with (
        open_engine(postgres_url, application_name="test") as engine,
        running_orchestrator(postgres_url, nats_url, **settings) as app,
    ):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            provider_id, collection_id = (new_id(), new_id()) if seeded else await seed(engine, tasks)
            world = World(http, engine, connection, connection.jetstream(), provider_id, collection_id)

            async def list_models(message: Any) -> None:
                await message.respond(world.models.model_dump_json().encode())

            async def describe(message: Any) -> None:
                question = DescribeEvaluator.model_validate_json(message.data)
                world.described.append(question)
                await message.respond(describe_evaluator(question).model_dump_json().encode())

            async def check(message: Any) -> None:
                question = CheckReferences.model_validate_json(message.data)
                world.checked.append(question)
                await message.respond(check_references(question).model_dump_json().encode())

            async def list_evaluators(message: Any) -> None:
                await message.respond(KNOWN.model_dump_json().encode())

            await connection.subscribe("req.provider.models", cb=list_models)
            await connection.subscribe(ListEvaluators.SUBJECT, cb=list_evaluators)
            world.describing = await connection.subscribe(DescribeEvaluator.SUBJECT, cb=describe)
            world.checking = await connection.subscribe(CheckReferences.SUBJECT, cb=check)
            ready = asyncio.Event()
            serving = world.serving = asyncio.create_task(world.serve_commands(ready))
            try:
                async with asyncio.timeout(PATIENCE_S):
                    while (await http.get("/health/ready")).status_code != 200:
                        await asyncio.sleep(0.01)
                    await ready.wait()
                yield world
            finally:
                world.closing = True
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
    await connection.close()
