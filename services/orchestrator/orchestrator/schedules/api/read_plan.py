"""Read the request of a schedule's run."""

from dataclasses import replace

from pydantic import ValidationError

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import NewRun
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.api.bodies import CreateRun
from orchestrator.runs.api.endpoints import new_run
from orchestrator.schedules.api.bodies import ScheduleIn
from orchestrator.schedules.domain.records import Plan


def plan_of(body: ScheduleIn) -> Plan:
    """Return the plan that a request describes. Fields that the request leaves out have the defaults of the time of the
    start.

    Raises a 422 `Problem` for a webhook: the plan is stored as it is, and a webhook's secret must be stored encrypted.
    """
    for field in ("webhook_url", "webhook_secret"):
        if getattr(body.what.request, field) is not None:
            message = "is not possible in a schedule; read the verdicts of its runs from the list of runs"
            raise invalid([FieldError(f"what.request.{field}", message)])
    return Plan(
        name=body.name,
        cron=" ".join(body.cron.split()),
        time_zone=body.time_zone,
        what={"kind": body.what.kind, "request": body.what.request.model_dump(mode="json", exclude_unset=True)},
        skip_if_running=body.skip_if_running,
    )


def run_of_plan(plan: Plan) -> NewRun:
    """Return the run that a plan describes, queued. A run without a name has the schedule's, so that its runs have the
    same sample.

    Raises a 422 `Problem` if the request is not valid any more, such as after an update.
    """
    try:
        body = CreateRun.model_validate(plan.what["request"])
    except ValidationError as error:
        raise invalid(
            [FieldError(".".join(map(str, fault["loc"])) or "body", fault["msg"]) for fault in error.errors()]
        ) from None
    named = body if body.name else body.model_copy(update={"name": plan.name})
    return replace(new_run(named), queued=True)
