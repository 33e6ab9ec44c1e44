"""Fixtures of this folder. The tests of a module share a platform, because starting one takes seconds."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tests.commands.process import Llmbench
from tests.platform import Platform, platform

WriteFile = Callable[..., str]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stack() -> AsyncIterator[Platform]:
    """Yield a platform with six tasks in the collection `Sums`; its provider is named `Mock`."""
    async with platform(tasks=6) as opened:
        yield opened


@pytest.fixture
def llmbench(stack: Platform) -> Llmbench:
    """Return the command line as a callable that uses the platform."""
    return Llmbench(stack.url)


@pytest.fixture
def run_file(tmp_path: Path) -> WriteFile:
    """Return a function that writes a run file with the given targets and additional lines, and returns its path."""

    def write(*models: str, more: str = "", name: str = "From a file", judge: str = "mock-0ms-judge") -> str:
        targets = "".join(f"  - {{provider: Mock, model: {model}}}\n" for model in models)
        path = tmp_path / "run.yaml"
        path.write_text(
            f"name: {name}\njudge: {{provider: Mock, model: {judge}}}\ntargets:\n{targets}"
            f"collections: [Sums]\ncheck_providers: false\n{more}"
        )
        return str(path)

    return write
