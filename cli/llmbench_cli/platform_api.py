"""The running platform over HTTP, for commands that move files in and out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from llmbench_cli.running import platform_url

Json = dict[str, Any]
# A large import is one answer: the platform says nothing until it is done.
_TIMEOUT = httpx.Timeout(10, read=600, write=60)


class Unanswered(Exception):
    """There was no answer; the message says why."""


@contextmanager
def platform_api(url: str | None) -> Iterator[httpx.Client]:
    """A client of the platform at `url`, of the one that the settings name, or of the one that runs here.

    Raises `Unanswered` and StartError.
    """
    base = platform_url(url)
    try:
        with httpx.Client(base_url=base, timeout=_TIMEOUT) as client:
            yield client
    except (httpx.HTTPError, httpx.InvalidURL) as failed:
        raise Unanswered(f"no answer from {base}: {failed or type(failed).__name__}") from failed


def problem_of(answer: httpx.Response) -> Json:
    """What a refusal says (RFC 9457); something readable too when it is no problem."""
    try:
        said = answer.json()
    except ValueError:
        said = None
    if isinstance(said, dict) and "title" in said:
        return said
    return {"title": answer.reason_phrase, "detail": f"HTTP {answer.status_code} from {answer.url}", "errors": []}


def collection_id(api: httpx.Client, name: str) -> str:
    """The id of the collection of that name. Raises `Unanswered` when there is none."""
    cursor: str | None = None
    while True:
        query = {"q": name, "limit": "500", **({"cursor": cursor} if cursor else {})}
        answer = api.get("/api/collections", params=query)
        if answer.is_error:
            raise Unanswered(str(problem_of(answer)["detail"]))
        page = answer.json()
        for found in page["items"]:
            if found["name"] == name:
                return str(found["id"])
        cursor = page["next_cursor"]
        if cursor is None:
            raise Unanswered(f"there is no collection {name!r}")
