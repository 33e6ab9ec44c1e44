"""Declare what a command needs on a platform with LLMBENCH_AUTH=on: rights of its API key, or the machine itself.

`docs/generated/access.md` is made from these declarations, and `tests/security/test_access_of_commands.py` compares
them with the requests that each command sends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
_NAME: Final = "needed_rights"


@dataclass(frozen=True)
class Needs:
    """The needs of a command.

    `rights` are the pairs `resource:verb` of all requests that it may send, with any of its options. A command without
    rights works with the files, the database or the broker of the machine, so no API key is enough for it.
    """

    rights: frozenset[str] = frozenset()

    @property
    def here(self) -> bool:
        """Return whether the command works with the machine's files or servers, and so needs no rights of an API
        key."""
        return not self.rights


def asks(*rights: str) -> Callable[[F], F]:
    """Declare the rights that the decorated command's API key needs."""
    return _declaring(Needs(frozenset(rights)))


def works_here(command: F) -> F:
    """Declare that the command works with the machine's files or servers, so it needs no rights of an API key."""
    return _declaring(Needs())(command)


def needs_of(command: Callable[..., Any]) -> Needs | None:
    """Return the needs that a command declares with `asks` or `works_here`; `None` if it declares none."""
    needs: Needs | None = getattr(command, _NAME, None)
    return needs


def _declaring(needs: Needs) -> Callable[[F], F]:
    def declare(command: F) -> F:
        setattr(command, _NAME, needs)
        return command

    return declare
