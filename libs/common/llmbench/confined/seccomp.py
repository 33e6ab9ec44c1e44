"""Filter the system calls of the calling process with seccomp, irrevocably.

A refused call fails with EPERM. The filters know x86-64 and ARM64; the numbers of a call differ between the two. A call
by the numbers of another architecture ends the process.

The process must have set `PR_SET_NO_NEW_PRIVS`. This module imports only the standard library.
"""

import ctypes
import platform
import struct
import sys
from collections.abc import Sequence
from typing import Final

_PR_SET_SECCOMP: Final = 22
_SECCOMP_MODE_FILTER: Final = 2
_X32: Final = 0x40000000
_EPERM: Final = 0x00050000 | 1
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Instructions of the filter's language (classic BPF), without operands.
_LOAD: Final = 0x20
_IF_EQUAL: Final = 0x15
_IF_AT_LEAST: Final = 0x35
_IF_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06
# Places in the data that the kernel gives to a filter (struct seccomp_data).
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
_SECOND_ARGUMENT: Final = 24
_THIRD_ARGUMENT: Final = 32

_Instruction = tuple[int, int, int, int]

# The calls that parsers never need: sockets, control of other processes (ptrace, kill, execve), and administration.
_COMMON: Final = (424, 425, 434, 438)
_PARSERS_NEVER_NEED: Final = {
    "x86_64": (
        *(41, 42, 43, 44, 46, 49, 50, 53, 57, 58, 59, 62, 101, 165, 200, 234, 248, 249, 250, 272, 288, 298, 308),
        *(310, 311, 321, 322, 323, *_COMMON),
    ),
    "aarch64": (
        *(40, 97, 117, 129, 130, 131, 198, 199, 200, 201, 202, 203, 206, 211, 217, 218, 219, 221, 241, 242, 268),
        *(270, 271, 280, 281, 282, *_COMMON),
    ),
}

# The calls that an interpreter needs to compute, by their numbers on x86-64 and ARM64. `None`: ARM64 has no such call.
# Missing on purpose: clone and fork (no threads, no processes), socket, kill, setrlimit, prctl, ioctl, and all that
# change files or their attributes.
_COMPUTING: Final[dict[str, tuple[int, int | None]]] = {
    # Files, which Landlock restricts to reading Python's own. `_OPENING` has the calls that open them.
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "lseek": (8, 62),
    "pread64": (17, 67),
    "access": (21, None),
    "getcwd": (79, 17),
    "readlink": (89, None),
    "getdents64": (217, 61),
    "newfstatat": (262, 79),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "statx": (332, 291),
    "faccessat2": (439, 439),
    # Memory.
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "membarrier": (324, 283),
    # Signals to the process itself, and its end.
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "exit": (60, 93),
    "exit_group": (231, 94),
    # Waiting and time.
    "poll": (7, None),
    "select": (23, None),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "sched_yield": (24, 124),
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "gettimeofday": (96, 169),
    "times": (100, 153),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    # Facts about the process and the system, and random numbers.
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "sched_getaffinity": (204, 123),
    "getrandom": (318, 278),
}
# The calls that open a file, by their numbers, and the place of their flags.
_OPENING: Final = {
    "x86_64": ((2, _SECOND_ARGUMENT), (257, _THIRD_ARGUMENT)),
    "aarch64": ((56, _THIRD_ARGUMENT),),
}
# O_WRONLY, O_RDWR, O_CREAT, O_TRUNC: the two architectures have the same. Landlock before Linux 6.2 lets a process
# empty a file that it may only read, by O_TRUNC.
_CHANGING: Final = 0o1 | 0o2 | 0o100 | 0o1000
_FCNTL: Final = {"x86_64": 72, "aarch64": 25}
# F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Others send signals to other processes (F_SETOWN) or change pipes.
_FCNTL_ALLOWED: Final = (1, 2, 3, 1030)


def is_known() -> bool:
    """Return whether the filters know this machine's architecture."""
    return platform.machine() in _ARCHITECTURES and sys.maxsize > 2**32


def refuse_what_parsers_never_need(libc: ctypes.CDLL) -> bool:
    """Refuse sockets, control of other processes, and calls that only administer the system. Return whether the filter
    is in force; without one, the process has all its calls."""
    if not is_known():
        return False
    refused = _PARSERS_NEVER_NEED[platform.machine()]
    return _install(libc, [*_unless(_EPERM, refused), (_RETURN, 0, 0, _ALLOW)])


def allow_only_computing(libc: ctypes.CDLL) -> bool:
    """Refuse every call but those with which an interpreter computes, reads files and writes to open ones. Return
    whether the filter is in force; without one, the process has all its calls."""
    if not is_known():
        return False
    machine = platform.machine()
    column = list(_ARCHITECTURES).index(machine)
    allowed = [number for numbers in _COMPUTING.values() if (number := numbers[column]) is not None]
    opening = [
        each
        for number, flags in _OPENING[machine]
        for each in _by_argument(
            number, flags, [(_IF_ANY_BIT, 0, 1, _CHANGING), (_RETURN, 0, 0, _EPERM), (_RETURN, 0, 0, _ALLOW)]
        )
    ]
    # fcntl is allowed for some of its commands, which are its second argument.
    commands = _by_argument(
        _FCNTL[machine], _SECOND_ARGUMENT, [*_unless(_ALLOW, _FCNTL_ALLOWED), (_RETURN, 0, 0, _EPERM)]
    )
    return _install(libc, [*_unless(_ALLOW, allowed), *opening, *commands, (_RETURN, 0, 0, _EPERM)])


def _by_argument(number: int, argument: int, rules: Sequence[_Instruction]) -> list[_Instruction]:
    """Return the instructions that decide a call by an argument, if it is the call `number`; else they are skipped.

    `argument` is its place in the data. `rules` find it loaded, and have to return in every case.
    """
    decision = [(_LOAD, 0, 0, argument), *rules]
    return [(_IF_EQUAL, 0, len(decision), number), *decision]


def _unless(verdict: int, values: Sequence[int]) -> list[_Instruction]:
    """Return the instructions that end the filter with `verdict` if the loaded value is one of `values`."""
    return [each for value in values for each in ((_IF_EQUAL, 0, 1, value), (_RETURN, 0, 0, verdict))]


def _install(libc: ctypes.CDLL, rules: Sequence[_Instruction]) -> bool:
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, _ARCHITECTURES[platform.machine()]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        # The x32 calls have numbers of their own on x86-64.
        (_IF_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _EPERM),
        *rules,
    ]
    filters = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in program))
    # struct sock_fprog has a length, then a pointer at its aligned offset.
    head = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(filters)))
    refused: int = libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, head, 0, 0)
    return refused == 0
