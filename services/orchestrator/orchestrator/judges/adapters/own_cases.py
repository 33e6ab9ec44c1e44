"""Read the product's own cases for judge checks, `adversarial.jsonl`."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from orchestrator.judges.domain.cases import CheckCase


@cache
def own_cases() -> tuple[CheckCase, ...]:
    text = files("orchestrator.judges.adapters").joinpath("adversarial.jsonl").read_text("utf-8")
    return tuple(_case(json.loads(line)) for line in text.splitlines())


def _case(row: dict[str, Any]) -> CheckCase:
    return CheckCase(
        id=row["id"],
        category=row["category"],
        question=row["question"],
        first=row.get("answer") or row["first"],
        second=row.get("second"),
        right=row["right"],
        reason=row["reason"],
    )
