"""Pure: from values to values. No FastAPI, FastStream, asyncpg or httpx in here, and no clock."""
