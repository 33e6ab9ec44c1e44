"""Build the run or suite run that a schedule starts from its stored request."""

from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import NewRun, NewWebhook
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.api.bodies import CreateRun
from orchestrator.runs.api.endpoints import new_run
from orchestrator.schedules.api.bodies import ScheduleIn
from orchestrator.schedules.domain.records import Plan
from orchestrator.suites.api.bodies import StartBenchmark
from orchestrator.suites.domain.requested import RequestedBenchmark

_Request = TypeVar("_Request", bound=BaseModel)


def plan_of(body: ScheduleIn, webhook: NewWebhook | None = None) -> Plan:
    """Return the plan that a request describes. Fields that the request leaves out get their defaults when the run
    starts.

    The request is stored unchanged, except for the secret of its `webhook`, which is encrypted and stored separately.
    """
    request = body.what.request.model_dump(mode="json", exclude_unset=True, exclude={"webhook_secret"})
    return Plan(
        name=body.name,
        cron=" ".join(body.cron.split()),
        time_zone=body.time_zone,
        what={"kind": body.what.kind, "request": request},
        skip_if_running=body.skip_if_running,
        webhook=webhook,
    )


def run_of_plan(plan: Plan) -> NewRun:
    """Return the run that a plan describes, queued. A run without a name gets the schedule's name. The seed of a sample
    comes from the run's name, so all runs of the schedule have the same sample.

    Raises a 422 `Problem` if the request is no longer valid, for example after an update of llmbench.
    """
    body = _valid(CreateRun, plan)
    named = body if body.name else body.model_copy(update={"name": plan.name})
    return replace(new_run(named), queued=True, webhook=plan.webhook)


def benchmark_of_plan(plan: Plan) -> RequestedBenchmark:
    """Return the suite run that a plan describes. A run without a name gets the schedule's name.

    Raises a 422 `Problem` if the request is no longer valid, for example after an update of llmbench.
    """
    body = _valid(StartBenchmark, plan)
    return replace(body.requested(None, plan.webhook), name=body.name or plan.name)


def _valid(model: type[_Request], plan: Plan) -> _Request:
    try:
        return model.model_validate(plan.what["request"])
    except ValidationError as error:
        raise invalid(
            [FieldError(".".join(map(str, fault["loc"])) or "body", fault["msg"]) for fault in error.errors()]
        ) from None
