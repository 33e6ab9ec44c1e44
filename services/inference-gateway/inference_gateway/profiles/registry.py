"""Finds every profile in this folder: a module with a `PROFILE`."""

import importlib
import pkgutil
from functools import cache

import inference_gateway.profiles
from inference_gateway.profiles.base import Profile
from llmbench.contracts.provider import ProviderType


@cache
def profiles() -> dict[ProviderType, Profile]:
    """Every profile by the provider type it is for."""
    found: dict[ProviderType, Profile] = {}
    for module in pkgutil.iter_modules(inference_gateway.profiles.__path__):
        loaded = importlib.import_module(f"{inference_gateway.profiles.__name__}.{module.name}")
        profile = getattr(loaded, "PROFILE", None)
        if isinstance(profile, Profile):
            assert profile.type not in found, f"two profiles for {profile.type}"
            found[profile.type] = profile
    return found


def profile_for(type_: ProviderType) -> Profile:
    return profiles()[type_]
