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
    """Raised when NATS did not accept a command to the gateway, or when a stored answer or a run's gate could not be
    read. A later attempt may succeed."""


class Calls(Protocol):
    """The port to the inference gateway: it sends the judge's commands and receives the outcomes of the model calls."""

    def expect(self, call_id: UUID) -> AbstractContextManager["asyncio.Future[CallFinished]"]:
        """Return a context manager that yields a future of the call's next outcome.

        Enter it before sending the command, or the outcome may be missed. On exit, the future is cancelled.
        """

    async def send(self, command: Command) -> None:
        """Send a command. Raises `NotSent` if NATS does not accept it, and `MessageTooLarge` if it is too large for
        NATS.

        Sending a command again is harmless: the gateway recognises its call id and makes no second call.
        """

    async def complete_text(self, call_id: UUID) -> str | None:
        """Return the complete text of a stored answer; `None` if none is stored. Raises `NotSent` if the text cannot be
        read now."""

    def revived(self) -> "asyncio.Future[None]":
        """Return a future that completes when the connection to NATS, or a lost stream or consumer, has been restored.

        Outcomes may have been missed before that, so the caller has to send its commands again.
        """


class Gates(Protocol):
    """The port to the runs' gates. A gate says whether calls may be started for its run."""

    def known(self, run_id: UUID) -> RunGate:
        """Return the run's gate from this process's copy of all gates, which may be slightly outdated."""

    async def confirmed(self, run_id: UUID) -> RunGate:
        """Read the run's current gate from the NATS bucket. Raises `NotSent` if the bucket cannot be read now."""

    def changed(self) -> "asyncio.Future[None]":
        """Return a future that completes when the gate of any run may have changed."""
