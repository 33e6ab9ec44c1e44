"""Read a suite's file, and apply it to a platform. Each error that the platform finds in the suite is reported with its
line in the file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from llmbench_cli.client import Client, Json
from llmbench_cli.errors import CommandFailed, Refused
from llmbench_cli.runs.yaml_lines import BadYaml, line_of, read_yaml
from llmbench_cli.runs.yaml_lines import Path as Place

PATH = "/api/suites"
_LARGEST_BYTES = 1024 * 1024


@dataclass(frozen=True)
class SuiteFault:
    """An error in a suite's file, with its line."""

    line: int
    message: str


class BadSuite(CommandFailed):
    """Raised for a file that cannot be used as a suite. `faults` has each error in `file` with its line; it is empty if
    the file cannot be read."""

    def __init__(self, message: str, file: str, faults: Sequence[SuiteFault] = ()) -> None:
        super().__init__(message)
        self.file = file
        self.faults = faults


@dataclass(frozen=True)
class SuiteFile:
    """A suite's document, the `name` of its file, and the line of each entry in it."""

    name: str
    document: Json
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """Return the line of the entry at this place, or of the nearest enclosing entry."""
        return line_of(place, self.lines)

    def line_of_task(self, name: str) -> int:
        """Return the line at which the task of this name begins; 1 if there is none."""
        tasks: list[Any] = self.document.get("tasks") or []
        for index, task in enumerate(tasks):
            if isinstance(task, dict) and task.get("name") == name:
                return self.line(("tasks", index))
        return 1


def read_yaml_file(file: Path, what: str) -> tuple[Any, dict[Place, int]]:
    """Return the document of a file of at most 1 MiB, and the line of each entry. `what` names the kind of file in
    errors. Raises `BadSuite` if the file cannot be read, or is no YAML."""
    try:
        if file.stat().st_size > _LARGEST_BYTES:
            raise BadSuite(f"{file} is larger than {what} can be", str(file))
        return read_yaml(file.read_text("utf-8-sig"))
    except OSError as failed:
        raise BadSuite(f"{file} cannot be read: {failed.strerror}", str(file)) from failed
    except UnicodeDecodeError as failed:
        raise BadSuite(f"{file} is not UTF-8", str(file)) from failed
    except BadYaml as bad:
        raise BadSuite(f"{file}:{bad.line}: {bad}", str(file)) from bad


def suite_of(document: Any, lines: dict[Place, int], name: str) -> SuiteFile:
    """Return the suite of the file `name`. `lines` has the line of each place in the document, for errors. Raises
    `BadSuite` if the document is no mapping."""
    if not isinstance(document, dict):
        raise BadSuite(f"{name}:1: not a suite: write `name:` and `tasks:`", name)
    return SuiteFile(name, document, lines)


def read_suite(file: Path) -> SuiteFile:
    """Read a suite's file. Raises `BadSuite` if that is not possible."""
    document, lines = read_yaml_file(file, "a suite")
    return suite_of(document, lines, str(file))


async def apply_suite(client: Client, suite: SuiteFile, *, publish: bool) -> Json:
    """Create or change the suite on the platform as the file describes it, and return the platform's response. Raises
    `BadSuite`, which names each error with its line; nothing has changed then."""
    try:
        return await client.post(f"{PATH}/apply", {"suite": suite.document, "publish": publish})
    except Refused as refused:
        errors = refused.problem.get("errors") or []
        if not errors:
            raise
        faults = [_fault(suite, str(error["field"]), str(error["message"])) for error in errors]
        count = f"{len(faults)} error{'s' if len(faults) > 1 else ''}"
        raise BadSuite(f"{suite.name} has {count}; nothing changed", suite.name, faults) from None


def _fault(suite: SuiteFile, field_: str, message: str) -> SuiteFault:
    path = tuple(int(part) if part.isdecimal() else part for part in field_.split("."))
    path = path[1:] if path[:1] == ("suite",) else path
    return SuiteFault(suite.line(path), f"{'.'.join(map(str, path))}: {message}")
