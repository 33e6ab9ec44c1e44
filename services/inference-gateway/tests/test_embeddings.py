"""Test that embeddings are requested once, stored and reused, and that reports of failures do not contain the
provider's key."""

import json
from datetime import UTC, datetime

import pytest
from gateway_world import World

from inference_gateway.domain.cost import list_cost
from inference_gateway.domain.embedding_answer import EmbeddingAnswer, NoEmbeddings, read_embeddings
from inference_gateway.profiles.base import NotPossible
from inference_gateway.profiles.registry import profile_for
from llmbench.contracts.embedding import EmbeddingRequest, Embeddings
from llmbench.contracts.generate_completion import Purpose
from llmbench.contracts.outcome import Answered, NotStarted, RateLimited, Usage
from llmbench.contracts.provider import ModelPrice, ProviderSnapshot
from llmbench.contracts.read_call import CallRead, ReadCall
from llmbench.contracts.run_state import RunGate
from llmbench.ids import new_id

SECRET = "sk-a-secret-of-the-test"


def _answer(*rows: object, **more: object) -> bytes:
    return json.dumps({"object": "list", "data": rows, **more}).encode()


def _read(body: bytes, texts: int) -> tuple[tuple[float, ...], ...]:
    found = read_embeddings(body, texts=texts)
    assert isinstance(found, EmbeddingAnswer)
    return found.embeddings.unpacked()


async def test_same_texts_reuse_stored_vectors_without_a_second_payment(world: World) -> None:
    prices = (ModelPrice(model="mock-0ms", input_usd_per_million=1_000_000, output_usd_per_million=0),)
    provider = world.provider.model_copy(update={"prices": prices})
    first = world.embedding("the sum is 42", "42", provider=provider, options={"dimensions": 8})
    same = world.embedding("the sum is 42", "42", provider=provider, options={"dimensions": 8})
    elsewhere = same.model_copy(update={"call_id": new_id(), "run_id": await world.add_run()})
    warm_up = world.embedding("the sum is 42", "42", provider=provider, purpose=Purpose.WARM_UP, score_id=None)
    async with world.gateway():
        event = await world.ask(first)
        await world.send(first, same, warm_up, elsewhere)
        again, taken = await world.finished(first.call_id, 2), await world.finished(same.call_id)
        warmed = await world.finished(warm_up.call_id)
        await world.finished(elsewhere.call_id)
        content = CallRead.model_validate_json(await world.request(ReadCall(call_id=same.call_id))).content
    outcome = event.outcome
    assert isinstance(outcome, Answered)
    assert (outcome.preview, outcome.truncated, event.prompt_preview) == ("2 x 8 numbers", True, "the sum is 42")
    assert (outcome.usage.prompt_tokens, outcome.usage.completion_tokens, outcome.usage.source) == (4, 0, "reported")
    assert outcome.cost is not None
    assert outcome.cost.usd == 4
    assert again.from_memory
    assert isinstance(taken.outcome, Answered)
    assert taken.outcome.cached
    assert taken.outcome.cost is not None
    assert taken.outcome.cost.usd == 0
    assert isinstance(warmed.outcome, Answered)
    assert not warmed.outcome.cached, "a warm-up is to load the model"
    assert content is not None
    vectors = Embeddings.model_validate_json(content)
    assert (vectors.dimensions, len(vectors.vectors)) == (8, 2)
    assert [(call["kind"], call["call_id"]) for call in await world.ledger()] == [
        ("embeddings", str(first.call_id)),
        ("embeddings", str(warm_up.call_id)),
        ("embeddings", str(elsewhere.call_id)),
    ]
    rows = {row["id"]: row for row in await world.rows()}
    assert rows[same.call_id]["cached_from"] == first.call_id
    assert rows[same.call_id]["score_id"] == same.score_id
    assert json.loads(rows[first.call_id]["request"])["body"]["input"] == ["the sum is 42", "42"]


async def test_failed_embedding_call_is_reported_without_the_key(world: World) -> None:
    provider = await world.add_provider(secrets={"Authorization": f"Bearer {SECRET}"})
    expected = {
        "mock-0ms-429-retryafter7": ("rate_limited", "429"),
        "mock-0ms-503": ("unavailable", "503"),
        "mock-0ms-401": ("rejected", "Check the key"),
        "mock-0ms-overflow": ("rejected", "does not fit the model's context"),
        "mock-0ms-leak": ("rejected", "bad request"),
        "mock-0ms-badjson": ("malformed", "not with embeddings: the body is not JSON"),
        "mock-0ms-html": ("malformed", "the body is not JSON"),
        "mock-0ms-empty": ("malformed", "it has 0 vectors for 1 texts"),
        "mock-0ms-huge": ("malformed", "over 4 MiB"),
        "mock-0ms-reset": ("unavailable", "connection"),
        "mock-0ms-hang": ("timed_out", "0.5 s allowed"),
        "no-such-model": ("rejected", "Check the model name 'no-such-model'"),
    }
    async with world.gateway():
        for model, (kind, words) in expected.items():
            timeout_s = 0.5 if "hang" in model else 30
            event = await world.ask(world.embedding("42", model=model, provider=provider, timeout_s=timeout_s))
            message = str(getattr(event.outcome, "message", ""))
            assert (event.outcome.kind, words in message) == (kind, True), (model, message)
            assert SECRET not in event.model_dump_json()
            if isinstance(event.outcome, RateLimited):
                assert event.outcome.retry_after_s == 7
    assert all(SECRET not in str(dict(row)) for row in await world.rows())


