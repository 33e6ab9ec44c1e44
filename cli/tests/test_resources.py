"""Test the API requests of commands for datasets and other resources, and the messages about refusals."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from llmbench_cli.client import Client, lines
from llmbench_cli.errors import CommandFailed, Refused
from llmbench_cli.resources import made_dataset
from llmbench_cli.runs.names import run_id

ID = "01990000-0000-7000-8000-000000000001"


def _client(answer: Callable[[httpx.Request], httpx.Response]) -> Client:
    return Client("http://platform", transport=httpx.MockTransport(answer))


async def test_dataset_created_for_a_refused_file_is_deleted() -> None:
    calls: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        calls.append(f"{request.method} {request.url.path}")
        if request.method == "DELETE":
            return httpx.Response(204)
        if request.method == "POST":
            return httpx.Response(201, json={"dataset_id": ID})
        if request.url.path == "/v1/datasets":
            return httpx.Response(200, json={"datasets": []})
        return httpx.Response(200, json={"latest_version": None})

    async with _client(answer) as client:
        with pytest.raises(Refused):
            async with made_dataset(client, "GSM8K"):
                raise Refused("POST /v1/datasets/x/versions", 422, {"title": "bad"})
    assert calls[-1] == f"DELETE /v1/datasets/{ID}"


async def test_refusal_is_raised_with_its_detail() -> None:
    problem = {"title": "Conflict", "detail": "It is published.", "status": 409}
    async with _client(lambda _: httpx.Response(409, json=problem)) as client:
        with pytest.raises(Refused, match="It is published"):
            await client.delete("/v1/documents/x")


async def test_response_that_is_no_problem_is_reported_with_its_status() -> None:
    async with _client(lambda _: httpx.Response(502, text="<html>")) as client:
        with pytest.raises(Refused, match="GET /v1/datasets was answered with HTTP 502"):
            await client.get("/v1/datasets")


async def test_lines_are_joined_across_chunks() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for chunk in (b"on", b"e\ntwo\nth", b"ree"):
            yield chunk

    assert [line async for line in lines(chunks())] == [b"one", b"two", b"three"]


async def test_name_of_several_runs_is_refused_with_their_ids() -> None:
    ids = ["01a22569-5728-76e5-9285-5459c59512a8", "01a22569-9c50-73a7-bba9-8242f8d0252d"]
    page = {"items": [{"id": id_, "name": "rev"} for id_ in ids], "next_cursor": None}

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=page)

    async with _client(answer) as client:
        with pytest.raises(CommandFailed, match=r"^'rev' is 2 runs; name one by its id: ") as refused:
            await run_id(client, "rev")
        assert all(id_ in str(refused.value) for id_ in ids)
        assert await run_id(client, ids[0][:13]) == ids[0]
