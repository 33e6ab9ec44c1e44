"""The ports of the handlers, and the errors that their adapters raise."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from inference_gateway.domain.call import Command, FinishedCall, PaidAnswer, RememberedCall
from inference_gateway.domain.draft import Draft
from inference_gateway.domain.http_call import Exchange, HttpCall
from llmbench.contracts.answer_streamed import AnswerStreamed
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.list_models import SentHeader
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_state import RunGate


class SessionLost(Exception):
    """Raised when the database connection that holds the locks is lost, which loses all locks. Also raised while there
    is no connection yet."""


class NotStored(Exception):
    """Raised when the database could not store the row of a call. The lock of the call's slot may still be held."""


class RunGone(Exception):
    """Raised when a call's run was deleted, so that the call is not needed and cannot be stored."""


class NotPublished(Exception):
    """Raised when the broker did not acknowledge the event."""


class GatewayStopping(Exception):
    """Raised while this process is shutting down; another replica does the work."""


@dataclass(frozen=True)
class StoredHeader:
    """A header as it is stored: `sealed` has the encrypted value of a secret, `plain` any other value."""

    key: str
    plain: str | None = None
    sealed: bytes | None = field(default=None, repr=False)


class Slot(Protocol):
    """The right to make one of a model group's concurrent calls. No other process holds the same slot."""

    @property
    def alive(self) -> bool: ...

    @property
    def remembered(self) -> RememberedCall | None:
        """Return the stored outcome of this command's call; `None` if the call was not made before."""

    @property
    def headers(self) -> Sequence[StoredHeader]:
        """Return the provider's headers at the time when the slot was taken."""

    async def find_answer(self, request_hash: str, epoch: int) -> PaidAnswer | None:
        """Return the newest paid answer with this hash and epoch; `None` without one. Raises `SessionLost` if the
        connection that holds the slot is lost."""

    async def store(self, command: Command, call: FinishedCall) -> None:
        """Commit the call over the connection that holds the slot. Raises `SessionLost` if the connection is lost,
        `NotStored` if the database refuses the row, and `RunGone` if the run was deleted."""


class Slots(Protocol):
    def hold(self, command: Command, *, answered: bool = False) -> AbstractAsyncContextManager[Slot]:
        """Wait for a free slot of the command's model group, and for the end of any duplicate of the call.

        With `answered`, the call has an answer that waits to be stored, so the slot is given even while the gateway
        stops. Raises `SessionLost` if the database connection is lost. Raises `GatewayStopping` if the gateway stops
        and `answered` is false. Raises `RunGone` if neither the call nor its run exists.
        """


class Gates(Protocol):
    def known(self, run_id: UUID) -> RunGate:
        """Return the run's gate from this process's copy of the KV bucket."""

    async def confirmed(self, run_id: UUID) -> RunGate:
        """Return the run's gate from the KV bucket itself, because this process's copy may be out of date.

        If the bucket does not answer, return the gate in the copy.
        """


class Events(Protocol):
    async def publish(self, event: CallFinished) -> None:
        """Publish the event. Raises `NotPublished` if the broker does not acknowledge it."""


@dataclass(frozen=True)
class ProviderHeaders:
    """The decrypted headers to send. `secrets` has the values among them that must never be stored or shown."""

    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


class Headers(Protocol):
    async def of(self, provider: ProviderSnapshot) -> ProviderHeaders:
        """Return a saved provider's headers. Raises `llmbench.errors.SecretsLocked` if the master key does not decrypt
        them, and `SessionLost` without a database connection."""

    def sent(self, provider: ProviderSnapshot, sent: Sequence[SentHeader]) -> ProviderHeaders:
        """Decrypt the headers that a request carries, such as those of a provider that is not saved yet.

        Raises `llmbench.errors.SecretsLocked` if the master key does not decrypt a secret.
        """

    def stored(self, provider: ProviderSnapshot, stored: Sequence[StoredHeader]) -> ProviderHeaders:
        """Decrypt headers that the caller has read from the database. Raises `llmbench.errors.SecretsLocked` if the
        master key does not decrypt a secret."""


Watch = Callable[[Draft], None]


class LiveAnswers(Protocol):
    def publish(self, message: AnswerStreamed) -> None:
        """Publish the message without waiting. It may be lost."""


class ModelProvider(Protocol):
    """Makes the HTTP calls to a provider. A provider's failure is in the `Exchange` (its status or fault), and is never
    raised."""

    async def complete(self, call: HttpCall, headers: Mapping[str, str], watch: Watch | None = None) -> Exchange:
        """Send the call and read its answer. If the answer is streamed, `watch` is called after each piece, with the
        part of the answer received so far (a `Draft`)."""

    async def read(self, url: str, *headers: Mapping[str, str]) -> Exchange:
        """Send a GET and return the complete body, up to the size limit of an answer. Later headers override
        earlier ones."""

    async def send(self, call: HttpCall, headers: Mapping[str, str]) -> Exchange:
        """Send a call and return the complete body, up to the size limit of an answer."""


class Answers(Protocol):
    async def content(self, call_id: UUID) -> str | None:
        """Return the text of the answer that is stored for a call; `None` if there is none. Raises `SessionLost`
        without a database session."""
