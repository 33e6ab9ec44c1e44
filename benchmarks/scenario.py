"""What a scenario is. Each is one file in `scenarios/` with a `SCENARIO`, found by its name."""

import importlib
import pkgutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from benchmarks import scenarios


@dataclass(frozen=True)
class Measure:
    """One figure. `aim` says in words what is hoped for; nothing is asserted."""

    name: str
    value: float
    unit: str
    aim: str | None = None


@dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    measure: Callable[[], Awaitable[list[Measure]]]


def all_scenarios() -> dict[str, Scenario]:
    found = (
        importlib.import_module(f"{scenarios.__name__}.{one.name}").SCENARIO
        for one in pkgutil.iter_modules(scenarios.__path__)
    )
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}
