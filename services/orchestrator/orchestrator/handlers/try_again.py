"""A finished run goes on: what failed is tried again, another judge is asked, evaluators are added.

Answers that are there are never asked for again, and scores of one judge never replaced by those
of another: each judge's are kept apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunPhase
from llmbench.errors import FieldError, Problem
from orchestrator.domain.new_run import EvaluatorChoice, Idempotency, Judge, NewEvaluator
from orchestrator.domain.records import Item
from orchestrator.domain.revision import with_members
from orchestrator.domain.self_judging import Contestant, Warning
from orchestrator.domain.transitions import RunMoves
from orchestrator.handlers.choose_evaluators import check_judges
from orchestrator.handlers.create_run import ModelDirectory, RunFactory, check_models
from orchestrator.handlers.ledger import Ledger
from orchestrator.handlers.orders import require
from orchestrator.handlers.refusal import invalid
from orchestrator.handlers.settle_items import settle_items
from orchestrator.ports.store import RunEvaluator


async def retry_failed(ledger: Ledger, item_ids: Sequence[UUID] | None, idempotency: Idempotency | None) -> None:
    """Failed answers and failed judgings, all or those named; of a conversation whatever of it was not answered."""
    items = await _failed(ledger, item_ids, phase=None)
    if item_ids is not None:
        known = {item.id for item in items}
        items += [turn for turn in await _broken_off(ledger, items) if turn.id not in known]
    unanswered = [item for item in items if _is_unanswered(item)]
    for item in unanswered:
        ledger.item_answer_again(item)
    await _judge_again(ledger, [item for item in items if item not in unanswered])
    phase = RunPhase.BENCHMARKING if unanswered else RunPhase.JUDGING
    await _reopen(ledger, phase, f"trying {len(items)} failed items again", idempotency)


async def retry_judging(
    ledger: Ledger, item_ids: Sequence[UUID] | None, idempotency: Idempotency | None, *, slot: str | None = None
) -> None:
    """By the judge that failed on them: every evaluator's, or those of one."""
    items = await _failed(ledger, item_ids, phase=RunPhase.JUDGING, slot=slot)
    await _judge_again(ledger, items, slot=slot)
    await _reopen(ledger, RunPhase.JUDGING, f"judging {len(items)} items again", idempotency)


async def ask_another_judge(
    ledger: Ledger,
    item_ids: Sequence[UUID] | None,
    evaluator: NewEvaluator,
    warned: Sequence[Warning],
    idempotency: Idempotency | None,
    *,
    whole: bool,
) -> None:
    """`whole`: about every answer of the run; else about the items on which judging failed."""
    require(ledger, RunMoves.REOPEN)
    assert evaluator.judge is not None
    judge = evaluator.judge
    transaction = ledger.transaction
    items = (
        await transaction.answered_items()
        if whole
        else await _failed(ledger, item_ids, phase=RunPhase.JUDGING, slot=evaluator.slot)
    )
    revision_id, touched = await _have_scored(ledger, evaluator, items, whole=whole)
    for score in await transaction.failed_scores([item.id for item in items], slot=evaluator.slot):
        if score.evaluator_revision_id == revision_id:
            ledger.score_again(score)
            touched.add(score.item_id)
    if not touched:
        raise Problem(409, "Nothing to judge", f"{judge.model} has scored every answer of this run already.")
    _judge_items_again(ledger, items, touched)
    _warn(ledger, warned)
    await _reopen(ledger, RunPhase.JUDGING, f"{judge.model} judges {len(touched)} items", idempotency)


async def add_evaluators(
    ledger: Ledger, evaluators: Sequence[NewEvaluator], warned: Sequence[Warning], idempotency: Idempotency | None
) -> None:
    """Every answer there is gets a score of each; no target is called. What an evaluator has scored
    already it is not asked again."""
    require(ledger, RunMoves.REOPEN)
    items = await ledger.transaction.answered_items()
    touched: set[UUID] = set()
    for evaluator in with_members(evaluators):
        _, created = await _have_scored(ledger, evaluator, items, whole=True)
        touched |= created
    if not touched:
        return
    _judge_items_again(ledger, items, touched)
    _warn(ledger, warned)
    names = ", ".join(evaluator.slot for evaluator in evaluators)
    await _reopen(ledger, RunPhase.JUDGING, f"{names}: {len(touched)} items are scored", idempotency)
    if any(evaluator.panel for evaluator in evaluators):
        # One whose judges have all spoken already has nobody to wait for.
        await settle_items(ledger, list(touched))


async def _have_scored(
    ledger: Ledger, evaluator: NewEvaluator, items: Sequence[Item], *, whole: bool
) -> tuple[UUID, set[UUID]]:
    """The evaluator's revision, and the items that get a new score of it."""
    group, revision_id = await ledger.transaction.add_evaluator(evaluator, whole=whole)
    created = await ledger.transaction.create_scores_of(revision_id, group, [item.id for item in items])
    if group is not None:
        ledger.groups[group.id] = group
        group.new_count += len(created)
        if created:
            group.reopen()
    return revision_id, created


