"""The evaluators of a run, checked by who knows them, and the judges that they ask."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from llmbench.contracts.describe_evaluator import EvaluatorDescribed, EvaluatorFacts, ParamProblem
from llmbench.errors import FieldError
from orchestrator.domain.new_run import EvaluatorChoice, Judge, NewEvaluator
from orchestrator.domain.revision import RUBRIC, revision
from orchestrator.domain.self_judging import Contestant, Warning, judges_itself, warnings
from orchestrator.handlers.refusal import invalid
from orchestrator.ports.store import RunEvaluator


class EvaluatorCatalogue(Protocol):
    async def describe(self, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
        """Raises a 503 `Problem` when the judge service does not answer."""
        ...


async def resolve(
    catalogue: EvaluatorCatalogue, choices: Sequence[EvaluatorChoice], *, present: Sequence[RunEvaluator] = ()
) -> list[NewEvaluator]:
    """Parameters made whole, and names given to those without. `present` are the run's already: one
    of them that is asked for again keeps its name. Raises a 422 `Problem` naming each field at fault."""
    errors: list[FieldError] = []
    names = _Names(choices, present)
    found: dict[str, NewEvaluator] = {}
    for choice in choices:
        facts = await _facts(catalogue, choice, errors)
        if facts is None:
            continue
        judge = choice.judge if facts.needs_judge else None
        if judge is not None and facts.judge_asks == "embeddings":
            judge = replace(judge, embeds=True)
        identity = revision(facts, judge)["identity"]
        errors += _unfit(choice, facts)
        there = next((one for one in present if one.identity == identity), None)
        if there is not None:
            errors += _changed(choice, there)
        if identity in found:
            message = f"this is the same evaluator as '{found[identity].slot}', with the same parameters"
            errors.append(FieldError(choice.place, message))
        slot = there.slot if there is not None else names.take(choice, errors)
        found[identity] = NewEvaluator(slot, facts, judge, choice.weight, choice.required, choice.pass_threshold)
    if errors:
        raise invalid(errors)
    return list(found.values())


async def _facts(
    catalogue: EvaluatorCatalogue, choice: EvaluatorChoice, errors: list[FieldError]
) -> EvaluatorFacts | None:
    if choice.kind == RUBRIC.kind and not choice.params:
        return RUBRIC
    described = await catalogue.describe(choice.kind, choice.params)
    if described.facts is None:
        problems = described.problems or (ParamProblem(field="", message="the judge service refuses it"),)
        errors += [
            FieldError(f"{choice.place}.params.{one.field}" if one.field else f"{choice.place}.kind", one.message)
            for one in problems
        ]
    return described.facts


def _unfit(choice: EvaluatorChoice, facts: EvaluatorFacts) -> list[FieldError]:
    errors = []
    if facts.needs_judge and facts.judge_asks == "embeddings" and (choice.judge is None or choice.judge_shared):
        # The run's judge is a model that writes: asked for vectors it would fail, or give some that mean little.
        message = f"the evaluator '{facts.kind}' asks a provider's embedding model: name it here, as its own judge"
        errors.append(FieldError(f"{choice.place}.judge", message))
    elif facts.needs_judge and choice.judge is None:
        message = f"the evaluator '{facts.kind}' asks a model: name the judge, here or for the whole run"
        errors.append(FieldError(choice.judge_place, message))
    if not facts.needs_judge and choice.judge is not None and choice.judge_place == f"{choice.place}.judge":
        errors.append(
            FieldError(choice.judge_place, f"the evaluator '{facts.kind}' asks no model: leave the judge out")
        )
    threshold = choice.pass_threshold
    if threshold is not None and not facts.scale_min <= threshold <= facts.scale_max:
        message = f"{threshold:g} is not on the evaluator's scale, which is {facts.scale_min:g} to {facts.scale_max:g}"
        errors.append(FieldError(f"{choice.place}.pass_threshold", message))
    return errors


def _changed(choice: EvaluatorChoice, there: RunEvaluator) -> list[FieldError]:
    """What an evaluator is in a run is not changed by asking for it again."""
    wanted = {
        "name": (choice.name or there.slot, there.slot),
        "weight": (choice.weight, there.weight),
        "required": (choice.required, there.required),
        "pass_threshold": (choice.pass_threshold, there.pass_threshold),
    }
    message = "this evaluator is in the run already, with {was!r}: that is not changed by adding it again"
    return [
        FieldError(f"{choice.place}.{what}", message.format(was=was))
        for what, (new, was) in wanted.items()
        if new != was
    ]


class _Names:
    """An evaluator without a name gets its kind's, with a number where that is taken."""

    def __init__(self, choices: Sequence[EvaluatorChoice], present: Sequence[RunEvaluator]) -> None:
        self._taken = {one.slot for one in present}
        self._chosen = {choice.name for choice in choices}

    def take(self, choice: EvaluatorChoice, errors: list[FieldError]) -> str:
        name, number = choice.name or choice.kind, 1
        if choice.name is not None and name in self._taken:
            message = f"'{name}' is the name of another evaluator of the run: give each its own"
            errors.append(FieldError(f"{choice.place}.name", message))
        while choice.name is None and name in self._taken | self._chosen:
            number += 1
            name = f"{choice.kind}-{number}"
        self._taken.add(name)
        return name


def used_judges(choices: Sequence[EvaluatorChoice], evaluators: Sequence[NewEvaluator]) -> dict[str, Judge]:
    """Those that are asked, by the field that names them."""
    return {
        choice.judge_place: evaluator.judge
        for choice, evaluator in zip(choices, evaluators, strict=True)
        if evaluator.judge is not None
    }


def check_judges(
    judges: Mapping[str, Judge], targets: Sequence[Contestant], *, allow_self_judging: bool
) -> list[Warning]:
    """Raises a 422 `Problem` when a target would judge itself unasked."""
    errors = []
    found: list[Warning] = []
    for field, judge in judges.items():
        if judge.embeds:
            continue
        contestant = Contestant(judge.model, judge.provider_id, judge.model)
        own = [target.label for target in targets if judges_itself(contestant, target)]
        if own and not allow_self_judging:
            message = (
                f"{judge.model} would judge its own answers ({', '.join(own)}), and models favour their own. "
                "Choose another judge, or set allow_self_judging if that is what you want."
            )
            errors.append(FieldError(f"{field}.model", message))
        found += warnings(contestant, targets)
    if errors:
        raise invalid(errors)
    return list(dict.fromkeys(found))
