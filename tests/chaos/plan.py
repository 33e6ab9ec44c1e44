"""Derive a plan from a seed: a run, and the faults during the run. A seed always gives the same plan."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
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
"""Transient failures of a provider.

A model has at most `MOST_TRANSIENT` of them. With more, an item could fail in every attempt and would rightly be
FAILED.
"""
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
    "500": "unavailable",
    "502": "unavailable",
    "cut": "unavailable",
    "reset": "unavailable",
}
"""Permanent failures of a provider for one question, with the kind of failure that an item gets."""
OF_SERVICES = ("429", "429-retryafter1", "500", "503-retryafter1", "reset", "hang", "badjson", "html", "empty")
"""The failures that a plan can give to an HTTP_JSON service, such as a RAG service."""
FATAL = {"401": "rejected", "404": "rejected"}
"""Failures of a model's warm-up, which fail the complete model group."""
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
"""The minimum and maximum number of judges for a set of evaluators; both are 1 for sets that are not listed."""
CALLS_A_JUDGE = {"pairwise": 2, "g_eval": 3, "similarity": 2, "rubric and similarity": 2}
"""The maximum number of calls of a judge per answer, for a set of evaluators; 1 for sets that are not listed."""
OF_SUITES = ("rubric", "programs")
"""The evaluators of those tasks of a suite that decide no gate."""
WHILE_WAITING = ("freeze", "kill", "kill a backend", "two at once")
"""The faults that may happen while a run waits in the queue: none of them loses published messages."""
REPLICATED = ("inference-gateway", "judge", "orchestrator")
"""The services that may run as two processes."""


@dataclass(frozen=True, kw_only=True)
class Model:
    """A model of the mock provider, and its failures.

    - `next`: the behaviours of its next calls, in order. `None` stands for the model's usual behaviour, which its name
      states.
    - `stubborn`: by task number, the behaviour of every call for that task.
    - `fatal`: the failure of its warm-up call, if that fails.
    - `provider`: the number of its provider. Number 0 is a local provider, the others are hosted.
    """

    name: str
    concurrency: int
    next: tuple[str | None, ...] = ()
    stubborn: Mapping[int, str] | None = None
    fatal: str | None = None
    provider: int = 0


