"""Shared assertions and requests of this folder's tests."""

from typing import Any

import httpx

PROBLEM_TYPE = "application/problem+json"


def assert_problem(answer: httpx.Response, status: int, *fields: str) -> dict[str, object]:
    """Assert that `answer` is a problem response with this status, whose errors name exactly these fields. Return its
    body."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == PROBLEM_TYPE
    body: dict[str, object] = answer.json()
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    errors = answer.json().get("errors", [])
    assert sorted({error["field"] for error in errors}) == sorted(fields), answer.text
    assert all(error["message"] for error in errors)
    return body


async def create_resource(api: httpx.AsyncClient, path: str, **body: object) -> dict[str, Any]:
    """POST a valid `body` and return the new resource."""
    answer = await api.post(path, json=body)
    assert answer.status_code == 201, answer.text
    resource: dict[str, Any] = answer.json()
    return resource
