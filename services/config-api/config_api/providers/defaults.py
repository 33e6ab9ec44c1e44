"""The installation's rules for providers, and the providers of the first start."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from llmbench.http.listeners import Listeners

BaseUrls = Mapping[str, str]
"""The installation's base URLs by type; they override those of the types' profiles."""

OLLAMA: Final = "OLLAMA"
LM_STUDIO: Final = "LM_STUDIO"


@dataclass(frozen=True)
class Rules:
    """The installation's rules for providers."""

    base_urls: BaseUrls
    link_local_allowed: bool
    own: Listeners


LOCAL_PROVIDERS = {OLLAMA: "Local Ollama", LM_STUDIO: "Local LM Studio"}
"""The providers that exist from the first start. They need no reply of the inference gateway, which may start later."""
