"""Plan the order of a run: which targets share a group, and which group goes first.

A local model is loaded once, because targets of one (provider, model) share a group. Within a group, targets with the
same context size (`num_ctx`) are adjacent, because another size reloads the model. If the model that judges first is
also a target, the group of this model comes last, so the model stays loaded for the judging.
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
    """A planned model group. `targets` are indices into the request's targets, in the order in which they run.
    `releases` is true if the model is unloaded at the end of the group."""

    provider_id: UUID
    model: str
    targets: tuple[int, ...]
    releases: bool


Model = tuple[UUID, str]
"""A model: its provider's id and its name there."""


def judging_order(judges: Sequence[Model], targets: Sequence[Model]) -> list[Model]:
    """Return each judge's model once: first those that are also targets, because they may still be loaded, then the
    other models. Both parts keep the order of `judges`."""
    return sorted(dict.fromkeys(judges), key=lambda judge: judge not in targets)


def plan(targets: Sequence[TargetSpec], *, judges: Sequence[Model]) -> list[GroupPlan]:
    """Return the model groups of the targets, ordered by their first targets. If the model that judges first is also a
    target, the group of this model comes last and does not unload the model."""
    members: dict[Model, list[int]] = {}
    for index, target in enumerate(targets):
        members.setdefault((target.provider_id, target.model), []).append(index)
    stays = next(iter(judging_order(judges, list(members))), None)
    keys = sorted(members, key=lambda key: key == stays)
    return [
        GroupPlan(
            provider_id=key[0],
            model=key[1],
            targets=tuple(_reloads_together(members[key], targets)),
            releases=key != stays,
        )
        for key in keys
    ]


def _reloads_together(indices: list[int], targets: Sequence[TargetSpec]) -> list[int]:
    """Return the indices, reordered so that targets of the same `num_ctx` are adjacent. The values of `num_ctx` keep
    the order in which they first appear."""
    contexts = [repr(targets[index].options.get("num_ctx")) for index in indices]
    return sorted(indices, key=lambda index: contexts.index(repr(targets[index].options.get("num_ctx"))))
