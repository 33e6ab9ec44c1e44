"""Discover every format in this folder, and recognise the format of a file."""

from functools import cache

import config_api.transfer.formats
from config_api.files import recognition
from config_api.transfer.formats.base import Format, Writing
from llmbench.plugins import plugins


@cache
def formats() -> dict[str, Format]:
    """Return all formats, keyed by name."""
    return plugins(config_api.transfer.formats, "FORMAT", Format, key=lambda file_format: file_format.name)


@cache
def writable() -> dict[str, Writing]:
    """Return the formats that can also be written, keyed by name."""
    return {name: format_.writing for name, format_ in formats().items() if format_.writing}


def recognised(file_name: str) -> Format | None:
    """Return the format with the longest pattern that matches `file_name`, or `None`."""
    return recognition.recognised(file_name, formats().values())