async def test_impossible_request_and_closed_gate_make_no_call(world: World) -> None:
    elsewhere = world.provider.model_copy(update={"inference_endpoint": "/generate"})
    async with world.gateway():
        impossible = await world.ask(world.embedding("42", provider=elsewhere))
        await world.gate(RunGate.CLOSED)
        closed = await world.ask(world.embedding("42", model="mock-0ms-closed"))
    assert "does not end in /chat/completions" in getattr(impossible.outcome, "message", "")
    assert closed.outcome == NotStarted()
    assert not await world.ledger()


@pytest.mark.parametrize(
    ("type_", "base_url", "endpoint", "options", "url"),
    [
        ("OPENAI", "https://api.openai.com", "/v1/chat/completions", {}, "https://api.openai.com/v1/embeddings"),
        ("OLLAMA", "http://host:11434", "/v1/chat/completions", {"num_ctx": 9}, "http://host:11434/v1/embeddings"),
        ("OPENROUTER", "https://o.ai/api/v1", "/chat/completions", {}, "https://o.ai/api/v1/embeddings"),
        (
            "CUSTOM_OPEN_AI_COMPATIBLE",
            "http://host",
            "http://host/x/chat/completions?k=1",
            {},
            "http://host/x/embeddings?k=1",
        ),
        (
            "AZURE_OPENAI",
            "https://r.openai.azure.com",
            "/openai/v1/chat/completions",
            {"deployment": "my-gpt"},
            "https://r.openai.azure.com/openai/v1/embeddings",
        ),
        (
            "AZURE_OPENAI",
            "https://r.openai.azure.com",
            "/openai/v1/chat/completions",
            {"api_version": "2024-10-21", "deployment": "my-gpt"},
            "https://r.openai.azure.com/openai/deployments/an%20embedder/embeddings?api-version=2024-10-21",
        ),
    ],
)
def test_embeddings_url_is_derived_from_the_completions_endpoint(
    type_: str, base_url: str, endpoint: str, options: dict[str, object], url: str
) -> None:
    provider = _provider(type_, base_url, endpoint, options)
    request = EmbeddingRequest(model="an embedder", texts=("42",), options={"dimensions": 8})
    call = profile_for(provider.type).embedding(provider, request)
    assert (call.url, call.body) == (url, {"model": "an embedder", "input": ["42"], "dimensions": 8})
    assert bool(call.notes) == bool(options.keys() - {"api_version"}), "what is not sent is noted"


def test_options_cannot_replace_fields_that_llmbench_sets() -> None:
    provider = _provider("OPENAI", "https://api.openai.com", "/v1/chat/completions", {})
    with pytest.raises(NotPossible, match="'input'"):
        profile_for(provider.type).embedding(
            provider, EmbeddingRequest(model="m", texts=("42",), options={"input": "43"})
        )


def _provider(type_: str, base_url: str, endpoint: str, options: dict[str, object]) -> ProviderSnapshot:
    return ProviderSnapshot(
        provider_id=new_id(),
        name="p",
        type=type_,
        base_url=base_url,
        models_endpoint="/v1/models",
        inference_endpoint=endpoint,
        options=options,
    )


def test_vectors_are_ordered_by_index_and_read_from_numbers_or_base64() -> None:
    mixed = _answer({"index": 1, "embedding": "AACAPwAAAEA="}, {"index": 0, "embedding": [0.5, 1]})
    assert _read(mixed, 2) == ((0.5, 1.0), (1.0, 2.0))
    assert _read(_answer({"embedding": [1]}, {"embedding": [2]}), 2) == ((1.0,), (2.0,))
    found = read_embeddings(_answer({"embedding": [1]}, model="m", usage={"prompt_tokens": 3, "cost": 0.5}), texts=1)
    assert isinstance(found, EmbeddingAnswer)
    assert (found.model, found.usage and found.usage.prompt_tokens, found.reported_usd) == ("m", 3, 0.5)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"[" * 100_000,
        b'{"data": {}}',
        _answer(),
        _answer({"embedding": [1]}, {"embedding": [2]}),
        _answer({"embedding": []}),
        _answer({"embedding": ["1"]}),
        _answer({"embedding": [True]}),
        _answer({"embedding": "no base64"}),
        _answer({"embedding": "AAAA"}),
        _answer({"embedding": [1e300]}),
        _answer({"embedding": [10**400]}),
        _answer({"embedding": [0] * 20_000}),
        b'{"data": [{"embedding": [NaN]}]}',
        _answer(None),
    ],
)
def test_invalid_embedding_response_is_refused(body: bytes) -> None:
    with pytest.raises(NoEmbeddings):
        read_embeddings(body, texts=1)


def test_embedding_model_has_a_list_price() -> None:
    costs = [
        list_cost(
            Usage(prompt_tokens=1_000_000, completion_tokens=written),
            vendor="openai",
            models=["text-embedding-3-small"],
            service_tier=None,
            at=datetime.now(UTC),
        )
        for written in (0, 5)
    ]
    assert costs[0] is not None
    assert costs[0].usd > 0
    assert costs[1] is None, "it does not write"
