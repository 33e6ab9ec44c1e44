"""Decide which model groups of a run are at work at the same time.

With `parallel_groups` 1, groups proceed one after another, so that every measured time is that of one model alone. With
a higher number, groups of different providers proceed side by side. Two rules hold for any number:

- Two groups of one provider are never at work together. So a provider never gets more calls at once than the
  concurrency of one group.
- Two local groups are never at work together, even if their addresses differ: one machine may have several addresses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from llmbench.contracts.run_words import GroupStatus, RunPhase

ENDED: Final = frozenset({GroupStatus.CLOSED, GroupStatus.FAILED})


@dataclass(frozen=True)
class GroupView:
    """The part of a model group's state that `advance` needs.

    `new` and `in_flight` are numbers of items or, in phase JUDGING, of scores. The `new` ones are not dispatched yet;
    the `in_flight` ones are dispatched and have not reported. `opened` is true if the group was opened, so its model
    may be loaded. `releases` is true if the model is unloaded at the end of the group. `call_in_flight` is true if a
    warm-up or a release has not reported yet. `out_of_credit` is true if the group waits until the user adds credit to
    the provider's account. `provider_id` is null for a group that calls no model. `is_local` is false if the provider
    is known to be hosted, so that its machines serve many users.
    """

    id: UUID
    phase: RunPhase
    position: int
    status: GroupStatus
    concurrency: int
    new: int
    in_flight: int
    opened: bool
    releases: bool
    call_in_flight: bool
    backoff_until: datetime | None
    out_of_credit: bool = False
    provider_id: UUID | None = None
    is_local: bool = False


def groups_at_work(groups: Sequence[GroupView], *, most: int) -> list[GroupView]:
    """Return the groups of a phase that work now, ordered by position. These are all groups that have begun and are not
    over. Waiting groups are added by position, up to `most` groups in total. A waiting group is passed over if a group
    at work excludes it (see `exclude`).

    A CLOSED or FAILED group is over when its calls in flight have reported. A suspended group without credit is
    skipped.
    """
    left = sorted((group for group in groups if not _is_over(group)), key=lambda group: group.position)
    at_work = [group for group in left if _has_begun(group)]
    for group in left:
        if len(at_work) < most and not _has_begun(group) and not any(exclude(group, other) for other in at_work):
            at_work.append(group)
    return sorted(at_work, key=lambda group: group.position)


def exclude(group: GroupView, other: GroupView) -> bool:
    """Return whether the two groups must not be at work at the same time: they call the same provider, or both are
    local."""
    same_provider = group.provider_id is not None and group.provider_id == other.provider_id
    return same_provider or (group.is_local and other.is_local)


def is_busy(group: GroupView) -> bool:
    return group.in_flight > 0 or group.call_in_flight


def lacks_credit(group: GroupView) -> bool:
    return group.out_of_credit and group.new > 0


def _is_over(group: GroupView) -> bool:
    suspended = lacks_credit(group) and group.status == GroupStatus.WAITING
    return not is_busy(group) and (group.status in ENDED or suspended)


def _has_begun(group: GroupView) -> bool:
    return group.status != GroupStatus.WAITING or is_busy(group)
