"""Recognise a file's format by its name."""

from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import PurePath
from typing import Protocol, TypeVar


class Named(Protocol):
    @property
    def file_names(self) -> tuple[str, ...]: ...


F = TypeVar("F", bound=Named)


def recognised(file_name: str, formats: Iterable[F]) -> F | None:
    """Return the format with the longest pattern that matches the file's name, or `None`."""
    name = PurePath(file_name.replace("\\", "/")).name.lower()
    fitting = [
        (len(pattern), format_) for format_ in formats for pattern in format_.file_names if fnmatch(name, pattern)
    ]
    return max(fitting, key=lambda fit: fit[0])[1] if fitting else None
