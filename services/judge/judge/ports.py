"""The ports of the handlers that score an answer; adapters implement them over NATS."""

import asyncio
from contextlib import AbstractContextManager
from typing import Protocol
from uuid import UUID

from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion
from llmbench.contracts.run_state import RunGate

Command = GenerateCompletion | EmbedTexts


class NotSent(Exception):
    """Raised when a command was not accepted, or a read got no answer; a later attempt may succeed."""


class Calls(Protocol):
    """The calls of the judge: commands to the inference gateway, and their outcomes."""

    def expect(self, call_id: UUID) -> AbstractContextManager["asyncio.Future[CallFinished]"]:
        """Return a context manager that yields a future of the call's next outcome. Enter it before sending the
        command."""

    async def send(self, command: Command) -> None:
        """Send a command. Raises `NotSent` or `MessageTooLarge`. Sending it twice is harmless, because the call id is
        the same."""

    async def complete_text(self, call_id: UUID) -> str | None:
        """Return the complete text of a stored answer; `None` if none is stored. Raises `NotSent`."""

    def revived(self) -> "asyncio.Future[None]":
        """Return a future that is done after the next reconnection: outcomes may have been missed, so commands are sent
        again."""


class Gates(Protocol):
    """The runs' gates: whether calls may be started for a run."""

    def known(self, run_id: UUID) -> RunGate:
        """Return the run's gate from the local copy, which may be slightly outdated."""

    async def confirmed(self, run_id: UUID) -> RunGate:
        """Return the run's gate from the NATS bucket, which is always current. Raises `NotSent`."""

    def changed(self) -> "asyncio.Future[None]":
        """Return a future that is done when any gate changes."""
