"""The platform is not much slower than it was when `make bench ONLY=guard` was last kept."""

import warnings

from benchmarks.guard import FAIL_FROM, WARN_FROM, cpu_ratio, kept_ratio
from tests.platform import platform


async def test_an_item_costs_what_it_did() -> None:
    async with platform(tasks=1) as stack:
        now, before = await cpu_ratio(stack), kept_ratio()
    said = f"an item takes {now:.1f} times the CPU of a bare loop, {before:.1f} when it was last kept"
    assert now < FAIL_FROM * before, f"{said}: profile it, or keep the new figure (make bench ONLY=guard)"
    if now >= WARN_FROM * before:
        warnings.warn(said, stacklevel=1)
