"""Deliver a run's webhook, signed, when the run is over and its gates are decided. A delivery that fails is repeated
for hours, up to a maximum number of attempts.

Due deliveries are rows of the database, so none is lost when the process is killed. An interrupted attempt is repeated,
so a receiver may get a webhook more than once.
"""

import asyncio
import logging
import random
from datetime import UTC, datetime
from uuid import UUID

from llmbench.contracts.base import rfc3339
from llmbench.organisation import working_for
from orchestrator.evaluations.domain.evaluation import BatchStatus
from orchestrator.evaluations.ports.evaluations import BatchOut, EvaluationReader
from orchestrator.evaluations.ports.webhooks import DueWebhook, Undeliverable, WebhookSender, WebhookStore
from orchestrator.kernel.domain.webhooks import next_attempt, signed
from orchestrator.results.ports.queries import RunReader
from orchestrator.results.ports.schemas import RunSummary

_log = logging.getLogger(__name__)

AT_ONCE = 8
LEASE_S = 60.0
LOOK_EVERY_S = 15.0
_GONE = 410


class WebhookDelivery:
    def __init__(
        self,
        store: WebhookStore,
        batches: EvaluationReader,
        runs: RunReader,
        sender: WebhookSender,
        *,
        first_retry_s: float,
    ) -> None:
        self._store = store
        self._batches = batches
        self._runs = runs
        self._sender = sender
        self._first_retry_s = first_retry_s
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Let the delivery loop look for due webhooks now, because a run may have ended."""
        self._woken.set()

    async def run(self) -> None:
        """Deliver due webhooks until cancelled. Errors, for instance of the database, are logged, and the loop
        continues."""
        while True:
            self._woken.clear()
            try:
                while due := await self._store.claim(_now(), lease_s=LEASE_S, most=AT_ONCE):
                    await asyncio.gather(*(self._deliver(webhook) for webhook in due))
                wait_s = await self._until_due()
            except Exception as error:  # noqa: BLE001  # the loop tries again
                _log.warning("due webhooks could not be read: %r", error)
                wait_s = LOOK_EVERY_S
            try:
                async with asyncio.timeout(wait_s):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def _until_due(self) -> float:
        due = await self._store.next_due()
        return LOOK_EVERY_S if due is None else min(LOOK_EVERY_S, max(0.0, (due - _now()).total_seconds()))

    async def _deliver(self, due_webhook: DueWebhook) -> None:
        with working_for(due_webhook.org_id):
            await self._attempt(due_webhook)

    async def _attempt(self, due_webhook: DueWebhook) -> None:
        if due_webhook.secret is None:
            await self._store.not_delivered(
                due_webhook.id, "its secret cannot be decrypted with this MASTER_KEY", again_at=None
            )
            return
        body = await self._body(due_webhook.run_id)
        if body is None:
            # The run was removed since the webhook was leased, and its webhook with it.
            return
        headers = {"content-type": "application/json", "user-agent": "llmbench"}
        headers |= signed(body, id=str(due_webhook.id), at=_now(), secret=due_webhook.secret)
        try:
            status = await self._sender.post(due_webhook.url, body, headers)
        except Undeliverable as why:
            await self._failed(due_webhook, str(why))
            return
        if 200 <= status < 300:
            await self._store.delivered(due_webhook.id, _now())
        elif status == _GONE:
            await self._store.not_delivered(
                due_webhook.id, "the receiver asks for no further deliveries (HTTP 410)", again_at=None
            )
        else:
            redirected = "; redirects are not followed" if 300 <= status < 400 else ""
            await self._failed(due_webhook, f"HTTP {status}{redirected}")

    async def _body(self, run_id: UUID) -> bytes | None:
        batch = await self._batches.batch(run_id, now=_now())
        if batch is not None:
            return body_of(batch)
        run = await self._runs.run(run_id)
        return None if run is None else body_of_run(run)

    async def _failed(self, due_webhook: DueWebhook, why: str) -> None:
        jitter = random.random()  # noqa: S311  # spreads retries, not security
        again_at = next_attempt(due_webhook.attempts, _now(), first_s=self._first_retry_s, jitter=jitter)
        _log.warning("webhook %s, attempt %d: %s", due_webhook.id, due_webhook.attempts, why)
        await self._store.not_delivered(due_webhook.id, why[:500], again_at=again_at)


def body_of(batch: BatchOut) -> bytes:
    """Return the body of a batch's webhook as JSON with `type`, `timestamp` and `data`. `data` is the batch as
    `GET …/batch/{job_id}` returns it, but without the field `webhook`."""
    data = batch.model_dump_json(exclude={"webhook"})
    kind: BatchStatus = batch.status
    ended = rfc3339(batch.completed_at or _now())
    return f'{{"type":"evaluation.batch.{kind}","timestamp":"{ended}","data":{data}}}'.encode()


def body_of_run(run: RunSummary) -> bytes:
    """Return the body of a run's webhook as JSON with `type`, `timestamp` and `data`. `data` is the run as
    `GET /api/runs` lists it, with the result of its gates."""
    ended = rfc3339(run.finished_at or _now())
    return f'{{"type":"run.{run.status.lower()}","timestamp":"{ended}","data":{run.model_dump_json()}}}'.encode()


def _now() -> datetime:
    return datetime.now(UTC)
