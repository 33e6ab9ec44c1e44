"""Decide when an evaluation may run: as the active run, next to the active run, or later.

A machine loads one local model at a time. So an evaluation has to wait only if it calls a local model while the active
run uses another local model.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from urllib.parse import urlsplit

from llmbench.contracts.provider import ProviderSnapshot
from orchestrator.runs.domain.schedule import Model

_LOCAL_TYPES = frozenset({"OLLAMA", "LM_STUDIO"})
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal")


class Place(StrEnum):
    ALONE = "alone"
    BESIDE = "beside"
    TAKEN = "taken"


@dataclass(frozen=True)
class Held:
    """A model that the active run uses, with that run's limit of concurrent calls. `local`: the model runs on this
    machine or network."""

    model: Model
    local: bool
    concurrency: int


@dataclass(frozen=True)
class Active:
    """The active run, with the models of its unfinished groups."""

    name: str
    held: Sequence[Held] = ()


def place(local_judges: Set[Model], active: Active | None) -> Place:
    """Return whether the evaluation may start now, alone or next to the active run, or has to wait (`TAKEN`).

    It has to wait if it calls a local model while the active run uses another local model. `local_judges` are the local
    models that it calls. Without any, the place is always `BESIDE`, even if no run is active.
    """
    if not local_judges:
        return Place.BESIDE
    if active is None:
        return Place.ALONE
    others = {model.model for model in active.held if model.local} - local_judges
    return Place.TAKEN if others else Place.BESIDE


def is_local(provider: ProviderSnapshot) -> bool:
    """Return whether the provider runs its models on this machine or network. Its type or its address shows that.

    >>> from uuid import UUID
    >>> at = ProviderSnapshot(provider_id=UUID(int=1), name="Mine", type="CUSTOM_OPEN_AI_COMPATIBLE",
    ...     base_url="http://127.0.0.1:8000", models_endpoint="/v1/models", inference_endpoint="/v1/chat/completions")
    >>> is_local(at), is_local(at.model_copy(update={"base_url": "https://api.example.com"}))
    (True, False)
    """
    if provider.type in _LOCAL_TYPES:
        return True
    host = (urlsplit(provider.base_url).hostname or "").lower()
    try:
        return not ip_address(host).is_global
    except ValueError:
        # A host name without a dot is on this machine or network, for instance a container.
        return "." not in host or host.endswith(_LOCAL_NAMES)
