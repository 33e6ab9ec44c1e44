"""Plug-ins: a folder of modules that each define one thing, found by looking."""

import importlib
import pkgutil
from collections.abc import Callable, Collection
from types import ModuleType
from typing import TypeVar

K = TypeVar("K")
P = TypeVar("P")

BASE = frozenset({"base", "registry"})


def plugins(
    package: ModuleType, attribute: str, of: type[P], *, key: Callable[[P], K], beside: Collection[str] = BASE
) -> dict[K, P]:
    """What each module of `package` defines as `attribute`, by its key, in the modules' order.

    `beside` are the modules that are none. Raises `TypeError` for a module without an `attribute` of the type,
    `ValueError` for two of one key.
    """
    found: dict[K, P] = {}
    for module in pkgutil.iter_modules(package.__path__):
        if module.name in beside:
            continue
        name = f"{package.__name__}.{module.name}"
        one = getattr(importlib.import_module(name), attribute, None)
        if not isinstance(one, of):
            raise TypeError(f"{name} defines no {attribute}, which has to be a {of.__name__}")
        if key(one) in found:
            raise ValueError(f"{name} defines {key(one)!r}, and another module does")
        found[key(one)] = one
    return found
