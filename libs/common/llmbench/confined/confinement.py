"""Confine a process that reads untrusted files: bound its memory and CPU time, and withdraw other rights.

A fully confined process opens no network connection and starts no program. It opens no files but those of Python and
the system.

The child process calls `confine` itself, once its modules are loaded and before it reads the first byte of the file
(see `bounded`). This module imports only the standard library.

The Linux kernel enforces the limits, and the process needs no privilege for that. The seccomp filter, which refuses
system calls, covers x86-64 and ARM64. Landlock, which restricts files, needs Linux 5.13 and may be switched off. Where
one limit is not available, the others hold. On other systems only the clean environment and the parent's timeout bound
the process.
"""

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_PR_SET_SECCOMP: Final = 22
_SECCOMP_MODE_FILTER: Final = 2
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_SET_DUMPABLE: Final = 4
_X32: Final = 0x40000000
_EPERM: Final = 0x00050000 | 1
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000

# The numbers of refused system calls: sockets, control of other processes (ptrace, kill, execve), and calls that
# parsers never need.
_COMMON: Final = (424, 425, 434, 438)
_REFUSED: Final = {
    "x86_64": (
        0xC000003E,
        (
            *(41, 42, 43, 44, 46, 49, 50, 53, 57, 58, 59, 62, 101, 165, 200, 234, 248, 249, 250, 272, 288, 298, 308),
            *(310, 311, 321, 322, 323, *_COMMON),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        (
            *(40, 97, 117, 129, 130, 131, 198, 199, 200, 201, 202, 203, 206, 211, 217, 218, 219, 221, 241, 242, 268),
            *(270, 271, 280, 281, 282, *_COMMON),
        ),
    ),
}
_LANDLOCK_CREATE: Final = 444
_LANDLOCK_ADD: Final = 445
_LANDLOCK_RESTRICT: Final = 446
_BENEATH: Final = 1
_ALL_FILE_RIGHTS: Final = (1 << 13) - 1
_READ_FILE: Final = 1 << 2
_READ_FOLDER: Final = 1 << 3
_SYSTEM: Final = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom")


def confine(*, memory_bytes: int, processor_s: int | None = None) -> None:
    """Confine the calling process irrevocably: bound its memory and CPU time, and forbid what a parser does not need.
    On other systems than Linux, do nothing.

    `memory_bytes` is the address space that the process may use in addition to what it uses now. `processor_s` is the
    CPU time, in seconds, after which the kernel ends the process; `None` sets no limit.
    """
    if not sys.platform.startswith("linux"):
        return
    import resource

    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _limit(resource.RLIMIT_AS, taken + memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    if processor_s is not None:
        _limit(resource.RLIMIT_CPU, processor_s)
    libc = ctypes.CDLL(None, use_errno=True)
    # An unprivileged process has to set this flag before it may use Landlock or seccomp.
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    _only_read(libc, [*_SYSTEM, sys.prefix, sys.base_prefix, *sys.path])
    _refuse_calls(libc)


def _limit(what: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def _only_read(libc: ctypes.CDLL, places: Iterable[str]) -> None:
    """Allow the process to read the files and folders in `places`, and forbid opening any other. Files that are already
    open stay open. Do nothing if the kernel has no Landlock."""
    rights = ctypes.c_uint64(_ALL_FILE_RIGHTS)
    ruleset = libc.syscall(_LANDLOCK_CREATE, ctypes.byref(rights), ctypes.sizeof(rights), 0)
    if ruleset < 0:
        return
    try:
        for place in dict.fromkeys(places):
            _allow_reading(libc, ruleset, place)
        libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0)
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


def _refuse_calls(libc: ctypes.CDLL) -> None:
    """Make the system calls in `_REFUSED` fail with EPERM. Do nothing on an architecture that is not listed there, or
    in a 32-bit process."""
    known = _REFUSED.get(platform.machine())
    if known is None or sys.maxsize < 2**32:
        return
    architecture, refused = known
    # System call numbers differ between architectures, so a call of another architecture kills the process.
    program = [(0x20, 0, 0, 4), (0x15, 1, 0, architecture), (0x06, 0, 0, _KILL), (0x20, 0, 0, 0)]
    program += [(0x35, 0, 1, _X32), (0x06, 0, 0, _EPERM)]
    for number in refused:
        program += [(0x15, 0, 1, number), (0x06, 0, 0, _EPERM)]
    program.append((0x06, 0, 0, _ALLOW))
    filters = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in program))
    # struct sock_fprog has a length, then a pointer at its aligned offset.
    head = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(filters)))
    libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, head, 0, 0)
