"""Warn about answers that ended at their token limit. An incomplete answer is scored as it is, so its score partly
measures the limit.
"""

from collections.abc import Mapping
from typing import Any

_IN_OPTIONS = ("max_completion_tokens", "max_tokens", "num_predict", "max_new_tokens")


def cut_warning(label: str, *, cut: int, answers: int, params: Mapping[str, Any]) -> str | None:
    """Return a warning with the number of cut answers and a remedy, or `None` if no answer was cut. `params` are the
    target's parameters."""
    if not cut:
        return None
    options = params.get("options") or {}
    # An option takes precedence over the parameter of the same name.
    given = [*((name, options.get(name)) for name in _IN_OPTIONS), ("max_tokens", params.get("max_tokens"))]
    limit = next((f"{name}={value}: raise it" for name, value in given if value is not None), None)
    where = limit or "the provider's own token limit: set max_tokens higher"
    noun = "answer" if answers == 1 else "answers"
    was = "was" if cut == 1 else "were"
    return f"{label}: {cut} of {answers} {noun} {was} cut at {where}. A cut answer is scored as it stands."
