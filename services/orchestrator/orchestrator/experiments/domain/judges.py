"""Find the judges that an experiment asks about each answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID


def judges_of(setup: Mapping[str, Any], needs_judge: Sequence[bool]) -> Iterator[tuple[UUID, str]]:
    """Yield the provider id and the model of each call to a judge about one answer.

    `needs_judge` says, for each evaluator of the setup, whether it asks a judge. An evaluator asks its own judge or
    panel; by default, it asks the experiment's. If the setup names no evaluators, the rubric is the only one.

    >>> provider = "0193a000-0000-7000-8000-000000000001"
    >>> judge = {"provider_id": provider, "model": "large"}
    >>> panel = {"judges": [judge, {"provider_id": provider, "model": "larger"}]}
    >>> evaluators = [{"kind": "contains"}, {"kind": "g_eval", "panel": panel}]
    >>> setup = {"judge": judge, "panel": None, "evaluators": evaluators}
    >>> [model for _, model in judges_of(setup, [False, True])]
    ['large', 'larger']
    >>> [model for _, model in judges_of(setup | {"evaluators": None}, [])]
    ['large']
    """
    evaluators = [{}] if setup["evaluators"] is None else setup["evaluators"]
    needs = [True] if setup["evaluators"] is None else needs_judge
    for evaluator, asks in zip(evaluators, needs, strict=True):
        own = evaluator if evaluator.get("judge") or evaluator.get("panel") else setup
        panel = own.get("panel")
        judges = panel["judges"] if panel else [own["judge"]] if own.get("judge") else []
        if asks:
            yield from ((UUID(str(judge["provider_id"])), str(judge["model"])) for judge in judges)
