"""The server process of a service: its `__main__.py` only calls `serve(...)`."""

import asyncio
import gc
import importlib
import os
import sys
from typing import Any, Final

from llmbench.errors import LlmbenchError

KEEP_ALIVE_S: Final = 75
"""Seconds after which the server closes an idle connection.

The client should close first, because a request that is in transit when the server closes is lost. The edge closes its
connections after 30 s (deploy/Caddyfile).
"""


def imported(package: str) -> Any:
    """Import `<package>.main` and uvicorn, and exclude their objects from garbage collection. Return the module.

    Imported objects are never freed. Scanning them again and again would take a sixth of the start-up time, and later
    stop the process for 50 ms at a time. Garbage collection of other objects becomes less frequent, too.
    """
    # The matrices of services are small. A second thread of NumPy's BLAS makes products no faster, and waits for work
    # in a busy loop. On two busy cores, computing a confidence interval took four times the processor time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    _import_nats()
    main = importlib.import_module(f"{package}.main")
    importlib.import_module("uvicorn")
    gc.freeze()
    # A message creates some hundred objects and hardly any cycles. With Python's default of a scan per 700 objects, 4 %
    # of a run's time would go into scans that find nothing.
    gc.set_threshold(10_000, 20, 20)
    gc.enable()
    return main


def _import_nats() -> None:
    """Import nats-py without aiohttp, which it would import for NATS over WebSockets only.

    This saves 6 MB per process and a tenth of the start-up time. Later imports of aiohttp work as usual.
    """
    from llmbench.service.settings import NATS_URL, over_websockets

    name = "aiohttp"
    if name in sys.modules or over_websockets(os.environ.get(NATS_URL, "")):
        return
    sys.modules[name] = None  # type: ignore[assignment]  # Python's way to say that there is none
    try:
        importlib.import_module("nats")
    finally:
        del sys.modules[name]


def serve(package: str) -> None:
    """Read the settings of `<package>.main`, build its application, and serve it until SIGTERM or SIGINT.

    That module has `SERVICE` (its name), `Settings`, `create_app(settings)` and optionally the asynchronous function
    `PREFLIGHT(settings, service)`. The settings or `PREFLIGHT` may raise a `LlmbenchError`, such as for an invalid
    setting. The process then writes it as one line to stderr and exits with 1.
    """
    # Only the service may read its files, above all uploaded ones.
    os.umask(0o077)
    main = imported(package)
    # `imported` has already loaded this module.
    import uvicorn

    from llmbench.observability.logs import configure_logging
    from llmbench.observability.telemetry import collect_spans
    from llmbench.service.settings import load

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
