"""Test that the mock provider behaves as its README says: all other tests of the gateway rely on it."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

from benchmarks.mock_provider.behaviour import FLAGS, behaviour_of
from benchmarks.mock_provider.server import mock_provider
from llmbench.contracts.rubric import VERDICT_SCHEMA

README = Path(__file__).resolve().parents[3] / "benchmarks" / "mock_provider" / "README.md"


@pytest.fixture
async def mock(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Run a mock provider for one test, because these tests check its complete record of calls."""
    async with (
        mock_provider(ledger=tmp_path / "ledger.jsonl") as url,
        httpx.AsyncClient(base_url=url, timeout=90) as http,
    ):
        yield http


async def ask(http: httpx.AsyncClient, model: str, prompt: str = "Hi", **more: Any) -> httpx.Response:
    body = {"model": model, "messages": [{"role": "user", "content": prompt}], **more}
    return await http.post("/v1/chat/completions", json=body, headers={"X-Client-Request-Id": prompt})


async def test_answers_are_deterministic_and_recorded_in_the_ledger(mock: httpx.AsyncClient, tmp_path: Path) -> None:
    first, again = await ask(mock, "mock-0ms"), await ask(mock, "mock-0ms")
    assert first.json()["choices"] == again.json()["choices"]
    assert first.json()["choices"] != (await ask(mock, "mock-0ms", "Other")).json()["choices"]
    rows = (await mock.get("/ledger")).json()
    assert [(row["call_id"], row["number"], row["answered"]) for row in rows] == [
        ("Hi", 1, True),
        ("Hi", 2, True),
        ("Other", 3, True),
    ]
    stats = (await mock.get("/ledger/stats")).json()
    assert (stats["calls"], stats["answered_twice"], stats["max_concurrent"]) == (3, ["Hi"], 1)
    assert len((tmp_path / "ledger.jsonl").read_text().splitlines()) == 3
    await mock.delete("/ledger")
    assert (await mock.get("/ledger")).json() == []


async def test_failures_follow_the_models_name_and_the_control_request(mock: httpx.AsyncClient) -> None:
    assert [(await ask(mock, "mock-0ms-429every3")).status_code for _ in range(6)] == [200, 200, 429, 200, 200, 429]
    assert [(await ask(mock, "mock-500first2")).status_code for _ in range(3)] == [500, 500, 200]
    await mock.post("/control", json={"model": "mock-0ms", "fail_next": 1, "status": 503})
    assert [(await ask(mock, "mock-0ms")).status_code for _ in range(2)] == [503, 200]
    assert (await ask(mock, "gpt-5")).status_code == 404


async def test_latency_and_concurrency_are_as_requested(mock: httpx.AsyncClient) -> None:
    began = asyncio.get_running_loop().time()
    await ask(mock, "mock-200ms")
    assert asyncio.get_running_loop().time() - began >= 0.2
    await mock.post("/control", json={"model": "mock-0ms-held", "hold": 0})
    async with asyncio.timeout(90), asyncio.TaskGroup() as calls:
        for _ in range(5):
            calls.create_task(ask(mock, "mock-0ms-held"))
        while (await mock.get("/ledger/stats")).json()["open"] < 5:
            await asyncio.sleep(0.02)
        await mock.post("/control", json={"model": "mock-0ms-held", "hold": None})
    assert (await mock.get("/ledger/stats")).json()["models"]["mock-0ms-held"]["max_concurrent"] == 5


async def test_call_of_a_disconnected_client_is_recorded_as_unanswered(mock: httpx.AsyncClient) -> None:
    with pytest.raises(httpx.ReadTimeout):
        await mock.post("/v1/chat/completions", json={"model": "mock-8s", "messages": [], "stream": True}, timeout=0.3)
    async with asyncio.timeout(90):
        while (await mock.get("/ledger/stats")).json()["open"]:
            await asyncio.sleep(0.02)
    [row] = (await mock.get("/ledger")).json()
    assert not row["answered"]


async def test_verdicts_conform_to_the_schema(mock: httpx.AsyncClient) -> None:
    wanted = {"type": "json_schema", "json_schema": {"name": "v", "schema": VERDICT_SCHEMA}}
    for number in range(20):
        reply = (await ask(mock, "mock-0ms", f"Judge {number}", response_format=wanted)).json()
        jsonschema.validate(_json(reply["choices"][0]["message"]["content"]), VERDICT_SCHEMA)
    prose = (await ask(mock, "mock-0ms-unparsed", response_format=wanted)).json()["choices"][0]["message"]["content"]
    assert not prose.startswith("{")
    asked = 'Answer with {"reason": "...", "score": 0}'
    reply = (await ask(mock, "mock-0ms", asked)).json()["choices"][0]["message"]["content"]
    assert set(_json(reply)) == {"reason", "score"}


async def test_embeddings_are_deterministic_and_similar_for_shared_words(mock: httpx.AsyncClient) -> None:
    async def vectors(*texts: str, model: str = "mock-0ms", **more: Any) -> list[list[float]]:
        reply = await mock.post("/v1/embeddings", json={"model": model, "input": list(texts), **more})
        assert [row["index"] for row in reply.json()["data"]] == list(range(len(texts)))
        return [row["embedding"] for row in reply.json()["data"]]

    one, near, far = await vectors("the sum is 42", "The sum: 42!", "blue whales sing")
    assert await vectors("the sum is 42", model="mock-0ms-other", dimensions=64) == [one]
    assert _dot(one, one) == pytest.approx(1, abs=1e-4)
    assert _dot(one, near) > 0.7 > 0.5 > _dot(one, far)
    assert [len(vector) for vector in await vectors("a", dimensions=8)] == [8]
    assert (await mock.post("/v1/embeddings", json={"model": "mock-0ms", "input": [""]})).status_code == 400
    assert {row["kind"] for row in (await mock.get("/ledger")).json()} == {"embeddings"}


def _dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _json(text: str) -> Any:
    return httpx.Response(200, text=text).json()


def test_every_flag_is_documented_in_the_readme() -> None:
    words = set(re.findall(r"`([a-z]+)`", README.read_text()))
    assert words >= FLAGS
    behaviour = behaviour_of("mock-1.5s-429every3-retryafter7-tokens9-think-target2")
    assert behaviour is not None
    assert (behaviour.latency_s, behaviour.every, behaviour.retry_after_s, behaviour.tokens, behaviour.flags) == (
        1.5,
        (429, 3),
        7,
        9,
        frozenset({"think"}),
    )
