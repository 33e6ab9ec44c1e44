"""What an evaluation needs of the world outside; adapters provide it over NATS."""

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
    """The broker did not take the command now; trying again later may help."""


class Calls(Protocol):
    """The way to the inference gateway and back."""

    def expect(self, call_id: UUID) -> AbstractContextManager["asyncio.Future[CallFinished]"]:
        """A future of the call's next outcome, from before the command is sent."""

    async def send(self, command: Command) -> None:
        """Raises `NotSent`, or `MessageTooLarge`. Sending twice is harmless: the id is the same."""

    async def whole_text(self, call_id: UUID) -> str | None:
        """The remembered answer; None when there is none. Raises `NotSent`."""

    def revived(self) -> "asyncio.Future[None]":
        """Done when the connection came back: outcomes may have been missed."""


class Gates(Protocol):
    """May calls be started for a run?"""

    def known(self, run_id: UUID) -> RunGate:
        """As last heard; may lag by a moment."""

    async def confirmed(self, run_id: UUID) -> RunGate:
        """Asked of the bucket itself. Raises `NotSent`."""

    def changed(self) -> "asyncio.Future[None]":
        """Done when any gate changes."""