@dataclass(frozen=True, kw_only=True)
class Break:
    """A fault of the plan. `fault` is its name in the dictionary that `faults.faults` returns. The fault begins once
    `after` calls of the run were answered."""

    fault: str
    params: Mapping[str, Any]
    after: int


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds for the parameters of faults.

    `longest_stop_s` is shorter than the timeout of a call. `judge_calls` is the planned number of calls to judges, and
    `replicas` has the names of the services' second processes, such as "judge 2".
    """

    longest_stop_s: float
    judge_calls: int
    replicas: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Suite:
    """The suite of a plan: the cases are divided among its tasks, in this order.

    - `first`: the number of cases of the first task. A program scores their answers, and these scores decide the gate
      of the second task.
    - `gated`: the number of cases of the second task. The third task, `later`, waits for the second task. Task `later`
      has all other cases but the last.
    - The last case is a task of its own, `free`, which waits for no gate.
    - `opens`: whether the program's scores, which are all equal, are high enough for the gate.
    - `baseline`: whether the suite has a baseline with a gate, which decides the verdict on the run at its end.
    """

    first: int
    gated: int
    opens: bool
    baseline: bool = False

    def task_of(self, case: int, *, cases: int) -> str:
        """Return the name of the task that has the case with this number. `cases` is the number of all cases."""
        if case < self.first:
            return "first"
        if case < self.first + self.gated:
            return "gated"
        return "free" if case == cases - 1 else "later"


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The wait of a plan's run in the queue, behind an active run and a run of a higher priority.

    - `scheduled`: whether a schedule starts the run, instead of a request.
    - `fault`: the fault while the run waits, or while the schedule fires.
    """

    scheduled: bool
    fault: Break


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The plan of a seed: a run, and the faults during the run.

    - `tasks`: the number of cases or, with `conversations`, of conversations with `TURNS` turns each.
    - `unjudged`: the number of the task for which no judge gives a verdict; in a conversation, for its last turn.
    - `services`: True if the targets are HTTP_JSON services, not models.
    - `replicas`: the second processes of services.
    - `suite`: the suite that the run executes; None for a run of cases without a suite.
    - `parallel_groups`: the maximum number of models that are called at the same time.
    - `neighbour`: True if a second organisation has a run on the same local provider at the same time.
    - `waiting`: the way in which the run waits in the queue; None if it starts at once.
    """

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
    parallel_groups: int = 1
    neighbour: bool = False
    suite: Suite | None = None
    waiting: Waiting | None = None

    @property
    def cases(self) -> int:
        return self.tasks * TURNS if self.conversations else self.tasks

    @property
    def planned(self) -> int:
        """Return the number of faults, including the fault that happens while the run waits in the queue."""
        return len(self.breaks) + (self.waiting is not None)

    def models(self) -> dict[str, Model]:
        return {model.name: model for model in (*self.targets, *self.judges)}

    def printable(self) -> dict[str, Any]:
        return asdict(self)


def plan_of(seed: int, *, faults: "Sequence[Drawable]", most_breaks: int = 4) -> Plan:
    """Draw the plan of a seed. It has at most `most_breaks` faults, each of a kind in `faults`."""

    def about(what: str) -> Random:
        """Return a random generator for one topic. If another topic draws more numbers, this topic's part of each plan
        stays unchanged."""
        return Random(f"{seed}/{what}")  # reproducible, not for security

    size = about("size")
    conversations = size.random() < 0.2
    tasks = size.randint(2, 3) if conversations else size.randint(3, MOST_TASKS)
    names = [f"s{seed}t{number}" for number in range(size.randint(1, 3))]
    services = about("services").random() < 0.2
    parallel_groups = about("parallel groups").choice((1, 1, 2, 3))
    targets = tuple(_target(about(name), name, tasks, services=services) for name in names)
    suite = None if conversations or services else _suite(about("suite"), tasks)
    if suite is not None:
        suite = replace(suite, baseline=about("baseline of the suite").random() < 0.5)
    evaluators = about("evaluators").choice(EVALUATORS if suite is None else OF_SUITES)
    judges = tuple(
        _judge(about(f"judge {number}"), f"s{seed}j{number}")
        for number in range(about("judges").randint(*JUDGES.get(evaluators, (1, 1))))
    )
    if parallel_groups > 1:
        targets, judges = _hosted(about("providers"), targets), _hosted(about("providers of judges"), judges)
    replicas = tuple(replica_of(name) for name in REPLICATED if about(f"replica of {name}").random() < 0.3)
    endless = any(_endless(model) for model in (*targets, *judges))
    asked = tasks if suite is None or suite.opens else suite.first + 1
    items = asked * (TURNS if conversations else 1) * sum(not target.fatal for target in targets)
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
        parallel_groups=parallel_groups,
        neighbour=about("neighbour").random() < 0.2,
        suite=suite,
        waiting=_waiting(about("waiting"), faults, limits),
    )


def _waiting(draw: Random, faults: "Sequence[Drawable]", limits: Limits) -> Waiting | None:
    """Draw how the run waits. Three of ten plans have such a wait; in half of these, a schedule starts the run."""
    if draw.random() >= 0.3:
        return None
    scheduled = draw.random() < 0.5
    fault = draw.choice([fault for fault in faults if fault.name in WHILE_WAITING])
    return Waiting(scheduled=scheduled, fault=Break(fault=fault.name, params=fault.draw(draw, limits), after=0))


def _suite(draw: Random, cases: int) -> Suite | None:
    """Draw the suite of a plan: two of five plans have one, if there are enough cases for its tasks."""
    if draw.random() >= 0.4 or cases < 4:
        return None
    first = draw.randint(1, cases - 3)
    return Suite(first=first, gated=draw.randint(1, cases - first - 2), opens=draw.random() < 0.6)


def _hosted(draw: Random, models: Sequence[Model]) -> tuple[Model, ...]:
    """Draw the provider of each model: the local one, or one of two hosted ones. Most models have a provider of their
    own."""
    numbers = draw.sample((0, 1, 2), k=3)
    return tuple(
        replace(model, provider=draw.choice(numbers) if draw.random() < 0.3 else number)
        for model, number in zip(models, numbers, strict=False)
    )


def replica_of(service: str) -> str:
    """Return the name of the service's second process."""
    return f"{service} 2"


def service_of(process: str) -> str:
    """Return the name of the service to which a process belongs. The first process of a service has the service's name,
    the second has that of `replica_of`."""
    return process.removesuffix(" 2")


class Drawable(Protocol):
    """The attributes of `faults.Fault` that are needed to draw the faults of a plan."""

    name: str
    weight: int
    at_judging: bool

    def draw(self, draw: Random, limits: Limits) -> dict[str, Any]: ...


def _unjudged(draw: Random, judges: Sequence[Model], tasks: int) -> int | None:
    """Draw the task for which the judge gives no verdict; None for no task.

    For such a task, the mock judge gives no verdict to prompts with the task's question, nor to any prompt for a
    repair. A prompt for a repair names no task, so repairs for other tasks fail, too. Therefore a task is drawn only if
    there is a single judge, and this judge never needs a repair for another reason.
    """
    possible = len(judges) == 1 and not judges[0].next
    return draw.randrange(tasks) if possible and draw.random() < 0.7 else None


def _target(draw: Random, name: str, tasks: int, *, services: bool) -> Model:
    kind = draw.random()
    fatal = draw.choice(sorted(FATAL)) if kind < 0.05 else None
    possible = sorted(behaviour for behaviour in STUBBORN if not services or behaviour in ("400", *OF_SERVICES))
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
