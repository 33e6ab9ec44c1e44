"""Pure: from values to values. No FastAPI, FastStream, asyncpg or aiohttp in here, and no clock."""
