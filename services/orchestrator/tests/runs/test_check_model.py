"""Test that a model group warms up again when its model may be at fault. A group of evaluators that call no model does
not."""

import pytest
from run_records import a_group

from llmbench.contracts.run_words import GroupStatus
from orchestrator.runs.handlers.trouble import recheck_model


@pytest.mark.parametrize(
    ("changes", "status"),
    [({}, GroupStatus.WARMING_UP), ({"lane": None, "releases": False}, GroupStatus.OPEN)],
    ids=["a model", "no model"],
)
def test_only_a_group_with_a_model_returns_to_warm_up(changes: dict[str, object], status: GroupStatus) -> None:
    group = a_group(status=GroupStatus.OPEN, **changes)
    recheck_model(group)
    assert group.status == status
