"""Let the judge service validate the evaluators of a suite's tasks."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nats.aio.client import Client
from pydantic import ValidationError

from config_api.publishing import SERVICE
from config_api.suites.schemas import SuiteTaskIn, TaskEvaluatorIn
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed, EvaluatorFacts
from llmbench.contracts.suite import TaskEvaluator
from llmbench.errors import FieldError, Problem
from llmbench.messaging.publish import NO_REPLY, request

_TIMEOUT_S = 15.0


@dataclass
class CheckedEvaluators:
    """The validated evaluators of each task, in the order of the tasks, and the errors in invalid evaluators."""

    of_tasks: list[tuple[TaskEvaluator, ...]]
    faults: list[FieldError]


class EvaluatorChecks:
    def __init__(self, nats: Callable[[], Client | None]) -> None:
        self._nats = nats

    async def check(self, tasks: Sequence[SuiteTaskIn]) -> CheckedEvaluators:
        """Check the evaluators of all tasks. Equal evaluators are sent to the judge service only once. If there are no
        evaluators, no request is sent.

        Raises a 503 problem when the judge service does not answer.
        """
        described: dict[str, EvaluatorDescribed] = {}
        checked = CheckedEvaluators([], [])
        for number, task in enumerate(tasks):
            of_task: list[TaskEvaluator] = []
            seen: set[str] = set()
            names: set[str] = set()
            for place, evaluator in enumerate(task.evaluators):
                field = f"tasks.{number}.evaluators.{place}"
                key = json.dumps([evaluator.kind, evaluator.params], sort_keys=True)
                if key not in described:
                    described[key] = await self._describe(evaluator.kind, evaluator.params)
                checked.faults += _faults(field, evaluator, described[key])
                if key in seen:
                    checked.faults.append(FieldError(field, "the task has the same evaluator with the same parameters"))
                if evaluator.name is not None and evaluator.name in names:
                    message = f"'{evaluator.name}' is the name of another evaluator of the task"
                    checked.faults.append(FieldError(f"{field}.name", message))
                seen.add(key)
                names.update([evaluator.name] if evaluator.name else [])
                facts = described[key].facts
                of_task.append(
                    TaskEvaluator(**evaluator.model_dump(), needs_judge=facts is not None and facts.needs_judge)
                )
            if of_task and not any(evaluator.weight for evaluator in of_task):
                message = "at least one needs a weight above 0, else no answer has an overall score"
                checked.faults.append(FieldError(f"tasks.{number}.evaluators", message))
            checked.of_tasks.append(tuple(of_task))
        return checked

    async def _describe(self, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
        nats = self._nats()
        if nats is None:
            raise _unanswered("NATS does not answer")
        try:
            query = DescribeEvaluator(kind=kind, params=params)
            reply = await request(nats, query, service=SERVICE, timeout_s=_TIMEOUT_S)
            return EvaluatorDescribed.model_validate_json(reply)
        except NO_REPLY as error:
            raise _unanswered("the judge service does not answer. Is it running? Try again in a moment") from error
        except ValidationError as error:
            raise _unanswered("the judge service runs another version of llmbench") from error


def _faults(field: str, evaluator: TaskEvaluatorIn, described: EvaluatorDescribed) -> list[FieldError]:
    if described.facts is None:
        faults = [
            FieldError(f"{field}.params.{problem.field}" if problem.field else f"{field}.kind", problem.message)
            for problem in described.problems
        ]
        return faults or [FieldError(f"{field}.kind", "the judge service refuses it")]
    return _unfit(field, evaluator, described.facts)


def _unfit(field: str, evaluator: TaskEvaluatorIn, facts: EvaluatorFacts) -> list[FieldError]:
    faults = []
    if facts.needs_judge and facts.judge_asks == "embeddings":
        message = (
            f"'{facts.kind}' asks an embedding model, which a suite cannot name: add this evaluator to the finished run"
        )
        faults.append(FieldError(f"{field}.kind", message))
    threshold = evaluator.pass_threshold
    if threshold is not None and not facts.scale_min <= threshold <= facts.scale_max:
        message = f"{threshold:g} is not on the evaluator's scale, which is {facts.scale_min:g} to {facts.scale_max:g}"
        faults.append(FieldError(f"{field}.pass_threshold", message))
    return faults


def _unanswered(reason: str) -> Problem:
    return Problem(503, "The judge service does not answer", f"The evaluators could not be checked: {reason}.")
