"""Determine the path and the content of each file of a run's report. The tool that reads the report prescribes the
paths."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from llmbench.files.names import file_name
from llmbench_cli.client import Json
from llmbench_cli.errors import CommandFailed


class ReportFormat(StrEnum):
    """The formats of `llmbench report`. Each value is also a value of `format` in `GET /api/runs/{id}/export`, which
    has further ones."""

    BENCHMARK_RECORD = "benchmark-record"
    REGRESSION_REPORT = "regression-report"
    RAG_RUN = "rag-run"


@dataclass(frozen=True)
class Report:
    """A file of a run's report. `query` has the parameters of `GET /api/runs/{id}/export` that select its content,
    apart from `format`."""

    path: Path
    query: dict[str, str]


def planned(run: Json, format_: ReportFormat, into: Path, *, target: str | None = None) -> list[Report]:
    """Return the files of the run's report, below the folder `into`. A regression report has one file per target, any
    other report one file.

    `target` is the label of the only target to report; None stands for all. Raises `CommandFailed` if the run has no
    such target.
    """
    chosen = [entry for entry in run["targets"] if target in (None, entry["label"])]
    if not chosen:
        labels = ", ".join(f"'{entry['label']}'" for entry in run["targets"])
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
    ends = _distinct([file_name(entry["label"]) for entry in chosen])
    return [
        Report(into / "results" / f"benchmark_{moment}{f'_{end}' if several else ''}.json", {"target_id": entry["id"]})
        for entry, end in zip(chosen, ends, strict=True)
    ]


def _distinct(names: list[str]) -> Iterator[str]:
    """Yield the names, and add a number to a name that occurred before, because different labels may give one name.

    Names that differ only in upper and lower case count as equal.

    >>> list(_distinct(["a", "b", "A"]))
    ['a', 'b', 'A-2']
    """
    taken: dict[str, int] = {}
    for name in names:
        taken[name.casefold()] = count = taken.get(name.casefold(), 0) + 1
        yield name if count == 1 else f"{name}-{count}"
