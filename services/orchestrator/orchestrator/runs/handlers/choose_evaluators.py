"""Resolve the requested evaluators of a run through the judge service, and check their judges."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from llmbench.contracts.describe_evaluator import EvaluatorFacts, ParamProblem
from llmbench.errors import FieldError
from orchestrator.kernel.domain.limits import Limits
from orchestrator.kernel.domain.new_run import EvaluatorChoice, Judge, NewEvaluator
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.kernel.domain.revision import EMBEDDINGS, RUBRIC, identity_of
from orchestrator.runs.domain.self_judging import Contestant, Warning, judges_itself, panel_warnings, warnings
from orchestrator.runs.ports.catalogue import EvaluatorCatalogue
from orchestrator.runs.ports.transaction import RunEvaluator

_NAME_CHARS = 60


async def resolve(
    catalogue: EvaluatorCatalogue, choices: Sequence[EvaluatorChoice], *, present: Sequence[RunEvaluator] = ()
) -> list[NewEvaluator]:
    """Return the requested evaluators, in the order of `choices`, with complete parameters. Each has a name that is
    unique in the run.

    `present` are the evaluators that the run already has. Requesting one of them again keeps its name. Raises a
    `Problem`: 422 that names each invalid field, 503 if the judge service does not answer.
    """
    errors: list[FieldError] = []
    names = _Names(choices, present)
    evaluators: dict[str, NewEvaluator] = {}
    for choice in choices:
        facts = await _facts(catalogue, choice, errors)
        if facts is None:
            continue
        unnamed = _evaluator(choice, facts)
        identity = identity_of(unnamed)
        errors += _unfit(choice, facts)
        existing = next((evaluator for evaluator in present if evaluator.identity == identity), None)
        if existing is not None:
            errors += _differences(choice, unnamed.limits, existing)
        if identity in evaluators:
            message = f"this is the same evaluator as '{evaluators[identity].slot}', with the same parameters"
            errors.append(FieldError(choice.place, message))
        slot = existing.slot if existing is not None else names.take(choice, errors)
        evaluators[identity] = replace(unnamed, slot=slot)
    complete = [replace(evaluator, members=_members(evaluator, names)) for evaluator in evaluators.values()]
    errors += _conflicting_limits(complete, present)
    if errors:
        raise invalid(errors)
    return complete


def _conflicting_limits(evaluators: Sequence[NewEvaluator], present: Sequence[RunEvaluator]) -> list[FieldError]:
    """Return an error for each judge of a panel that is also an evaluator by itself, with other case filters (`only`,
    `unless`). It has the same evaluator revision in both roles, and a revision has one pair of filters in a run."""
    limits = {evaluator.identity: (evaluator.slot, evaluator.limits) for evaluator in present}
    limits |= {identity_of(evaluator): (evaluator.slot, evaluator.limits) for evaluator in evaluators}
    return [
        FieldError(
            "evaluators", f"'{limits[identity][0]}' is also a judge of the panel '{evaluator.slot}': limit both alike"
        )
        for evaluator in evaluators
        for identity in map(identity_of, evaluator.members)
        if identity in limits and limits[identity][1] != evaluator.limits
    ]


def _evaluator(choice: EvaluatorChoice, facts: EvaluatorFacts) -> NewEvaluator:
    """Return the requested evaluator, still without a name: names are assigned when all evaluators are known."""
    judge = choice.judge if facts.needs_judge else None
    if judge is not None and facts.judge_asks == EMBEDDINGS:
        judge = replace(judge, embeds=True)
    return NewEvaluator(
        slot="",
        facts=facts,
        judge=judge,
        weight=choice.weight,
        required=choice.required,
        pass_threshold=choice.pass_threshold,
        panel=choice.panel if facts.needs_judge else None,
        limits=_limits(choice, facts),
    )


def _limits(choice: EvaluatorChoice, facts: EvaluatorFacts) -> Limits:
    """Return the filters that select the evaluator's cases. They combine the requested filters with the evaluator's own
    filter (`facts.only`), which leaves out cases without what the evaluator needs. If both filter the same field, the
    request wins."""
    return Limits({**(facts.only or {}), **(choice.limits.only or {})} or None, choice.limits.unless)


def _members(evaluator: NewEvaluator, names: "_Names") -> tuple[NewEvaluator, ...]:
    """Return one evaluator per judge of the evaluator's panel, named after the panel and the model. The result is empty
    if the evaluator has no panel.

    Members have no weight, because their scores count only through the panel.
    """
    if evaluator.panel is None:
        return ()
    return tuple(
        replace(
            evaluator,
            slot=names.of_member(evaluator.slot, judge.model),
            judge=judge,
            panel=None,
            weight=0,
            required=False,
            member=True,
        )
        for judge in evaluator.panel.judges
    )


async def _facts(
    catalogue: EvaluatorCatalogue, choice: EvaluatorChoice, errors: list[FieldError]
) -> EvaluatorFacts | None:
    if choice.kind == RUBRIC.kind and not choice.params:
        return RUBRIC
    described = await catalogue.describe(choice.kind, choice.params)
    if described.facts is None:
        problems = described.problems or (ParamProblem(field="", message="the judge service refuses it"),)
        errors += [
            FieldError(
                f"{choice.place}.params.{problem.field}" if problem.field else f"{choice.place}.kind", problem.message
            )
            for problem in problems
        ]
    return described.facts


def _unfit(choice: EvaluatorChoice, facts: EvaluatorFacts) -> list[FieldError]:
    errors = []
    named = choice.judge is not None or choice.panel is not None
    if facts.needs_judge and facts.judge_asks == EMBEDDINGS and (choice.judge is None or choice.judge_shared):
        # The run's judge is a chat model. It would fail if asked for vectors, or return poor ones.
        message = f"the evaluator '{facts.kind}' asks a provider's embedding model: name it here, as its own judge"
        errors.append(FieldError(f"{choice.place}.judge", message))
    elif facts.needs_judge and not named:
        message = f"the evaluator '{facts.kind}' asks a model: name the judge, here or for the whole run"
        errors.append(FieldError(choice.judge_place, message))
    if not facts.needs_judge and named and choice.judge_place.startswith(f"{choice.place}."):
        field = "judge" if choice.panel is None else "panel"
        errors.append(
            FieldError(choice.judge_place, f"the evaluator '{facts.kind}' asks no model: leave the {field} out")
        )
    threshold = choice.pass_threshold
    if threshold is not None and not facts.scale_min <= threshold <= facts.scale_max:
        message = f"{threshold:g} is not on the evaluator's scale, which is {facts.scale_min:g} to {facts.scale_max:g}"
        errors.append(FieldError(f"{choice.place}.pass_threshold", message))
    return errors


def _differences(choice: EvaluatorChoice, limits: Limits, existing: RunEvaluator) -> list[FieldError]:
    """Return an error for each property in which the request differs from the evaluator that the run already has.

    Requesting an evaluator again must not change it. A member of a panel cannot be requested as an evaluator at all.
    """
    if existing.member:
        message = f"it is in this run already, as the member '{existing.slot}' of a panel: its scores are there"
        return [FieldError(choice.place, message)]
    requested = {
        "name": (choice.name or existing.slot, existing.slot),
        "weight": (choice.weight, existing.weight),
        "required": (choice.required, existing.required),
        "pass_threshold": (choice.pass_threshold, existing.pass_threshold),
        "only": (limits.only if choice.limits.only else existing.limits.only, existing.limits.only),
        "unless": (choice.limits.unless or existing.limits.unless, existing.limits.unless),
    }
    message = "this evaluator is in the run already, with {was!r}: that is not changed by adding it again"
    return [
        FieldError(f"{choice.place}.{field}", message.format(was=was))
        for field, (new, was) in requested.items()
        if new != was
    ]


class _Names:
    """Assigns the evaluators' names. An evaluator without a requested name is named after its kind, with a number if
    that name is taken."""

    def __init__(self, choices: Sequence[EvaluatorChoice], present: Sequence[RunEvaluator]) -> None:
        self._taken = {evaluator.slot for evaluator in present}
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

    def of_member(self, panel: str, model: str) -> str:
        """Return a unique name for a judge of a panel, shortened to the allowed length."""
        name, number = f"{panel}/{model}"[:_NAME_CHARS], 1
        while name in self._taken | self._chosen:
            number += 1
            ending = f"-{number}"
            name = f"{panel}/{model}"[: _NAME_CHARS - len(ending)] + ending
        self._taken.add(name)
        return name


def used_judges(choices: Sequence[EvaluatorChoice], evaluators: Sequence[NewEvaluator]) -> dict[str, Judge]:
    """Return the judges that the evaluators will call. Each has as its key the request's field that names it, such as
    `panel.judges.0`, for error messages. `choices` and `evaluators` describe the same evaluators, in the same order."""
    by_field: dict[str, Judge] = {}
    for choice, evaluator in zip(choices, evaluators, strict=True):
        if evaluator.judge is not None:
            by_field[choice.judge_place] = evaluator.judge
        elif evaluator.panel is not None:
            judges = enumerate(evaluator.panel.judges)
            by_field |= {f"{choice.judge_place}.judges.{index}": judge for index, judge in judges}
    return by_field


def check_panels(evaluators: Sequence[NewEvaluator]) -> list[Warning]:
    """Return a warning for each panel whose judges all belong to one model family."""
    return list(dict.fromkeys(_panel_warnings(evaluators)))


def _panel_warnings(evaluators: Sequence[NewEvaluator]) -> Iterator[Warning]:
    for evaluator in evaluators:
        if evaluator.panel is not None:
            yield from panel_warnings(evaluator.slot, [judge.model for judge in evaluator.panel.judges])


def check_judges(
    judges: Mapping[str, Judge], targets: Sequence[Contestant], *, allow_self_judging: bool
) -> list[Warning]:
    """Return warnings about judges that may favour a target, because judge and target are one model or of one model
    family. The keys of `judges` are the fields of the request that name the judges.

    Embedding models cannot favour a text and are skipped. Raises a 422 `Problem` if a model would judge its own answers
    and `allow_self_judging` is not set.
    """
    errors = []
    warned: list[Warning] = []
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
        warned += warnings(contestant, targets)
    if errors:
        raise invalid(errors)
    return list(dict.fromkeys(warned))
