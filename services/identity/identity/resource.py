"""Define how a folder of the identity service adds routes to its HTTP API; `identity.main` discovers them."""

from dataclasses import dataclass
from types import ModuleType

from fastapi import APIRouter

from llmbench.plugins import in_folders


@dataclass(frozen=True)
class Resource:
    """The routes of one folder."""

    routers: tuple[APIRouter, ...]


def resources(package: ModuleType) -> list[Resource]:
    """Return the resources that the folders of the package declare."""
    return in_folders(package, "resource", "RESOURCE", Resource)
