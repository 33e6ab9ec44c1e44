"""Where a provider of each type usually is, so that a user types as little as possible."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from llmbench.contracts.provider import ProviderType


@dataclass(frozen=True)
class Place:
    """`base_url` is `None` where only the user can know it; `api` is the path of the OpenAI-compatible API."""

    base_url: str | None
    api: str = "/v1"


PLACES: dict[ProviderType, Place] = {
    ProviderType.OPENAI: Place("https://api.openai.com"),
    ProviderType.OLLAMA: Place("http://127.0.0.1:11434"),
    ProviderType.LM_STUDIO: Place("http://127.0.0.1:1234"),
    ProviderType.OPENROUTER: Place("https://openrouter.ai/api/v1"),
    ProviderType.AZURE_OPENAI: Place(None, api="/openai/v1"),
    ProviderType.CUSTOM_OPEN_AI_COMPATIBLE: Place(None),
}


def default_endpoints(type_: ProviderType, base_url: str) -> tuple[str, str]:
    """Paths of the list of models and of chat completions. People paste base URLs with and without
    the API's path; a second `/v1` after the first would be a 404."""
    api = PLACES[type_].api
    prefix = "" if urlsplit(base_url).path.endswith("/v1") else api
    return f"{prefix}/models", f"{prefix}/chat/completions"
