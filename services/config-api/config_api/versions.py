"""Prevent lost updates: a request with `If-Match` changes only the version that its sender has seen (RFC 9110)."""

from typing import Annotated
from uuid import UUID

from fastapi import Header, Response

from config_api.bodies import Resource
from llmbench.errors import Problem

IfMatch = Annotated[
    str | None,
    Header(
        max_length=4096,
        description="The ETag of the version that this change is based on; another version gives a 412.",
    ),
]


def require_match(if_match: str | None, version: int) -> None:
    """Raise a 412 problem unless `if_match` is absent, `*`, or lists `version`."""
    if if_match is None:
        return
    tags = {tag.strip().strip('"') for tag in if_match.split(",")}
    if not tags & {"*", str(version)}:
        raise Problem(
            412,
            "Changed meanwhile",
            f"The resource is at version {version}, not at {if_match}: read it again and repeat the change.",
            extra={"version": version},
        )


def show_version(response: Response, resource: Resource) -> None:
    response.headers["ETag"] = f'"{resource.version}"'


def show_created(response: Response, resource: Resource, path: str) -> None:
    response.headers["Location"] = f"{path}/{resource.id}"
    show_version(response, resource)


def missing(what: str, id_: UUID) -> Problem:
    return Problem(404, "Not found", f"There is no {what} {id_}.")
