"""Finds every format in this folder; tells which one a file is."""

import importlib
import pkgutil
from fnmatch import fnmatch
from functools import cache
from pathlib import PurePath

import config_api.datasets.formats
from config_api.datasets.formats.base import Format

_NOT_FORMATS = {"base", "registry"}


@cache
def formats() -> dict[str, Format]:
    """By name."""
    found: dict[str, Format] = {}
    for module in pkgutil.iter_modules(config_api.datasets.formats.__path__):
        if module.name in _NOT_FORMATS:
            continue
        format_: Format = importlib.import_module(f"{config_api.datasets.formats.__name__}.{module.name}").FORMAT
        if format_.name in found:
            raise ValueError(f"two formats are called {format_.name!r}")
        found[format_.name] = format_
    return found


def recognised(file_name: str) -> Format | None:
    """The format whose pattern fits `file_name` best."""
    name = PurePath(file_name.replace("\\", "/")).name.lower()
    fitting = [
        (len(pattern), format_)
        for format_ in formats().values()
        for pattern in format_.file_names
        if fnmatch(name, pattern)
    ]
    return max(fitting, key=lambda found: found[0])[1] if fitting else None
