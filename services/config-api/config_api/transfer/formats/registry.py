"""Finds every format in this folder; tells which one a file is."""

import importlib
import pkgutil
from fnmatch import fnmatch
from functools import cache
from pathlib import PurePath

import config_api.transfer.formats
from config_api.transfer.formats.base import Format, Writing

_NOT_FORMATS = {"base", "registry"}


@cache
def formats() -> dict[str, Format]:
    """By name."""
    found: dict[str, Format] = {}
    for module in pkgutil.iter_modules(config_api.transfer.formats.__path__):
        if module.name in _NOT_FORMATS:
            continue
        format_: Format = importlib.import_module(f"{config_api.transfer.formats.__name__}.{module.name}").FORMAT
        if format_.name in found:
            raise ValueError(f"two formats are called {format_.name!r}")
        found[format_.name] = format_
    return found


@cache
def writable() -> dict[str, Writing]:
    """Those that can also be written, by name."""
    return {name: format_.writing for name, format_ in formats().items() if format_.writing}


def recognised(file_name: str) -> Format | None:
    """The format whose pattern fits `file_name` best."""
    name = PurePath(file_name).name.lower()
    fitting = [
        (len(pattern), format_)
        for format_ in formats().values()
        for pattern in format_.file_names
        if fnmatch(name, pattern)
    ]
    return max(fitting, key=lambda found: found[0])[1] if fitting else None
