"""Let the judge service validate the checks of tasks and test cases. The results for a file's checks are cached.

A check is an evaluator that asks no model, with parameters for one task or test case. If there are no checks, no
request is sent.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from nats.aio.client import Client
from pydantic import ValidationError

from config_api.publishing import SERVICE
from llmbench.contracts.check import CASE_CHECKS
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed
from llmbench.errors import FieldError, Problem
from llmbench.files.cases import Faults
from llmbench.messaging.publish import NO_REPLY, request

TIMEOUT_S = 15.0
_AT_ONCE: Final = 50
_AT_ONCE_CHARACTERS: Final = 500_000
MOST_REMEMBERED: Final = 20_000

CaseChecks = Sequence[dict[str, Any]]


class CheckService:
    def __init__(self, nats: Callable[[], Client | None]) -> None:
        self._nats = nats

    def of_file(self) -> "ChecksOfFile":
        return ChecksOfFile(self)

    async def require(self, checks: CaseChecks) -> None:
        """Raise a 422 problem that names each invalid check.

        Raises a 503 problem when the judge service does not answer.
        """
        faults = (await self.of_file().faults([checks]))[0]
        if faults:
            errors = [FieldError(place or "checks", message) for place, message in faults]
            raise Problem(422, "Invalid request", f"{errors[0].field}: {errors[0].message}", errors=errors)

    async def problems(self, checks: Sequence[dict[str, Any]]) -> dict[int, str]:
        """Return the error message of each invalid check, by its index in `checks`.

        Raises a 503 problem when the judge service does not answer.
        """
        nats = self._nats()
        if nats is None:
            raise _unanswered("NATS does not answer")
        query = DescribeEvaluator(kind=CASE_CHECKS, params={"checks": list(checks)})
        try:
            reply = await request(nats, query, service=SERVICE, timeout_s=TIMEOUT_S)
            described = EvaluatorDescribed.model_validate_json(reply)
        except NO_REPLY as error:
            raise _unanswered("the judge service does not answer. Is it running? Try again in a moment") from error
        except ValidationError as error:
            raise _unanswered("the judge service runs another version of llmbench") from error
        messages: dict[int, str] = {}
        for problem in described.problems:
            head, _, rest = problem.field.partition(".")
            place, _, part = rest.partition(".")
            if head != "checks" or not place.isdecimal():
                # This error names no single check: send each check alone to find the invalid ones.
                return await self._one_by_one(checks, problem.message)
            message = f"{part}: {problem.message}" if part else problem.message
            messages.setdefault(int(place), message)
        return messages

    async def _one_by_one(self, checks: Sequence[dict[str, Any]], message: str) -> dict[int, str]:
        if len(checks) == 1:
            return {0: message}
        return {
            place: problem for place, check in enumerate(checks) for problem in (await self.problems([check])).values()
        }


class ChecksOfFile:
    """Validates the checks of one file. Results are cached, because the many cases of a file usually share a few
    checks."""

    def __init__(self, service: CheckService) -> None:
        self._service = service
        self._known: dict[bytes, str | None] = {}

    async def faults(self, listed: Sequence[CaseChecks]) -> list[Faults]:
        """Return, for each case in `listed`, its invalid checks as pairs of a field (`checks.<index>`) and a message.

        Raises a 503 problem when the judge service does not answer.
        """
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        unknown = {key: check for checks in listed for check in checks if (key := _key(check)) not in self._known}
        await self._ask(unknown)
        return [
            [
                (f"checks.{place}", problem)
                for place, check in enumerate(checks)
                if (problem := self._known[_key(check)]) is not None
            ]
            for checks in listed
        ]

    async def _ask(self, unknown: dict[bytes, dict[str, Any]]) -> None:
        batch: dict[bytes, dict[str, Any]] = {}
        size = 0
        for key, check in unknown.items():
            length = len(json.dumps(check))
            if batch and (len(batch) == _AT_ONCE or size + length > _AT_ONCE_CHARACTERS):
                await self._ask_batch(batch)
                batch, size = {}, 0
            batch[key] = check
            size += length
        if batch:
            await self._ask_batch(batch)

    async def _ask_batch(self, batch: dict[bytes, dict[str, Any]]) -> None:
        problems = await self._service.problems(list(batch.values()))
        self._known |= {key: problems.get(place) for place, key in enumerate(batch)}


def _key(check: dict[str, Any]) -> bytes:
    return hashlib.sha256(json.dumps(check, sort_keys=True).encode()).digest()


def _unanswered(reason: str) -> Problem:
    return Problem(503, "The judge service does not answer", f"The checks could not be validated: {reason}.")
