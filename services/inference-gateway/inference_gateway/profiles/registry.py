"""Discovers every profile in this folder: a module with a `PROFILE`."""

from functools import cache

import inference_gateway.profiles
from inference_gateway.profiles.base import Profile
from llmbench.contracts.provider import ProviderType
from llmbench.plugins import plugins


@cache
def profiles() -> dict[ProviderType, Profile]:
    """Return every profile by its provider type."""
    return plugins(inference_gateway.profiles, "PROFILE", Profile, key=lambda one: one.type)


def profile_for(type_: ProviderType) -> Profile:
    return profiles()[type_]
