"""The home directory: all data of one installation, and the record of the running stack.

Files of `.llmbench/`, among others:

- `lock`: held by a process that runs the stack or its PostgreSQL; the kernel releases it when that process dies
- `runtime.json`: the running stack, readable for other commands; deleted by a clean stop
- `ports.json`: the internal ports, which the next start uses again if they are free
- `master.key`: encrypts the providers' secrets; mode 0600
- `*.password`: one file per login of the embedded servers; mode 0600
- `model.json`: the registered provider of the built-in model
- `postgres/`, `nats/`: data
- `files/`: uploaded files of datasets and documents
- `logs/`: one file per process, of limited size
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
    """A process of the stack: the supervisor, which is the command that runs the stack, or a process that it started.
    Pid and creation time together identify a process permanently."""

    model_config = ConfigDict(frozen=True)

    name: str
    pid: int
    created: float


class Runtime(BaseModel):
    """The content of `runtime.json`: enough to inspect a running stack, or to clean up after a dead one. `ports` maps
    the name of each part to its internal port."""

    model_config = ConfigDict(frozen=True)

    supervisor: Child
    url: str
    database_url: str
    nats_url: str
    # The NATS URL with a read-only login, for people; the login in `nats_url` has all rights.
    viewer_url: str = ""
    model_url: str | None = None
    ports: dict[str, int] = {}
    children: tuple[Child, ...] = ()


@dataclass(frozen=True)
class Home:
    """The paths and secrets of a home directory."""

    root: Path

    @property
    def logs(self) -> Path:
        """The folder of logs, one file per process."""
        return self.root / "logs"

    @property
    def files(self) -> Path:
        """The folder of uploaded files unless a setting names another place; see `kept_files`."""
        return self.root / "files"

    def kept_files(self) -> Path | None:
        """Return the folder of uploaded files: the one that LLMBENCH_CONFIG_API_FILES names, else the home's own.
        Return None if that setting names a bucket."""
        place = os.environ.get(FILES_SETTING) or str(self.files)
        return None if place.startswith("s3://") else Path(place).absolute()

    @property
    def ports_file(self) -> Path:
        """The file of remembered internal ports."""
        return self.root / "ports.json"

    @property
    def runtime_file(self) -> Path:
        """The file that describes the running stack."""
        return self.root / "runtime.json"

    @property
    def model_file(self) -> Path:
        """The file that records the registered provider of the built-in model."""
        return self.root / "model.json"

    def log(self, name: str) -> Path:
        """Return the path of the log file of the process `name`."""
        return self.logs / f"{name}.log"

    def create(self) -> None:
        """Create the home and its log folder. If the home exists and belongs to this account, other accounts lose their
        access to it, as `_close` describes. Raises BrokenData if the home cannot be used."""
        try:
            self._close()
            self.logs.mkdir(exist_ok=True, mode=0o700)
        except OSError as refused:
            raise BrokenData(
                f"{self.root} cannot be used: {refused.strerror}; set LLMBENCH_HOME to a folder of yours"
            ) from refused

    def _close(self) -> None:
        """Restrict the home and the uploaded files to their owner; earlier versions let every user read them.

        A group keeps the right to pass through the home: under root, PostgreSQL's user needs it (see `place`).
        """
        existed = self.root.is_dir() and any(self.root.iterdir())
        self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Leave a folder unchanged that was named as home by mistake, such as /tmp.
        if existed and not (self.root / "lock").exists() and not (self.root / "master.key").exists():
            return
        if self.root.stat().st_uid != os.geteuid():
            return
        if self.root.stat().st_mode & 0o067:
            self.root.chmod(0o700)
        if self.files.is_dir() and self.files.stat().st_mode & 0o077:
            for path in self.files.rglob("*"):
                if not path.is_symlink():
                    path.chmod(0o700 if path.is_dir() else 0o600)
            # Change the folder's mode last: if this is interrupted, the next start repeats everything.
            self.files.chmod(0o700)

    def master_key(self) -> str:
        """Return the key that encrypts the providers' secrets, after creating it if it is missing. Raises StartError if
        its file is empty."""
        return self._secret_file("master.key", lambda: secrets.token_urlsafe(32))

    def password(self, login: str) -> str:
        """Return the password of a login of an embedded server. Create the password if it is missing. Raises StartError
        if the file of the password is empty.

        A password starts with a letter, because NATS would read a word of digits as a number.
        """
        return self._secret_file(f"{login}.password", lambda: f"p{secrets.token_hex(24)}")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the home until the block ends. Raises HomeInUse if another process has locked it, and BrokenData if the
        lock file cannot be opened."""
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
        """Return the record of the running or last stack; `None` if the file is missing or damaged."""
        try:
            return Runtime.model_validate_json(self.runtime_file.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None

    def write_runtime(self, runtime: Runtime) -> None:
        """Replace `runtime.json` atomically, because other commands may read it at any time."""
        staging = self.root / "runtime.json.new"
        staging.touch(mode=0o600)
        staging.write_text(runtime.model_dump_json(indent=2) + "\n")
        staging.replace(self.runtime_file)

    def forget_runtime(self) -> None:
        """Delete `runtime.json`, because the stack of this home has stopped."""
        self.runtime_file.unlink(missing_ok=True)

    def _who(self) -> str:
        runtime = self.runtime()
        if runtime is None:
            return f"another llmbench is starting on {self.root}"
        return (
            f"llmbench already runs at {runtime.url} (pid {runtime.supervisor.pid}, home {self.root}): stop it with "
            "Ctrl-C, or set LLMBENCH_HOME and LLMBENCH_PORT for another one"
        )

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
