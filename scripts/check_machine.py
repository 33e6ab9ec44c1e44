#!/usr/bin/env python3
"""Print the first thing that this machine lacks for a set-up of llmbench in FOLDER, and exit with 1. If nothing is
missing, print nothing and exit with 0.

check_machine.py FOLDER [LIBRARY …]

It runs before the slow steps of the set-up, on the machine's own Python, with nothing installed. LIBRARY is a shared
library that has to exist, such as `libgcc_s.so.1`; by default, those that the Python packages need.
"""

import ctypes
import importlib.util
import os
import platform
import shutil
import sys

# The libraries that the Python wheels need, each with its package on Debian and Ubuntu.
LIBRARIES = {"libstdc++.so.6": "libstdc++6", "libgcc_s.so.1": "libgcc-s1"}
MACHINES = ("x86_64", "aarch64")
# The space for .venv, web/node_modules, and what pip and npm unpack temporarily.
LEAST_FREE_GB = 2.0


def lacks(folder: str, libraries: list[str]) -> str:
    """Return a sentence about the first thing that is missing; an empty text if there is none."""
    modules = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]
    if modules:
        return f"{sys.executable} has no {modules[0]}. On Debian and Ubuntu: apt install python3-venv"
    if sys.platform == "linux":
        try:
            os.confstr("CS_GNU_LIBC_VERSION")
        except (ValueError, OSError):
            return "this Linux has no glibc (Alpine?), and the servers' packages need it. Use Debian, Ubuntu, Fedora, …"
        if platform.machine() not in MACHINES:
            return f"there are no packages for {platform.machine()}, only for {' and '.join(MACHINES)}"
        missing = [name for name in libraries if not loads(name)]
        if missing:
            packages = " ".join(LIBRARIES.get(name, name) for name in missing)
            return f"{', '.join(missing)} missing. On Debian and Ubuntu: apt install {packages}"
    if os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0):
        return f"{folder} is on a disk mounted noexec: no program can run there. Put the checkout elsewhere"
    free_gb = shutil.disk_usage(folder).free / 1e9
    if free_gb < LEAST_FREE_GB:
        return f"{folder} has {free_gb:.1f} GB free, and setting up takes {LEAST_FREE_GB:.0f}"
    return ""


def loads(name: str) -> bool:
    """Return whether the dynamic loader finds the shared library `name`."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    if sentence := lacks(os.path.realpath(sys.argv[1]), sys.argv[2:] or list(LIBRARIES)):
        sys.exit(f"error: {sentence}")
