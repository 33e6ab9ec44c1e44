"""Describe the types of providers for a form."""

from config_api.providers.defaults import BaseUrls
from config_api.providers.schemas import OptionOut, ProviderTypeOut
from llmbench.contracts.provider_type import HeaderInfo, ProviderTypeInfo

_NO_KEY = HeaderInfo(name="")


def shown(info: ProviderTypeInfo, base_urls: BaseUrls) -> ProviderTypeOut:
    """Return a provider type as the API shows it. If this installation has a base URL for the type, it replaces the
    type's own."""
    base_url = base_urls.get(info.type, info.base_url)
    models, inference = info.endpoints(base_url or info.base_url_example)
    key = next((header for header in info.headers if header.is_secret), _NO_KEY)
    return ProviderTypeOut(
        type=info.type,
        title=info.title,
        description=info.description,
        base_url=base_url,
        base_url_example=info.base_url_example,
        models_endpoint=models,
        inference_endpoint=inference,
        lists_models=info.lists_models,
        secret_header=key.name or None,
        secret_prefix=key.value,
        options=[
            OptionOut(name=option.name, kind=option.kind, description=option.description, example=option.example)
            for option in info.options
        ],
        quirks=list(info.quirks),
    )
