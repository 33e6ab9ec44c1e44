"""Test that tests which kill processes, or look for lost or repeated work, have the mark `never_rerun`.

Such a test may fail by chance. So a failure must count, even if a second try would pass (`tests.retry_failed`).
"""

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.repository import files, text

MARK = "never_rerun"
FOLDERS = ("tests/chaos", "tests/journey", "tests/upgrade")
FILES = (
    "services/config-api/tests/test_annotation_kills.py",
    *(f"libs/common/tests/test_{name}.py" for name in ("broker", "fence", "intake", "outbox", "runtime")),
    *(f"services/gateway-ws/tests/test_gateway_ws_{name}.py" for name in ("feed", "live")),
    *(
        f"services/inference-gateway/tests/test_{name}.py"
        for name in ("cache", "gates", "lane", "lock_session", "recovery", "unforeseen")
    ),
    *(f"services/judge/tests/test_judge_{name}.py" for name in ("gates", "journey")),
    "services/orchestrator/tests/runs/test_any_run.py",
    *(f"services/orchestrator/tests/runs/test_{name}.py" for name in ("leadership", "pause", "recovery", "try_again")),
    "services/orchestrator/tests/results/test_kept_figures.py",
    *(
        f"tests/embedded/test_{name}.py"
        for name in ("accounts", "backup", "keeper", "orphans", "service_processes", "up")
    ),
)
# This file runs a benchmark with every type of provider. It does not look for lost work.
NO_LOSSES = frozenset({Path("tests/journey/test_dialects.py")})
KILLS = re.compile(r"SIGKILL|(?<!\bos)\.kill\(")
# These files kill a process only to clean up.
TIDY_UP = frozenset({Path("services/inference-gateway/tests/test_start.py")})
TESTS = [path for path in files() if path.name.startswith("test_") and path.suffix == ".py"]


def _named() -> list[Path]:
    of_folders = [path for path in TESTS if str(path).startswith(FOLDERS) and path not in NO_LOSSES]
    return [*of_folders, *map(Path, FILES)]


def _marks(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr == MARK for part in ast.walk(node))


def _carries(path: Path) -> bool:
    """Return whether the file marks all its tests as `never_rerun`, by `pytestmark`."""
    return any(
        isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets)
        and _marks(node.value)
        for node in ast.parse(text(path)).body
    )


def _carries_in_part(path: Path) -> bool:
    """Return whether at least one test function of the file has the mark `never_rerun`."""
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(_marks, node.decorator_list))
        for node in ast.walk(ast.parse(text(path)))
    )


@pytest.mark.parametrize("path", _named(), ids=str)
def test_listed_test_file_has_the_mark_never_rerun(path: Path) -> None:
    assert _carries(path), f"add `pytestmark = pytest.mark.{MARK}`"


def test_every_test_that_kills_a_process_has_the_mark_never_rerun() -> None:
    excusing = [
        str(path)
        for path in TESTS
        if path not in TIDY_UP
        and Path("tests/architecture") not in path.parents
        and KILLS.search(text(path))
        and not (_carries(path) or _carries_in_part(path))
    ]
    assert not excusing, f"mark the file or the test with `pytest.mark.{MARK}`"


def test_every_browser_test_of_lost_work_has_no_retries() -> None:
    excusing = [
        str(path)
        for path in files()
        if path.match("web/e2e/*.spec.ts")
        and re.search(r"/kill|expectWhole", text(path))
        and "describe.configure({ retries: 0 })" not in text(path)
    ]
    assert not excusing
