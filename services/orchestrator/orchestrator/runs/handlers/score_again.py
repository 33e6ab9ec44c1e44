"""Score a finished run's answers again: retry failed judgings, use another judge, or add evaluators.

New judges and evaluators are checked before the run is changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from llmbench.errors import FieldError
from orchestrator.kernel.domain.new_run import EvaluatorChoice, Idempotency, Judge
from orchestrator.kernel.domain.refusal import invalid
from orchestrator.runs.domain.self_judging import Contestant, Warning
from orchestrator.runs.handlers import try_again
from orchestrator.runs.handlers.check_references import check_references
from orchestrator.runs.handlers.choose_evaluators import check_judges, check_panels, resolve, used_judges
from orchestrator.runs.handlers.commands import CommandParts, give_once
from orchestrator.runs.handlers.create_run import check_models
from orchestrator.runs.ports.transaction import RunEvaluator


@dataclass(frozen=True)
class JudgeChecks:
    allow_self_judging: bool
    check_providers: bool


@dataclass(frozen=True)
class JudgingRetry:
    """A request to score answers of a finished run again.

    Without `judge`, failed judgings are repeated by the same judges: of the evaluator named `slot`, or of all
    evaluators if `slot` is null. `item_ids` selects the items; null selects all whose judging failed. `whole` has no
    effect.

    With `judge`, this other judge scores the items whose judging by the evaluator `slot` failed, restricted to
    `item_ids` if it is given. With `whole`, the judge scores every answer of the run, and `item_ids` is ignored. A null
    `slot` is allowed only if exactly one evaluator of the run calls a judge. Panels and their members do not count.
    """

    item_ids: Sequence[UUID] | None
    slot: str | None
    judge: Judge | None
    whole: bool
    idempotency: Idempotency | None


async def retry_judging(
    at: CommandParts, run_id: UUID, retry: JudgingRetry, targets: Sequence[Contestant], checks: JudgeChecks
) -> UUID:
    """Carry out the request. Return the id of the run: `run_id`, or the run of an earlier request with the same
    idempotency key.

    `targets` are the run's targets. Only a request with another judge needs them, to check whether the judge would
    score its own answers. Raises a `Problem` if the run is unknown, the request is invalid, or the run's state
    does not allow it. Also raises one if a service that checks the request does not answer.
    """
    keyed = retry.idempotency
    if retry.judge is None:
        order = partial(try_again.retry_judging, item_ids=retry.item_ids, idempotency=keyed, slot=retry.slot)
        return await give_once(at, run_id, order, keyed)
    choice = _other_judge(await at.factory.evaluators(run_id), retry.judge, retry.slot)
    (evaluator,) = await resolve(at.catalogue, [choice])
    warned = await _check_judges(at, used_judges([choice], [evaluator]), targets, checks)
    order = partial(
        try_again.ask_another_judge,
        item_ids=retry.item_ids,
        evaluator=evaluator,
        warned=warned,
        idempotency=keyed,
        whole=retry.whole,
    )
    return await give_once(at, run_id, order, keyed)


async def add_evaluators(
    at: CommandParts,
    run_id: UUID,
    choices: Sequence[EvaluatorChoice],
    targets: Sequence[Contestant],
    checks: JudgeChecks,
    idempotency: Idempotency | None,
) -> UUID:
    """Add evaluators to a finished run, and let them score its existing answers. No target is called again.

    Return the id of the run: `run_id`, or the run of an earlier request with the same idempotency key. Raises a
    `Problem` if the run is unknown, the request is invalid, or the run's state does not allow it. Also raises one if a
    service that checks the request does not answer.
    """
    evaluators = await resolve(at.catalogue, choices, present=await at.factory.evaluators(run_id))
    warned = await _check_judges(at, used_judges(choices, evaluators), targets, checks) + check_panels(evaluators)
    first_cases = partial(at.factory.first_cases_of_run, run_id)
    warned += await check_references(first_cases, at.catalogue, choices, evaluators)
    order = partial(try_again.add_evaluators, evaluators=evaluators, warned=warned, idempotency=idempotency)
    return await give_once(at, run_id, order, idempotency)


async def _check_judges(
    at: CommandParts, judges: Mapping[str, Judge], targets: Sequence[Contestant], checks: JudgeChecks
) -> list[Warning]:
    """Check the judges, and return warnings. The keys of `judges` are the request's fields that name the judges.

    Raises a 422 `Problem` that names the fields of unknown providers, missing models and forbidden self-judging.
    """
    providers = await at.factory.providers({judge.provider_id for judge in judges.values()})
    errors = [
        FieldError(
            f"{field}.provider_id",
            f"there is no provider {judge.provider_id}; GET /api/providers lists those there are",
        )
        for field, judge in judges.items()
        if judge.provider_id not in providers
    ]
    if errors:
        raise invalid(errors)
    warned = check_judges(judges, targets, allow_self_judging=checks.allow_self_judging)
    if checks.check_providers:
        chosen = [(field, judge.provider_id, judge.model) for field, judge in judges.items()]
        await check_models(at.directory, chosen, providers)
    return warned


def _other_judge(present: Sequence[RunEvaluator], judge: Judge, slot: str | None) -> EvaluatorChoice:
    """Return a choice of the run's evaluator `slot` (its name in the run) with `judge` as its judge. If `slot` is null,
    the run must have exactly one evaluator that calls a judge. Raises a 422 `Problem` if there is no such evaluator, or
    if `slot` is a panel."""
    panel = next((evaluator for evaluator in present if evaluator.panel and slot == evaluator.slot), None)
    if panel is not None:
        message = f"'{panel.slot}' is scored by a panel: add it with the judge or the panel that you want instead"
        raise invalid([FieldError("judge", message)])
    asking = {
        evaluator.slot: evaluator
        for evaluator in present
        if evaluator.asks_judge and not evaluator.member and slot in (None, evaluator.slot)
    }
    if len(asking) == 1:
        (evaluator,) = asking.values()
        return EvaluatorChoice(
            kind=evaluator.kind,
            place="evaluator",
            judge=judge,
            judge_place="judge",
            name=evaluator.slot,
            params=evaluator.params,
            weight=evaluator.weight,
            required=evaluator.required,
            pass_threshold=evaluator.pass_threshold,
            limits=evaluator.limits,
        )
    names = (
        ", ".join(
            dict.fromkeys(evaluator.slot for evaluator in present if evaluator.asks_judge and not evaluator.member)
        )
        or "none"
    )
    lacking = "no evaluator of this run asks a judge" if names == "none" else f"name the one that is meant: {names}"
    raise invalid([FieldError("evaluator", lacking)])
