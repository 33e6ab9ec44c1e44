"""Describe the types of providers for a form."""

from dataclasses import asdict, dataclass

from config_api.providers.defaults import BaseUrls, default_endpoints
from config_api.providers.options import OPTIONS
from config_api.providers.schemas import OptionOut, ProviderTypeOut, ProviderTypes
from llmbench.contracts.provider import ProviderType


@dataclass(frozen=True)
class _Type:
    title: str
    base_url_example: str
    secret_header: str | None = None
    secret_prefix: str = ""


_BEARER = ("Authorization", "Bearer ")
_TYPES: dict[ProviderType, _Type] = {
    ProviderType.OLLAMA: _Type("Ollama", "http://127.0.0.1:11434"),
    ProviderType.LM_STUDIO: _Type("LM Studio", "http://127.0.0.1:1234"),
    ProviderType.OPENAI: _Type("OpenAI", "https://api.openai.com", *_BEARER),
    ProviderType.OPENROUTER: _Type("OpenRouter", "https://openrouter.ai/api/v1", *_BEARER),
    ProviderType.AZURE_OPENAI: _Type("Azure OpenAI", "https://my-resource.openai.azure.com", "api-key"),
    ProviderType.CUSTOM_OPEN_AI_COMPATIBLE: _Type("OpenAI-compatible", "http://127.0.0.1:8000", *_BEARER),
    ProviderType.HTTP_JSON: _Type("JSON service (RAG)", "http://127.0.0.1:8080", *_BEARER),
}


def provider_types(base_urls: BaseUrls) -> ProviderTypes:
    """Return the types in the order of the form: local ones first."""
    return ProviderTypes(items=[_shown(type_, about, base_urls.get(type_)) for type_, about in _TYPES.items()])


def _shown(type_: ProviderType, about: _Type, base_url: str | None) -> ProviderTypeOut:
    models, inference = default_endpoints(type_, base_url or about.base_url_example)
    return ProviderTypeOut(
        type=type_,
        title=about.title,
        base_url=base_url,
        base_url_example=about.base_url_example,
        models_endpoint=models,
        inference_endpoint=inference,
        secret_header=about.secret_header,
        secret_prefix=about.secret_prefix,
        options=[OptionOut(**asdict(option)) for option in OPTIONS[type_]],
    )
