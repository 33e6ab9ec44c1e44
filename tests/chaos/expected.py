"""Derive the expected final state of each item from a plan."""

from dataclasses import dataclass

from tests.chaos.plan import FATAL, STUBBORN, TURNS, Model, Plan


@dataclass(frozen=True)
class Ending:
    """The expected state: COMPLETED if `failure` is null, else FAILED with that kind of failure."""

    failure: frozenset[str] = frozenset()


COMPLETED = Ending()
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
    """Return the question that always fails; in a conversation it is the second turn."""
    return turn_question(task, 2) if plan.conversations else question(task)


def unjudged_question(plan: Plan, task: int) -> str:
    """Return the question without verdicts: the last turn, because earlier ones are repeated in the prompts of later
    ones.
    """
    return turn_question(task, TURNS) if plan.conversations else question(task)


def endings(plan: Plan) -> dict[tuple[str, str], Ending]:
    """Return the expected end states by task and target."""
    return {
        (case, target.name): _ending(plan, target, task, turn)
        for target in plan.targets
        for task in range(plan.tasks)
        for turn, case in _cases(plan, task)
    }


def _cases(plan: Plan, task: int) -> list[tuple[int, str]]:
    if plan.conversations:
        return [(turn, turn_id(task, turn)) for turn in range(1, TURNS + 1)]
    return [(1, task_id(task))]


def _ending(plan: Plan, target: Model, task: int, turn: int) -> Ending:
    if target.fatal:
        return Ending(frozenset({FATAL[target.fatal], "group_failed", "turn_failed"}))
    stubborn_turn, last_turn = (2, TURNS) if plan.conversations else (1, 1)
    behaviour = (target.stubborn or {}).get(task)
    if behaviour is not None and turn == stubborn_turn:
        return Ending(frozenset({STUBBORN[behaviour.split("-", 2)[2]]}))
    if behaviour is not None and turn > stubborn_turn:
        return Ending(frozenset({"turn_failed"}))
    return UNJUDGED if (task, turn) == (plan.unjudged, last_turn) else COMPLETED
