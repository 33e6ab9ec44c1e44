"""Test the creation of PostgreSQL's user, which `llmbench up` needs as root: simultaneous first starts create it
once."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from llmbench_cli.embedded.accounts import OWN_USER

pytestmark = [
    pytest.mark.never_rerun,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root creates a user"),
    pytest.mark.skipif(
        not all(shutil.which(program) for program in ("unshare", "mount", "useradd")),
        reason="a user is created in a mount namespace, which takes unshare, mount and useradd",
    ),
]

STARTS = 4
# The parts of /etc that useradd reads and writes, and links of programs. The rest of /etc is hidden.
COPIED = ("passwd", "group", "shadow", "gshadow", "subuid", "subgid", "login.defs", "nsswitch.conf", "ld.so.cache")
LINKED = ("alternatives",)
IN_A_NAMESPACE = ("unshare", "--mount", "--propagation", "private", "/bin/sh", "-c")
# Hide /var/log as well, because useradd writes there.
HIDING = 'mount --bind "$1" /etc && mount -t tmpfs none /var/log && shift && exec "$@"'
# Forks processes that wait at a pipe; closing the pipe starts all of them at the same moment.
SIMULTANEOUS_STARTS = """
import json, os, pwd, sys
from llmbench_cli.embedded.accounts import account_for_postgres

go, hold = os.pipe()
answers, answer = os.pipe()
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        os.close(hold)
        os.read(go, 1)
        account = account_for_postgres()
        os.write(answer, json.dumps([account.name, account.uid, account.gid]).encode() + b"\\n")
        os._exit(0)
os.close(hold)
os.close(answer)
with open(answers) as lines:
    accounts = [json.loads(line) for line in lines]
users = [line.split(":")[:4] for line in open("/etc/passwd")]
resolved = [[found.pw_name, found.pw_uid, found.pw_gid] for found in (pwd.getpwuid(uid) for _, uid, _ in accounts)]
print(json.dumps({"accounts": accounts, "resolved": resolved, "users": users}))
"""


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    """Return a folder with copies of the parts of /etc that are needed, without PostgreSQL's user."""
    copy = tmp_path / "etc"
    copy.mkdir(mode=0o755)
    for name in COPIED:
        if (original := Path("/etc", name)).is_file():
            lines = original.read_bytes().splitlines(keepends=True)
            (copy / name).write_bytes(b"".join(line for line in lines if not line.startswith(f"{OWN_USER}:".encode())))
            shutil.copymode(original, copy / name)
    for name in LINKED:
        if (original := Path("/etc", name)).is_dir():
            shutil.copytree(original, copy / name, symlinks=True)
    return copy


def _with_etc(etc: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a mount namespace where /etc is the copy; the machine's own /etc stays unchanged."""
    return subprocess.run([*IN_A_NAMESPACE, HIDING, "sh", str(etc), *command], capture_output=True, text=True)


def test_simultaneous_first_starts_create_the_user_once(etc: Path) -> None:
    allowed = _with_etc(etc, "/bin/true")
    if allowed.returncode != 0:
        pytest.skip(f"no mount namespace can be made here: {allowed.stderr.strip()}")
    done = _with_etc(etc, sys.executable, "-c", SIMULTANEOUS_STARTS, str(STARTS))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found["accounts"]) == STARTS
    [account] = {tuple(account) for account in found["accounts"]}
    name, uid, gid = account
    assert name == OWN_USER
    assert found["resolved"] == [[name, uid, gid]] * STARTS
    assert [user for user in found["users"] if user[0] == OWN_USER] == [[OWN_USER, "x", str(uid), str(gid)]]
