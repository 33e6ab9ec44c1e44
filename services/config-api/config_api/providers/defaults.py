"""Where a provider of each type usually is, so that a user types as little as possible."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from llmbench.contracts.provider import ProviderType

BaseUrls = Mapping[ProviderType, str]
"""The base URL a type has when none is given; some types have none, because only the user can know it."""


@dataclass(frozen=True)
class Rules:
    """What an installation says of its providers."""

    base_urls: BaseUrls
    link_local_allowed: bool


HOSTED: BaseUrls = {
    ProviderType.OPENAI: "https://api.openai.com",
    ProviderType.OPENROUTER: "https://openrouter.ai/api/v1",
}

LOCAL_PROVIDERS = {ProviderType.OLLAMA: "Local Ollama", ProviderType.LM_STUDIO: "Local LM Studio"}
"""The providers that are there from the first start."""

_API = {ProviderType.AZURE_OPENAI: "/openai/v1"}


def default_endpoints(type_: ProviderType, base_url: str) -> tuple[str, str]:
    """Paths of the list of models and of chat completions; HTTP_JSON has no list. People paste base URLs with and
    without the API's path; a second `/v1` after the first would be a 404."""
    if type_ is ProviderType.HTTP_JSON:
        return "/models", "/query"
    prefix = "" if urlsplit(base_url).path.endswith("/v1") else _API.get(type_, "/v1")
    return f"{prefix}/models", f"{prefix}/chat/completions"
