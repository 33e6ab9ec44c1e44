"""Name the fields of a filter of items like the query parameters of the API."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final
from uuid import UUID

from orchestrator.results.ports.queries import ItemFilter

_PARAMETERS: Final[Mapping[str, str]] = {
    "statuses": "status",
    "target_ids": "target_id",
    "models": "model",
    "categories": "category",
    "tags": "tag",
    "suite_tasks": "suite_task",
    "failure_kinds": "failure_kind",
    "failure_causes": "failure_cause",
    "outcomes": "outcome",
    "finish_reasons": "finish_reason",
    "answer_kinds": "answer_kind",
    "text": "q",
}

_NAMES: Final[Mapping[str, str]] = {
    "target_id": "target",
    "score_min": "score from",
    "score_max": "score to",
    "overall_min": "overall from",
    "time_min": "time from",
    "q": "text",
}


def as_query(chosen: ItemFilter) -> dict[str, Any]:
    """Return the fields that are set, as JSON values, under the names of their query parameters.

    >>> as_query(ItemFilter(target_ids=[UUID(int=7)], passed=False, text="sum"))
    {'target_id': ['00000000-0000-0000-0000-000000000007'], 'passed': False, 'q': 'sum'}
    >>> as_query(ItemFilter())
    {}
    """
    values = ((field.name, getattr(chosen, field.name)) for field in fields(chosen))
    return {_PARAMETERS.get(name, name): _plain(value) for name, value in values if value is not None and value != ()}


def _plain(value: Any) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(one) if isinstance(one, UUID) else one for one in value]
    return value


def in_words(chosen: ItemFilter, labels: Mapping[UUID, str]) -> dict[str, str]:
    """Return the fields that are set, in words for people. `labels` are those of the run's targets.

    >>> in_words(ItemFilter(target_ids=[UUID(int=7)], passed=False, score_min=3), {UUID(int=7): "small"})
    {'target': 'small', 'score from': '3', 'passed': 'no'}
    >>> in_words(ItemFilter(time_min=12_345_678, score_max=2e6), {})
    {'score to': '2000000', 'time from': '12345678'}
    """
    named = {"target_id": [labels.get(one, str(one)) for one in chosen.target_ids]}
    return {
        _NAMES.get(name, name.replace("_", " ")): _word(named.get(name, value))
        for name, value in as_query(chosen).items()
    }


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    # No exponent: a file name has no plus, so that `1e+06` would look like a millionth.
    return f"{value:.15g}" if isinstance(value, float) else str(value)
