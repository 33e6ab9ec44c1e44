"""Test which providers `llmbench doctor` checks."""

import httpx
import pytest

from llmbench_cli.doctor import looks

COUNT = 120


def _answer(request: httpx.Request) -> httpx.Response:
    """Answer like a platform with `COUNT` providers, each of which has one model."""
    if request.url.path != "/api/providers":
        return httpx.Response(200, json={"models": ["m"], "latency_ms": 1.0})
    first, limit = int(request.url.params.get("cursor", 0)), int(request.url.params["limit"])
    end = min(first + limit, COUNT)
    items = [{"id": str(number), "name": f"p{number}"} for number in range(first, end)]
    return httpx.Response(200, json={"items": items, "next_cursor": str(end) if end < COUNT else None})


async def test_providers_of_every_page_are_checked() -> None:
    found = await looks.providers("http://platform", transport=httpx.MockTransport(_answer))
    assert [finding.name for finding in found] == [f"p{number}" for number in range(COUNT)]
    assert all(finding.ok for finding in found)


async def test_refused_second_page_is_reported() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(503) if "cursor" in request.url.params else _answer(request)

    [found] = await looks.providers("http://platform", transport=httpx.MockTransport(answer))
    assert (found.name, found.ok) == ("all", False)


@pytest.mark.parametrize("status", [401, 403])
async def test_missing_sign_in_is_no_error_of_the_platform(status: int) -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(status, json={}))
    [found] = await looks.providers("http://platform", transport=transport)
    assert (found.ok, found.detail) == (True, "not asked: people sign in to this platform")
    assert "LLMBENCH_API_KEY" in found.advice


async def test_provider_with_configured_models_has_no_latency() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/providers":
            return httpx.Response(200, json={"items": [{"id": "1", "name": "rag"}], "next_cursor": None})
        return httpx.Response(200, json={"models": [{"id": "default"}], "latency_ms": None})

    [found] = await looks.providers("http://platform", transport=httpx.MockTransport(answer))
    assert (found.ok, found.detail) == (True, "1 models")
