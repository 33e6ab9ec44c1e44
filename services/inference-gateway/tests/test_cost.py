"""Test the cost of a call. The provider reports it, or it is computed from the user's own price or from a list price.
An unknown cost is never 0.
"""

import math
from datetime import UTC, datetime

import pytest

from inference_gateway.domain.cost import list_cost, own_cost, reported_cost
from inference_gateway.domain.draft import Draft
from inference_gateway.domain.openai_answer import read_complete
from llmbench.contracts.outcome import Cost, Usage
from llmbench.contracts.provider import ModelPrice

NOW = datetime(2026, 1, 1, tzinfo=UTC)
USAGE = Usage(prompt_tokens=1000, completion_tokens=500)


def listed(usage: Usage, *models: str) -> Cost | None:
    return list_cost(usage, vendor="openai", models=models, service_tier=None, at=NOW)


def test_list_price_is_multiplied_by_the_tokens() -> None:
    cost = listed(USAGE, "gpt-4o")
    assert cost is not None
    assert cost.source == "list_price"
    assert cost.usd == pytest.approx((1000 * 2.5 + 500 * 10) / 1e6)
    assert listed(USAGE, "gpt-4o-2024-08-06") == cost


def test_reasoning_is_billed_once_and_cached_prompts_at_their_own_price() -> None:
    plain = listed(USAGE, "gpt-4o")
    assert listed(USAGE.model_copy(update={"reasoning_tokens": 400}), "gpt-4o") == plain
    cached = listed(USAGE.model_copy(update={"cached_prompt_tokens": 1000}), "gpt-4o")
    assert cached is not None
    assert cached.usd == pytest.approx((1000 * 1.25 + 500 * 10) / 1e6)


def test_first_model_with_a_known_price_counts() -> None:
    assert listed(USAGE, "a-deployment", "gpt-4o") == listed(USAGE, "gpt-4o")


@pytest.mark.parametrize(
    ("usage", "model"),
    [
        (USAGE, "nobody-knows-this"),
        (USAGE, "text-embedding-3-small"),
        (Usage(completion_tokens=5), "gpt-4o"),
        (Usage(prompt_tokens=5), "gpt-4o"),
    ],
)
def test_unknown_price_or_usage_gives_no_cost(usage: Usage, model: str) -> None:
    assert listed(usage, model) is None


def test_users_own_price_applies_to_the_exact_model_only() -> None:
    prices = (ModelPrice(model="mine", input_usd_per_million=1, output_usd_per_million=4),)
    assert own_cost(USAGE, prices, "mine") == Cost(usd=0.003, source="own_price")
    assert own_cost(USAGE, prices, "mine:latest") is None
    assert own_cost(Usage(prompt_tokens=1), prices, "mine") is None


@pytest.mark.parametrize("usd", [None, -1.0, math.nan, math.inf])
def test_invalid_reported_charge_is_unknown(usd: float | None) -> None:
    assert reported_cost(usd) is None
    assert reported_cost(0.0) == Cost(usd=0.0, source="reported"), "a free model says so"


@pytest.mark.parametrize(
    ("usage", "tokens", "usd"),
    [
        # OpenRouter's charge; with the user's own key (`is_byok`), the upstream provider's charge is added.
        ({"cost": 0.5, "is_byok": False, "cost_details": {"upstream_inference_cost": 0.5}}, (10, None, None), 0.5),
        ({"cost": 0.01, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.5}}, (10, None, None), 0.51),
        ({"cost": 0.01, "is_byok": True, "cost_details": {"upstream_inference_cost": None}}, (10, None, None), None),
        ({"cost": {"total_cost": 1}}, (10, None, None), None),
        # OpenAI's completion tokens include reasoning; xAI counts it apart.
        ({"completion_tokens_details": {"reasoning_tokens": 8}, "total_tokens": 30}, (10, 8, None), None),
        ({"completion_tokens_details": {"reasoning_tokens": 8}, "total_tokens": 38}, (18, 8, None), None),
        ({"prompt_tokens_details": {"cached_tokens": 5}}, (10, None, 5), None),
        ({"prompt_cache_hit_tokens": 5}, (10, None, 5), None),
    ],
)
def test_reported_usage_is_read_in_every_form(
    usage: dict[str, object], tokens: tuple[int, int | None, int | None], usd: float | None
) -> None:
    draft = Draft()
    counts = {"prompt_tokens": 20, "completion_tokens": 10, **usage}
    read_complete(draft, {"choices": [{"message": {"content": "42"}}], "usage": counts})
    assert draft.usage is not None
    found = draft.usage
    assert (found.completion_tokens, found.reasoning_tokens, found.cached_prompt_tokens) == tokens
    assert draft.reported_usd == (None if usd is None else pytest.approx(usd))
