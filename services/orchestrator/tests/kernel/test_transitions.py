"""Test the tables of status transitions. If a table lists an event for a status, the event changes the status. Every
other event raises an error and changes nothing."""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from run_records import a_group, a_run, an_item

from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunStatus, ScoreStatus
from orchestrator.kernel.domain.records import Score
from orchestrator.kernel.domain.transitions import (
    GROUP,
    ITEM,
    RUN,
    SCORE,
    GroupMoves,
    IllegalTransition,
    ItemMoves,
    RunMoves,
    ScoreMoves,
    after,
    allows,
)


@dataclass(frozen=True)
class Machine:
    """A state machine under test.

    `record` makes a record in a given status; `ends` are its final states. Types are `Any`, because the four types of
    records share no base class.
    """

    table: Mapping[Any, Mapping[Any, Any]]
    states: Iterable[StrEnum]
    moves: Iterable[StrEnum]
    record: Callable[..., Any]
    ends: Set[StrEnum]


def a_score(*, status: ScoreStatus) -> Score:
    id_ = UUID(int=3)
    return Score(
        id=id_,
        item_id=id_,
        group_id=id_,
        evaluator_revision_id=id_,
        slot="rubric",
        pass_threshold=None,
        kind="rubric",
        params={},
        status=status,
        dispatch=1,
        attempts=0,
    )


MACHINES = {
    "run": Machine(RUN, RunStatus, RunMoves, a_run, {RunStatus.FINISHED, RunStatus.CANCELLED}),
    "group": Machine(GROUP, GroupStatus, GroupMoves, a_group, {GroupStatus.CLOSED, GroupStatus.FAILED}),
    "item": Machine(ITEM, ItemStatus, ItemMoves, an_item, {ItemStatus.COMPLETED, ItemStatus.FAILED}),
    "score": Machine(SCORE, ScoreStatus, ScoreMoves, a_score, {ScoreStatus.SCORED, ScoreStatus.FAILED}),
}
EVERY_PAIR = [
    pytest.param(name, state, move, id=f"{name}-{state}-{move}")
    for name, machine in MACHINES.items()
    for state, move in product(machine.states, machine.moves)
]


@pytest.mark.parametrize(("name", "state", "move"), EVERY_PAIR)
def test_move_changes_the_status_as_listed_or_raises_and_changes_nothing(
    name: str, state: StrEnum, move: StrEnum
) -> None:
    table = MACHINES[name].table
    record = MACHINES[name].record(status=state)
    before = replace(record)
    if move in table[state]:
        assert allows(table, state, move)
        assert after(table, state, move) == table[state][move]
        record.move(move)
        assert record == replace(before, status=table[state][move])
    else:
        assert not allows(table, state, move)
        with pytest.raises(IllegalTransition, match=f"{state} does not allow {move}"):
            record.move(move)
        assert record == before


@pytest.mark.parametrize("name", MACHINES)
def test_every_state_is_listed_and_reachable_from_the_first(name: str) -> None:
    table = MACHINES[name].table
    assert set(table) == set(MACHINES[name].states)
    reached = {next(iter(table))}
    while found := {target for state in reached for target in table[state].values()} - reached:
        reached |= found
    assert reached == set(table)


TRIED_AGAIN = {
    RunMoves.REOPEN,
    GroupMoves.REOPEN,
    ItemMoves.ANSWER_AGAIN,
    ItemMoves.JUDGE_AGAIN,
    ScoreMoves.AGAIN,
}


@pytest.mark.parametrize("name", MACHINES)
def test_only_retries_leave_a_final_state(name: str) -> None:
    machine = MACHINES[name]
    for state, moves in machine.table.items():
        if state in machine.ends:
            assert set(moves) <= TRIED_AGAIN
        else:
            assert moves
            assert not set(moves) & TRIED_AGAIN


@pytest.mark.parametrize("name", MACHINES)
def test_final_state_is_reachable_from_every_state(name: str) -> None:
    table = MACHINES[name].table
    ending: set[StrEnum] = set(MACHINES[name].ends)
    while found := {state for state, moves in table.items() if set(moves.values()) & ending} - ending:
        ending |= found
    assert ending == set(table)


@pytest.mark.parametrize("name", MACHINES)
def test_every_move_occurs_in_the_table(name: str) -> None:
    table = MACHINES[name].table
    assert {move for moves in table.values() for move in moves} == set(MACHINES[name].moves)


def test_event_of_another_state_machine_is_illegal() -> None:
    with pytest.raises(IllegalTransition):
        after(RUN, RunStatus.RUNNING, GroupMoves.GIVE_UP)  # type: ignore[misc]
