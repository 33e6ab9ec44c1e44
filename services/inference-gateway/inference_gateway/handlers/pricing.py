"""Price an answer: the provider's charge, else the user's own price, else the vendor's list price."""

from dataclasses import dataclass
from datetime import datetime

from inference_gateway.domain.cost import list_cost, own_cost, reported_cost
from inference_gateway.profiles.registry import profile_for
from llmbench.contracts.outcome import Cost, Usage
from llmbench.contracts.provider import ProviderSnapshot


@dataclass(frozen=True)
class Charged:
    """The facts about an answer from which its price is computed: token usage, reported charge, model, service tier."""

    usage: Usage
    reported_usd: float | None = None
    model_reported: str | None = None
    service_tier: str | None = None


def cost_of(charged: Charged, *, provider: ProviderSnapshot, model: str, at: datetime) -> Cost | None:
    """Return the provider's charge, else the cost by the user's price, else by the list price; `None` if none is known.

    A charge counts only if the provider's type reports charges.
    """
    profile = profile_for(provider.type)
    cost = reported_cost(charged.reported_usd) if profile.info.reports_cost else None
    cost = cost or own_cost(charged.usage, provider.prices, model)
    if cost is not None or profile.info.list_prices is None:
        return cost
    # Users name deployments freely, so try the model that the answer names first.
    named = [charged.model_reported, model] if profile.names_deployments else [model, charged.model_reported]
    return list_cost(
        charged.usage,
        vendor=profile.info.list_prices,
        models=[name for name in named if name],
        service_tier=charged.service_tier,
        at=at,
    )
