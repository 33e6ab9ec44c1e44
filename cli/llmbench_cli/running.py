"""Find the running platform and its servers, for commands that connect to them."""

from llmbench_cli.embedded.binaries import default_home
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.home import Home, Runtime
from llmbench_cli.embedded.leftovers import living
from llmbench_cli.settings import CliSettings, read_settings


def home_of(settings: CliSettings) -> Home:
    """Return the home that the settings name, else the default home. Raises StartError if there is no default."""
    return Home((settings.home or default_home()).absolute())


def living_stack() -> Runtime | None:
    """Return the record of the running stack that uses the home of the settings, or None if none runs. Raises
    StartError if the settings are wrong."""
    runtime = home_of(read_settings()).runtime()
    return runtime if runtime and living(runtime.supervisor) else None


def running_stack() -> Runtime:
    """Return the record of the running stack that uses the home of the settings. Raises StartError if none runs."""
    runtime = living_stack()
    if runtime is None:
        raise StartError(f"no stack runs on {home_of(read_settings()).root}: start one with `llmbench up`")
    return runtime


def platform_url(given: str | None = None) -> str:
    """Return the platform's address: `given`, else LLMBENCH_URL, else the running stack's. Raises StartError if there
    is none, or if it is no HTTP address."""
    url = given or read_settings().url or running_stack().url
    if not url.startswith(("http://", "https://")):
        raise StartError(f"{url} is no address of a platform: write it as http://127.0.0.1:8400")
    return url.rstrip("/")


def database_url() -> str:
    """Return the database URL: LLMBENCH_DATABASE_URL, else the running stack's. Raises StartError if there is
    neither."""
    return read_settings().database_url or running_stack().database_url


def events_url() -> str:
    """Return the NATS URL for reading events: LLMBENCH_NATS_URL, else the running stack's with its read-only login.

    Raises StartError if there is neither. Also raises it if people have to sign in to the running stack, because a
    login of NATS would show the events of all organisations.
    """
    url = read_settings().nats_url or running_stack().viewer_url
    if not url:
        raise StartError(
            "people sign in to this platform, and a login of NATS would show the events of all organisations: follow "
            "a run with `llmbench watch RUN` and an API key, or look at its events in the browser"
        )
    return url
