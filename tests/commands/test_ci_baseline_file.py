"""Test the file in which CI jobs keep a baseline: the first job creates it, later jobs use and replace it, and it
contains no keys."""

import json
from pathlib import Path

import httpx
import pytest

from benchmarks.mock_provider.server import mock_provider
from llmbench_cli.embedded import archive
from llmbench_cli.embedded.rows import TableData, script
from tests.commands.process import CommandResult, Llmbench

SUITE = """\
name: Answers
tasks:
  - name: sums
    category: arithmetic
    source: {dataset: sums}
    epochs: 2
    evaluators:
      - {kind: contains, params: {texts: [Answer]}}
"""
KEY = "sk-only-for-this-test-0123456789"
pytestmark = pytest.mark.asyncio


async def _rows(file: Path, table: str) -> list[list[str]]:
    """Return the rows of a table in a baseline's file, each as the texts of its columns."""
    with archive.unpacked(file, inside=file.parent) as backup:
        found: list[list[str]] = []
        async with script(backup.rows, f"--table={table}", name=file) as contents:
            async for entry in contents.entries():
                if isinstance(entry, TableData) and entry.table == table:
                    blocks = [block async for block in entry.blocks]
                    found += [row.split("\t") for row in b"".join(blocks).decode().splitlines()]
    return found


async def test_baseline_is_made_gated_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text(SUITE)
    rows = ({"id": f"case-{number}", "prompt": f"What is {number} + {number}?"} for number in range(24))
    (tmp_path / "sums.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    file, kept = tmp_path / "kept" / "baseline.llmbench", str(tmp_path / "kept" / "baseline.llmbench")
    async with mock_provider() as url, httpx.AsyncClient(base_url=url, timeout=60) as mock:
        llmbench = Llmbench("", {"MOCK_KEY": KEY})
        provider = f"name=Mock,url={url}/openai/v1,key_env=MOCK_KEY"

        async def job(*options: str, model: str = "mock-0ms-a") -> CommandResult:
            ended = await llmbench(
                *("ci", str(tmp_path / "suite.yaml"), "--dataset", f"sums={tmp_path / 'sums.jsonl'}", "--ephemeral"),
                *("--provider", provider, "--target", f"Mock:{model}", "--no-check-providers", *options),
            )
            assert KEY not in ended.out + ended.err
            return ended

        async def calls() -> int:
            return int((await mock.get("/ledger/stats")).json()["calls"])

        nothing = await job("--gate", "score=0.3")
        assert (nothing.code, await calls()) == (1, 0)
        assert "there is no baseline 'main' to compare with" in nothing.err

        # Only the answers of the first run show that a gate cannot decide. The baseline keeps these answers.
        weak = await job("--gate", "score=0.05", "--save-baseline", kept)
        assert weak.code == 2, weak.err
        assert "The baseline is saved without this gate" in weak.err
        paid = await calls()
        assert paid >= 48
        refused = await job("--gate", "score=0.05", "--baseline-file", kept)
        assert (refused.code, await calls()) == (2, paid)
        assert "Nothing was started." in refused.err
        ungated = await job("--baseline-file", kept)
        assert (ungated.code, await calls()) == (1, paid)
        assert "has no gate: name one with --gate" in ungated.err

        before = file.read_bytes()
        both = ("--baseline-file", kept, "--save-baseline", kept)
        worse = await job("--gate", "score=0.3", *both, model="mock-0ms-number")
        assert (worse.code, file.read_bytes() == before) == (100, True)
        fine = await job("--gate", "score=0.3", "--gate", "pass_rate=0.3", *both, "--name", "Second")
        assert fine.code == 0, fine.err

    assert len(await _rows(file, "gate")) == 2
    runs = await _rows(file, "run")
    assert len(runs) == 2, "the baseline and its anchor"
    assert any("Second" in run for run in runs)
    assert len(await _rows(file, "provider")) == 3, "the job's, and two that are there from the first start"
    assert await _rows(file, "provider_header") == []
    assert (file.stat().st_mode & 0o777, [path.name for path in file.parent.iterdir()]) == (0o600, [file.name])
