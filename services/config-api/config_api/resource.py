"""Define how a folder of config-api adds routes to its HTTP API.

Each folder declares its routes in `resource.py`, and `config_api.main` discovers them. A new resource edits no other
file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType

from fastapi import APIRouter

from llmbench.plugins import in_folders

FORM_BYTES = 1024 * 1024
"""The bytes that an upload's body may have in addition to the file's limit, for the form fields."""


@dataclass(frozen=True)
class Resource:
    """The routes of one folder.

    `larger_bodies` maps paths that accept larger bodies than usual to their limits in bytes; `*` in a path stands for
    an id. `crosses` is true if a path of this resource also matches a route of another resource. The routes of this
    resource are then matched first: `/api/tasks/export` before `/api/tasks/{id}`. `open_paths` are beginnings of paths
    that need no sign-in; the edge passes them on without one.
    """

    routers: tuple[APIRouter, ...]
    larger_bodies: Mapping[str, int] = field(default_factory=dict)
    open_paths: tuple[str, ...] = ()
    crosses: bool = False


def resources(package: ModuleType) -> list[Resource]:
    """Return the resources that the folders of the package declare, in the order in which routes are matched."""
    return sorted(in_folders(package, "resource", "RESOURCE", Resource), key=lambda resource: not resource.crosses)
