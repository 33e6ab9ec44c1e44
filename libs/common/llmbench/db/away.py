"""What a database that is away, going or coming raises through asyncpg."""

import asyncpg

SERVER_AWAY = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    # A connection that breaks between two steps of one query.
    asyncpg.InternalClientError,
)
