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

EVERYWHERE = (
    answers(400, "The body is no JSON.")
    | answers(403, "The request comes from a foreign origin.")
    | answers(413, "The body is too large.")
    | answers(421, "This service does not answer for that host.")
    | answers(500, "Something unexpected happened; the service's log says what.")
    | answers(503, "PostgreSQL does not answer, or has another schema.")
)
