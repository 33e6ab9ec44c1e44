"""Record every call to the mock provider in a ledger (a log), and whether the call was answered in full."""

import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO


@dataclass
class Entry:
    """One call in the ledger. Times are in seconds: `*_at` since the epoch, `*_monotonic` by the monotonic clock.

    `number` counts the calls of the same model. `status` is the HTTP status of the response, `None` if there was none.
    `answered` is true if a completion was sent in full. `prompt` has at most 200 characters. `key` is a digest
    of the header `Authorization`, so that keys can be compared.
    """

    number: int
    call_id: str | None
    model: str
    kind: str
    prompt: str
    started_at: float
    started_monotonic: float
    finished_at: float | None = None
    finished_monotonic: float | None = None
    status: int | None = None
    answered: bool = False
    held: bool = False
    """True while the call is held back, as `POST /control` requested."""
    key: str | None = None


def key_digest(authorization: str | None) -> str | None:
    """Return 12 hex digits that identify the header `Authorization` of a call; `None` without the header."""
    return None if authorization is None else hashlib.sha256(authorization.encode()).hexdigest()[:12]


@dataclass
class Ledger:
    file: TextIO | None = None
    entries: list[Entry] = field(default_factory=list)
    _calls_of: Counter[str] = field(default_factory=Counter)
    _open: Counter[str] = field(default_factory=Counter)
    _most_open: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _most_open_overall: int = 0

    @classmethod
    def writing_to(cls, path: Path | None) -> "Ledger":
        """Create a ledger. If `path` is given, each finished entry is also appended to this file, as one line of
        JSON."""
        return cls(file=path.open("a", buffering=1) if path else None)

    def begin(self, headers: Mapping[str, str], *, model: str, kind: str, prompt: str) -> Entry:
        self._calls_of[model] += 1
        self._open[model] += 1
        self._most_open[model] = max(self._most_open[model], self._open[model])
        self._most_open_overall = max(self._most_open_overall, self._open.total())
        entry = Entry(
            number=self._calls_of[model],
            call_id=headers.get("X-Client-Request-Id"),
            model=model,
            kind=kind,
            prompt=prompt[:200],
            started_at=time.time(),
            started_monotonic=time.monotonic(),
            key=key_digest(headers.get("Authorization")),
        )
        self.entries.append(entry)
        return entry

    def end(self, entry: Entry, *, status: int | None, answered: bool) -> None:
        """Finish an entry: store the HTTP status, the time, and whether a completion was sent in full (`answered`)."""
        entry.finished_at, entry.finished_monotonic = time.time(), time.monotonic()
        entry.status, entry.answered = status, answered
        # A call begun before `clear` is no longer counted.
        if self._open[entry.model] > 0:
            self._open[entry.model] -= 1
        if self.file:
            self.file.write(json.dumps(asdict(entry)) + "\n")

    def clear(self) -> None:
        self.entries.clear()
        for counts in (self._calls_of, self._open, self._most_open):
            counts.clear()
        self._most_open_overall = 0

    def rows(self) -> list[dict[str, Any]]:
        return [asdict(entry) for entry in self.entries]

    def stats(self) -> dict[str, Any]:
        answered = Counter(entry.call_id for entry in self.entries if entry.answered and entry.call_id)
        return {
            "calls": len(self.entries),
            "open": self._open.total(),
            "answered": sum(entry.answered for entry in self.entries),
            "answered_twice": sorted(call_id for call_id, times in answered.items() if times > 1),
            "max_concurrent": self._most_open_overall,
            "models": {
                model: {"calls": calls, "open": self._open[model], "max_concurrent": self._most_open[model]}
                for model, calls in self._calls_of.items()
            },
        }
