"""Write reports at the paths that their documents prescribe, below one folder."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from llmbench_cli.client import Json
from llmbench_cli.errors import CommandFailed


class ReportFormat(StrEnum):
    """The formats, as `GET /api/runs/{id}/export?format=` names them."""

    BENCHMARK_RECORD = "benchmark-record"
    REGRESSION_REPORT = "regression-report"
    RAG_RUN = "rag-run"


@dataclass(frozen=True)
class Report:
    """A file to write, and the API query that selects its content."""

    path: Path
    query: dict[str, str]


def planned(run: Json, format_: ReportFormat, into: Path, *, target: str | None = None) -> list[Report]:
    """Return the files of this report. A format for a single target gets one file per target. Raises
    `CommandFailed`."""
    chosen = [one for one in run["targets"] if target in (None, one["label"])]
    if not chosen:
        labels = ", ".join(f"'{one['label']}'" for one in run["targets"])
        raise CommandFailed(f"the run has no target '{target}'; there is {labels}")
    at = datetime.fromisoformat(run["started_at"] or run["created_at"]).astimezone(UTC)
    moment = f"{at:%Y-%m-%d_%H-%M-%S}"
    only = {} if target is None else {"target_id": chosen[0]["id"]}
    if format_ is ReportFormat.BENCHMARK_RECORD:
        path = into / "data" / "benchmarks" / moment / f"{file_name(run['name'])}.jsonl"
        return [Report(path, only)]
    if format_ is ReportFormat.RAG_RUN:
        return [Report(into / "outputs" / "llm_eval" / "runs" / f"{run['id']}.json", only)]
    several = len(run["targets"]) > 1
    ends = _told_apart([file_name(one["label"]) for one in chosen])
    return [
        Report(into / "results" / f"benchmark_{moment}{f'_{end}' if several else ''}.json", {"target_id": one["id"]})
        for one, end in zip(chosen, ends, strict=True)
    ]


def file_name(text: str) -> str:
    """Return a name that is valid on every file system and contains no path.

    >>> file_name("Nightly: ../../etc/passwd"), file_name("…"), file_name("CON.")
    ('Nightly-..-..-etc-passwd', 'run', 'CON')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:80].rstrip("-.") or "run"


def _told_apart(names: list[str]) -> Iterator[str]:
    """Yield unique file names: different labels may give equal names, also where case does not count.

    >>> list(_told_apart(["a", "b", "A"]))
    ['a', 'b', 'A-2']
    """
    taken: dict[str, int] = {}
    for name in names:
        taken[name.casefold()] = count = taken.get(name.casefold(), 0) + 1
        yield name if count == 1 else f"{name}-{count}"
