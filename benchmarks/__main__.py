"""Run the scenarios that the arguments name, or all. Print their measurements, and store them in `results/latest.json`.

python -m benchmarks [name …]
"""

import asyncio
import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.scenario import Measure, Scenario, all_scenarios

RESULTS = Path(__file__).parent / "results" / "latest.json"


async def main(names: list[str]) -> int:
    known = all_scenarios()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"error: no scenario is called {', '.join(unknown)}; there is {', '.join(known)}", file=sys.stderr)
        return 2
    failed = False
    for scenario in [known[name] for name in names] or list(known.values()):
        print(f"── {scenario.name}: {scenario.title}", flush=True)
        began = time.monotonic()
        try:
            measures = await scenario.measure()
        except Exception as error:  # noqa: BLE001  # the other scenarios can still be measured
            print(f"   could not be measured: {error}")
            failed = True
            continue
        shown = [measure for measure in measures if not measure.detail]
        width = max(len(measure.name) for measure in shown)
        for measure in shown:
            aim = f"aim: {measure.aim}" if measure.aim else ""
            print(f"   {measure.name:<{width}} {measure.value:>12,.1f} {measure.unit:<8} {aim}")
        _remember(scenario, measures, time.monotonic() - began)
    return 1 if failed else 0


def _remember(scenario: Scenario, measures: list[Measure], took_s: float) -> None:
    """Replace the scenario's measurements in the results file, and keep those of the other scenarios."""
    before: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"scenarios": {}}
    before["scenarios"][scenario.name] = {
        "title": scenario.title,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "took_s": round(took_s, 1),
        "machine": {
            "cores": os.cpu_count(),
            "load_1min": round(os.getloadavg()[0], 1),
            "python": platform.python_version(),
        },
        "measures": [
            {"name": measure.name, "value": round(measure.value, 3), "unit": measure.unit, "aim": measure.aim}
            for measure in measures
        ],
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(before, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
