"""Pure: values in, values out. No FastAPI, FastStream, SQLAlchemy or httpx here."""
