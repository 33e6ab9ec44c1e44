"""Define and list scenarios. Each file in `scenarios/` defines one, as the constant `SCENARIO`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from benchmarks import scenarios
from llmbench.plugins import plugins


@dataclass(frozen=True)
class Measure:
    """One measurement of a scenario. `aim` describes the goal in words, but is not checked. A measurement with `detail`
    is stored, but not printed."""

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
    return plugins(scenarios, "SCENARIO", Scenario, key=lambda scenario: scenario.name)
