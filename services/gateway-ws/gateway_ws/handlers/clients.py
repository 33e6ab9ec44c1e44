"""Keep track of the open connections, and close those whose session or API key has ended."""

from collections.abc import Collection
from uuid import UUID

from gateway_ws.handlers.connection import Connection

CHECK_AGAIN = "The sign-in of this connection has ended or changed. Connect again."


class Clients:
    def __init__(self) -> None:
        # The value is the session or API key with which the connection was opened; `None` without sign-in.
        self._credentials: dict[Connection, UUID | None] = {}

    def __len__(self) -> int:
        return len(self._credentials)

    def add(self, connection: Connection, credential: UUID | None) -> None:
        self._credentials[connection] = credential

    def discard(self, connection: Connection) -> None:
        self._credentials.pop(connection, None)

    def revoked(self, credentials: Collection[UUID]) -> None:
        """Close the connections of these sessions and API keys. A client that still has access connects again."""
        for connection, credential in list(self._credentials.items()):
            if credential in credentials:
                connection.fail(CHECK_AGAIN, retry=True)

    def recheck(self) -> None:
        """Close all connections that were opened with sign-in: a revocation may have been missed."""
        self.revoked({each for each in self._credentials.values() if each is not None})
