"""Whom PostgreSQL runs as: it refuses to run as root.

As root the child becomes the user `nobody`. That user must reach the binaries and the data, which a
checkout below a home directory of mode 700 does not allow; `reaches` and `can_run` ask the system
itself, because mode bits alone do not tell (access lists, mounts, security modules).
"""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llmbench_cli.embedded.errors import StartError

UNPRIVILEGED_USER = "nobody"


@dataclass(frozen=True)
class Account:
    """A user of this machine that a child runs as."""

    name: str
    uid: int
    gid: int

    def can_run(self, *command: str) -> bool:
        """Tell whether this user can execute the command to a successful end."""
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
        except PermissionError:
            return False
        return done.returncode == 0

    def reaches(self, folder: Path) -> bool:
        """Tell whether this user can enter the folder."""
        return self.can_run("/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder))

    def own(self, path: Path) -> None:
        """Give one file or folder to this user."""
        os.chown(path, self.uid, self.gid)


def as_account(account: Account | None) -> dict[str, Any]:
    """Return the arguments of `subprocess` that run a child as this user, in no group of root's."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def account_for_postgres() -> Account | None:
    """Return the user to become, or None when we are not root and nothing has to change."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(UNPRIVILEGED_USER)
    except KeyError as missing:
        raise StartError(
            f"PostgreSQL cannot run as root and this machine has no user '{UNPRIVILEGED_USER}': "
            "run as another user, or set LLMBENCH_DATABASE_URL"
        ) from missing
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
