"""Finds the stack that runs on this home, for commands that look at it from outside."""

from llmbench_cli.embedded.binaries import checkout, has_checkout
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.home import Home, Runtime
from llmbench_cli.embedded.leftovers import living
from llmbench_cli.settings import CliSettings, read_settings


def home_of(settings: CliSettings) -> Home:
    """Return the home that the settings name, else the checkout's. Raises StartError where there is neither."""
    if settings.home is None and not has_checkout():
        raise StartError("llmbench is installed without a checkout: name the folder of its data in LLMBENCH_HOME")
    return Home((settings.home or checkout() / ".llmbench").absolute())


def living_stack() -> Runtime | None:
    """Return where the stack runs, or None when none does."""
    runtime = home_of(read_settings()).runtime()
    return runtime if runtime and living(runtime.supervisor) else None


def running_stack() -> Runtime:
    """Return where the stack runs. Raises StartError when none does."""
    runtime = living_stack()
    if runtime is None:
        raise StartError(f"no stack runs on {home_of(read_settings()).root}: start one with `llmbench up`")
    return runtime


def platform_url(given: str | None = None) -> str:
    """Return the platform's address: the one given, else LLMBENCH_URL, else the running stack's."""
    url = given or read_settings().url or running_stack().url
    if not url.startswith(("http://", "https://")):
        raise StartError(f"{url} is no address of a platform: write it as http://127.0.0.1:8400")
    return url.rstrip("/")


def database_url() -> str:
    """Return the database to use: the user's own, else the running stack's."""
    return read_settings().database_url or running_stack().database_url


def events_url() -> str:
    """Return the NATS server to look at events on: the user's own, else the running stack's for people."""
    return read_settings().nats_url or running_stack().viewer_url
