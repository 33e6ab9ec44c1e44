"""Test that plug-ins are discovered by folder. It is an error if a module defines no plug-in, or if two plug-ins have
the same name.
"""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from llmbench.plugins import in_folders, plugins


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Yield an empty package for plug-ins."""
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "folder_of_tools"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "base.py").touch()
    yield importlib.import_module(folder.name)
    for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
        del sys.modules[name]


def _write(package: ModuleType, file: str, text: str) -> None:
    (Path(package.__path__[0]) / file).write_text(text)


def _found(package: ModuleType) -> dict[str, str]:
    return plugins(package, "TOOL", str, key=str.lower)


def test_every_module_but_base_is_discovered(package: ModuleType) -> None:
    assert _found(package) == {}
    _write(package, "saw.py", "TOOL = 'Saw'")
    _write(package, "axe.py", "TOOL = 'Axe'")
    assert _found(package) == {"axe": "Axe", "saw": "Saw"}


@pytest.mark.parametrize("text", ["TOLL = 'Saw'", "TOOL = 1"])
def test_module_without_a_plugin_is_an_error(package: ModuleType, text: str) -> None:
    _write(package, "saw.py", text)
    with pytest.raises(TypeError, match=r"folder_of_tools\.saw defines no TOOL, which has to be a str"):
        _found(package)


def test_duplicate_plugin_name_is_an_error(package: ModuleType) -> None:
    _write(package, "axe.py", "TOOL = 'Axe'")
    _write(package, "hatchet.py", "TOOL = 'AXE'")
    with pytest.raises(ValueError, match=r"folder_of_tools\.hatchet defines 'axe'"):
        _found(package)


def _room(package: ModuleType, folder: str, text: str | None) -> None:
    room = Path(package.__path__[0]) / folder
    room.mkdir()
    (room / "__init__.py").touch()
    if text is not None:
        (room / "tool.py").write_text(text)


def test_plugin_is_discovered_in_each_folder_but_not_in_modules(package: ModuleType) -> None:
    _room(package, "saw", "TOOL = 'Saw'")
    _room(package, "axe", "TOOL = 'Axe'")
    assert in_folders(package, "tool", "TOOL", str) == ["Axe", "Saw"]


@pytest.mark.parametrize(("text", "message"), [(None, "is missing"), ("TOLL = 'Saw'", "defines no TOOL")])
def test_folder_without_a_valid_plugin_is_refused(package: ModuleType, text: str | None, message: str) -> None:
    _room(package, "saw", text)
    with pytest.raises(TypeError, match=rf"folder_of_tools\.saw\.tool {message}"):
        in_folders(package, "tool", "TOOL", str)
