"""The request bodies of `/api/schedules`."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from orchestrator.runs.api.bodies import CreateRun
from orchestrator.runs.api.input import Input
from orchestrator.suites.api.bodies import StartBenchmark

CronText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="Five fields as in crontab(5): minute, hour, day of month, month, day of week. `0 2 * * 1-5` is "
        "02:00 from Monday to Friday.",
    ),
]
ZoneName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="A name of the IANA time zone database, such as Europe/Berlin.",
    ),
]


class RunToStart(Input):
    """A run to start: the body of `POST /api/runs`. It always waits in the queue, so `queue` may be left out."""

    kind: Literal["run"] = "run"
    request: CreateRun

    @model_validator(mode="before")
    @classmethod
    def _queued(cls, body: Any) -> Any:
        request = body.get("request") if isinstance(body, dict) else None
        if not isinstance(request, dict):
            return body
        if request.get("queue") is False:
            raise ValueError("request.queue: the runs of a schedule always wait in the queue; leave it out")
        return {**body, "request": {**request, "queue": True}}


class SuiteToStart(Input):
    """A suite to run: the body of `POST /v1/benchmarks/runs`. Each time, the newest published version runs."""

    kind: Literal["suite"]
    request: StartBenchmark


_KINDS = {"run": RunToStart.__name__, "suite": SuiteToStart.__name__}


def _kind_of(what: Any) -> str | None:
    """Return the `kind` of a schedule's field `what`; `None` if the kind is unknown. Pydantic chooses the model class
    by it.

    `what` is an object of a request body, or already an instance of a model class.
    """
    kind = what.get("kind", "run") if isinstance(what, dict) else getattr(what, "kind", None)
    return _KINDS.get(kind) if isinstance(kind, str) else None


WhatToStart = Annotated[
    Annotated[RunToStart, Tag(RunToStart.__name__)] | Annotated[SuiteToStart, Tag(SuiteToStart.__name__)],
    Discriminator(
        _kind_of,
        custom_error_type="unknown_kind",
        custom_error_message="must be an object with the kind `run` or `suite`, and a request",
    ),
]


class ScheduleIn(Input):
    """A schedule: a cron expression with a time zone, and what it starts (`what`)."""

    name: str = Field(
        min_length=1, max_length=255, description="Unique. Runs without a name of their own have it, too."
    )
    cron: CronText
    time_zone: ZoneName = "UTC"
    what: WhatToStart
    skip_if_running: bool = Field(
        default=True, description="Start nothing while the last run of the schedule is not over."
    )


class CreateSchedule(ScheduleIn):
    paused: bool = Field(default=False, description="Create it without letting it start anything yet.")
