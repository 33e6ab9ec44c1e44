"""Name the columns (targets of runs) of a comparison in files."""

from collections import Counter
from collections.abc import Sequence

from orchestrator.comparison.ports.comparison import NamedColumn


def unique_names(columns: Sequence[NamedColumn]) -> list[str]:
    """Return a unique name for each column (a target of a run): its label. If several columns have the same label, the
    name of the run is added, and if necessary the number of the column."""
    labels = Counter(column.label for column in columns)
    named = [column.label if labels[column.label] == 1 else f"{column.label} ({column.run_name})" for column in columns]
    again = Counter(named)
    return [name if again[name] == 1 else f"{name}, column {at}" for at, name in enumerate(named, start=1)]
