"""Carry out an action that `advance` decided: change the records, and queue the commands."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from llmbench.contracts.case import Case
from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.embed_texts import EmbedTexts
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import AnswerFacts, EvaluatorSpec, JudgeAnswer, JudgeLane
from llmbench.contracts.outcome import CUT, CallFigures
from llmbench.contracts.release_model import ReleaseModel
from llmbench.contracts.run_logged import LogKind
from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase, RunType
from llmbench.ids import call_id
from orchestrator.kernel.domain.prompts import case_as_sent, case_request, warm_up_embedding, warm_up_request
from orchestrator.kernel.domain.records import Group, Item, Lane, Score
from orchestrator.kernel.domain.revision import own_params
from orchestrator.kernel.domain.transitions import GroupMoves, ItemMoves, RunMoves
from orchestrator.runs.domain.advance import (
    Action,
    CloseGroup,
    Dispatch,
    EnterJudging,
    Finish,
    OpenGroup,
    PauseForCredit,
    SendRelease,
    SendWarmUp,
    Settle,
    SuspendGroup,
    WakeAt,
)
from orchestrator.runs.domain.local_host import UNKNOWN_HOST
from orchestrator.runs.domain.views import run_view
from orchestrator.runs.handlers.ledger import Ledger
from orchestrator.runs.handlers.orders import pause_for_credit
from orchestrator.runs.handlers.promote import promote_scoring
from orchestrator.runs.ports.transaction import RunRecords, RunTransaction, RunWork

LOCAL_HOST_BUSY = "the provider's machine is busy"
LOCAL_HOST_BUSY_WAIT = timedelta(seconds=5)
"""The time after which a waiting group checks again whether the machine is free. No message announces the end of the
other organisation's run, because organisations must not learn about each other's runs."""


async def act(ledger: Ledger[RunTransaction], action: Action) -> UUID | None:
    """Carry out one action: record its changes and commands in the ledger, which saves them at the end. Return the id
    of the group that can do nothing more in this transaction, or `None`."""
    match action:
        case OpenGroup(group_id):
            return None if await _open(ledger, ledger.groups[group_id]) else group_id
        case SendWarmUp(group_id):
            await send_warm_up(ledger, ledger.groups[group_id])
        case Dispatch(group_id, count):
            await _dispatch(ledger, ledger.groups[group_id], count)
            return group_id
        case SendRelease(group_id):
            group = ledger.groups[group_id]
            group.move(GroupMoves.DRAIN)
            group.dispatch += 1
            group.call_in_flight = True
            send_release(ledger, group)
        case CloseGroup(group_id):
            _close(ledger, ledger.groups[group_id])
        case SuspendGroup(group_id):
            ledger.groups[group_id].move(GroupMoves.SUSPEND)
        case PauseForCredit():
            pause_for_credit(ledger)
        case EnterJudging():
            await _enter_judging(ledger)
        case Settle():
            _settle(ledger)
        case Finish(outcome):
            ledger.run.move(RunMoves.FINISH)
            ledger.run.outcome = outcome
            ledger.run.end(ledger.now)
            ledger.run.status_reason = None
            ledger.run.gate_due = ledger.run.gated
            # Close the gate, so that duplicate commands still in the queue start no calls.
            ledger.gate = RunGate.CLOSED
            ledger.status_changed()
            await promote_scoring(ledger)
            ledger.note(f"finished: {outcome}")
        case WakeAt(group_id, at):
            ledger.wake(at)
            return group_id
    return None


async def _open(ledger: Ledger[RunWork], group: Group) -> bool:
    """Open the group, or let it wait for the machine of its local provider. The group waits in two cases: another local
    group of the run is at work, or a run of another organisation uses the machine.

    Return `False` if another organisation's run uses the machine, so that the group can do nothing more now. Return
    `True` if the group is open, or waits for another group of the run.
    """
    group.local_host = await ledger.transaction.local_host(group)
    if not _has_turn(ledger, group):
        ledger.note(f"{group.name()} waits for the other local model: one is in use at a time", group=group)
        return True
    if group.local_host not in (None, UNKNOWN_HOST) and await ledger.transaction.is_host_busy(group.local_host):
        until = ledger.now + LOCAL_HOST_BUSY_WAIT
        ledger.wake(until)
        if group.slow_down(until=until, reason=LOCAL_HOST_BUSY, now=ledger.now):
            ledger.note(f"{LOCAL_HOST_BUSY}: {group.name()} waits", group=group)
        return False
    if group.backoff_reason == LOCAL_HOST_BUSY:
        group.recover()
    group.open(ledger.now)
    ledger.lanes_opened.append(group)
    if group.lane is not None:
        ledger.note(f"warming up {group.lane}", group=group)
    return True


def _has_turn(ledger: Ledger[RunWork], group: Group) -> bool:
    at_work = run_view(ledger.run, list(ledger.groups.values())).at_work()
    return any(view.id == group.id for view in at_work)


async def send_warm_up(ledger: Ledger[RunWork], group: Group, *, again: bool = False) -> None:
    """Queue the command of the group's warm-up. With `again`, the command repeats the previous call, whose command was
    lost."""
    lane = _lane(group)
    if not again:
        group.dispatch += 1
    group.call_in_flight = True
    common: dict[str, Any] = {
        "call_id": call_id(group.id, dispatch=group.dispatch, part="warm_up"),
        "run_id": ledger.run.id,
        "group": lane.token,
        "group_id": group.id,
        "concurrency": group.concurrency,
        "purpose": Purpose.WARM_UP,
        "dispatch": group.dispatch,
        "provider": lane.provider,
        "timeout_s": ledger.run.timeout_s,
    }
    params, embeds = await _warm_up_params(ledger, group)
    if embeds:
        ledger.commands.append(EmbedTexts(**common, request=warm_up_embedding(lane.model, params)))
    else:
        ledger.commands.append(GenerateCompletion(**common, request=warm_up_request(lane.model, params)))


async def _warm_up_params(ledger: Ledger[RunWork], group: Group) -> tuple[SamplingParams, bool]:
    """Return the parameters of the group's warm-up, and whether it requests embeddings."""
    if group.phase == RunPhase.JUDGING:
        score = await ledger.transaction.first_score(group.id)
        return (score.judge_params(), score.embeds) if score else (SamplingParams(), False)
    first = await ledger.transaction.first_item(group.id)
    return first.params if first else SamplingParams(), False


