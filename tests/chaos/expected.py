"""Derive from a plan the final state that each item should have."""

from dataclasses import dataclass

from tests.chaos.plan import FATAL, STUBBORN, TURNS, Model, Plan, Suite


@dataclass(frozen=True)
class Ending:
    """The expected final state of an item.

    It is FAILED with one of the kinds in `failure`, if there are any; else SKIPPED if `skipped`, else COMPLETED.
    """

    failure: frozenset[str] = frozenset()
    skipped: bool = False

    @property
    def status(self) -> str:
        if self.failure:
            return "FAILED"
        return "SKIPPED" if self.skipped else "COMPLETED"


COMPLETED = Ending()
SKIPPED = Ending(skipped=True)
UNJUDGED = Ending(frozenset({"unparsed"}))


def question(task: int) -> str:
    return f"What is {task} + {task}?"


def turn_question(talk: int, turn: int) -> str:
    return f"Talk {talk}: what is {turn} + {turn}?"


def task_id(task: int) -> str:
    return f"sum-{task:03}"


def turn_id(talk: int, turn: int) -> str:
    return f"{talk}-{turn}"


def stubborn_question(plan: Plan, task: int) -> str:
    """Return the question of a task at which a model always fails, if the task's number is a key of the model's
    `stubborn`. In a conversation it is the question of the second turn."""
    return turn_question(task, 2) if plan.conversations else question(task)


def unjudged_question(plan: Plan, task: int) -> str:
    """Return the question whose answer gets no verdict, if the plan chooses this task for that.

    In a conversation it is the question of the last turn, because later turns would repeat an earlier question in their
    prompts.
    """
    return turn_question(task, TURNS) if plan.conversations else question(task)


def endings(plan: Plan) -> dict[tuple[str, str], Ending]:
    """Return the expected final state of each item, by case id and target."""
    return {
        (case, target.name): _ending(plan, target, task, turn)
        for target in plan.targets
        for task in range(plan.tasks)
        for turn, case in _cases(plan, task)
    }


def _cases(plan: Plan, task: int) -> list[tuple[int, str]]:
    if plan.conversations:
        return [(turn, turn_id(task, turn)) for turn in range(1, TURNS + 1)]
    if plan.suite is not None:
        return [(1, f"{plan.suite.task_of(task, cases=plan.tasks)}/{task_id(task)}")]
    return [(1, task_id(task))]


def _ending(plan: Plan, target: Model, task: int, turn: int) -> Ending:
    if target.fatal:
        return Ending(frozenset({FATAL[target.fatal], "group_failed", "turn_failed"}))
    if plan.suite is not None and _is_skipped(plan, plan.suite, target, task):
        return SKIPPED
    stubborn_turn, last_turn = (2, TURNS) if plan.conversations else (1, 1)
    behaviour = (target.stubborn or {}).get(task)
    if behaviour is not None and turn == stubborn_turn:
        return Ending(frozenset({STUBBORN[behaviour.split("-", 2)[2]]}))
    if behaviour is not None and turn > stubborn_turn:
        return Ending(frozenset({"turn_failed"}))
    if plan.suite is not None and plan.suite.task_of(task, cases=plan.tasks) == "first":
        # Programs score the task that decides the gate.
        return COMPLETED
    return UNJUDGED if (task, turn) == (plan.unjudged, last_turn) else COMPLETED


def _is_skipped(plan: Plan, suite: Suite, target: Model, task: int) -> bool:
    if suite.task_of(task, cases=plan.tasks) not in ("gated", "later"):
        return False
    # Without any answer the gating task has no score, and the gate fails.
    unanswered = set(target.stubborn or {}) >= set(range(suite.first))
    return unanswered or not suite.opens
