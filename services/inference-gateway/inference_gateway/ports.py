"""What the handlers need of the world, and how it can fail them."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from inference_gateway.domain.call import Command, FinishedCall, PaidAnswer, RememberedCall
from inference_gateway.domain.http_call import Exchange, HttpCall
from llmbench.contracts.call_finished import CallFinished
from llmbench.contracts.list_models import SentHeader
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.run_state import RunGate


class SessionLost(Exception):
    """The connection that holds the locks is gone, and every lock with it."""


class NotStored(Exception):
    """The database could not take the row now; the lock may still be held."""


class RunGone(Exception):
    """The run was deleted: nobody wants the call, and it cannot be remembered."""


class NotPublished(Exception):
    """The broker did not acknowledge the event."""


class GatewayStopping(Exception):
    """This process is about to end: another replica shall do it."""


@dataclass(frozen=True)
class StoredHeader:
    """As it lies in its table: a secret one sealed, any other plain."""

    key: str
    plain: str | None = None
    sealed: bytes | None = field(default=None, repr=False)


class Slot(Protocol):
    """One of a group's places to run a call, held by this process and no other."""

    @property
    def alive(self) -> bool: ...

    @property
    def remembered(self) -> RememberedCall | None:
        """The call itself, if it was made already."""

    @property
    def headers(self) -> Sequence[StoredHeader]:
        """The provider's, as they were when the slot was taken."""

    async def find_answer(self, request_hash: str, epoch: int) -> PaidAnswer | None:
        """The newest paid answer to that very question. Raises `SessionLost`."""

    async def store(self, command: Command, call: FinishedCall) -> None:
        """Commit over the connection that holds the slot. Raises `SessionLost`, `NotStored`, `RunGone`."""


class Slots(Protocol):
    def hold(self, command: Command) -> AbstractAsyncContextManager[Slot]:
        """Waits for a free slot of its group, and for another copy of the same call to end. Raises `SessionLost`,
        `GatewayStopping`, or `RunGone` when there is neither the call nor its run."""


class Gates(Protocol):
    def known(self, run_id: UUID) -> RunGate:
        """As far as is known here, without asking."""

    async def confirmed(self, run_id: UUID) -> RunGate:
        """Asked for: news of a gate may still be under way."""


class Events(Protocol):
    async def publish(self, event: CallFinished) -> None:
        """Raises `NotPublished`."""


@dataclass(frozen=True)
class ProviderHeaders:
    """`secrets` are the values that must never be shown."""

    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


class Headers(Protocol):
    async def of(self, provider: ProviderSnapshot) -> ProviderHeaders:
        """Raises `llmbench.errors.SecretsLocked` or `SessionLost`."""

    def sent(self, provider: ProviderSnapshot, sent: Sequence[SentHeader]) -> ProviderHeaders:
        """Of a provider that is not saved yet. Raises `llmbench.errors.SecretsLocked`."""

    def stored(self, provider: ProviderSnapshot, stored: Sequence[StoredHeader]) -> ProviderHeaders:
        """Raises `llmbench.errors.SecretsLocked`."""


class ModelProvider(Protocol):
    """HTTP to a provider. Never raises for what the provider does: that is a fault in the exchange."""

    async def complete(self, call: HttpCall, headers: Mapping[str, str]) -> Exchange: ...

    async def read(self, url: str, headers: Mapping[str, str]) -> Exchange:
        """GET; the body whole, up to the limit of an answer."""

    async def send(self, call: HttpCall, headers: Mapping[str, str]) -> Exchange:
        """POST; an answer that is no completion, its body as it is."""


class Answers(Protocol):
    async def content(self, call_id: UUID) -> str | None:
        """Raises `SessionLost`."""
