"""Read the cases of a judge check from a file in a published form."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from llmbench.files.values import has_nul
from llmbench_cli.errors import CommandFailed
from llmbench_cli.judge_files.base import JudgeFile
from llmbench_cli.recipes.base import BadRow, Json, Row, Skipped
from llmbench_cli.recipes.make import NotAsPublished
from llmbench_cli.recipes.read import rows_of

MOST_CASES: Final = 5_000
_NAMELESS: Final = ("dataset", "data", "test")


@dataclass
class CasesOfFile:
    """The cases of a file. `skipped` counts the rows that were left out, by reason."""

    name: str
    cases: list[Json] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def notes(self) -> list[str]:
        return [f"Left out {count:,}: {reason}." for reason, count in self.skipped.most_common()]


def cases_of(form: JudgeFile, file: Path, *, limit: int | None = None) -> CasesOfFile:
    """Return the cases of a file, at most `limit`.

    Raises `NotAsPublished`, which lists rows, if any row is not in the published form. Raises `CommandFailed` if no
    case is left, or if there are more cases than a check may have.
    """
    # Several benchmarks call each file `dataset.json`; its folder has the name of the part.
    stem = file.resolve().parent.name if file.stem in _NAMELESS else file.stem
    made = CasesOfFile(f"{form.title}: {stem}"[:120])
    faults: list[str] = []
    voted: dict[str, list[Json]] = {}
    for number, fields in enumerate(rows_of(file), start=1):
        try:
            _require_writable(fields)
            found = form.convert(Row(number, fields, stem))
        except BadRow as bad:
            faults.append(f"row {number}: {bad}")
            continue
        if isinstance(found, Skipped):
            made.skipped[found.reason] += 1
            continue
        if found["id"] in voted and not form.votes:
            faults.append(f"row {number}: {found['id'][:80]!r} is also the id of an earlier row")
            continue
        voted.setdefault(found["id"], []).append(found)
    if faults:
        raise NotAsPublished(
            f"{len(faults):,} rows of {file} are not {form.title} as published ({form.files}); nothing was started",
            faults,
        )
    made.cases = [_majority(votes) for votes in voted.values()][:limit]
    if not made.cases:
        raise CommandFailed(" ".join([f"{file} has no case of {form.title}.", *made.notes()]))
    if len(made.cases) > MOST_CASES:
        raise CommandFailed(
            f"{file} has {len(made.cases):,} cases, and a check has at most {MOST_CASES:,}: use --limit"
        )
    return made


def _require_writable(fields: Mapping[str, Any]) -> None:
    """Raise `BadRow` if a text has half of a surrogate pair, which no request can carry, or a NUL, which the platform
    cannot store."""
    try:
        written = json.dumps(fields, ensure_ascii=False, default=str)
        written.encode()
    except UnicodeEncodeError:
        raise BadRow("a text has half of a surrogate pair, which is no character") from None
    if has_nul(written):
        raise BadRow("a text has a NUL character")


def _majority(votes: list[Json]) -> Json:
    """Return one case from `votes`, copies of that case with the verdicts of several people. Its verdict is the most
    frequent one, or a tie if the two most frequent ones are equally frequent."""
    ranked = Counter(vote["right"] for vote in votes).most_common(2)
    tied = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return votes[0] | {"right": "tie" if tied else ranked[0][0]}
