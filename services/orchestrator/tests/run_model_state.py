"""The state of the in-memory model of a run (`run_model`), and what can be read from it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from run_records import NOW, a_run
from run_work import LOCAL, Call, Gate, Report, Work, groups_of

from orchestrator.kernel.domain.records import Group, Run
from orchestrator.runs.domain.advance import PREFETCH


class ModelState:
    """The state of a run in memory. `calls` wait for a report. `lost` calls get no report unless they are sent
    again."""

    def __init__(
        self,
        groups: Sequence[int],
        judges: int,
        *,
        concurrency: int,
        attempts: int,
        backoff_s: float,
        by_program: bool = False,
        turns: int = 1,
        limited: bool = False,
        parallel_groups: int = 1,
        providers: Sequence[int] = (LOCAL,),
        gates: Sequence[bool] = (),
    ) -> None:
        """Create a run with one target group for each number in `groups`, which is the number of the group's items.
        Each conversation has `turns` items.

        `by_program` is true if the first judging group scores without a model. `limited` is true if judges score only
        every second item.

        The values in `gates` belong to the first groups, in order. Each adds a gate to its group: the second half of
        the items waits for the first half. The gate opens if the value is true and an item of the first half has a
        score. The `providers` are assigned to the groups in turn; a provider is local if its number is at most `LOCAL`.
        """
        self.limited = limited
        self.now = NOW
        self.groups, self.judges = groups_of(
            len(groups), judges, concurrency=concurrency, by_program=by_program, providers=providers
        )
        self.items: list[Work] = []
        for group, size in zip(self.groups, groups, strict=True):
            for at in range(size):
                self.items.append(Work(group, previous=self.items[-1] if at % turns else None))
        self.scores: list[Work] = []
        self.gates: list[Gate] = []
        for group, opens in zip(self.groups, gates, strict=False):
            # The gate is not in the middle of a conversation, because the turns of one belong to one task.
            of_group = self.work_of_items(group)
            middle = len(of_group) // 2 // turns * turns
            gate = Gate(of_group[:middle], of_group[middle:], opens)
            if gate.gating:
                self.gates.append(gate)
                for item in gate.held:
                    item.waits_for = gate
        self.run: Run = a_run(
            item_count=len(self.items), max_attempts=attempts, max_backoff_s=backoff_s, parallel_groups=parallel_groups
        )
        self.calls: list[Call] = []
        self.lost: list[Call] = []
        self.reports: list[Report] = []
        self.wake_at: datetime | None = None
        self.served: set[UUID] = set()
        self.released: set[UUID] = set()
        self.prefetch = PREFETCH

    def all_groups(self) -> list[Group]:
        return [*self.groups, *self.judges]

    def work_of(self, group: Group) -> list[Work]:
        return [work for work in (*self.items, *self.scores) if work.group is group]

    def work_of_items(self, group: Group) -> list[Work]:
        return [item for item in self.items if item.group is group]

    def busy(self, group: Group) -> bool:
        return group.call_in_flight or any(work.in_flight() for work in self.work_of(group))

    def group_of(self, call: Call) -> Group:
        owners = {group.id: group for group in self.all_groups()}
        owners |= {work.id: work.group for work in (*self.items, *self.scores)}
        return owners[call.owner]
