"""Finds every format in this folder; tells which one a file is."""

from functools import cache

import config_api.documents.formats
from config_api.documents.formats.base import Format
from config_api.files import recognition
from llmbench.plugins import plugins


@cache
def formats() -> dict[str, Format]:
    """By name."""
    return plugins(config_api.documents.formats, "FORMAT", Format, key=lambda one: one.name)


def recognised(file_name: str) -> Format | None:
    """The format whose pattern fits `file_name` best."""
    return recognition.recognised(file_name, formats().values())
