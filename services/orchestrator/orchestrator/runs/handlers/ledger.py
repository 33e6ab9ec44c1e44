"""Collect the changes of one transaction on a run: its loaded records, and the messages to publish after the commit.

Handlers call the ledger's method for every change of an item or a score. So the groups' numbers of items and scores,
the events and the rows stay consistent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Generic, Literal, TypeVar
from uuid import UUID

from llmbench.contracts.base import Message, preview
from llmbench.contracts.gate_words import GateNews, GateVerdict
from llmbench.contracts.item_changed import ItemChanged
from llmbench.contracts.item_failure import ItemFailure
from llmbench.contracts.run_event import RunEvent
from llmbench.contracts.run_logged import LogKind, RunLogged
from llmbench.contracts.run_progressed import CurrentWork, RunProgressed
from llmbench.contracts.run_state import RunGate
from llmbench.contracts.run_status_changed import RunStatusChanged
from llmbench.contracts.run_words import GroupStatus, ItemStatus, RunPhase, ScoreStatus
from orchestrator.kernel.domain.records import BY_PROGRAM, Group, Item, Run, Score
from orchestrator.kernel.domain.transitions import ItemMoves, ScoreMoves
from orchestrator.runs.domain.self_judging import Warning
from orchestrator.runs.ports.transaction import RunRecords

T_co = TypeVar("T_co", bound=RunRecords, covariant=True)


class Ledger(Generic[T_co]):
    """The records of a run in one transaction (`RunStore.lead`), their changes, and the messages to publish after the
    commit. `T_co` is the part of the transaction's port that a handler needs."""

    def __init__(self, transaction: T_co, now: datetime) -> None:
        self.transaction = transaction
        self.now = now
        self.run: Run = transaction.run
        self.groups: dict[UUID, Group] = {group.id: group for group in transaction.groups}
        self.commands: list[Message] = []
        self.lanes_opened: list[Group] = []
        self.lanes_closed: list[Group] = []
        self.gate: RunGate | None = None
        self.wake_at: datetime | None = None
        self.unanswered_turns: list[Item] = []
        """Turns that have just failed without an answer. The later turns of their conversations cannot be sent."""
        self.spent = False
        """True once a call with a cost was applied."""
        self._events: list[RunEvent] = []
        self._items: dict[UUID, Item] = {}
        self._scores: dict[UUID, Score] = {}
        self._unsaved_items: set[UUID] = set()
        self._unsaved_scores: set[UUID] = set()

    def wake(self, at: datetime | None) -> None:
        """Schedule the run's next call of `lead` for the time `at`, unless it is already due earlier. Null changes
        nothing."""
        if at is not None:
            self.wake_at = at if self.wake_at is None else min(self.wake_at, at)

    # Events and messages.

    def note(
        self,
        text: str,
        level: Literal["info", "warning", "error"] = "info",
        group: Group | None = None,
        item: Item | UUID | None = None,
    ) -> None:
        """Add a line about the run, one of its groups, or an item to the run's log. For prompts, answers and verdicts,
        use `log`."""
        text, truncated = preview(text)
        self._events.append(
            RunLogged(
                run_id=self.run.id,
                at=self.now,
                level=level,
                text=text,
                truncated=truncated,
                model=group.lane.model if group and group.lane else None,
                item_id=item.id if isinstance(item, Item) else item,
                task_id=item.case.task_id if isinstance(item, Item) else None,
                target_label=item.target_label if isinstance(item, Item) else None,
            )
        )

    def warn(self, warning: Warning, group: Group | None = None) -> None:
        """Store a warning with the run, and add it to the log. Does nothing if the run already has the warning."""
        stored = asdict(warning)
        if stored not in self.run.warnings:
            self.run.warnings.append(stored)
            self.note(warning.message, "warning", group)

    def log(self, kind: LogKind, item: Item, text: str, *, truncated: bool = False, model: str | None = None) -> None:
        text, cut = preview(text)
        self._events.append(
            RunLogged(
                run_id=self.run.id,
                at=self.now,
                kind=kind,
                text=text,
                truncated=truncated or cut,
                item_id=item.id,
                task_id=item.case.task_id,
                target_label=item.target_label,
                model=model or item.model,
            )
        )

    def status_changed(self, gate: GateNews | None = None) -> None:
        """Add an event with the run's status. `gate` is the result of the run's gates, if it was just decided. If the
        gates are not decided yet, the event says so."""
        self._events.append(
            RunStatusChanged(
                run_id=self.run.id,
                at=self.now,
                status=self.run.status,
                phase=self.run.phase,
                outcome=self.run.outcome,
                reason=self.run.status_reason,
                gate=GateNews(verdict=GateVerdict.PENDING) if self.run.gate_due else gate,
            )
        )

    def item_changed(self, item: Item) -> None:
        """Mark the item as changed: `flush` saves it, and `close` publishes its last state once, however often it
        changed."""
        self._items[item.id] = item
        self._unsaved_items.add(item.id)

    def changed_items(self) -> list[Item]:
        """Return the items that have changed in this transaction."""
        return list(self._items.values())

    def score_changed(self, score: Score) -> None:
        self._scores[score.id] = score
        self._unsaved_scores.add(score.id)

    def items_claimed(self, group: Group, items: Sequence[Item]) -> None:
        """Count items of the group as in flight, because the database has just set them IN_PROGRESS. `close` publishes
        the new state of each item."""
        group.new_count -= len(items)
        group.in_flight_count += len(items)
        self._items.update({item.id: item for item in items})

    def scores_claimed(self, group: Group, scores: Sequence[Score]) -> None:
        group.new_count -= len(scores)
        group.in_flight_count += len(scores)
        self._scores.update({score.id: score for score in scores})

    # Changes of counters.

    def scores_created(self, counts: Mapping[UUID, int]) -> None:
        """Increase the number of new scores of each group; `counts` has the increase by group id. A closed group is
        opened again, for instance if the run was judged before."""
        for group_id, count in counts.items():
            self.groups[group_id].new_count += count
            self.groups[group_id].reopen()

    def spend(self, usd: float, *, unpriced_calls: int) -> None:
        run = self.run
        if unpriced_calls and not run.unpriced_count and run.max_cost_usd is not None:
            self.note("the cost of some calls is unknown: the cost limit does not count them", "warning")
        run.cost_usd += usd
        self.spent = self.spent or usd > 0
        run.unpriced_count += unpriced_calls

    def answer(self, item: Item) -> None:
        group = self._asked(item)
        self._leave(group, in_flight=item.status == ItemStatus.IN_PROGRESS)
        group.done_count += 1
        self.run.answered_count += 1
        item.move(ItemMoves.ANSWER)
        self.item_changed(item)

    def item_back_to_new(self, item: Item, move: ItemMoves) -> None:
        self._back_to_new(self._asked(item))
        item.move(move)
        self.item_changed(item)

    def item_failed(self, item: Item, failure: ItemFailure) -> None:
        if failure.phase == RunPhase.BENCHMARKING:
            group = self._asked(item)
            self._leave(group, in_flight=item.status == ItemStatus.IN_PROGRESS)
            group.failed_count += 1
            if item.case.turn is not None:
                self.unanswered_turns.append(item)
        item.move(ItemMoves.GIVE_UP)
        item.failure = failure
        self.run.failed_count += 1
        self.item_changed(item)

    def item_skipped(self, item: Item, reason: str) -> None:
        self._asked(item).new_count -= 1
        self.run.skipped_count += 1
        item.move(ItemMoves.SKIP)
        item.reason = reason
        self.item_changed(item)

    def item_asked_after_all(self, item: Item) -> None:
        """Reset a skipped item to NEW, because the gate that skipped it is open again."""
        group = self._asked(item)
        group.new_count += 1
        group.reopen()
        self.run.skipped_count -= 1
        item.move(ItemMoves.ASK_AFTER_ALL)
        item.reason = None
        self.item_changed(item)

    def item_completed(self, item: Item) -> None:
        item.move(ItemMoves.COMPLETE)
        item.completed_at = self.now
        self.run.judged_count += 1
        self.item_changed(item)

    def item_answer_again(self, item: Item) -> None:
        """Reset an item that failed without an answer to NEW, with no attempt used up, so that its model is called
        again."""
        group = self._asked(item)
        group.failed_count -= 1
        group.new_count += 1
        group.reopen()
        self.run.failed_count -= 1
        item.move(ItemMoves.ANSWER_AGAIN)
        item.failure, item.attempts, item.next_attempt_at = None, 0, None
        self.item_changed(item)

    def item_judge_again(self, item: Item) -> None:
        if item.status == ItemStatus.COMPLETED:
            self.run.judged_count -= 1
            item.completed_at = None
        else:
            self.run.failed_count -= 1
            item.failure = None
        item.move(ItemMoves.JUDGE_AGAIN)
        self.item_changed(item)

    def score_again(self, score: Score) -> None:
        group = self.groups[score.group_id]
        group.failed_count -= 1
        group.new_count += 1
        group.reopen()
        score.move(ScoreMoves.AGAIN)
        score.outcome = score.error = score.next_attempt_at = None
        score.attempts = 0
        self.score_changed(score)

    def score_done(self, score: Score) -> None:
        group = self.groups[score.group_id]
        self._leave(group, in_flight=score.status == ScoreStatus.IN_PROGRESS)
        group.done_count += 1
        score.move(ScoreMoves.VERDICT)
        self.score_changed(score)

    def score_back_to_new(self, score: Score, move: ScoreMoves) -> None:
        self._back_to_new(self.groups[score.group_id])
        score.move(move)
        self.score_changed(score)

    def score_failed(self, score: Score, *, outcome: str, error: str, cause: str | None) -> None:
        score.outcome, score.error, score.error_cause = outcome, error, cause
        group = self.groups[score.group_id]
        self._leave(group, in_flight=score.status == ScoreStatus.IN_PROGRESS)
        group.failed_count += 1
        score.move(ScoreMoves.GIVE_UP)
        self.score_changed(score)

    def _asked(self, item: Item) -> Group:
        assert item.group_id is not None, "an item with a supplied answer has no group"
        return self.groups[item.group_id]

    def _leave(self, group: Group, *, in_flight: bool) -> None:
        if in_flight:
            group.in_flight_count -= 1
        else:
            group.new_count -= 1

    def _back_to_new(self, group: Group) -> None:
        group.in_flight_count -= 1
        group.new_count += 1

    # Saving.

    async def flush(self) -> None:
        """Write the changed items and scores, so that queries in this transaction see them."""
        await self.transaction.save_scores([self._scores[id_] for id_ in self._unsaved_scores], self.now)
        await self.transaction.save_items([self._items[id_] for id_ in self._unsaved_items], self.now)
        self._unsaved_scores.clear()
        self._unsaved_items.clear()

    async def close(self) -> None:
        """Write all changes to the tables, and all events and commands to the outbox. The caller commits the
        transaction. Raises `ActiveRunExists` if the organisation would then have two active runs."""
        await self.flush()
        events = [*_rows(self.run.id, self.now, self._items.values()), *self._events]
        if events or self.commands:
            events.append(await self._progress())
        await self.transaction.publish(events, self.commands)
        await self.transaction.save_run_and_groups()

    async def _progress(self) -> RunProgressed:
        # While a gate is open, programs score while the model answers. The model is the one that is shown.
        working = [
            await self._work(group)
            for group in self.groups.values()
            if group.status in _WORKING and group.phase == self.run.phase
        ]
        return RunProgressed(
            run_id=self.run.id,
            at=self.now,
            phase=self.run.phase,
            items=self.run.item_count,
            answered=self.run.answered_count,
            judged=self.run.judged_count,
            failed=self.run.failed_count,
            skipped=self.run.skipped_count,
            cost_usd=self.run.cost_usd,
            current=next(iter(working), None),
            others=tuple(working[1:]) or None,
        )

    async def _work(self, group: Group) -> CurrentWork:
        item = await self.transaction.first_in_flight(group) if group.in_flight_count else None
        return CurrentWork(
            group_id=group.id,
            group_status=group.status,
            provider_name=group.lane.provider.name if group.lane else "llmbench",
            model=group.lane.model if group.lane else BY_PROGRAM,
            target_label=item.target_label if item else None,
            item_id=item.id if item else None,
            task_id=item.case.task_id if item else None,
            backoff_until=group.backoff_until if group.backoff_until and group.backoff_until > self.now else None,
            backoff_reason=group.backoff_reason,
        )


_WORKING = frozenset({GroupStatus.WARMING_UP, GroupStatus.OPEN, GroupStatus.RELEASING})


def _rows(run_id: UUID, now: datetime, items: Iterable[Item]) -> list[RunEvent]:
    return [ItemChanged(run_id=run_id, at=now, item=item.row()) for item in items]
