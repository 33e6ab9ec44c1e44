"""Test the same call with every provider type. The mock provider imitates the APIs; the llama.cpp server is real."""

import math
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from gateway_world import World

from llmbench.contracts.chat import ChatMessage, ChatRequest, ResponseSchema, SamplingParams
from llmbench.contracts.list_models import ListModels, ModelsListed
from llmbench.contracts.outcome import Answered, Outcome, Rejected, Unavailable
from llmbench.contracts.provider import ModelPrice, ProviderSnapshot
from llmbench.contracts.rubric import VERDICT_SCHEMA
from llmbench_cli.embedded.model import installed
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import model_spec
from tests.servers import running

SCHEMA = ResponseSchema(name="verdict", json_schema=VERDICT_SCHEMA)
BEARER = {"Authorization": "Bearer sk-mock"}


@dataclass(frozen=True)
class Dialect:
    """A provider type that the mock imitates below `path`. `cost` is the expected source of a call's cost; `None` if
    the cost stays unknown."""

    name: str
    type: str
    path: str
    api: str = "/v1"
    key: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    cost: str | None = None

    async def provider(self, world: World) -> ProviderSnapshot:
        added = await world.add_provider(
            base_url=world.provider_url + self.path, type_=self.type, plain=self.key, options=dict(self.options)
        )
        endpoints = {"models_endpoint": f"{self.api}/models", "inference_endpoint": f"{self.api}/chat/completions"}
        return added.model_copy(update=endpoints)


DIALECTS = (
    Dialect("openai", "OPENAI", "/openai", key=BEARER),
    Dialect("ollama", "OLLAMA", "/ollama"),
    Dialect("ollama native", "OLLAMA", "/ollama", options={"num_ctx": 4096}),
    Dialect("lm studio", "LM_STUDIO", "/lmstudio"),
    Dialect("openrouter", "OPENROUTER", "/openrouter/api", key=BEARER, cost="reported"),
    Dialect("azure v1", "AZURE_OPENAI", "/azure", "/openai/v1", {"api-key": "k"}, cost="list_price"),
    Dialect(
        "azure dated",
        "AZURE_OPENAI",
        "/azure",
        "/openai/v1",
        {"api-key": "k"},
        {"api_version": "2024-10-21"},
        "list_price",
    ),
    Dialect("custom", "CUSTOM_OPEN_AI_COMPATIBLE", ""),
)


@pytest.fixture(params=DIALECTS, ids=[dialect.name for dialect in DIALECTS])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    found: Dialect = request.param
    return found


async def ask_model(
    world: World,
    provider: ProviderSnapshot,
    model: str,
    *,
    schema: bool = False,
    top_logprobs: int | None = None,
    **params: Any,
) -> Outcome:
    """Ask the model a question, with a JSON schema if `schema` is set, and return the outcome."""
    command = world.command(
        model,
        provider=provider,
        request=ChatRequest(
            model=model,
            messages=(ChatMessage(role="user", content="What is 17 + 25? Answer in JSON."),),
            params=SamplingParams.model_validate(params),
            response_schema=SCHEMA if schema else None,
            top_logprobs=top_logprobs,
        ),
    )
    return (await world.ask(command)).outcome


async def test_provider_lists_models_answers_and_explains_a_refused_call(world: World, dialect: Dialect) -> None:
    provider = await dialect.provider(world)
    async with world.gateway():
        listed = ModelsListed.model_validate_json(await world.request(ListModels(provider=provider)))
        answer = await ask_model(world, provider, "mock-40ms", temperature=0.5, seed=1, max_tokens=64)
        plain = await ask_model(world, provider, "mock-0ms", options={"stream": False})
        verdict = await ask_model(world, provider, "mock-0ms-verdict", schema=True)
        unknown = await ask_model(world, provider, "nobody")
        overflow = await ask_model(world, provider, "mock-0ms-overflow")
        broken = await ask_model(world, provider, "mock-0ms-503")
        reasoned = await ask_model(world, provider, "mock-20ms-think")
    assert (listed.problem, "mock-50ms" in listed.models) == (None, True)
    assert isinstance(answer, Answered)
    assert answer.preview.startswith("Answer-")
    assert (answer.finish_reason, answer.usage.source, answer.notes) == ("stop", "reported", ())
    assert answer.timings.first_content_ms is not None
    assert (None if answer.cost is None else answer.cost.source) == dialect.cost
    assert answer.cost is None or answer.cost.usd > 0
    assert isinstance(plain, Answered)
    assert (plain.timings.first_token_ms, plain.timings.tokens_per_second) == (None, None)
    assert isinstance(verdict, Answered)
    jsonschema.validate(httpx.Response(200, text=verdict.preview).json(), VERDICT_SCHEMA)
    assert isinstance(unknown, Rejected)
    assert isinstance(overflow, Rejected)
    assert overflow.cause == "context_overflow"
    assert isinstance(broken, Unavailable)
    assert "mock answers 503" in broken.message
    assert isinstance(reasoned, Answered)
    rows = {row["model"]: row for row in await world.rows()}
    assert rows["mock-20ms-think"]["reasoning"]
    assert "think" not in rows["mock-20ms-think"]["content"]


