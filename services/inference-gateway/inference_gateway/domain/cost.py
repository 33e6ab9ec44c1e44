"""Determine the cost of a call: the provider reports it, or it is computed from the user's own price or a list price.

An unknown cost is `None`, never 0. A computed cost is as exact as its token counts: `Usage.source` says whether they
were estimated. Reasoning tokens are part of the completion tokens, so they are charged once.
"""

import math
from collections.abc import Sequence
from datetime import datetime

from llmbench.contracts.outcome import Cost, Usage
from llmbench.contracts.provider import ModelPrice

_MILLION = 1_000_000


def reported_cost(usd: float | None) -> Cost | None:
    if usd is None or not math.isfinite(usd) or usd < 0:
        return None
    return Cost(usd=usd, source="reported")


def own_cost(usage: Usage, prices: Sequence[ModelPrice], model: str) -> Cost | None:
    """Return the cost by the user's price for exactly this model; `None` without such a price or without token counts.

    The user's prices have no discount for cached prompt tokens.
    """
    price = next((price for price in prices if price.model == model), None)
    if price is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    spent = usage.prompt_tokens * price.input_usd_per_million + usage.completion_tokens * price.output_usd_per_million
    return Cost(usd=spent / _MILLION, source="own_price")


def list_cost(
    usage: Usage, *, vendor: str, models: Sequence[str], service_tier: str | None, at: datetime
) -> Cost | None:
    """Return the cost by the vendor's list prices at the time `at`. `models` are names of the model; the first name
    that has a price counts.

    The prices are those in the package `genai-prices`; no network is used.

    Return `None` if none of the names has a price, or without token counts.
    """
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    # Import here: it takes 0.25 s. `main` imports it in a thread once the service is ready.
    from genai_prices import Usage as PricedUsage
    from genai_prices import calc_price

    spent = PricedUsage(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cache_read_tokens=min(usage.cached_prompt_tokens or 0, usage.prompt_tokens) or None,
    )
    context = None if service_tier is None else {"service_tier": service_tier}
    for model in models:
        try:
            price = calc_price(spent, model, provider_id=vendor, genai_request_timestamp=at, price_context=context)
        except (LookupError, ValueError):
            continue
        # An embedding model generates no tokens, so it needs no price for output.
        writes = usage.completion_tokens > 0
        if price.model_price.input_mtok is not None and not (writes and price.model_price.output_mtok is None):
            return Cost(usd=float(price.total_price), source="list_price")
    return None
