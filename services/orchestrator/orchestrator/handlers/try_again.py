"""A finished run goes on: what failed is tried again, or another judge is asked.

Answers that are there are never asked for again, and scores of one judge never replaced by those
of another: each judge's are kept apart.
"""

from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import RunPhase
from llmbench.errors import FieldError, Problem
from orchestrator.domain.new_run import Idempotency, Judge
from orchestrator.domain.records import Item
from orchestrator.domain.self_judging import Contestant, Warning, judges_itself, warnings
from orchestrator.domain.transitions import RunMoves
from orchestrator.handlers.create_run import ModelDirectory, RunFactory, check_models, invalid
from orchestrator.handlers.ledger import Ledger
from orchestrator.handlers.orders import require


async def retry_failed(ledger: Ledger, item_ids: Sequence[UUID] | None, idempotency: Idempotency | None) -> None:
    """Failed answers and failed judgings, all or those named."""
    items = await _failed(ledger, item_ids, phase=None)
    unanswered = [item for item in items if item.failure and item.failure.phase == RunPhase.BENCHMARKING]
    for item in unanswered:
        ledger.item_answer_again(item)
    await _judge_again(ledger, [item for item in items if item not in unanswered])
    phase = RunPhase.BENCHMARKING if unanswered else RunPhase.JUDGING
    await _reopen(ledger, phase, f"trying {len(items)} failed items again", idempotency)


async def retry_judging(ledger: Ledger, item_ids: Sequence[UUID] | None, idempotency: Idempotency | None) -> None:
    """By the judge that failed on them."""
    items = await _failed(ledger, item_ids, phase=RunPhase.JUDGING)
    await _judge_again(ledger, items)
    await _reopen(ledger, RunPhase.JUDGING, f"judging {len(items)} items again", idempotency)


async def ask_another_judge(
    ledger: Ledger,
    item_ids: Sequence[UUID] | None,
    judge: Judge,
    warned: Sequence[Warning],
    idempotency: Idempotency | None,
    *,
    whole: bool,
) -> None:
    """`whole`: about every answer of the run; else about the items on which judging failed."""
    require(ledger, RunMoves.REOPEN)
    transaction = ledger.transaction
    items = await transaction.answered_items() if whole else await _failed(ledger, item_ids, phase=RunPhase.JUDGING)
    group, revision_id = await transaction.add_judge(judge, whole=whole)
    ledger.groups[group.id] = group
    created = await transaction.create_scores_of(revision_id, group, [item.id for item in items])
    group.new_count += len(created)
    if created:
        group.reopen()
    failed = [
        score
        for score in await transaction.failed_scores([item.id for item in items])
        if score.evaluator_revision_id == revision_id
    ]
    for score in failed:
        ledger.score_again(score)
    touched = created | {score.item_id for score in failed}
    for item in items:
        if item.id in touched:
            ledger.item_judge_again(item)
    if not touched:
        raise Problem(409, "Nothing to judge", f"{judge.model} has scored every answer of this run already.")
    ledger.run.warnings += [asdict(one) for one in warned if asdict(one) not in ledger.run.warnings]
    await _reopen(ledger, RunPhase.JUDGING, f"{judge.model} judges {len(touched)} items", idempotency)


async def check_other_judge(
    factory: RunFactory,
    directory: ModelDirectory,
    targets: Sequence[Contestant],
    judge: Judge,
    *,
    allow_self_judging: bool,
    check_provider: bool,
) -> list[Warning]:
    """Before the run is touched. Raises a 422 `Problem` naming the field."""
    providers = await factory.providers({judge.provider_id})
    if judge.provider_id not in providers:
        message = f"there is no provider {judge.provider_id}; GET /api/providers lists those there are"
        raise invalid([FieldError("judge.provider_id", message)])
    contestant = Contestant(judge.model, judge.provider_id, judge.model)
    if not allow_self_judging and any(judges_itself(contestant, target) for target in targets):
        message = f"{judge.model} would judge its own answers: set allow_self_judging if that is what you want"
        raise invalid([FieldError("judge.model", message)])
    if check_provider:
        await check_models(directory, [("judge", judge.provider_id, judge.model)], providers)
    return warnings(contestant, targets)


async def _failed(ledger: Ledger, item_ids: Sequence[UUID] | None, *, phase: RunPhase | None) -> list[Item]:
    """Raises a `Problem` unless there are some, and those named are among them."""
    require(ledger, RunMoves.REOPEN)
    items = await ledger.transaction.failed_items(phase)
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


async def _judge_again(ledger: Ledger, items: Sequence[Item]) -> None:
    for score in await ledger.transaction.failed_scores([item.id for item in items]):
        ledger.score_again(score)
    for item in items:
        ledger.item_judge_again(item)


async def _reopen(ledger: Ledger, phase: RunPhase, note: str, idempotency: Idempotency | None) -> None:
    run = ledger.run
    run.move(RunMoves.REOPEN)
    run.phase = phase
    run.outcome = run.finished_at = run.status_reason = None
    ledger.gate = RunGate.OPEN
    # A provider that was corrected meanwhile is used as it is now.
    await ledger.transaction.refresh_providers([group for group in ledger.groups.values() if group.new_count])
    if idempotency is not None:
        await ledger.transaction.remember_key(idempotency)
    ledger.status_changed()
    ledger.note(note)
