"""The port that lists the models of a provider."""

from typing import Protocol

from llmbench.contracts.list_models import ModelsListed
from llmbench.contracts.provider import ProviderSnapshot


class ModelDirectory(Protocol):
    async def list_models(self, provider: ProviderSnapshot) -> ModelsListed:
        """List the provider's models; a failure of the provider is returned as `problem`. Raises a 503 `Problem` when
        the gateway does not answer."""
        ...
