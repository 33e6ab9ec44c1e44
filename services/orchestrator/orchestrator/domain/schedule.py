"""The order of a run: which targets share a group, and which group goes first.

A local model is loaded once: targets of one (provider, model) share a group; within it, those
whose options force a reload (`num_ctx`) lie together; and when the judge's model is also a
target it comes last and stays loaded for the judging.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class TargetSpec:
    provider_id: UUID
    model: str
    label: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupPlan:
    """`targets` are indices into the targets as the user gave them, in the order they run."""

    provider_id: UUID
    model: str
    targets: tuple[int, ...]
    releases: bool


def plan(targets: Sequence[TargetSpec], *, judge_provider_id: UUID, judge_model: str) -> list[GroupPlan]:
    """Groups in the order of their first target, the judge's own model last."""
    members: dict[tuple[UUID, str], list[int]] = {}
    for index, target in enumerate(targets):
        members.setdefault((target.provider_id, target.model), []).append(index)
    judge = (judge_provider_id, judge_model)
    keys = sorted(members, key=lambda key: key == judge)
    return [
        GroupPlan(
            provider_id=key[0],
            model=key[1],
            targets=tuple(_reloads_together(members[key], targets)),
            releases=key != judge,
        )
        for key in keys
    ]


def _reloads_together(indices: list[int], targets: Sequence[TargetSpec]) -> list[int]:
    """Stable: contexts in the order they first appear."""
    contexts = [repr(targets[index].options.get("num_ctx")) for index in indices]
    return sorted(indices, key=lambda index: contexts.index(repr(targets[index].options.get("num_ctx"))))
