"""Draw the state machines as diagrams, from the tables of transitions that the orchestrator executes."""

import importlib
from collections.abc import Mapping
from enum import StrEnum

from tools.gen import DOCS, Generated

_MACHINES = {"RUN": "Run", "GROUP": "Group", "ITEM": "Item", "SCORE": "Score"}
Table = Mapping[StrEnum, Mapping[StrEnum, StrEnum]]


def lifecycle() -> Generated:
    """Return one page with the diagrams of the states of runs, groups, items, scores and experiments."""
    # Import the module by its name: a static import would make this package depend on a service.
    transitions = importlib.import_module("orchestrator.kernel.domain.transitions")
    experiments = importlib.import_module("orchestrator.experiments.domain.states")
    lines = [
        "# Lifecycles",
        "",
        "Generated from `orchestrator.kernel.domain.transitions` and `orchestrator.experiments.domain.states` by",
        "`make gen`. An event that a state does not list changes nothing.",
    ]
    tables = {title: getattr(transitions, name) for name, title in _MACHINES.items()}
    for title, table in (tables | {"Experiment": experiments.EXPERIMENT}).items():
        lines += ["", f"## {title}", "", "```mermaid", *diagram(table), "```"]
    return {DOCS / "lifecycle.md": "\n".join(lines) + "\n"}


def diagram(table: Table) -> list[str]:
    """Return the lines of a mermaid state diagram. `table` maps each state to the next state after each event.

    The first state of the table is the initial one. Several events between two states share one arrow.
    """
    lines = ["stateDiagram-v2", f"    [*] --> {next(iter(table))}"]
    for state, moves in table.items():
        arrows: dict[str, list[str]] = {}
        for move, target in moves.items():
            arrows.setdefault(str(target), []).append(str(move))
        lines += [f"    {state} --> {target}: {' or '.join(names)}" for target, names in arrows.items()]
        if not moves:
            lines.append(f"    {state} --> [*]")
    return lines
