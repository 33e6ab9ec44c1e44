"""Who judges whom: a model favours its own words, and those of its family.

Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena" (2023), section 3.3.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID


@dataclass(frozen=True)
class Contestant:
    """Without a provider it is whoever gave the answers that came from outside."""

    label: str
    provider_id: UUID | None
    model: str


@dataclass(frozen=True)
class Warning:
    """Something a reader of the results has to know."""

    kind: Literal["self_judging", "same_family", "one_family", "judge_not_asked", "columns"]
    message: str


def judges_itself(judge: Contestant, target: Contestant) -> bool:
    return (judge.provider_id, judge.model) == (target.provider_id, target.model)


def warnings(judge: Contestant, targets: Sequence[Contestant]) -> list[Warning]:
    own = [target.label for target in targets if judges_itself(judge, target)]
    kin = [
        target.label
        for target in targets
        if not judges_itself(judge, target) and family(target.model) == family(judge.model)
    ]
    found = []
    if own:
        message = f"{judge.model} judges its own answers ({', '.join(own)}): expect its scores to be too high."
        found.append(Warning("self_judging", message))
    if kin:
        message = f"{judge.model} judges models of its own family ({', '.join(kin)}): its scores may favour them."
        found.append(Warning("same_family", message))
    return found


def panel_warnings(name: str, models: Sequence[str]) -> list[Warning]:
    """A panel outvotes what one judge favours; what all of them favour it does not."""
    families = {family(model) for model in models}
    if len(families) > 1:
        return []
    message = (
        f"The judges of the panel '{name}' ({', '.join(models)}) are all of the family {families.pop()}: what one of "
        "them favours, the others may favour as well."
    )
    return [Warning("one_family", message)]


def family(model: str) -> str:
    """The first word of a model's own name: `meta-llama/Llama-3.1-8B:free` is of the family `llama`."""
    name = model.lower().rsplit("/", 1)[-1]
    found = re.match(r"[a-z]+", name)
    return found.group() if found else name
