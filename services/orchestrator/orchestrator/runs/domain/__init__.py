"""Pure functions and values. FastAPI, FastStream, SQLAlchemy and httpx are not imported here."""
