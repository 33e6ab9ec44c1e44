"""Declare the error responses of config-api's endpoints. Those of all services' endpoints are in
`llmbench.http.openapi`."""

from llmbench.http.openapi import answers

__all__ = ["CHANGED", "INVALID", "MISSING", "TAKEN", "answers"]

INVALID = answers(422, "The request breaks a rule; `errors` names each field at fault.")
MISSING = answers(404, "There is no such resource.")
TAKEN = answers(409, "The name is taken; `errors` names the field.")
CHANGED = answers(412, "`If-Match` names another version than the current one.")
