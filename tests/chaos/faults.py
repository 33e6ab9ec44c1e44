"""Register the kinds of faults, which are in the files `break_*.py`. Each fault restores what it broke.

`@fault` registers a function that breaks something on the running platform, and returns True if it did. The function
`draws`, an argument of `@fault`, chooses the parameters of a fault at random.
"""

import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import tests.chaos
from llmbench_cli.embedded.services import services_of
from tests.chaos.plan import Drawable, Limits, service_of
from tests.chaos.stage import Stage

Params = Mapping[str, Any]
Act = Callable[[Stage, Params], Awaitable[bool]]
POSTGRES, NATS, GATEWAY = "postgres", "nats", "inference-gateway"
# If one of these is killed, an answer that was received but not yet committed is requested again.
LOSING = frozenset({GATEWAY, POSTGRES})


@dataclass(frozen=True)
class Fault(Drawable):
    """A kind of fault. `act` carries it out, and returns True if it broke something.

    `loses` returns how often a call in flight may be repeated. `forgets` is true if published messages may be lost.
    `at_judging` is true if the fault needs a judge.
    """

    name: str
    weight: int
    params: Callable[[Random, Limits], dict[str, Any]]
    act: Act
    loses: Callable[[Params], int]
    forgets: bool
    at_judging: bool

    def draw(self, draw: Random, limits: Limits) -> dict[str, Any]:
        return self.params(draw, limits)


_FAULTS: dict[str, Fault] = {}


def fault(
    name: str,
    *,
    weight: int,
    draws: Callable[[Random, Limits], dict[str, Any]],
    loses: Callable[[Params], int] = lambda _: 0,
    forgets: bool = False,
    at_judging: bool = False,
) -> Callable[[Act], Act]:
    def register(act: Act) -> Act:
        _FAULTS[name] = Fault(name, weight, draws, act, loses, forgets, at_judging)
        return act

    return register


def faults() -> dict[str, Fault]:
    """Import all files of faults, and return the faults by name, sorted."""
    for module in sorted(module.name for module in pkgutil.iter_modules(tests.chaos.__path__, "tests.chaos.")):
        if module.startswith("tests.chaos.break_"):
            importlib.import_module(module)
    return dict(sorted(_FAULTS.items()))


def services(limits: Limits) -> tuple[str, ...]:
    """Return the names of the processes: the five services, and the second processes of the services in
    `limits.replicas`."""
    return (*services_of("off"), *limits.replicas)


def processes(limits: Limits) -> tuple[str, ...]:
    return (*services(limits), NATS, POSTGRES)


def loses_who(params: Params) -> int:
    return int(service_of(params["who"]) in LOSING)


def loses_killed(params: Params) -> int:
    """Return how often a call in flight may be repeated because of the fault: only a kill loses calls, freezing a
    process does not."""
    return loses_who(params) if params["how"] == "kill" else 0


def down(draw: Random) -> float:
    """Draw the number of seconds for which a killed process stays down."""
    return round(draw.choice((0, draw.uniform(0, 1), draw.uniform(1, 7))), 2)
