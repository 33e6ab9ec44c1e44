"""The exit codes of every command. Each number has the same meaning everywhere (docs/how-to/exit-codes.md)."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit code of a command; `meaning` describes it. After a signal the code is 128 plus the signal's number: 130
    for Ctrl-C."""

    OK = 0
    FAILED = 1
    REFUSED = 2
    MISSED = 100
    UNDECIDED = 101
    LOW_COVERAGE = 102
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """Return the description of this code, for the table in the documentation."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.OK: "done; of a run: complete, and every threshold is reached",
    ExitCode.FAILED: "not done, or not completely: nothing answers, there is no such thing, a file cannot be read or "
    "written, a row is bad, the platform refuses; of a run: failed items, cancelled, or paused at its cost limit",
    ExitCode.REFUSED: "nothing was done: an option or argument is wrong, or a gate cannot be relied on",
    ExitCode.MISSED: "done, and worse than asked: a threshold is missed, or something is worse than the baseline",
    ExitCode.UNDECIDED: "a gate is undecided",
    ExitCode.LOW_COVERAGE: "a gate could not be judged: too few cases are scored in both runs, or they cannot be "
    "compared; of a judge check: too few verdicts could be used",
    ExitCode.INTERRUPTED: "Ctrl-C; the platform continues the requested work. Other signals: 128 and their number",
}
