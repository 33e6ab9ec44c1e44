"""Decide whether a provider runs its models on this machine or network."""

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from llmbench.contracts.provider import ProviderSnapshot

_LOCAL_TYPES = frozenset({"OLLAMA", "LM_STUDIO"})
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal")


def is_local(provider: ProviderSnapshot, *, hosted: Collection[str] = ()) -> bool:
    """Return whether the provider runs its models on this machine or network. Its type or its address shows that.

    `hosted` are host names and addresses of providers that do not count as local, although they are in this network.

    >>> from uuid import UUID
    >>> at = ProviderSnapshot(provider_id=UUID(int=1), name="Mine", type="CUSTOM_OPEN_AI_COMPATIBLE",
    ...     base_url="http://127.0.0.1:8000", models_endpoint="/v1/models", inference_endpoint="/v1/chat/completions")
    >>> is_local(at), is_local(at.model_copy(update={"base_url": "https://api.example.com"}))
    (True, False)
    >>> is_local(at, hosted=["127.0.0.1"])
    False
    """
    host = (urlsplit(provider.base_url).hostname or "").lower()
    if host in hosted:
        return False
    if provider.type in _LOCAL_TYPES:
        return True
    try:
        return not ip_address(host).is_global
    except ValueError:
        # A host name without a dot is on this machine or network, for instance a container.
        return "." not in host or host.endswith(_LOCAL_NAMES)