def send_release(ledger: Ledger[RunRecords], group: Group) -> None:
    lane = _lane(group)
    ledger.commands.append(
        ReleaseModel(
            call_id=call_id(group.id, dispatch=group.dispatch, part="release"),
            run_id=ledger.run.id,
            group=lane.token,
            group_id=group.id,
            concurrency=group.concurrency,
            dispatch=group.dispatch,
            provider=lane.provider,
            model=lane.model,
        )
    )


async def _dispatch(ledger: Ledger[RunWork], group: Group, count: int) -> None:
    await ledger.flush()
    if group.phase == RunPhase.BENCHMARKING:
        claimed = await ledger.transaction.claim_items(group.id, count, ledger.now)
        ledger.items_claimed(group, claimed)
        await send_items(ledger, group, claimed)
        for item in claimed:
            ledger.log(LogKind.PROMPT, item, item.case.question)
        count_claimed = len(claimed)
    else:
        scores = await ledger.transaction.claim_scores(group.id, count, ledger.now)
        ledger.scores_claimed(group, scores)
        for item in (await ledger.transaction.items([score.item_id for score in scores])).values():
            if item.status == ItemStatus.WAITING_FOR_JUDGE:
                item.move(ItemMoves.JUDGE)
                ledger.item_changed(item)
        await send_scores(ledger, group, scores)
        count_claimed = len(scores)
    if count_claimed < count:
        # The remaining work is not due yet, or waits for a previous turn.
        ledger.wake(await ledger.transaction.next_due(group))


async def send_items(ledger: Ledger[RunWork], group: Group, items: Sequence[Item]) -> None:
    lane = _lane(group)
    cases = await _cases(ledger, items, as_sent=True)
    ledger.commands.extend(
        GenerateCompletion(
            call_id=call_id(item.id, dispatch=item.dispatch),
            run_id=ledger.run.id,
            group=lane.token,
            group_id=group.id,
            concurrency=group.concurrency,
            purpose=Purpose.ITEM,
            item_id=item.id,
            dispatch=item.dispatch,
            provider=lane.provider,
            request=case_request(cases[item.id], model=item.model, params=item.params, prompt=item.prompt),
            timeout_s=item.timeout_s,
            epoch=item.epoch,
            use_cache=item.use_cache,
            live=ledger.run.type == RunType.PLAYGROUND,
        )
        for item in items
    )


