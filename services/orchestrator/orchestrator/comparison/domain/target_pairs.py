"""Match the targets of two runs, and list how two targets differ.

A target is paired by the user's choice, else by label, else by model and parameters, else by model alone. Each step
makes only pairs that are unambiguous in both runs. Two targets of one model therefore need different labels or
parameters.
"""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

LONGEST_VALUE: Final = 200


class PairedBy(StrEnum):
    HAND = "hand"
    ONLY_TARGETS = "only targets"
    LABEL = "label"
    PARAMETERS = "model and parameters"
    MODEL = "model"


@dataclass(frozen=True)
class PairedTarget:
    """A target with every property that can identify it. `settings` holds the parameters that are set, each as text."""

    id: UUID
    label: str
    provider: str
    model: str
    settings: Mapping[str, str]


@dataclass(frozen=True)
class TargetPair:
    baseline: UUID
    candidate: UUID
    paired_by: PairedBy


@dataclass(frozen=True)
class Unpaired:
    """A target without a counterpart in the other run. `alike` lists the labels of the other run's unpaired targets of
    the same model."""

    target: PairedTarget
    alike: Sequence[str]


@dataclass(frozen=True)
class Pairing:
    """The matched and the unmatched targets of two runs; `pairs` are in the order of the baseline's targets."""

    pairs: Sequence[TargetPair]
    only_baseline: Sequence[Unpaired]
    only_candidate: Sequence[Unpaired]


@dataclass(frozen=True)
class Difference:
    """A property in which two targets differ; a value is `None` where it is not set."""

    name: str
    baseline: str | None
    here: str | None


def _parameters(target: PairedTarget) -> Hashable:
    return frozenset(target.settings.items())


_KEYS: Final[Sequence[tuple[PairedBy, Callable[[PairedTarget], Hashable]]]] = (
    (PairedBy.LABEL, lambda one: one.label),
    (PairedBy.PARAMETERS, lambda one: (one.provider, one.model, _parameters(one))),
    (PairedBy.PARAMETERS, lambda one: (one.model, _parameters(one))),
    (PairedBy.MODEL, lambda one: (one.provider, one.model)),
    (PairedBy.MODEL, lambda one: one.model),
)


def pair_targets(
    baseline: Sequence[PairedTarget],
    candidate: Sequence[PairedTarget],
    by_hand: Iterable[tuple[UUID, UUID]] = (),
) -> Pairing:
    """Pair the targets of two runs.

    `by_hand` holds pairs (baseline, candidate) of existing targets, none of them twice.
    """
    found = {one: (other, PairedBy.HAND) for one, other in by_hand}
    if not found and len(baseline) == len(candidate) == 1 and baseline[0].label != candidate[0].label:
        found = {baseline[0].id: (candidate[0].id, PairedBy.ONLY_TARGETS)}
    for paired_by, key in _KEYS:
        here = _unique(_left(baseline, found), key)
        there = _unique(_left(candidate, {other for other, _ in found.values()}), key)
        found |= {one.id: (there[value].id, paired_by) for value, one in here.items() if value in there}
    taken = {other for other, _ in found.values()}
    left, right = _left(baseline, found), _left(candidate, taken)
    return Pairing(
        pairs=[TargetPair(one.id, *found[one.id]) for one in baseline if one.id in found],
        only_baseline=[_unpaired(one, right) for one in left],
        only_candidate=[_unpaired(one, left) for one in right],
    )


def differences(baseline: PairedTarget, here: PairedTarget) -> list[Difference]:
    """Return the differences of two targets: the model first, then the provider, then each parameter by name."""
    before = {"model": baseline.model, "provider": baseline.provider} | dict(baseline.settings)
    after = {"model": here.model, "provider": here.provider} | dict(here.settings)
    names = ["model", "provider", *sorted(baseline.settings.keys() | here.settings.keys())]
    return [
        Difference(name, _short(before.get(name)), _short(after.get(name)))
        for name in names
        if before.get(name) != after.get(name)
    ]


def settings_of(params: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters that are set, each as text; options appear under their own names.

    >>> settings_of({"temperature": 0.0, "seed": None, "options": {"num_ctx": 8192}, "stop": ["a", "b"]})
    {'temperature': '0', 'options.num_ctx': '8192', 'stop': '["a", "b"]'}
    """
    found: dict[str, str] = {}
    for name, value in params.items():
        if name == "options":
            found |= {f"options.{option}": _text(given) for option, given in value.items()}
        elif value is not None:
            found[name] = _text(value)
    return found


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _short(value: str | None) -> str | None:
    return value if value is None or len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"


def _left(targets: Sequence[PairedTarget], taken: Iterable[UUID]) -> list[PairedTarget]:
    gone = set(taken)
    return [one for one in targets if one.id not in gone]


def _unique(targets: Sequence[PairedTarget], key: Callable[[PairedTarget], Hashable]) -> dict[Hashable, PairedTarget]:
    """Return the targets that have a key which no other target has, by that key."""
    counts = Counter(key(one) for one in targets)
    return {key(one): one for one in targets if counts[key(one)] == 1}


def _unpaired(target: PairedTarget, others: Sequence[PairedTarget]) -> Unpaired:
    return Unpaired(target, [one.label for one in others if one.model == target.model])
