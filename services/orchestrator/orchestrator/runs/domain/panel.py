"""Compute a panel's score: several judges of different models score the same answer, and the median counts.

Verga et al., "Replacing Judges with Juries" (2024): a panel of small models of several families agrees with people
better than one big model, for less money. The median keeps one outlier from moving the score.

Each member is an ordinary evaluator revision in the model group of its judge, so a model is loaded once for all its
scores. The panel itself calls no model. Its score is computed when the scores of all members have ended.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median, stdev
from typing import Any
from uuid import UUID

from llmbench.contracts.run_words import ScoreStatus
from llmbench.thresholds import reaches
from orchestrator.kernel.domain.overall import WeightedScore
from orchestrator.kernel.domain.transitions import SCORE, ScoreMoves, after

_ENDED = frozenset({ScoreStatus.SCORED, ScoreStatus.FAILED})


@dataclass(frozen=True)
class PanelVerdict:
    """The result of a panel for one item.

    `raw` is the median on the evaluator's scale; `details` lists every member's result. If fewer members than the
    quorum gave a score, `raw` is null. `error` then says how many members gave one, and quotes the error of the first
    failed member. `outcome` and `error_cause` are copied from this member.
    """

    score_id: UUID
    status: ScoreStatus
    outcome: str
    raw: float | None
    normalised: float | None
    passed: bool | None
    reason: str | None
    error: str | None
    error_cause: str | None
    details: Mapping[str, Any]


def decided(scores: Sequence[WeightedScore]) -> list[PanelVerdict]:
    """Return a verdict for each panel that can be decided now; `scores` are all scores of one item.

    A panel can be decided if its score is NEW and the scores of all its members have ended. A score "corrected by
    people" can be decided if it is NEW and the judge's score, which it copies, has ended. That judge may be a panel.
    """
    verdicts = _decided([score for score in scores if score.corrects is None], _verdict)
    return verdicts + _decided(with_verdicts(scores, verdicts), _copy, corrected=True)


def _decided(
    scores: Sequence[WeightedScore],
    verdict_of: Callable[[WeightedScore, Sequence[WeightedScore]], PanelVerdict],
    *,
    corrected: bool = False,
) -> list[PanelVerdict]:
    by_revision = {score.revision_id: score for score in scores}
    verdicts = []
    for panel in scores:
        members = [by_revision[id_] for id_ in panel.members if id_ in by_revision]
        waits = len(members) < len(panel.members) or any(member.status not in _ENDED for member in members)
        chosen = (panel.corrects is not None) == corrected
        if chosen and panel.members and panel.status == ScoreStatus.NEW and not waits:
            verdicts.append(verdict_of(panel, members))
    return verdicts


def with_verdicts(scores: Sequence[WeightedScore], verdicts: Sequence[PanelVerdict]) -> list[WeightedScore]:
    by_score = {verdict.score_id: verdict for verdict in verdicts}
    return [_with(score, by_score[score.id]) if score.id in by_score else score for score in scores]


def _verdict(panel: WeightedScore, members: Sequence[WeightedScore]) -> PanelVerdict:
    scored = [(member, member.raw, member.normalised) for member in members if member.status == ScoreStatus.SCORED]
    results = [(member, raw, value) for member, raw, value in scored if raw is not None and value is not None]
    values = [value for _, _, value in results]
    details: dict[str, Any] = {
        "decided_by": "panel",
        "judges": len(members),
        "judges_scored": len(results),
        "quorum": panel.quorum,
        "spread": stdev(values) if len(values) > 1 else None,
        "verdicts": [_result_of(member) for member in members],
    }
    if len(results) < panel.quorum:
        missing = next(member for member in members if member.status == ScoreStatus.FAILED)
        return PanelVerdict(
            score_id=panel.id,
            status=after(SCORE, panel.status, ScoreMoves.GIVE_UP),
            outcome=missing.outcome or "errored",
            raw=None,
            normalised=None,
            passed=None,
            reason=None,
            error=f"{len(results)} of {len(members)} judges gave a score, and {panel.quorum} have to. "
            f"{missing.judge_model}: {missing.error or 'no score'}",
            error_cause=missing.error_cause,
            details=details,
        )
    middle = median(values)
    raw = median(raw for _, raw, _ in results)
    nearest = min(results, key=lambda result: abs(result[2] - middle))[0]
    return PanelVerdict(
        score_id=panel.id,
        status=after(SCORE, panel.status, ScoreMoves.VERDICT),
        outcome="scored",
        raw=raw,
        normalised=middle,
        passed=_passed(panel, raw, [member for member, _, _ in results]),
        reason=nearest.reason,
        error=None,
        error_cause=None,
        details=details,
    )


def _copy(corrected: WeightedScore, judges: Sequence[WeightedScore]) -> PanelVerdict:
    """Return the result of a score of a revision "corrected by people" that no person has overruled: a copy of the
    judge's result. `judges` has exactly one entry."""
    (judge,) = judges
    move = ScoreMoves.VERDICT if judge.status == ScoreStatus.SCORED else ScoreMoves.GIVE_UP
    return PanelVerdict(
        score_id=corrected.id,
        status=after(SCORE, corrected.status, move),
        outcome=judge.outcome or "errored",
        raw=judge.raw,
        normalised=judge.normalised,
        passed=judge.passed,
        reason=judge.reason,
        error=judge.error,
        error_cause=judge.error_cause,
        details={},
    )


def _passed(panel: WeightedScore, raw: float, members: Sequence[WeightedScore]) -> bool | None:
    """Return whether the panel's score passes: by the run's threshold, else by the evaluator's.

    An older run may have neither threshold. Then the score passes if a member passed with the same or a lower score.
    Return `None` if there is no threshold and no member has `passed` set.
    """
    mark = panel.pass_mark if panel.pass_threshold is None else panel.pass_threshold
    if mark is not None:
        return reaches(raw, mark)
    own = [(member.raw, member.passed) for member in members if member.raw is not None and member.passed is not None]
    if any(passed and score <= raw for score, passed in own):
        return True
    return False if own else None


def _result_of(member: WeightedScore) -> dict[str, Any]:
    return {
        "judge_model": member.judge_model,
        "evaluator_revision_id": str(member.revision_id),
        "outcome": member.outcome,
        "raw": member.raw,
        "normalised": member.normalised,
        "passed": member.passed,
        "reason": member.reason,
        "error": member.error,
    }


def _with(panel: WeightedScore, verdict: PanelVerdict) -> WeightedScore:
    return replace(
        panel,
        status=verdict.status,
        outcome=verdict.outcome,
        raw=verdict.raw,
        normalised=verdict.normalised,
        passed=verdict.passed,
        reason=verdict.reason,
        error=verdict.error,
        error_cause=verdict.error_cause,
    )
