"""The gateway's logic, without I/O. It imports no FastAPI, FastStream, asyncpg or aiohttp, and reads no clock."""