def _judge_items_again(ledger: Ledger, items: Sequence[Item], touched: set[UUID]) -> None:
    for item in items:
        if item.id in touched:
            ledger.item_judge_again(item)


def _warn(ledger: Ledger, warned: Sequence[Warning]) -> None:
    ledger.run.warnings += [asdict(one) for one in warned if asdict(one) not in ledger.run.warnings]


async def check_more_judges(
    factory: RunFactory,
    directory: ModelDirectory,
    targets: Sequence[Contestant],
    judges: Mapping[str, Judge],
    *,
    allow_self_judging: bool,
    check_providers: bool,
) -> list[Warning]:
    """Before the run is touched. `judges` by the field that names them. Raises a 422 `Problem` naming
    the field."""
    providers = await factory.providers({judge.provider_id for judge in judges.values()})
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
    warned = check_judges(judges, targets, allow_self_judging=allow_self_judging)
    if check_providers:
        chosen = [(field, judge.provider_id, judge.model) for field, judge in judges.items()]
        await check_models(directory, chosen, providers)
    return warned


def other_judge(present: Sequence[RunEvaluator], judge: Judge, slot: str | None) -> EvaluatorChoice:
    """The evaluator `slot` of the run, or the only one that asks a model, with another judge."""
    panel = next((one for one in present if one.panel and slot == one.slot), None)
    if panel is not None:
        message = f"'{panel.slot}' is scored by a panel: add it with the judge or the panel that you want instead"
        raise invalid([FieldError("judge", message)])
    asking = {one.slot: one for one in present if one.asks_judge and not one.member and slot in (None, one.slot)}
    if len(asking) == 1:
        (one,) = asking.values()
        return EvaluatorChoice(
            kind=one.kind,
            place="evaluator",
            judge=judge,
            judge_place="judge",
            name=one.slot,
            params=one.params,
            weight=one.weight,
            required=one.required,
            pass_threshold=one.pass_threshold,
            limits=one.limits,
        )
    there = ", ".join(dict.fromkeys(one.slot for one in present if one.asks_judge and not one.member)) or "none"
    lacking = "no evaluator of this run asks a judge" if there == "none" else f"name the one that is meant: {there}"
    raise invalid([FieldError("evaluator", lacking)])


async def _failed(
    ledger: Ledger, item_ids: Sequence[UUID] | None, *, phase: RunPhase | None, slot: str | None = None
) -> list[Item]:
    """Raises a `Problem` unless there are some, and those named are among them. With `slot`, items
    that this evaluator gave no score: they are FAILED, unless it is not required."""
    require(ledger, RunMoves.REOPEN)
    if slot is None:
        items = await ledger.transaction.failed_items(phase)
    else:
        failed = await ledger.transaction.failed_scores(None, slot=slot)
        items = list((await ledger.transaction.items([score.item_id for score in failed])).values())
    if item_ids is not None:
        wanted = set(item_ids)
        unknown = wanted - {item.id for item in items}
        if unknown:
            what = "failed item" if phase is None else "item whose judging failed"
            named = ", ".join(sorted(map(str, unknown))[:5])
            raise invalid([FieldError("item_ids", f"no {what} of this run: {named}")])
        items = [item for item in items if item.id in wanted]
    if not items:
        what = "No item of this run failed." if phase is None else "Judging failed on no item of this run."
        raise Problem(409, "Nothing to try again", what)
    return items


async def _broken_off(ledger: Ledger, chosen: Sequence[Item]) -> list[Item]:
    """The unanswered turns of the conversations that those chosen are of: one waits for the other."""
    conversations = {_conversation(item) for item in chosen if item.case.turn is not None and _is_unanswered(item)}
    if not conversations:
        return []
    failed = await ledger.transaction.failed_items(RunPhase.BENCHMARKING)
    return [item for item in failed if item.case.turn is not None and _conversation(item) in conversations]


def _is_unanswered(item: Item) -> bool:
    return item.failure is not None and item.failure.phase == RunPhase.BENCHMARKING


def _conversation(item: Item) -> tuple[UUID, int, str | None]:
    return item.target_id, item.epoch, item.case.conversation_id


async def _judge_again(ledger: Ledger, items: Sequence[Item], *, slot: str | None = None) -> None:
    for score in await ledger.transaction.failed_scores([item.id for item in items], slot=slot):
        ledger.score_again(score)
    for item in items:
        ledger.item_judge_again(item)


async def _reopen(ledger: Ledger, phase: RunPhase, note: str, idempotency: Idempotency | None) -> None:
    run = ledger.run
    run.move(RunMoves.REOPEN)
    run.beside = False
    run.phase = phase
    run.outcome = run.finished_at = run.status_reason = None
    ledger.gate = RunGate.OPEN
    await ledger.flush()
    await ledger.transaction.reopen_panels(ledger.now)
    # A provider that was corrected meanwhile is used as it is now.
    await ledger.transaction.refresh_providers([group for group in ledger.groups.values() if group.new_count])
    if idempotency is not None:
        await ledger.transaction.remember_key(idempotency)
    ledger.status_changed()
    ledger.note(note)
