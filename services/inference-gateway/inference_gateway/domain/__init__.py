"""The gateway's logic as pure functions and values. It imports no FastAPI, FastStream, asyncpg or aiohttp, and reads no
clock."""
