"""Define a scenario. Each is a file in `scenarios/` with a `SCENARIO`, discovered by its name."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from benchmarks import scenarios
from llmbench.plugins import plugins


@dataclass(frozen=True)
class Measure:
    """One figure of a scenario. `aim` describes the goal in words; nothing is asserted. `detail`: the figure is stored,
    but not printed."""

    name: str
    value: float
    unit: str
    aim: str | None = None
    detail: bool = False


@dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    measure: Callable[[], Awaitable[list[Measure]]]


def all_scenarios() -> dict[str, Scenario]:
    return plugins(scenarios, "SCENARIO", Scenario, key=lambda one: one.name)
