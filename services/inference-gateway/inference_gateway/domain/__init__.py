"""Pure functions and their values: without FastAPI, FastStream, asyncpg or aiohttp, and without a clock."""
