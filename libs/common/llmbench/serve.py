"""Running a service: `serve(...)` is all a `__main__.py` needs."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import uvicorn
from fastapi import FastAPI

from llmbench.errors import LlmbenchError
from llmbench.logs import configure_logging
from llmbench.settings import S, load
from llmbench.telemetry import collect_spans

Preflight = Callable[[S, str], Coroutine[Any, Any, None]]
"""Checks what must be right before the service starts; raises a `LlmbenchError` when it is not."""


def serve(
    service: str,
    settings_class: type[S],
    create_app: Callable[[S], FastAPI],
    *,
    preflight: "Preflight[S] | None" = None,
) -> None:
    """Read the settings, build the application, serve it on uvloop until SIGTERM.

    A mistake of the user's (settings, schema version) is one line on stderr and exit code 1.
    """
    try:
        settings = load(settings_class)
        if preflight is not None:
            asyncio.run(preflight(settings, service))
    except LlmbenchError as error:
        sys.exit(f"llmbench {service}: {error}")
    configure_logging(service, settings.log_level, settings.log_format)
    collect_spans(service)
    uvicorn.run(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        ws="websockets-sansio",
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
