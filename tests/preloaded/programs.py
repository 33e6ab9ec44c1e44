"""The programs that are started from preloaded processes, and the code that imports what each of them imports."""

from llmbench_cli.embedded.services import SERVICES

COMMAND_LINE = "llmbench_cli.main"
MOCK_PROVIDER = "benchmarks.mock_provider"

_ALL_OF = """
import importlib, pkgutil

def all_of(package, *left_out):
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if found.name not in (f"{package}.__main__", *left_out):
            importlib.import_module(found.name)
"""
# Commands import most modules within functions.
_COMMAND_LINE = f"""{_ALL_OF}
import httpx, rich.console, rich.table, yaml
all_of("llmbench_cli", "llmbench_cli.main", "llmbench_cli.embedded.model")
"""
_SERVICE = """
from llmbench.service.serve import imported
imported({package!r})
import pydantic.v1
import uvicorn.lifespan.on, uvicorn.loops.uvloop, uvicorn.protocols.http.auto
import uvicorn.protocols.websockets.websockets_sansio_impl
import llmbench.observability.logs, llmbench.observability.telemetry
"""
# The folders of resources are imported when the application is built. The other services import nothing then; the judge
# has modules for libraries that are optional.
_WITH_RESOURCES = ("config_api", "orchestrator", "identity")


def _service(package: str) -> str:
    more = f'{_ALL_OF}\nall_of("{package}")\n' if package in _WITH_RESOURCES else ""
    return _SERVICE.format(package=package) + more


PRELOAD = {
    COMMAND_LINE: _COMMAND_LINE,
    MOCK_PROVIDER: "import benchmarks.mock_provider.app, uvloop",
    **{package: _service(package) for package in SERVICES.values()},
}
"""The code to preload for each module. It imports what the module needs, but not the module itself."""
