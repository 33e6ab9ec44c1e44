"""Discover plug-ins: modules or folders of a package that each define one value under the same name."""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Collection
from types import ModuleType
from typing import TypeVar

K = TypeVar("K")
P = TypeVar("P")

BASE = frozenset({"base", "registry"})


def plugins(
    package: ModuleType, attribute: str, of: type[P], *, key: Callable[[P], K], skipped: Collection[str] = BASE
) -> dict[K, P]:
    """Return the plug-ins that the modules of `package` define as `attribute`, by key, sorted by the modules' names.

    `key` returns the key of a plug-in. Modules named in `skipped` are ignored. Raises `TypeError` if a module's
    `attribute` is missing or not of the type `of`, and `ValueError` for a duplicate key.
    """
    plugins_by_key: dict[K, P] = {}
    for module in pkgutil.iter_modules(package.__path__):
        if module.name in skipped:
            continue
        name = f"{package.__name__}.{module.name}"
        plugin = getattr(importlib.import_module(name), attribute, None)
        if not isinstance(plugin, of):
            raise TypeError(f"{name} defines no {attribute}, which has to be a {of.__name__}")
        if key(plugin) in plugins_by_key:
            raise ValueError(f"{name} defines {key(plugin)!r}, and another module does")
        plugins_by_key[key(plugin)] = plugin
    return plugins_by_key


def in_folders(package: ModuleType, module: str, attribute: str, of: type[P]) -> list[P]:
    """Return the values of `attribute` in the modules `<folder>.<module>` of the package, sorted by the folders' names.

    Raises `TypeError` for a folder without this module, or if the attribute is missing or not of the type `of`.
    """
    found = []
    for folder in pkgutil.iter_modules(package.__path__):
        if not folder.ispkg:
            continue
        name = f"{package.__name__}.{folder.name}.{module}"
        if importlib.util.find_spec(name) is None:
            raise TypeError(f"{name} is missing: it has to define {attribute}, a {of.__name__}")
        value = getattr(importlib.import_module(name), attribute, None)
        if not isinstance(value, of):
            raise TypeError(f"{name} defines no {attribute}, which has to be a {of.__name__}")
        found.append(value)
    return found