async def test_answer_has_the_log_probabilities_of_its_last_tokens(world: World, dialect: Dialect) -> None:
    provider = await dialect.provider(world)
    async with world.gateway():
        streamed = await ask_model(world, provider, "mock-0ms-verdict", schema=True, top_logprobs=2)
        complete = await ask_model(
            world, provider, "mock-0ms-v", schema=True, top_logprobs=3, options={"stream": False}
        )
        refused = await ask_model(world, provider, "mock-0ms-nologprobs", schema=True, top_logprobs=3)
        unasked = await ask_model(world, provider, "mock-0ms-verdict", schema=True)
    for outcome, count in ((streamed, 2), (complete, 3)):
        assert isinstance(outcome, Answered)
        assert outcome.notes == ()
        assert outcome.last_tokens is not None
        digits = [token for token in outcome.last_tokens if token.token.isdigit()]
        assert len(digits[-1].top) == count
        assert digits[-1].top[digits[-1].token] == pytest.approx(math.log(0.7))
        assert outcome.preview.endswith("".join(token.token for token in outcome.last_tokens))
    assert isinstance(refused, Answered)
    assert refused.last_tokens is None
    assert "Log-probabilities were not asked for" in refused.notes[-1]
    assert isinstance(unasked, Answered)
    assert unasked.last_tokens is None


@pytest.mark.parametrize("name", ["openai", "openrouter", "azure v1"])
async def test_missing_key_is_reported_as_unauthorized(world: World, name: str) -> None:
    found = next(dialect for dialect in DIALECTS if dialect.name == name)
    provider = (await found.provider(world)).model_copy(update={"provider_id": world.provider.provider_id})
    async with world.gateway():
        listed = ModelsListed.model_validate_json(await world.request(ListModels(provider=provider)))
        outcome = await ask_model(world, provider, "mock-0ms")
    assert listed.problem_kind == "unauthorized"
    assert isinstance(outcome, Rejected)
    assert outcome.cause == "unauthorized"


@pytest.mark.parametrize("name", ["openai", "azure dated", "custom"])
@pytest.mark.shows("I-18")
async def test_parameters_that_a_reasoning_model_refuses_are_omitted_and_noted(world: World, name: str) -> None:
    provider = await next(dialect for dialect in DIALECTS if dialect.name == name).provider(world)
    async with world.gateway():
        first = await ask_model(world, provider, "mock-40ms-reasoner", temperature=0, top_p=0.9, max_tokens=500)
        asked_before = len(await world.ledger())
        again = await ask_model(world, provider, "mock-40ms-reasoner", temperature=0, top_p=0.9, max_tokens=500)
        asked_again = len(await world.ledger()) - asked_before
        stopped = await ask_model(world, provider, "mock-40ms-reasoner", stop=["END"])
    assert isinstance(first, Answered)
    assert [note.split(" was not sent")[0] for note in first.notes] == ["temperature 0.0", "top_p 0.9"]
    assert isinstance(again, Answered)
    assert (asked_again, again.notes) == (1, first.notes), "once found out, it is remembered"
    assert first.usage.reasoning_tokens == 100
    assert isinstance(stopped, Rejected), "without `stop` it would be another answer"
    assert "'stop' is not supported" in stopped.message
    body = next(row["request"] for row in await world.rows())
    assert '"max_completion_tokens": 500' in body
    assert '"temperature"' not in body


