"""Complete the services' OpenAPI documents: every operation lists the error statuses that it may return.

`EVERYWHERE` has the statuses that all operations share. `Api` adds those that follow from an operation's path and body.
Routers declare all other statuses.
"""

from typing import Any

from fastapi import FastAPI
from fastapi.encoders import jsonable_encoder
from fastapi.openapi.models import Schema
from pydantic import BaseModel, ConfigDict

PROBLEM_TYPE = "application/problem+json"
Responses = dict[int | str, dict[str, Any]]


class ProblemField(BaseModel):
    field: str
    message: str


class ProblemBody(BaseModel):
    """The body of an error response, as RFC 9457 defines it. Some errors have further fields."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: list[ProblemField] = []


_PROBLEM = {"application/json": {"schema": {"$ref": "#/components/schemas/ProblemBody"}}}


def answers(status: int, description: str, model: type[ProblemBody] = ProblemBody) -> Responses:
    """Return the declaration of one error status, for the argument `responses` of a router or an operation."""
    if model is ProblemBody:
        # A reference: FastAPI would build a serializer for each status of each operation, which is never used.
        return {status: {"description": description, "content": _PROBLEM}}
    return {status: {"model": model, "description": description}}


EVERYWHERE = (
    answers(401, "Nobody has signed in for this request. Only with LLMBENCH_AUTH=on.")
    | answers(403, "The request comes from a foreign origin, or who asks has no right to this.")
    | answers(421, "This service does not answer for that host.")
    | answers(422, "The request breaks a rule; `errors` names each field at fault.")
    | answers(500, "Something unexpected happened; the service's log says what.")
    | answers(503, "Something that the service needs does not answer, or has another version; try again.")
)
_OF_A_PATH = {404: "There is nothing of that id."}
_OF_A_BODY = {
    400: "The body is not what its Content-Type says.",
    413: "The body is too large.",
    415: "The body is of another Content-Type than those that are taken.",
}


class Api(FastAPI):
    """A FastAPI application whose OpenAPI document also lists the errors that follow from an operation's path and body.

    Errors are documented with the content type in which they are sent, `application/problem+json`.
    """

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is not None:
            return self.openapi_schema
        document = super().openapi()
        if document["paths"]:
            _add_problem(document)
        for path in document["paths"].values():
            for operation in path.values():
                _complete(operation)
        return document


def _add_problem(document: dict[str, Any]) -> None:
    """Add the schemas of error bodies (`ProblemBody`) to an OpenAPI document, and sort all its schemas by name."""
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    problem = ProblemBody.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    added = {ProblemBody.__name__: problem, **problem.pop("$defs")}
    # FastAPI writes the members of a schema in this model's order.
    written = {name: jsonable_encoder(Schema(**each), by_alias=True, exclude_none=True) for name, each in added.items()}
    document["components"]["schemas"] = dict(sorted((schemas | written).items()))


def _complete(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    missing = _OF_A_PATH if any(each["in"] == "path" for each in operation.get("parameters", ())) else {}
    missing = missing | (_OF_A_BODY if "requestBody" in operation else {})
    # Declare the 422 (as in `EVERYWHERE`): otherwise FastAPI adds its own schema of it, which is never sent.
    for status, description in missing.items():
        responses.setdefault(str(status), {"description": description, "content": _PROBLEM})
    for status, response in responses.items():
        content = response.get("content", {})
        if status >= "400" and "application/json" in content:
            response["content"] = {PROBLEM_TYPE: content["application/json"]}
    operation["responses"] = dict(sorted(responses.items()))
