"""Describe the cases of a new run in the first lines of its log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from llmbench.contracts.run_logged import RunLogged
from orchestrator.kernel.domain.new_run import NewRun


def lines_of_sample(run_id: UUID, sample: Mapping[str, Any] | None, now: datetime) -> list[RunLogged]:
    """Return one log line about the sample; an empty list if the run takes all cases (`sample` is `None`)."""
    if sample is None:
        return []
    tagged = f" with the tags {', '.join(sample['tags'])}" if sample["tags"] else ""
    text = f"sample: {sample['taken']:,} of {sample['of']:,} cases{tagged}, {sample['strategy']}, seed {sample['seed']}"
    if sample["size"] <= sample["of"]:
        return [RunLogged(run_id=run_id, at=now, text=text)]
    more = f"; all are taken, because there are fewer than the {sample['size']:,} that were asked for"
    return [RunLogged(run_id=run_id, at=now, level="warning", text=text + more)]


def lines_of_suite(run_id: UUID, new: NewRun, now: datetime) -> list[RunLogged]:
    """Return one log line that names the suite and the tasks left out; an empty list if the run is not of a suite."""
    suite = new.suite
    if suite is None:
        return []
    left_out = f"; left out: {', '.join(suite.left_out)}" if suite.left_out else ""
    names = f"suite {suite.name} v{suite.version_number}: {len(suite.tasks)} of {suite.task_count} tasks{left_out}"
    return [RunLogged(run_id=run_id, at=now, text=names)]
