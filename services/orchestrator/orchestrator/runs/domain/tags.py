"""Change the tags of several runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from llmbench.errors import FieldError
from orchestrator.kernel.domain.refusal import invalid

MOST_TAGS: Final = 20
"""The greatest number of tags of a run."""


@dataclass(frozen=True)
class TagChange:
    """The tags to add to each run, and those to remove from it. No tag is in both."""

    add: Sequence[str] = ()
    remove: Sequence[str] = ()


def tagged(runs: Mapping[UUID, tuple[str, Sequence[str]]], change: TagChange) -> dict[UUID, list[str]]:
    """Return the new tags of the runs that change. `runs` has the name and the tags of each run.

    New tags come behind the existing tags. Raises a 422 `Problem` that names the runs with more than `MOST_TAGS` tags.
    """
    after = {
        run_id: list(dict.fromkeys(tag for tag in (*tags, *change.add) if tag not in change.remove))
        for run_id, (_, tags) in runs.items()
    }
    full = [runs[run_id][0] for run_id, tags in after.items() if len(tags) > MOST_TAGS]
    if full:
        names = ", ".join(f"'{name}'" for name in full[:5]) + (f" and {len(full) - 5} more" if len(full) > 5 else "")
        message = f"{names} would have more than {MOST_TAGS} tags: remove some there first"
        raise invalid([FieldError("add", message)], "change of tags")
    return {run_id: tags for run_id, tags in after.items() if tags != list(runs[run_id][1])}
