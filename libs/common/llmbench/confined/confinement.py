"""Confine a process that reads untrusted files or runs untrusted code: bound its memory and CPU time, and withdraw
other rights.

A fully confined process opens no network connection and starts no program. It opens no files but those of Python and
the system.

The child process calls `confine` or `confine_code` itself, once its modules are loaded and before it reads the first
byte of untrusted input (see `bounded`). This module imports only the standard library.

The Linux kernel enforces the limits, and the process needs no privilege for that. The seccomp filter, which refuses
system calls, covers x86-64 and ARM64. Landlock, which restricts files, needs Linux 5.13 and may be switched off. Where
one limit is not available, `confine` leaves it out and the others hold; `confine_code` raises an error. On other
systems than Linux, only the clean environment and the parent's timeout bound a process that reads files.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from llmbench.confined import seccomp

_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_SET_DUMPABLE: Final = 4
_LANDLOCK_CREATE: Final = 444
_LANDLOCK_ADD: Final = 445
_LANDLOCK_RESTRICT: Final = 446
_ASK_VERSION: Final = 1
_BENEATH: Final = 1
_ALL_FILE_RIGHTS: Final = (1 << 13) - 1
_TRUNCATE: Final = 1 << 14
_KNOWS_TRUNCATE: Final = 3
_READ_FILE: Final = 1 << 2
_READ_FOLDER: Final = 1 << 3
_SYSTEM: Final = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom")


class NotConfinable(Exception):
    """Raised if this system cannot confine a process that runs untrusted code; the message says what it lacks."""


def confine(*, memory_bytes: int, processor_s: int | None = None) -> None:
    """Confine the calling process irrevocably: bound its memory and CPU time, and forbid what a parser does not need.
    On other systems than Linux, do nothing.

    `memory_bytes` is the address space that the process may use in addition to what it uses now. `processor_s` is the
    CPU time, in seconds, after which the kernel ends the process; `None` sets no limit.
    """
    if not sys.platform.startswith("linux"):
        return
    _bound(memory_bytes, processor_s)
    libc = _unprivileged()
    _only_read(libc, [*_SYSTEM, sys.prefix, sys.base_prefix, *sys.path])
    seccomp.refuse_what_parsers_never_need(libc)


def confine_code(*, memory_bytes: int, processor_s: int) -> None:
    """Confine the calling process irrevocably, so that it can run untrusted code.

    The process can compute, read the files of Python and the system, and write to files that are already open. It can
    start no thread, no process and no connection, and signals no other process. The parameters are those of `confine`.
    Raises `NotConfinable` if Landlock or seccomp is missing; the process may then have lost some of its rights.
    """
    if (problem := cannot_confine_code()) is not None:
        raise NotConfinable(problem)
    _bound(memory_bytes, processor_s)
    libc = _unprivileged()
    if not _only_read(libc, [*_SYSTEM, sys.base_prefix, *sys.path]):
        raise NotConfinable("Landlock does not restrict this process.")
    if not seccomp.allow_only_computing(libc):
        raise NotConfinable("seccomp does not restrict this process.")


def cannot_confine_code() -> str | None:
    """Return what this system lacks to confine a process that runs untrusted code, or `None`."""
    if not sys.platform.startswith("linux"):
        return "Code can be confined on Linux only."
    if not seccomp.is_known():
        return "Code can be confined on x86-64 and ARM64 only."
    if ctypes.CDLL(None).syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION) < 1:
        return "The kernel has no Landlock (Linux 5.13 and newer), or a container's profile forbids it."
    return None


def _bound(memory_bytes: int, processor_s: int | None) -> None:
    import resource

    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _limit(resource.RLIMIT_AS, taken + memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    if processor_s is not None:
        _limit(resource.RLIMIT_CPU, processor_s)


def _limit(what: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def _unprivileged() -> ctypes.CDLL:
    """Give up the way to new privileges, which an unprivileged process has to do before it may use Landlock or seccomp.
    Return the C library."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    return libc


def _only_read(libc: ctypes.CDLL, places: Iterable[str]) -> bool:
    """Allow the process to read the files and folders in `places`, and forbid opening any other. Files that are already
    open stay open. Return whether the kernel restricts the process; it does not if it has no Landlock."""
    # Before version 3, a process could empty a file that it may only read.
    version = libc.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    rights = ctypes.c_uint64(_ALL_FILE_RIGHTS | (_TRUNCATE if version >= _KNOWS_TRUNCATE else 0))
    ruleset = libc.syscall(_LANDLOCK_CREATE, ctypes.byref(rights), ctypes.sizeof(rights), 0)
    if ruleset < 0:
        return False
    try:
        for place in dict.fromkeys(places):
            _allow_reading(libc, ruleset, place)
        restricted: int = libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0)
        return restricted == 0
    finally:
        os.close(ruleset)


def _allow_reading(libc: ctypes.CDLL, ruleset: int, place: str) -> None:
    try:
        descriptor = os.open(place or ".", os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights = _READ_FILE | (_READ_FOLDER if Path(place).is_dir() else 0)
        beneath = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor))
        libc.syscall(_LANDLOCK_ADD, ruleset, _BENEATH, beneath, 0)
    finally:
        os.close(descriptor)
