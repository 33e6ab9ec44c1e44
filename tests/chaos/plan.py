"""From a seed to what is run and what is broken meanwhile: pure, the same every time, and printable."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Protocol

TURNS = 3
MOST_TASKS = 8
MAX_ATTEMPTS = 4
TRANSIENT = (
    "429",
    "429-retryafter1",
    "429-retryafter2",
    "500",
    "503-retryafter1",
    "cut",
    "reset",
    "hang",
    "drip",
    "truncate",
    "badjson",
    "html",
    "plain-html",
    "flood",
    "plain-empty",
    "huge",
    "streamerror",
)
"""What a provider may do to a call now and then. At most `MOST_TRANSIENT` to a model: an item whose every attempt met
one would rightly fail."""
MOST_TRANSIENT = 2
STUBBORN = {
    "400": "rejected",
    "overflow": "rejected",
    "refuse": "refused",
    "filtered": "refused",
    "badjson": "malformed",
    "plain-html": "malformed",
    "flood": "malformed",
    "drip": "timed_out",
}
"""What a provider may do to one question always, and as what its items fail then."""
OF_SERVICES = ("429", "429-retryafter1", "500", "503-retryafter1", "reset", "hang", "badjson", "html", "empty")
"""What of all that a JSON service does that is no model, as a RAG service is."""
FATAL = {"401": "rejected", "404": "rejected"}
"""What fails a whole model at its warm-up."""
MISJUDGING = ("unparsed", "outofrange", "chatty", "cutoff")
ENDLESS = frozenset({"hang", "drip"})
EVALUATORS = (
    "rubric",
    "rubric and program",
    "pairwise",
    "g_eval",
    "panel",
    "programs",
    "similarity",
    "rubric and similarity",
)
JUDGES = {"panel": (2, 3), "programs": (0, 0), "rubric and similarity": (2, 2)}
"""At least and at most; one where nothing is said."""
CALLS_A_JUDGE = {"pairwise": 2, "g_eval": 3, "similarity": 2, "rubric and similarity": 2}
"""About each answer, at most; one where nothing is said."""
REPLICATED = ("inference-gateway", "judge", "orchestrator")
"""Of these two may run side by side."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """`next`: how its next calls behave (None: as its name says). `stubborn`: how it always answers about a task."""

    name: str
    concurrency: int
    next: tuple[str | None, ...] = ()
    stubborn: Mapping[int, str] | None = None
    fatal: str | None = None


@dataclass(frozen=True, kw_only=True)
class Break:
    """A fault of `faults`, after so many calls of the run were answered."""

    fault: str
    params: Mapping[str, Any]
    after: int


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a fault may draw from: how long it may last is bounded by how long a call may take."""

    longest_stop_s: float
    judge_calls: int
    replicas: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Plan:
    """`tasks` are cases, or with `conversations` so many of `TURNS` turns each. About the last answers of the task
    `unjudged` no judge ever gives a verdict. `services`: the targets are JSON services, not models. `replicas`: what
    runs a second time."""

    seed: int
    tasks: int
    conversations: bool
    targets: tuple[Model, ...]
    judges: tuple[Model, ...]
    evaluators: str
    unjudged: int | None
    timeout_s: float
    breaks: tuple[Break, ...]
    services: bool = False
    replicas: tuple[str, ...] = ()

    @property
    def cases(self) -> int:
        return self.tasks * TURNS if self.conversations else self.tasks

    def models(self) -> dict[str, Model]:
        return {model.name: model for model in (*self.targets, *self.judges)}

    def printable(self) -> dict[str, Any]:
        return asdict(self)


