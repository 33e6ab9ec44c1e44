"""Pure functions from values to values: no FastAPI, FastStream, asyncpg or aiohttp, and no clock."""