async def _cases(ledger: Ledger[RunWork], items: Collection[Item], *, as_sent: bool = False) -> dict[UUID, Case]:
    """Return the case of each item by item id. The case of a later turn contains the earlier turns and their answers.

    With `as_sent`, the questions of earlier turns are rendered with the target's prompt, as the model received them.
    Without it, the questions are those of the cases, for a judge to read.

    Earlier turns never change, so a repeated command has the same content.
    """
    run = ledger.run
    cases = {item.id: item.case for item in items}
    prompts = {item.id: item.prompt for item in items} if as_sent else {}
    later = [id_ for id_, case in cases.items() if (case.turn or 1) > 1]
    before = await ledger.transaction.turns_before(later, most=run.max_conversation_history)
    return {
        id_: case_as_sent(
            case,
            before.get(id_, []),
            show_choices=run.show_choices,
            most_turns=run.max_conversation_history,
            prompt=prompts.get(id_),
        )
        for id_, case in cases.items()
    }


async def send_scores(ledger: Ledger[RunWork], group: Group, scores: Sequence[Score]) -> None:
    items = await ledger.transaction.items([score.item_id for score in scores])
    answers = await ledger.transaction.answers(list(items.values()))
    cases = await _cases(ledger, items.values())
    for score in scores:
        item = items[score.item_id]
        ledger.commands.append(
            JudgeAnswer(
                score_id=score.id,
                run_id=ledger.run.id,
                item_id=item.id,
                dispatch=score.dispatch,
                evaluator=EvaluatorSpec(
                    revision_id=score.evaluator_revision_id,
                    kind=score.kind,
                    params=own_params(score.params),
                    pass_threshold=score.pass_threshold,
                ),
                case=cases[item.id],
                answer=answers[item.id].text,
                citations=answers[item.id].citations,
                facts=_facts(item.figures),
                answer_kind=item.answer_kind,
                cut=item.figures.finish_reason == CUT,
                judge=_judge_lane(ledger, group, score),
            )
        )


def _facts(figures: CallFigures) -> AnswerFacts:
    """Return the times, tokens and cost of the answer for evaluators that score them. Leave out the times of a cached
    answer, because no call was made for it."""
    return AnswerFacts(
        time_ms=None if figures.cached else figures.time_ms,
        first_token_ms=None if figures.cached else figures.first_token_ms,
        prompt_tokens=figures.prompt_tokens,
        completion_tokens=figures.completion_tokens,
        cost_usd=figures.cost_usd,
    )


def _judge_lane(ledger: Ledger[RunRecords], group: Group, score: Score) -> JudgeLane | None:
    if group.lane is None:
        return None
    return JudgeLane(
        group=group.lane.token,
        group_id=group.id,
        concurrency=group.concurrency,
        provider=group.lane.provider,
        model=group.lane.model,
        params=score.judge_params(),
        timeout_s=ledger.run.timeout_s,
    )


def _lane(group: Group) -> Lane:
    assert group.lane is not None, "a group that asks no model makes no calls"
    return group.lane


def _close(ledger: Ledger[RunRecords], group: Group) -> None:
    group.move(GroupMoves.CLOSE)
    group.closed_at = ledger.now
    # If the group does not release its model, a later group of this run uses the same lane, so it stays open. A run
    # that is not the active one closes its lanes anyway: `Leadership` keeps those that the active run uses.
    if group.releases or ledger.run.concurrent:
        ledger.lanes_closed.append(group)


async def _enter_judging(ledger: Ledger[RunWork]) -> None:
    ledger.run.phase = RunPhase.JUDGING
    await ledger.flush()
    created = await ledger.transaction.create_scores()
    ledger.scores_created(created)
    if not created:
        for item in await ledger.transaction.unscored_items():
            ledger.item_completed(item)
    ledger.status_changed()
    answers_supplied = not any(group.phase == RunPhase.BENCHMARKING for group in ledger.groups.values())
    ledger.note("judging begins" if answers_supplied else "benchmarking is over; judging begins")


def _settle(ledger: Ledger[RunRecords]) -> None:
    ledger.run.move(RunMoves.SETTLE)
    ledger.gate = RunGate.CLOSED
    for group in ledger.groups.values():
        if group.status in (GroupStatus.WARMING_UP, GroupStatus.OPEN):
            # Suspend the group, so that resuming warms it up again: its model may be unloaded by then.
            group.move(GroupMoves.SUSPEND)
    ledger.status_changed()
    ledger.note("paused")