def plan_of(seed: int, *, faults: "Sequence[Drawable]", most_breaks: int = 4) -> Plan:
    def about(what: str) -> Random:
        """Each matter by a chance of its own: one more thing to draw changes nothing else of a seed's plan."""
        return Random(f"{seed}/{what}")  # reproducible, guards nothing

    size = about("size")
    conversations = size.random() < 0.2
    tasks = size.randint(2, 3) if conversations else size.randint(3, MOST_TASKS)
    names = [f"s{seed}t{number}" for number in range(size.randint(1, 3))]
    services = about("services").random() < 0.2
    targets = tuple(_target(about(name), name, tasks, services=services) for name in names)
    evaluators = about("evaluators").choice(EVALUATORS)
    judges = tuple(
        _judge(about(f"judge {number}"), f"s{seed}j{number}")
        for number in range(about("judges").randint(*JUDGES.get(evaluators, (1, 1))))
    )
    replicas = tuple(replica_of(name) for name in REPLICATED if about(f"replica of {name}").random() < 0.3)
    endless = any(_endless(model) for model in (*targets, *judges))
    items = tasks * (TURNS if conversations else 1) * sum(not target.fatal for target in targets)
    judge_calls = items * CALLS_A_JUDGE.get(evaluators, 1) * len(judges)
    limits = Limits(longest_stop_s=2.0 if endless else 8.0, judge_calls=judge_calls, replicas=replicas)
    return Plan(
        seed=seed,
        tasks=tasks,
        conversations=conversations,
        targets=targets,
        judges=judges,
        evaluators=evaluators,
        unjudged=None if evaluators == "similarity" else _unjudged(about("unjudged"), judges, tasks),
        timeout_s=4.0 if endless else 15.0,
        breaks=_breaks(about("breaks"), faults, limits, calls=items + judge_calls, most=most_breaks),
        services=services,
        replicas=replicas,
    )


def replica_of(service: str) -> str:
    """The name of the second one."""
    return f"{service} 2"


def service_of(process: str) -> str:
    """What a process is, whether it is the first of its kind or the second."""
    return process.removesuffix(" 2")


class Drawable(Protocol):
    """What a plan needs to know of a fault; see `faults.Fault`."""

    name: str
    weight: int
    at_judging: bool

    def draw(self, draw: Random, limits: Limits) -> dict[str, Any]: ...


def _unjudged(draw: Random, judges: Sequence[Model], tasks: int) -> int | None:
    """What repairs a reply names no task: a judge that is stubborn about one repairs none."""
    possible = len(judges) == 1 and not judges[0].next
    return draw.randrange(tasks) if possible and draw.random() < 0.7 else None


def _target(draw: Random, name: str, tasks: int, *, services: bool) -> Model:
    kind = draw.random()
    fatal = draw.choice(sorted(FATAL)) if kind < 0.05 else None
    possible = sorted(one for one in STUBBORN if not services or one in ("400", *OF_SERVICES))
    stubborn = {draw.randrange(tasks): draw.choice(possible)} if 0.05 <= kind < 0.3 else None
    menu = OF_SERVICES if services else TRANSIENT
    return _model(draw, name, stubborn=stubborn, fatal=fatal, menu=menu if kind >= 0.3 else ())


def _judge(draw: Random, name: str) -> Model:
    return _model(draw, name, menu=TRANSIENT + MISJUDGING * 3)


def _model(
    draw: Random,
    name: str,
    *,
    menu: Sequence[str],
    stubborn: Mapping[int, str] | None = None,
    fatal: str | None = None,
) -> Model:
    behaves = f"mock-{draw.choice((0, 20, 60, 150))}ms"
    following: list[str | None] = [None] * draw.randint(4, 12)
    for _ in range(draw.randint(0, MOST_TRANSIENT) if menu else 0):
        following[draw.randrange(len(following))] = f"{behaves}-{draw.choice(menu)}"
    return Model(
        name=f"{behaves}-{fatal}-{name}" if fatal else f"{behaves}-{name}",
        concurrency=draw.choice((1, 1, 1, 2, 3)),
        next=tuple(following) if any(following) else (),
        stubborn={task: f"{behaves}-{how}" for task, how in stubborn.items()} if stubborn else None,
        fatal=fatal,
    )


def _endless(model: Model) -> bool:
    behaviours = [*filter(None, model.next), *(model.stubborn or {}).values()]
    return any(ENDLESS & set(behaviour.split("-")) for behaviour in behaviours)


def _breaks(draw: Random, faults: "Sequence[Drawable]", limits: Limits, *, calls: int, most: int) -> tuple[Break, ...]:
    possible = [fault for fault in faults if limits.judge_calls or not fault.at_judging]
    chosen = draw.choices(possible, weights=[fault.weight for fault in possible], k=draw.randint(1, most))
    broken = [
        Break(fault=fault.name, params=fault.draw(draw, limits), after=round(calls * draw.uniform(0, 0.95)))
        for fault in chosen
    ]
    return tuple(sorted(broken, key=lambda one: one.after))
