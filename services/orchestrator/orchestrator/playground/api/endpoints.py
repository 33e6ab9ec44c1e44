"""`/api/playground`: ask one question of up to four models at once, and keep it as a run."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from fastapi import Response

from llmbench.access import Resource
from llmbench.http.openapi import answers
from llmbench.http.service_router import ServiceRouter
from orchestrator.kernel.domain.refusal import no_run
from orchestrator.playground.api.bodies import AskPlayground, KeepRun
from orchestrator.playground.handlers.ask import PlaygroundParts, ask, keep
from orchestrator.results.ports.schemas import RunSummary
from orchestrator.runs.api.idempotency import Key, idempotency
from orchestrator.runs.handlers.leadership import Leadership

_TAKEN = answers(409, "An active run uses a local model, and a target is local; `active_run_id` names the run.")
_OTHER = answers(409, "The run is an evaluation of supplied outputs.")


@dataclass(frozen=True)
class PlaygroundServices:
    """The dependencies of the endpoints, created when the service starts."""

    parts: PlaygroundParts
    leadership: Leadership


def router(services: Callable[[], PlaygroundServices]) -> ServiceRouter:
    api = ServiceRouter(prefix="/api/playground", tags=["playground"], resource=Resource.RUNS)

    @api.post("", status_code=201, operation_id="askPlayground", responses=_TAKEN)
    async def create(body: AskPlayground, response: Response, key: Key = None) -> RunSummary:
        """Ask one question of up to four targets. It is a run of the type PLAYGROUND, which the list of runs leaves out
        by default; its items have the answers, and `/topic/run/{id}/answer` streams them."""
        at = services()
        new = replace(body.run(), idempotency=idempotency(key, "ask", body))
        run_id = await ask(at.parts, new, now=datetime.now(UTC))
        await at.leadership.wake(run_id)
        response.headers["Location"] = f"/api/runs/{run_id}"
        return await _summary(run_id)

    @api.post("/{run_id}/keep", operation_id="keepPlayground", responses=_OTHER)
    async def keep_run(run_id: UUID, body: KeepRun | None = None) -> RunSummary:
        """Keep a question as an ordinary run, which the list of runs shows. The request is idempotent."""
        await keep(services().parts, run_id, body.name if body else None)
        return await _summary(run_id)

    async def _summary(run_id: UUID) -> RunSummary:
        summary = await services().parts.runs.run(run_id)
        if summary is None:
            raise no_run(run_id)
        return summary

    return api
