"""Discover the profiles: every module in this folder that defines a `PROFILE`."""

from functools import cache

import inference_gateway.profiles
from inference_gateway.profiles.base import NotPossible, Profile
from llmbench.contracts.provider_type import ProviderTypeInfo
from llmbench.plugins import plugins


@cache
def profiles() -> dict[str, Profile]:
    """Return all profiles, keyed by provider type."""
    return plugins(inference_gateway.profiles, "PROFILE", Profile, key=lambda profile: profile.type)


def profile_for(type_: str) -> Profile:
    """Return the profile of a provider type. Raises `NotPossible` for a type that no module defines."""
    profile = profiles().get(type_)
    if profile is None:
        known = ", ".join(sorted(profiles()))
        raise NotPossible(f"the inference gateway has no provider type {type_}; the known types are {known}")
    return profile


def provider_types() -> tuple[ProviderTypeInfo, ...]:
    """Return all provider types in the order in which a form lists them."""
    infos = (profile.info for profile in profiles().values())
    return tuple(sorted(infos, key=lambda info: (info.position, info.title)))
