"""Choose the operating-system account for PostgreSQL, which refuses to run as root.

Under root, PostgreSQL runs as an account of its own, which is created if the machine allows it, or else as `nobody`.
That account must be able to read the binaries and the data, which a checkout in a home directory of mode 700 prevents.
`reaches` and `can_run` try the access as that account, because access lists, mounts and security modules override mode
bits.
"""

import contextlib
import fcntl
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llmbench_cli.embedded.errors import StartError

OWN_USER = "llmbench-postgres"
FALLBACK_USER = "nobody"
"""The user if PostgreSQL cannot get an account of its own. Other programs of this user could change its data."""


@dataclass(frozen=True)
class Account:
    """An account of the operating system that runs a child process."""

    name: str
    uid: int
    gid: int

    def can_run(self, *command: str) -> bool:
        """Return whether the command, run as this account, exits with code 0."""
        try:
            done = subprocess.run(
                command,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
                **as_account(self),
            )
        except (FileNotFoundError, PermissionError):
            return False
        return done.returncode == 0

    def reaches(self, folder: Path) -> bool:
        """Return whether this account can enter the folder."""
        return self.can_run("/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder))

    def own(self, path: Path) -> None:
        """Give one file or folder to this account and its group. Files inside a folder keep their owner."""
        os.chown(path, self.uid, self.gid)


def as_account(account: Account | None) -> dict[str, Any]:
    """Return the arguments with which `subprocess` runs a child as this account, without root's groups. For None the
    child runs as the current user."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def account_for_postgres() -> Account | None:
    """Return the account that runs PostgreSQL, after creating it if needed. Return None if this process is not root:
    then PostgreSQL runs as the current user.

    Raises StartError if this process is root and no account can be used.
    """
    if os.geteuid() != 0:
        return None
    account = _account(OWN_USER) or _create_own_user() or _account(FALLBACK_USER)
    if account is None:
        raise StartError(
            f"PostgreSQL cannot run as root, and this machine has neither a user '{OWN_USER}' nor '{FALLBACK_USER}': "
            f"make one (useradd --system {OWN_USER}), run as another user, or set LLMBENCH_DATABASE_URL"
        )
    return account


def is_abandoned(uid: int) -> bool:
    """Return whether data of the owner `uid` may be given to PostgreSQL's account.

    This is the case for `nobody`, which an earlier version used, and for accounts that no longer exist in a recreated
    container.
    """
    try:
        return pwd.getpwuid(uid).pw_name == FALLBACK_USER
    except KeyError:
        return True


def _account(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _create_own_user() -> Account | None:
    program = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if program is None:
        return None
    options = ("--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent")
    with _one_at_a_time():
        # A simultaneous start may have created the user meanwhile.
        if (account := _account(OWN_USER)) is not None:
            return account
        subprocess.run(  # the system's own program, not one of a PATH that a user controls
            [program, *options, "--shell", "/usr/sbin/nologin", OWN_USER],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return _account(OWN_USER)


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Run the block under a lock of this machine, so that simultaneous starts create the account one after another.

    Two `useradd` at once can both succeed with different ids; the first id then has no user.
    """
    folder = os.open("/etc", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
