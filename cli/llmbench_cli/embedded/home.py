"""The home directory: everything that one installation keeps, and who runs on it now.

.llmbench/
  lock            held by the running `llmbench up` (the kernel frees it when that one dies)
  runtime.json    who runs and where, readable for other commands; gone after a clean stop
  ports.json      the internal ports, used again while they are free
  master.key      encrypts the providers' secrets; mode 0600
  *.password      of the embedded servers' logins, one file each; mode 0600
  model.json      the built-in model as it was registered
  postgres/ nats/ data
  files/          uploaded files of datasets
  logs/           one file per process, bounded
"""

import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from llmbench_cli.embedded.errors import BrokenData, HomeInUse, StartError

FILES_SETTING = "LLMBENCH_CONFIG_API_FILES"


class Child(BaseModel):
    """A process that the supervisor started. Pid and creation time together name it for ever."""

    model_config = ConfigDict(frozen=True)

    name: str
    pid: int
    created: float


class Runtime(BaseModel):
    """What `runtime.json` says: enough to look at a running stack, or to clean up after a dead one."""

    model_config = ConfigDict(frozen=True)

    supervisor: Child
    url: str
    database_url: str
    nats_url: str
    # The read-only login for people; the owner's of `nats_url` may do everything.
    viewer_url: str = ""
    model_url: str | None = None
    ports: dict[str, int] = {}
    children: tuple[Child, ...] = ()


@dataclass(frozen=True)
class Home:
    """Paths and secrets of one home."""

    root: Path

    @property
    def logs(self) -> Path:
        """One file per process."""
        return self.root / "logs"

    @property
    def files(self) -> Path:
        """Uploaded files of datasets, unless they are kept elsewhere."""
        return self.root / "files"

    def kept_files(self) -> Path | None:
        """The same, where they are kept in a folder at all: `None` when the services keep them in a bucket."""
        place = os.environ.get(FILES_SETTING) or str(self.files)
        return None if place.startswith("s3://") else Path(place).absolute()

    @property
    def ports_file(self) -> Path:
        """The remembered internal ports."""
        return self.root / "ports.json"

    @property
    def runtime_file(self) -> Path:
        """Who runs on this home."""
        return self.root / "runtime.json"

    @property
    def model_file(self) -> Path:
        """The built-in model's provider, once it was registered."""
        return self.root / "model.json"

    def log(self, name: str) -> Path:
        """Return the log of one process."""
        return self.logs / f"{name}.log"

    def create(self) -> None:
        """Make the folders, or say in one line why that is impossible."""
        try:
            # Reachable for the user that PostgreSQL runs as; what is secret has modes of its own.
            self.root.mkdir(parents=True, exist_ok=True, mode=0o755)
            self.logs.mkdir(exist_ok=True, mode=0o700)
        except OSError as refused:
            raise BrokenData(
                f"{self.root} cannot be used: {refused.strerror}; set LLMBENCH_HOME to a folder of yours"
            ) from refused

    def master_key(self) -> str:
        """Return the key that provider secrets are encrypted with; made at the first start."""
        return self._secret_file("master.key", lambda: secrets.token_urlsafe(32))

    def password(self, login: str) -> str:
        """Return the password of a login of an embedded server; made at the first start.

        Starts with a letter: NATS would read a word of digits as a number.
        """
        return self._secret_file(f"{login}.password", lambda: f"p{secrets.token_hex(24)}")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the home. Raises HomeInUse when another supervisor does."""
        try:
            descriptor = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as refused:
            raise BrokenData(f"{self.root} cannot be used: {refused.strerror}") from refused
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise HomeInUse(self._who()) from None
            yield
        finally:
            os.close(descriptor)

    def runtime(self) -> Runtime | None:
        """Return who runs, or ran, on this home. A damaged file is as good as none."""
        try:
            return Runtime.model_validate_json(self.runtime_file.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def write_runtime(self, runtime: Runtime) -> None:
        """Replace the file in one step: it is read by others while we write."""
        staging = self.root / "runtime.json.new"
        staging.touch(mode=0o600)
        staging.write_text(runtime.model_dump_json(indent=2) + "\n")
        staging.replace(self.runtime_file)

    def forget_runtime(self) -> None:
        """Nobody runs here any more."""
        self.runtime_file.unlink(missing_ok=True)

    def _who(self) -> str:
        runtime = self.runtime()
        if runtime is None:
            return f"another llmbench is starting on {self.root}"
        return f"llmbench already runs at {runtime.url} (pid {runtime.supervisor.pid}, home {self.root})"

    def _secret_file(self, name: str, make: Callable[[], str]) -> str:
        path = self.root / name
        try:
            found = path.read_text().strip()
            if not found:
                raise StartError(f"{path} is empty: restore it from a copy, or remove it with the data")
            return found
        except FileNotFoundError:
            pass
        staging = path.with_name(f"{name}.new")
        staging.unlink(missing_ok=True)
        staging.touch(mode=0o600)
        staging.write_text(make() + "\n")
        staging.replace(path)
        return self._secret_file(name, make)
