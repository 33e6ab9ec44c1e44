"""Test the rules for this repository's files that a program can check."""

import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic_settings import BaseSettings

from llmbench_cli.embedded.services import IDENTITY, SERVICES
from tests.architecture.repository import ROOT, files, text

MOST_LINES = 400
CODE = frozenset({".py", ".ts", ".tsx", ".mjs", ".sh"})
READABLE = CODE | {".md", ".yaml", ".yml", ".toml", ".json", ".conf", ".lock", ".css", ".html", ".txt", ""}
GENERATED = ("docs/generated/", "web/openapi/", "web/src/api/generated/")
LOCKS = sorted(path for path in files() if path.name.startswith("requirements") and path.suffix == ".lock")
NPM_LOCK = Path("web/package-lock.json")
# The tests in this folder contain the forbidden patterns themselves, so they are not searched.
HERE = Path("tests/architecture")

REGISTRY = re.compile(r"pypi\.org|pythonhosted|npmjs\.(?:org|com)|--(?:extra-)?index-url|artifactory|jfrog|nexus", re.I)
MACHINE_PATH = re.compile(r"(?<![\w.}/-])/(?:root|work|Users|home/(?!nobody)\w+)/")
LEFT_TO_DO = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")


def _committed(suffixes: frozenset[str] = READABLE) -> list[Path]:
    return [path for path in files() if path.suffix in suffixes and HERE not in path.parents]


def _lines_with(pattern: re.Pattern[str], *, allowed: frozenset[str] = frozenset()) -> list[str]:
    return [
        f"{path}:{number}: {line.strip()[:120]}"
        for path in _committed()
        if str(path) not in allowed and pattern.search(text(path))
        for number, line in enumerate(text(path).splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_source_file_exceeds_400_lines() -> None:
    lengths = {path: len(text(path).splitlines()) for path in _committed(CODE) if not str(path).startswith(GENERATED)}
    assert not {str(path): length for path, length in lengths.items() if length > MOST_LINES}


def test_no_address_of_a_package_registry_is_committed() -> None:
    # The script that writes the lock files may name these options: it uses them to keep addresses out of the files.
    assert not _lines_with(REGISTRY, allowed=frozenset({"scripts/lock.sh"}))


def test_no_absolute_path_of_a_developers_machine_is_committed() -> None:
    assert not _lines_with(MACHINE_PATH)


def test_no_comment_contains_todo_or_fixme() -> None:
    assert not _lines_with(LEFT_TO_DO)


@pytest.mark.parametrize("lock", LOCKS, ids=str)
@pytest.mark.shows("S-22")
def test_python_lock_pins_and_hashes_every_requirement(lock: Path) -> None:
    requirements = re.split(r"(?<!\\)\n", text(lock).strip())
    for requirement in requirements:
        if requirement.startswith("#"):
            continue
        assert re.match(r"[A-Za-z0-9._-]+(\[[a-z0-9,_-]+\])?==\S+", requirement), requirement[:120]
        assert "--hash=sha256:" in requirement, requirement[:120]
    assert "://" not in text(lock)


def test_npm_lock_has_hashes_and_no_registry_addresses() -> None:
    packages = json.loads(text(NPM_LOCK))["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert name == "" or "integrity" in package or package.get("link") or package.get("inBundle"), name


@pytest.mark.parametrize("package", [*SERVICES.values(), "llmbench_cli", "llmbench.service"])
def test_every_setting_has_a_short_description(package: str) -> None:
    for settings in _settings_classes(package):
        for name, field in settings.model_fields.items():
            assert field.description, f"{settings.__module__}.{settings.__name__}.{name}"
            assert len(field.description) < 200, f"{settings.__name__}.{name}"


def _settings_classes(package: str) -> list[type[BaseSettings]]:
    module = importlib.import_module(package)
    names = [
        f"{package}.{found.name}"
        for found in pkgutil.iter_modules(module.__path__)
        if found.name in ("main", "settings")
    ]
    found = [
        value
        for name in names
        for value in vars(importlib.import_module(name)).values()
        if inspect.isclass(value) and issubclass(value, BaseSettings) and value is not BaseSettings
    ]
    assert found, package
    return found


def _plug_in_folders() -> dict[str, Path]:
    """Return the folders of plug-ins by package name. A folder counts if one of its files defines `EXAMPLES` or
    `examples`."""
    bears = re.compile(r"^\s*EXAMPLES\b.*=|^\s+examples=\(?", re.MULTILINE)
    found = {}
    for path in _committed(frozenset({".py"})):
        if "tests" in path.parts or path.parts[0] not in ("libs", "services", "cli"):
            continue
        if bears.search(text(path)):
            root = next(parent for parent in path.parents if not (ROOT / parent / "__init__.py").is_file())
            found[".".join(path.parent.relative_to(root).parts)] = path.parent
    return found


def test_every_folder_of_plug_in_examples_is_run_by_a_test() -> None:
    folders = _plug_in_folders()
    assert {"llmbench.contracts", "inference_gateway.profiles", "judge.evaluators"} <= set(folders)
    tests = [text(path) for path in _committed(frozenset({".py"})) if path.name.startswith("test_")]
    unproved = [
        package
        for package in folders
        if not any(f"{package}" in test and re.search(r"\.EXAMPLES|\.examples|EXAMPLES", test) for test in tests)
    ]
    assert not unproved, "folders with examples that no test runs"


def _loads(setup: str, names: set[str]) -> str:
    """Run the Python statements `setup` in a new process. Return which of the modules in `names` are loaded
    afterwards."""
    look = f"import sys; {setup}; print(' '.join(sorted({names!r} & sys.modules.keys())))"
    environment = {"LLMBENCH_MASTER_KEY": "only-for-tests-only-for-tests-only-for-tests"}
    completed = subprocess.run(
        [sys.executable, "-c", look], env=environment, capture_output=True, text=True, check=True
    )
    return completed.stdout.strip()


def test_supervisor_loads_no_web_framework_and_no_database_library() -> None:
    """The supervisor runs as long as the platform, so it should use little memory."""
    heavy = {"fastapi", "httpx", "sqlalchemy", "jwt", "argon2", "cryptography"}
    assert _loads("import llmbench_cli.embedded.stack", heavy) == ""


@pytest.mark.parametrize("package", [package for name, package in SERVICES.items() if name != IDENTITY])
def test_service_without_sign_in_loads_no_library_for_it(package: str) -> None:
    assert _loads(f"import {package}.main as main; main.create_app()", {"jwt", "argon2", "authlib", "joserfc"}) == ""


def test_identity_without_issuers_loads_no_library_for_them() -> None:
    heavy = {"authlib", "joserfc"}
    assert _loads("import identity.main as main; main.create_app()", heavy) == ""
