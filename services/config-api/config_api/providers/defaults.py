"""The usual addresses of each type of provider, so that users type as little as possible."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from llmbench.contracts.provider import ProviderType
from llmbench.http.listeners import Listeners

BaseUrls = Mapping[ProviderType, str]
"""The default base URL by type; a type without one needs the user's."""


@dataclass(frozen=True)
class Rules:
    """The installation's rules for providers."""

    base_urls: BaseUrls
    link_local_allowed: bool
    own: Listeners


HOSTED: BaseUrls = {
    ProviderType.OPENAI: "https://api.openai.com",
    ProviderType.OPENROUTER: "https://openrouter.ai/api/v1",
}

LOCAL_PROVIDERS = {ProviderType.OLLAMA: "Local Ollama", ProviderType.LM_STUDIO: "Local LM Studio"}
"""The providers that exist from the first start."""

_API = {ProviderType.AZURE_OPENAI: "/openai/v1"}


def default_endpoints(type_: ProviderType, base_url: str) -> tuple[str, str]:
    """Return the paths of the list of models and of chat completions; HTTP_JSON has no list.

    Users paste base URLs with or without the API's path; a second `/v1` after the first would be a 404.
    """
    if type_ is ProviderType.HTTP_JSON:
        return "/models", "/query"
    prefix = "" if urlsplit(base_url).path.endswith("/v1") else _API.get(type_, "/v1")
    return f"{prefix}/models", f"{prefix}/chat/completions"
