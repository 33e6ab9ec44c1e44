"""Match the targets of two runs by label, model and parameters, and list how two targets differ.

Only targets that are unique in both runs are matched. So two targets of the same model in one run need different labels
or parameters.
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
    """A target of a run, with the properties by which it is paired with a target of another run.

    `settings` holds the parameters that have a value, each as text. Two targets may also be compared by settings of
    their runs, such as the epochs; `settings` then holds these, too."""

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
    """A target that is paired with no target of the other run. `alike` has the labels of those unpaired targets of the
    other run that have the same model."""

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
    """A property in which two targets differ. `baseline` is its value in the baseline's target, and `here` its value in
    the other target. A value is `None` if the target does not set the property."""

    name: str
    baseline: str | None
    here: str | None


def _parameters(target: PairedTarget) -> Hashable:
    return frozenset(target.settings.items())


_KEYS: Final[Sequence[tuple[PairedBy, Callable[[PairedTarget], Hashable]]]] = (
    (PairedBy.LABEL, lambda target: target.label),
    (PairedBy.PARAMETERS, lambda target: (target.provider, target.model, _parameters(target))),
    (PairedBy.PARAMETERS, lambda target: (target.model, _parameters(target))),
    (PairedBy.MODEL, lambda target: (target.provider, target.model)),
    (PairedBy.MODEL, lambda target: target.model),
)


def pair_targets(
    baseline: Sequence[PairedTarget],
    candidate: Sequence[PairedTarget],
    by_hand: Iterable[tuple[UUID, UUID]] = (),
) -> Pairing:
    """Pair the targets of two runs as the user chose, else by label, else by model and parameters, else by model.

    Each step pairs only the remaining targets that are unique in both runs. In the last two steps, targets of the same
    provider take precedence. If the user chose nothing and each run has one target, these two are paired. `by_hand` has
    the pairs (baseline, candidate) that the user chose. The caller has checked that these targets exist, and that none
    occurs twice. The result also lists the targets that are not paired.
    """
    paired = {target: (other, PairedBy.HAND) for target, other in by_hand}
    if not paired and len(baseline) == len(candidate) == 1 and baseline[0].label != candidate[0].label:
        paired = {baseline[0].id: (candidate[0].id, PairedBy.ONLY_TARGETS)}
    for paired_by, key in _KEYS:
        here = _unique(_left(baseline, paired), key)
        there = _unique(_left(candidate, {other for other, _ in paired.values()}), key)
        paired |= {target.id: (there[value].id, paired_by) for value, target in here.items() if value in there}
    taken = {other for other, _ in paired.values()}
    left, right = _left(baseline, paired), _left(candidate, taken)
    return Pairing(
        pairs=[TargetPair(target.id, *paired[target.id]) for target in baseline if target.id in paired],
        only_baseline=[_unpaired(target, right) for target in left],
        only_candidate=[_unpaired(target, left) for target in right],
    )


def differences(baseline: PairedTarget, here: PairedTarget) -> list[Difference]:
    """Return the properties in which two targets differ: the model first, then the provider, then the settings by name.
    Values longer than 200 characters are shortened."""
    before = {"model": baseline.model, "provider": baseline.provider} | dict(baseline.settings)
    after = {"model": here.model, "provider": here.provider} | dict(here.settings)
    names = ["model", "provider", *sorted(baseline.settings.keys() | here.settings.keys())]
    return [
        Difference(name, _short(before.get(name)), _short(after.get(name)))
        for name in names
        if before.get(name) != after.get(name)
    ]


def settings_of(params: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters that have a value, each as text. Each of the `options` is a parameter of its own.

    >>> settings_of({"temperature": 0.0, "seed": None, "options": {"num_ctx": 8192}, "stop": ["a", "b"]})
    {'temperature': '0', 'options.num_ctx': '8192', 'stop': '["a", "b"]'}
    """
    settings: dict[str, str] = {}
    for name, value in params.items():
        if name == "options":
            settings |= {f"options.{option}": _text(given) for option, given in value.items()}
        elif value is not None:
            settings[name] = _text(value)
    return settings


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
    return [target for target in targets if target.id not in gone]


def _unique(targets: Sequence[PairedTarget], key: Callable[[PairedTarget], Hashable]) -> dict[Hashable, PairedTarget]:
    """Return the targets whose key no other target has, by their key."""
    counts = Counter(key(target) for target in targets)
    return {key(target): target for target in targets if counts[key(target)] == 1}


def _unpaired(target: PairedTarget, others: Sequence[PairedTarget]) -> Unpaired:
    return Unpaired(target, [candidate.label for candidate in others if candidate.model == target.model])