@pytest.mark.parametrize(
    ("name", "model", "calls", "words"),
    [
        ("openai", "mock-0ms-noschema", 2, "asked for JSON mode instead"),
        ("openai", "mock-0ms-nojson", 3, "was asked in words"),
        # LM Studio has no JSON mode.
        ("lm studio", "mock-0ms-noschema", 3, "was asked in words"),
    ],
)
@pytest.mark.shows("I-18")
async def test_refused_schema_is_replaced_by_a_weaker_format(
    world: World, name: str, model: str, calls: int, words: str
) -> None:
    provider = await next(dialect for dialect in DIALECTS if dialect.name == name).provider(world)
    async with world.gateway():
        outcome = await ask_model(world, provider, model, schema=True)
        assert isinstance(outcome, Answered)
        assert len(await world.ledger()) == calls
        await ask_model(world, provider, model, schema=True)
        assert len(await world.ledger()) == calls + 1
    assert words in " ".join(outcome.notes)


async def test_openrouter_is_asked_again_without_parameters_that_no_endpoint_supports(world: World) -> None:
    provider = await next(dialect for dialect in DIALECTS if dialect.name == "openrouter").provider(world)
    async with world.gateway():
        outcome = await ask_model(world, provider, "mock-0ms-noendpoint", seed=1)
    assert isinstance(outcome, Answered)
    assert "knows all of seed" in " ".join(outcome.notes)


@pytest.mark.parametrize("stream", [True, False])
async def test_think_block_is_stored_as_reasoning(world: World, stream: bool) -> None:
    async with world.gateway():
        outcome = await ask_model(world, world.provider, "mock-40ms-thinkblock", options={"stream": stream})
    assert isinstance(outcome, Answered)
    assert outcome.preview.startswith("Answer-")
    [row] = await world.rows()
    assert row["reasoning"].strip() == "Let me think about this."


async def test_release_unloads_the_model_from_ollama(world: World) -> None:
    provider = await next(dialect for dialect in DIALECTS if dialect.name == "ollama native").provider(world)
    async with world.gateway():
        await ask_model(world, provider, "mock-0ms-loaded")
        assert "mock-0ms-loaded" in await _loaded(world)
        await world.ask(world.release("mock-0ms-loaded", provider))
        assert "mock-0ms-loaded" not in await _loaded(world)


async def _loaded(world: World) -> list[str]:
    models = (await world.http.get(f"{world.provider_url}/ollama/api/ps")).json()["models"]
    return [model["name"] for model in models]


async def test_users_own_price_precedes_the_list_and_a_missing_price_gives_no_cost(world: World) -> None:
    azure = await next(dialect for dialect in DIALECTS if dialect.name == "azure v1").provider(world)
    own = ModelPrice(model="mock-0ms", input_usd_per_million=1e6, output_usd_per_million=0)
    async with world.gateway():
        priced = await ask_model(world, azure.model_copy(update={"prices": (own,)}), "mock-0ms")
        unpriced = await ask_model(world, world.provider, "mock-0ms")
    assert isinstance(priced, Answered)
    assert isinstance(unpriced, Answered)
    assert priced.cost is not None
    assert (priced.cost.source, priced.cost.usd) == ("own_price", float(priced.usage.prompt_tokens or 0))
    assert unpriced.cost is None


@pytest.fixture
async def llama_cpp(tmp_path: Path) -> AsyncIterator[str]:
    """Run the llama.cpp server with the model of `llmbench demo`, or skip the test if it is not installed."""
    if not installed():
        pytest.skip("the built-in model is not installed")
    port = free_port()
    async with running(model_spec(port, tmp_path)):
        yield f"http://127.0.0.1:{port}"


async def test_built_in_llama_cpp_server_answers_with_usage_and_schema(world: World, llama_cpp: str) -> None:
    provider = await world.add_provider(base_url=llama_cpp)
    async with world.gateway():
        listed = ModelsListed.model_validate_json(await world.request(ListModels(provider=provider)))
        model = listed.models[0]
        answer = await ask_model(world, provider, model, temperature=0, seed=1, max_tokens=64)
        verdict = await ask_model(world, provider, model, schema=True, top_logprobs=5, temperature=0, max_tokens=400)
    assert isinstance(answer, Answered)
    assert answer.usage.source == "reported"
    assert answer.timings.tokens_per_second
    assert isinstance(verdict, Answered)
    assert verdict.finish_reason in ("stop", "length")
    assert verdict.last_tokens
