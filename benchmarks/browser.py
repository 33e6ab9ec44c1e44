"""Measure the web application in a real Chromium, by the Playwright specs in web/bench."""

import asyncio
import json
import os
import tempfile
from pathlib import Path

from benchmarks.scenario import Measure
from llmbench_cli.embedded.binaries import checkout


async def measured_by(spec: str, *, url: str, **variables: str) -> list[Measure]:
    """Run `web/bench/<spec>.spec.ts` against the platform at `url`, and return its measurements. `variables` are
    environment variables for the spec. Raises RuntimeError if the spec fails or writes no measurements."""
    with tempfile.TemporaryDirectory(prefix="llmbench-bench-") as folder:
        found = Path(folder) / "measures.json"
        process = await asyncio.create_subprocess_exec(
            "npm",
            "--prefix",
            str(checkout() / "web"),
            "run",
            "--silent",
            "bench",
            "--",
            spec,
            env=os.environ | {"LLMBENCH_E2E_URL": url, "LLMBENCH_BENCH_RESULTS": str(found)} | variables,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        if process.returncode or not found.exists():
            raise RuntimeError(f"the browser measured nothing: {output.decode(errors='replace')[-3000:]}")
        return [Measure(**fields) for fields in json.loads(found.read_text())]
