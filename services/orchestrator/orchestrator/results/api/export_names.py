"""Name the files of exports."""

from typing import Final

from llmbench.files.names import file_name, part_of_name
from orchestrator.results.ports.filter_query import in_words
from orchestrator.results.ports.queries import ItemFilter
from orchestrator.results.ports.schemas import RunSummary

_MOST_CHARACTERS: Final = 80
_OBVIOUS: Final = frozenset({"status", "target", "model", "category", "failure kind", "failure cause"})
"""The fields whose values say which field they belong to."""
_FLAGS: Final = frozenset({"passed", "cached", "cut"})


def export_name(run: RunSummary, chosen: ItemFilter) -> str:
    """Return the name of the file, without extension: the run's name, then the filter if there is one, as in
    `Nightly_failed_not-cut`. The name consists of letters, digits and `-._`."""
    words = in_words(chosen, {target.id: target.label for target in run.targets})
    parts = [_safe(value.lower() if name == "status" else value, name) for name, value in words.items()]
    filtered = "_".join(parts)[:_MOST_CHARACTERS].rstrip("-._")
    return f"{file_name(run.name)}_{filtered}" if filtered else file_name(run.name)


def _safe(value: str, name: str) -> str:
    """Return a part of the file name; it is the name of the field if no character of its value is safe."""
    if name in _FLAGS:
        return name if value == "yes" else f"not-{name}"
    safe = part_of_name(value)
    return safe if safe and name in _OBVIOUS else part_of_name(f"{name}-{safe}")
