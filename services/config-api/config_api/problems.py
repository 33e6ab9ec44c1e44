"""How the OpenAPI document shows the problems an endpoint may answer with."""

from typing import Any

from llmbench.web import ProblemBody

Responses = dict[int | str, dict[str, Any]]


def answers(status: int, description: str, model: type[ProblemBody] = ProblemBody) -> Responses:
    return {status: {"model": model, "description": description}}


INVALID = answers(422, "The request breaks a rule; `errors` names each field at fault.")
MISSING = answers(404, "There is no such resource.")
TAKEN = answers(409, "The name is taken; `errors` names the field.")
CHANGED = answers(412, "`If-Match` names another version than the current one.")
