"""Define this installation's rules for providers, and the providers that the first start creates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from llmbench.http.listeners import Listeners

BaseUrls = Mapping[str, str]
"""The base URL of each provider type in this installation. It overrides that of the type's profile."""

OLLAMA: Final = "OLLAMA"
LM_STUDIO: Final = "LM_STUDIO"


@dataclass(frozen=True)
class Rules:
    """The default URLs of providers in this installation, and the addresses that a provider must not have.

    A provider must not have one of the platform's own addresses (`own`). It must not have a link-local address either,
    unless `link_local_allowed` is true.
    """

    base_urls: BaseUrls
    link_local_allowed: bool
    own: Listeners


LOCAL_PROVIDERS = {OLLAMA: "Local Ollama", LM_STUDIO: "Local LM Studio"}
"""The names of the providers that the first start creates, by type.

Their creation needs no reply of the inference gateway, which may start later.
"""
