"""The responses of `/api/gates` that build on those of comparisons."""

from orchestrator.baselines.ports.schemas import PlannedJudgeCheck
from orchestrator.comparison.api.answers import GateChecked


class SavedGateChecked(GateChecked):
    """A saved gate, tried on its baseline. `judge_checks` are those that a later run makes before the gate is decided;
    there are none if no judge has an influence on it."""

    judge_checks: list[PlannedJudgeCheck]
