"""Check for shared libraries that wheels expect from the machine, and that a minimal Linux may lack.

`libgomp.so.1` need not be installed: the wheel of zfpy contains a copy under another name. Only the process of
the built-in model uses the copy, and only if the machine has no `libgomp.so.1`.
"""

import ctypes
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from llmbench_cli.embedded.errors import StartError

_OPENMP = "libgomp.so.1"
# The loader splits its path at these characters and has no way to quote them.
_SEPARATORS = frozenset(":;")

Loads = Callable[[str], bool]
Carried = Callable[[], Path | None]


@dataclass(frozen=True)
class Library:
    """A shared library. `package` is the Debian package that has it; `needed_by` is the subject of the sentence "…
    needs it"."""

    name: str
    package: str
    needed_by: str


OPENMP = Library(_OPENMP, "libgomp1", "the built-in model")
LIBRARIES = (
    Library("libstdc++.so.6", "libstdc++6", "the platform"),
    Library("libgcc_s.so.1", "libgcc-s1", "the platform"),
    OPENMP,
)


def loads(name: str) -> bool:
    """Return whether the machine's loader finds this library and can load it."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def carried() -> Path | None:
    """Return the copy of libgomp in the wheel of zfpy, or None if the wheel has no copy."""
    spec = importlib.util.find_spec("zfpy")
    if spec is None or spec.origin is None:
        return None
    return next(iter(sorted((Path(spec.origin).parent / "zfpy.libs").glob("libgomp-*.so.*"))), None)


def available(library: Library, *, machine: Loads = loads, copy: Carried = carried) -> bool:
    """Return whether the programs that need this library will find it. Outside Linux this is always True. `machine` is
    a function that returns whether the machine can load a library. `copy` is a function that returns the path of zfpy's
    copy of libgomp."""
    return sys.platform != "linux" or machine(library.name) or (library == OPENMP and copy() is not None)


def require_openmp(*, machine: Loads = loads, copy: Carried = carried) -> None:
    """Raise StartError, saying what to install, if the built-in model would not find its OpenMP library."""
    if not available(OPENMP, machine=machine, copy=copy):
        raise StartError(f"{_missing(OPENMP)}; or start without it: `llmbench up --no-model`")


def advice(library: Library) -> str:
    """Return how to install a missing library on Debian and Ubuntu."""
    return f"on Debian and Ubuntu: apt install {library.package}"


def loader_path(folder: Path, *, machine: Loads = loads) -> Mapping[str, str]:
    """Link zfpy's copy of libgomp in `folder`, and return the environment variables that make the loader search there.

    Return no variables outside Linux, if the machine has the library, or if zfpy has no copy. Raises StartError if the
    path of `folder` contains ':' or ';'.
    """
    source = carried()
    if sys.platform != "linux" or machine(_OPENMP) or source is None:
        return {}
    if _SEPARATORS & set(str(folder)):
        raise StartError(f"{_missing(OPENMP)}; or choose an LLMBENCH_HOME without ':' and ';'")
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / _OPENMP
    # Renaming is atomic: a process that starts now finds the old link or the new one.
    fresh = folder / f".{_OPENMP}.{os.getpid()}"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(source)
    fresh.replace(link)
    inherited = os.environ.get("LD_LIBRARY_PATH")
    return {"LD_LIBRARY_PATH": f"{folder}:{inherited}" if inherited else str(folder)}


def _missing(library: Library) -> str:
    return f"{library.name} is missing, {library.needed_by} needs it: {advice(library)}"
