"""Say whether this judge may run code that models write. The operator allows it; by default it is forbidden."""

from llmbench.confined.confinement import cannot_confine_code

_FORBIDDEN = (
    "Running code that models write is not allowed here. To allow it, start the judge service with "
    "LLMBENCH_JUDGE_RUN_CODE=on (docs/how-to/recipes.md)."
)


class _Permission:
    def __init__(self) -> None:
        self.given = False


_permission = _Permission()


def permit(*, allowed: bool) -> None:
    """Set for this process whether code may be run."""
    _permission.given = allowed


def why_not() -> str | None:
    """Return the reason why this process may not run code, or cannot confine it; `None` if it may and can."""
    if not _permission.given:
        return _FORBIDDEN
    return cannot_confine_code()
