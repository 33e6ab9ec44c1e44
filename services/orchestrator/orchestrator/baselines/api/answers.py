"""The responses of `/api/gates` that extend responses of comparisons."""

from orchestrator.baselines.ports.schemas import PlannedJudgeCheck
from orchestrator.comparison.api.answers import GateChecked


class SavedGateChecked(GateChecked):
    """The result of trying a saved gate on its baseline alone. `judge_checks` are the judge checks that a later run
    makes before the gate is decided. The list is empty if no judge has an influence on the gate."""

    judge_checks: list[PlannedJudgeCheck]
