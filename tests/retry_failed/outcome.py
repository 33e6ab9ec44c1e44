"""The outcome of one run of pytest, read from the file that `tests.retry_failed.plugin` writes."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True)
class Failure:
    """A test that failed in its setup, call or teardown. `final` is the reason why it must not be tried again, or
    empty."""

    test: str
    final: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a run of pytest. `exitstatus` is None if pytest did not end normally."""

    exitstatus: int | None = None
    passed: frozenset[str] = frozenset()
    failures: tuple[Failure, ...] = ()
    skipped: int = 0
    uncollected: tuple[str, ...] = ()
    interrupted: bool = False

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read an outcome from the file, up to its end or its first truncated line. A process that dies while it writes
        leaves a truncated line."""
        failures: dict[str, Failure] = {}
        uncollected: list[str] = []
        end: dict[str, Any] = {}
        for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
            try:
                entry = json.loads(line)
            except ValueError:
                break
            if "failed" in entry:
                first = failures.get(entry["failed"], Failure(entry["failed"], "", ""))
                texts = filter(None, (first.text, entry["text"]))
                failures[first.test] = Failure(first.test, first.final or entry["final"], "\n\n".join(texts))
            elif "uncollected" in entry:
                uncollected.append(entry["uncollected"])
            else:
                end = entry
        return cls(
            exitstatus=end.get("exitstatus"),
            passed=frozenset(end.get("passed", ())),
            failures=tuple(failures.values()),
            skipped=end.get("skipped", 0),
            uncollected=tuple(uncollected),
            interrupted=end.get("interrupted", False),
        )
