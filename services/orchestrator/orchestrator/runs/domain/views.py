"""Build the views of a run and its groups that `advance` decides on."""

from collections.abc import Sequence

from orchestrator.kernel.domain.records import Group, Run
from orchestrator.runs.domain.advance import PREFETCH, RunView
from orchestrator.runs.domain.lanes import GroupView


def run_view(run: Run, groups: Sequence[Group], prefetch: int = PREFETCH) -> RunView:
    return RunView(
        status=run.status,
        phase=run.phase,
        items=run.item_count - run.skipped_count,
        completed=run.judged_count,
        groups=[group_view(group) for group in groups],
        prefetch=prefetch,
        parallel_groups=run.parallel_groups,
        has_open_gates=run.open_task_gates > 0,
    )


def group_view(group: Group) -> GroupView:
    return GroupView(
        id=group.id,
        phase=group.phase,
        position=group.position,
        status=group.status,
        concurrency=group.concurrency,
        new=group.new_count,
        in_flight=group.in_flight_count,
        opened=group.opened_at is not None,
        releases=group.releases,
        call_in_flight=group.call_in_flight,
        backoff_until=group.backoff_until,
        out_of_credit=group.out_of_credit_reason is not None,
        provider_id=group.lane.provider.provider_id if group.lane else None,
        is_local=group.local_host is not None,
    )
