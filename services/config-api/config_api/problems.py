"""Declare the error responses that only config-api's endpoints have. The responses that all services share are in
`llmbench.http.openapi`."""

from llmbench.errors import FieldError, Problem
from llmbench.http.openapi import answers

__all__ = ["CHANGED", "INVALID", "MISSING", "TAKEN", "answers", "invalid"]

INVALID = answers(422, "The request breaks a rule; `errors` names each field at fault.")
MISSING = answers(404, "There is no such resource.")
TAKEN = answers(409, "The name is taken; `errors` names the field.")
CHANGED = answers(412, "`If-Match` names another version than the current one.")


def invalid(field: str, message: str) -> Problem:
    """Return a 422 problem that reports one invalid field: its name and an error message."""
    return Problem(422, "Invalid request", f"{field}: {message}", errors=[FieldError(field, message)])
