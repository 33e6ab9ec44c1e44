"""Find programs and files of the installed wheels or of the checkout. PATH is not searched, because the versions have
to match."""

import importlib.util
import sysconfig
from pathlib import Path

from llmbench_cli.embedded.errors import StartError

# The files that `make dist` puts into the wheel. A checkout has no such folder.
PACKAGED = Path(__file__).resolve().parents[1] / "packaged"


def script(name: str) -> Path:
    """Return the path of a program that a wheel installed into the scripts folder of this Python. Raises StartError if
    it is missing."""
    path = Path(sysconfig.get_path("scripts")) / name
    if not path.is_file():
        raise StartError(f"{name} is not installed in {path.parent}: install the project again")
    return path


def package_folder(name: str) -> Path | None:
    """Return the folder of a package without importing it, or None if the package is not installed."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def has_checkout() -> bool:
    """Return whether this program runs from a checkout; an installed wheel and an image have none."""
    return (_root() / "deploy" / "Caddyfile").is_file()


def checkout() -> Path:
    """Return the checkout from which this program runs. Raises StartError if there is none."""
    if not has_checkout():
        raise StartError(f"no checkout at {_root()}: this runs from a clone (pip install -e .)")
    return _root()


def platform_files() -> Path:
    """Return the folder with `deploy/` and `web/dist/`: the checkout, or else the folder that `make dist` put into the
    wheel.

    Raises StartError if neither exists, as in a container image, where each part has a container of its own.
    """
    if has_checkout():
        return _root()
    if not has_platform_files():
        raise StartError("this installation has no servers' files: use a clone, or the wheel of `make dist`")
    return PACKAGED


def has_platform_files() -> bool:
    """Return whether this is a checkout, or a wheel with the files that `llmbench up` needs."""
    return has_checkout() or (PACKAGED / "deploy" / "Caddyfile").is_file()


def default_home() -> Path:
    """Return the data folder to use if no setting names one: `.llmbench` in the checkout, else in the user's home
    directory.

    Raises StartError without the platform's files (see `has_platform_files`).
    """
    if not has_platform_files():
        raise StartError("llmbench is installed without a checkout: name the folder of its data in LLMBENCH_HOME")
    return (_root() if has_checkout() else Path.home()) / ".llmbench"


def _root() -> Path:
    return Path(__file__).resolve().parents[3]
