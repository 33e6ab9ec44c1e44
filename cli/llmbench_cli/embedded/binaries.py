"""Where the wheels put their programs. Nothing is looked up on PATH: versions are ours to choose."""

import importlib.util
import sysconfig
from pathlib import Path

from llmbench_cli.embedded.errors import StartError


def script(name: str) -> Path:
    """Return a program that a wheel installed beside this Python's own."""
    path = Path(sysconfig.get_path("scripts")) / name
    if not path.is_file():
        raise StartError(f"{name} is not installed in {path.parent}: install the project again")
    return path


def package_folder(name: str) -> Path | None:
    """Return the folder of an installed package without importing it, or None."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def has_checkout() -> bool:
    """Tell whether this program runs from a checkout; an image has none."""
    return (_root() / "deploy" / "Caddyfile").is_file()


def checkout() -> Path:
    """Return the checkout this program runs from: `deploy/` and `web/dist` live there."""
    if not has_checkout():
        raise StartError(f"no checkout at {_root()}: `llmbench up` runs from a clone (pip install -e .)")
    return _root()


def _root() -> Path:
    return Path(__file__).resolve().parents[3]
