"""Detect duplicates across the lines of a file: ids, and turns of conversations."""

from collections.abc import Iterator

from llmbench.files.cases import Case, Faults


class SeenNames:
    """Records the line on which each id occurs first."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._lines

    def see(self, name: str | None, line: int) -> Faults:
        """Record the id of the row on this line; `None`, for a row without an id, is ignored. Return a fault if an
        earlier row has the same id, otherwise an empty list."""
        if name is None:
            return []
        if name in self._lines:
            return [("id", f"is also on line {self._lines[name]}: {name[:80]}")]
        self._lines[name] = line
        return []


class SeenTurns:
    """Records the line of each turn of each conversation."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, int]] = {}

    def see(self, case: Case, line: int) -> Faults:
        """Record the case if it is a turn of a conversation. Return a fault if an earlier row is the same turn,
        otherwise an empty list."""
        if "conversation_id" not in case.input:
            return []
        name, turn = case.input["conversation_id"], case.input["turn"]
        lines = self._lines.setdefault(name, {})
        if turn in lines:
            message = f"the conversation {name[:80]!r} has its turn {turn} on line {lines[turn]} already"
            return [("turn", message)]
        lines[turn] = line
        return []

    def gaps(self) -> Iterator[tuple[int, Faults]]:
        """Yield the line of the last turn, and a fault, for each conversation that lacks an earlier turn."""
        for name, lines in self._lines.items():
            last = max(lines)
            missing = next((turn for turn in range(1, last) if turn not in lines), None)
            if missing is not None:
                message = f"the conversation {name[:80]!r} has a turn {last} and no turn {missing}"
                yield lines[last], [("turn", message)]
