"""Running a service: `serve(...)` is all a `__main__.py` needs."""

import asyncio
import gc
import importlib
import os
import sys
from typing import Any, Final

from llmbench.errors import LlmbenchError

KEEP_ALIVE_S: Final = 75
"""An idle connection is closed by whoever made it, if it can be: who closes one that a request is on its way over loses
that request. The edge closes its own after 30 s (deploy/Caddyfile)."""


def imported(package: str) -> Any:
    """The module `<package>.main`, imported with all it needs, and the server, out of sight of the collector of cycles.

    What is imported stays for good: looking through it again and again would be a sixth of the start, and a
    pause of 50 ms every now and then afterwards.
    """
    gc.disable()
    _import_nats()
    main = importlib.import_module(f"{package}.main")
    importlib.import_module("uvicorn")
    gc.freeze()
    # A message makes some hundred objects and no cycles to speak of: looked through after each 700 of them, as Python
    # does by itself, 4 % of a run's time goes into finding nothing.
    gc.set_threshold(10_000, 20, 20)
    gc.enable()
    return main


def _import_nats() -> None:
    """Without aiohttp, which nats-py takes where it finds it, for NATS over WebSockets alone: 6 MB in each process, and
    a tenth of its start. Who needs aiohttp for something else imports it afterwards."""
    from llmbench.settings import NATS_URL, over_websockets

    name = "aiohttp"
    if name in sys.modules or over_websockets(os.environ.get(NATS_URL, "")):
        return
    sys.modules[name] = None  # type: ignore[assignment]  # Python's way to say that there is none
    try:
        importlib.import_module("nats")
    finally:
        del sys.modules[name]


def serve(package: str) -> None:
    """Read the settings of `<package>.main`, build its application, serve it on uvloop until SIGTERM.

    That module has `SERVICE` (its name), `Settings`, `create_app(settings)`, perhaps `PREFLIGHT(settings, service)`,
    which raises a `LlmbenchError` when something is not as it must be before the service starts. A mistake of the
    user's (settings, schema version) is one line on stderr and exit code 1.
    """
    main = imported(package)
    # These have been imported by then.
    import uvicorn

    from llmbench.logs import configure_logging
    from llmbench.settings import load
    from llmbench.telemetry import collect_spans

    try:
        settings = load(main.Settings)
        if hasattr(main, "PREFLIGHT"):
            asyncio.run(main.PREFLIGHT(settings, main.SERVICE))
    except LlmbenchError as error:
        sys.exit(f"llmbench {main.SERVICE}: {error}")
    configure_logging(main.SERVICE, settings.log_level, settings.log_format)
    collect_spans(main.SERVICE)
    uvicorn.run(
        main.create_app(settings),
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        ws="websockets-sansio",
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=5,
    )
