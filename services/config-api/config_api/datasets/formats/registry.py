"""Discover every format in this folder, and recognise the format of a file."""

from functools import cache

import config_api.datasets.formats
from config_api.datasets.formats.base import Format
from config_api.files import recognition
from llmbench.plugins import plugins


@cache
def formats() -> dict[str, Format]:
    """Return all formats, keyed by name."""
    return plugins(config_api.datasets.formats, "FORMAT", Format, key=lambda file_format: file_format.name)


def recognised(file_name: str) -> Format | None:
    """Return the format with the longest pattern that matches `file_name`, or `None`."""
    return recognition.recognised(file_name, formats().values())
