"""Find or start the platform of a CI job, and clean up after it.

An ephemeral job has a new platform in a temporary folder. Any other job uses the platform at the given address, else
the one that is running on the home folder. If none is running, the platform of the home folder is started, and stopped
after the job.
"""

import asyncio
import shutil
import signal
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from llmbench_cli.attended import attended
from llmbench_cli.ci.wanted import Job
from llmbench_cli.client import Client
from llmbench_cli.console import ConsoleReporter
from llmbench_cli.demo.provider import PROVIDER as BUILT_IN
from llmbench_cli.embedded import archive
from llmbench_cli.embedded.bring_back import bring_back
from llmbench_cli.embedded.home import Home
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.stack import Stack
from llmbench_cli.errors import CommandFailed
from llmbench_cli.running import home_of, living_stack, platform_url
from llmbench_cli.session import with_stack
from llmbench_cli.settings import CliSettings, read_settings

_PREFIX = "llmbench-ci-"
_STOPPED = "Stopped."
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Platform:
    """A running platform. `database_url` is set only for an ephemeral job, whose platform was started for this job
    alone and is removed after it."""

    client: Client
    database_url: str | None = None

    @property
    def own(self) -> bool:
        """Return whether the platform was started for this job alone, and is removed with its data after it."""
        return self.database_url is not None


Body = Callable[[Platform], Awaitable[int]]


def require_place(*, url: str | None, ephemeral: bool, baseline_file: Path | None, save_baseline: Path | None) -> None:
    """Raise `CommandFailed` if these options do not fit together. Also raise it if `baseline_file` is missing, unless
    the job saves a baseline."""
    if ephemeral and url:
        raise CommandFailed("--ephemeral starts a platform of its own: leave --url out")
    if not ephemeral and (baseline_file or save_baseline):
        raise CommandFailed(
            "--baseline-file and --save-baseline need --ephemeral: a platform that stays keeps its baselines itself "
            "(`llmbench baseline promote`)"
        )
    if baseline_file is not None and save_baseline is None and not baseline_file.is_file():
        raise CommandFailed(f"the baseline {baseline_file} does not exist: a run with --save-baseline makes it")


def on_platform(job: Job, body: Body, *, url: str | None, ephemeral: bool, baseline_file: Path | None) -> int:
    """Call `body` with the platform, and return its exit code. After a signal the code is 128 plus its number.

    An ephemeral platform begins with the content of `baseline_file`, if that is given. Raises `StartError` if the
    platform cannot be found or started.
    """
    if ephemeral:
        with _temporary_home() as settings:
            return _ephemeral(job, body, settings, baseline_file)
    settings = read_settings()
    if url or settings.url or living_stack():
        return _at(platform_url(url), body)
    return asyncio.run(_started(job, body, settings))


def _at(url: str, body: Body) -> int:
    async def work() -> int:
        async with Client(url) as client:
            return await body(Platform(client))

    return attended(work(), farewell=lambda: _STOPPED)


async def _started(job: Job, body: Body, settings: CliSettings, *, own: bool = False) -> int:
    async def work(stack: Stack) -> int:
        try:
            async with Client(stack.url) as client:
                return await body(Platform(client, stack.database_url if own else None))
        except asyncio.CancelledError:
            if own:
                # The data is removed, so the services need not end their work.
                stack.hurry()
            raise

    with_model = any(model.startswith(f"{BUILT_IN}:") for model in job.models())
    return await with_stack(settings, Console(stderr=True), work, with_model=with_model, interrupted=None)


def _ephemeral(job: Job, body: Body, settings: CliSettings, baseline_file: Path | None) -> int:
    if baseline_file is not None:
        home = home_of(settings)

        async def restore() -> int:
            with archive.unpacked(baseline_file, inside=home.root) as backup:
                report = ConsoleReporter(Console(stderr=True))
                await bring_back(settings, home, backup, name=baseline_file, force=False, report=report)
            return 0

        if code := attended(restore(), farewell=lambda: _STOPPED):
            return code
    return asyncio.run(_started(job, body, settings, own=True))


@contextmanager
def _temporary_home() -> Iterator[CliSettings]:
    """Yield the settings of a platform in a new temporary folder, with servers and keys of its own. Remove its data at
    the end of the block."""
    settings = read_settings()
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    own = {"database_url": None, "nats_url": None, "master_key": None, "url": None, "auth": "off"}
    try:
        yield settings.model_copy(update={**own, "home": folder, "port": free_port()})
    finally:
        _remove(Home(folder))


def _remove(home: Home) -> None:
    """Remove the home, and PostgreSQL's data if it is elsewhere (see `embedded.place`).

    Signals are blocked meanwhile, because CI systems send a second signal soon after the first.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        data = home.root / "postgres"
        if data.is_symlink():
            shutil.rmtree(data.resolve().parent, ignore_errors=True)
        shutil.rmtree(home.root, ignore_errors=True)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
