"""`make chaos SEEDS=300 FROM=1`: for each seed, run a benchmark with random faults on the real platform, and audit it.

Prints a line for each seed as it ends. The last line of stdout is a JSON object with the counts and all violations.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median

from tests.chaos.faults import faults
from tests.chaos.plan import Plan, plan_of
from tests.chaos.runner import Report, in_harness, run_plan, stage_for_plans

SEEDS_A_STACK = 10
_HAS: Mapping[str, Callable[[Plan], bool]] = {
    "suite": lambda plan: plan.suite is not None,
    "groups": lambda plan: plan.parallel_groups > 1 and len(plan.models()) > 1,
    "queue": lambda plan: plan.waiting is not None,
    "neighbour": lambda plan: plan.neighbour,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="how many plans")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first one's seed")
    parser.add_argument("--jobs", type=int, default=1, help="platforms side by side")
    parser.add_argument("--having", choices=sorted(_HAS), nargs="*", help="only seeds whose plans have one of these")
    parser.add_argument("--plan", action="store_true", help="print the plans, and run nothing")
    chosen = parser.parse_args()
    seeds = _seeds(chosen.first, chosen.seeds, chosen.having or [])
    if chosen.plan:
        for seed in seeds:
            print(json.dumps(plan_of(seed, faults=list(faults().values())).printable()))
        return 0
    began = time.monotonic()
    reports = asyncio.run(_all(iter(seeds), jobs=min(chosen.jobs, len(seeds))))
    print(json.dumps(_summary(sorted(reports, key=lambda one: one.seed), time.monotonic() - began)))
    return int(any(report.violations for report in reports))


def _seeds(first: int, most: int, having: Sequence[str]) -> list[int]:
    """Return the `most` smallest seeds from `first` on whose plans have one of the features in `having`, such as a
    suite. An empty `having` admits every seed."""
    drawn = list(faults().values())
    suitable = (
        seed
        for seed in itertools.count(first)
        if not having or any(_HAS[what](plan_of(seed, faults=drawn)) for what in having)
    )
    return list(itertools.islice(suitable, most))


async def _all(seeds: Iterator[int], *, jobs: int) -> list[Report]:
    starting = asyncio.Lock()
    reports: list[Report] = []
    async with asyncio.TaskGroup() as group:
        for _ in range(jobs):
            group.create_task(_some(seeds, reports, starting))
    return reports


async def _some(seeds: Iterator[int], reports: list[Report], starting: asyncio.Lock) -> None:
    """Run the plans of the remaining seeds, a few on each platform. If a platform fails, continue on a new one.

    Reports are added to `reports`. The lock `starting` lets only one platform start at a time.
    """
    for first in seeds:
        try:
            await _on_one_platform(first, seeds, reports, starting)
        except Exception as error:  # noqa: BLE001  # reported with the first seed of the platform
            report = Report(first, [in_harness(error)])
            reports.append(report)
            print(report.line(), flush=True)


async def _on_one_platform(first: int, seeds: Iterator[int], reports: list[Report], starting: asyncio.Lock) -> None:
    """Run plans on one platform: that of the seed `first`, and up to nine more from `seeds`. Add their reports to
    `reports`. Stop at the first violation, and keep the logs then. `starting` lets only one platform start at a time.
    """
    sound = True
    async with contextlib.AsyncExitStack() as standing:
        # A process can migrate only one database at a time.
        async with starting:
            stack = await standing.enter_async_context(stage_for_plans())
        for seed in itertools.chain([first], itertools.islice(seeds, SEEDS_A_STACK - 1)):
            report = await run_plan(stack, plan_of(seed, faults=list(faults().values())))
            reports.append(report)
            sound = not report.violations
            print(report.line(), flush=True)
            if not sound:
                print(f"  logs: {stack.logs}; again: make chaos SEEDS=1 FROM={seed}", flush=True)
                break
    if sound:
        with contextlib.suppress(OSError):
            shutil.rmtree(stack.logs)


def _summary(reports: list[Report], took_s: float) -> dict[str, object]:
    recovered = [report.recovered_s for report in reports if report.recovered_s is not None]
    return {
        "seeds": len(reports),
        "from": reports[0].seed,
        "to": reports[-1].seed,
        "faults": sum(len(report.broken) for report in reports),
        "items": sum(report.items for report in reports),
        "calls": sum(report.calls for report in reports),
        "paid_again": sum(report.paid_again for report in reports),
        "reconnections": sum(report.reconnections for report in reports),
        "recovered_s_median": round(median(recovered), 1) if recovered else None,
        "recovered_s_most": round(max(recovered), 1) if recovered else None,
        "took_s": round(took_s),
        "violations": [f"seed {report.seed}: {violation}" for report in reports for violation in report.violations],
    }


if __name__ == "__main__":
    sys.exit(main())
