"""GET /api/leaderboards: the results of a suite by target label, in lists. Only results in the same list may be
compared."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from orchestrator.results.ports.figure_schemas import Interval, TargetResult
from orchestrator.suites.domain.bradley_terry import NotRankable, strengths
from orchestrator.suites.domain.leaderboard import Candidate, differences, in_lists, lacking_scores
from orchestrator.suites.domain.rank_sets import rank_sets
from orchestrator.suites.ports.leaderboards import (
    REFERENCE,
    HeadToHead,
    Leaderboard,
    LeaderboardEntry,
    LeaderboardFilter,
    LeaderboardList,
    LeaderboardReader,
    Listed,
    NotListed,
    Player,
)
from orchestrator.suites.ports.schemas import ScoreOut, SuiteOfRun, SuiteResultOut

_REFERENCES = "reference answers"


class _Results:
    """Reads the scores of runs, and their cost and speed. It caches them, so that each run is read only once."""

    def __init__(self, reader: LeaderboardReader, chosen: LeaderboardFilter) -> None:
        self._reader = reader
        self._tags = chosen.tags
        self._scores: dict[UUID, SuiteOfRun | None] = {}
        self._figures: dict[UUID, Mapping[UUID, TargetResult]] = {}

    async def scores(self, run_id: UUID) -> SuiteOfRun | None:
        if run_id not in self._scores:
            self._scores[run_id] = await self._reader.scores(run_id, self._tags)
        return self._scores[run_id]

    async def figures(self, run_id: UUID) -> Mapping[UUID, TargetResult]:
        if run_id not in self._figures:
            self._figures[run_id] = await self._reader.figures(run_id)
        return self._figures[run_id]


async def show_leaderboard(reader: LeaderboardReader, name: str, chosen: LeaderboardFilter) -> Leaderboard:
    """Return the leaderboard of the suite with this name. Each of its lists has the results that may be compared with
    each other. A label occurs at most once in a list, with its latest complete run."""
    runs = await reader.runs(name, chosen)
    known = {each.candidate.target_id: each for each in runs.listed}
    lists = in_lists([each.candidate for each in runs.listed])
    results = _Results(reader, chosen)
    newest = next(iter(lists), None)
    categories: dict[str, None] = {}
    shown = []
    for conditions, labels in lists.items():
        entries: list[LeaderboardEntry] = []
        lacking: dict[UUID, str] = {}
        not_listed: list[NotListed] = []
        tasks: list[str] = []
        for label, candidates in labels.items():
            why: NotListed | None = None
            for candidate in candidates:
                suite = await results.scores(candidate.run_id)
                of_target = _of_target(suite, candidate)
                if suite is None or of_target is None:
                    continue
                categories.update(dict.fromkeys(task.category for task in suite.tasks))
                reason = _why_not(known[candidate.target_id], of_target, chosen.category)
                if reason is None:
                    figures = (await results.figures(candidate.run_id))[candidate.target_id]
                    entries.append(_entry(known[candidate.target_id], of_target, figures, chosen.category))
                    words = lacking_scores(_answers(of_target, chosen.category))
                    if words is not None:
                        lacking[candidate.target_id] = words
                    tasks = [task.name for task in suite.tasks if chosen.category in (None, task.category)]
                    why = None
                    break
                why = why or NotListed(label=label, run_id=candidate.run_id, reason=reason)
            if why is not None:
                not_listed.append(why)
        first = known[next(iter(labels.values()))[0].target_id]
        listed = {entry.target_id: entry for entry in entries}
        shown.append(
            LeaderboardList(
                suite_id=first.suite_id,
                version_number=conditions.version_number,
                evaluators=list(first.evaluators),
                judges=list(first.judges),
                differs=[] if newest is None else differences(conditions, newest),
                entries=_ranked(entries, lacking),
                not_listed=not_listed,
                head_to_head=await _head_to_head(reader, known, listed, tasks, chosen.tags),
            )
        )
    return Leaderboard(
        name=runs.name, versions=list(runs.versions), categories=list(categories), lists=shown, more=runs.more
    )


def _of_target(suite: SuiteOfRun | None, candidate: Candidate) -> SuiteResultOut | None:
    targets = suite.targets if suite is not None else []
    return next((each for each in targets if each.target_id == candidate.target_id), None)


def _why_not(listed: Listed, result: SuiteResultOut, category: str | None) -> str | None:
    """Return the reason why the result is left out of the leaderboard; `None` if it is included."""
    if listed.left_out:
        return f"its run left out {', '.join(listed.left_out[:5])}"
    if not result.tasks:
        return "its run has no such case"
    if category is not None and all(task.category != category for task in result.tasks):
        return "its run has no such category"
    missing = {each.task: each.reason for each in result.missing}
    reasons = [
        f"{task.task}: {missing[task.task]}"
        for task in result.tasks
        if task.task in missing and category in (None, task.category)
    ]
    return "; ".join(reasons[:5]) or None


def _entry(listed: Listed, result: SuiteResultOut, figures: TargetResult, category: str | None) -> LeaderboardEntry:
    score: ScoreOut = result
    if category is not None:
        score = next(each for each in result.categories if each.category == category)
    tasks = [task for task in result.tasks if category in (None, task.category)]
    return LeaderboardEntry(
        rank_low=1,
        rank_high=1,
        score=score.score,
        interval=score.interval,
        note=score.note,
        label=listed.candidate.label,
        model=listed.model,
        provider_id=listed.provider_id,
        provider_name=listed.provider_name,
        run_id=listed.candidate.run_id,
        target_id=listed.candidate.target_id,
        finished_at=listed.candidate.finished_at,
        scored=sum(task.scored for task in tasks),
        items=sum(task.items for task in tasks),
        answers=figures.items,
        priced=figures.priced,
        cost_usd=figures.cost_usd,
        mean_time_ms=figures.mean_time_ms,
        p95_time_ms=figures.p95_time_ms,
        mean_tokens_per_second=figures.mean_tokens_per_second,
    )


def _answers(result: SuiteResultOut, category: str | None) -> Iterator[tuple[str, int, int]]:
    for task in result.tasks:
        if category in (None, task.category):
            yield task.task, task.scored, task.items


def _ranked(entries: Sequence[LeaderboardEntry], lacking: Mapping[UUID, str]) -> list[LeaderboardEntry]:
    """Return the entries, the best first, with their rank sets. `lacking` says, by target id, which entries have too
    few scores. They are separated from none, because the other answers may be the ones that differ."""
    ordered = sorted(entries, key=lambda each: (-(each.score or 0.0), each.label))
    sets = rank_sets([None if each.target_id in lacking else _bounds(each.interval) for each in ordered])
    return [
        each.model_copy(
            update={
                "rank_low": low,
                "rank_high": high,
                "note": "; ".join(filter(None, (each.note, lacking.get(each.target_id)))) or None,
            }
        )
        for each, (low, high) in zip(ordered, sets, strict=True)
    ]


def _bounds(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


async def _head_to_head(
    reader: LeaderboardReader,
    known: Mapping[UUID, Listed],
    entries: Mapping[UUID, LeaderboardEntry],
    tasks: Sequence[str],
    tags: Sequence[str],
) -> HeadToHead | None:
    """Return a ranking of the entries from pairwise scores, in which an answer was compared with the reference answer
    of its case. Return `None` if there are no pairwise scores."""
    games = await reader.games([known[target_id].candidate for target_id in entries], tasks, tags)
    if not games:
        return None
    labels = {str(target_id): entry.label for target_id, entry in entries.items()} | {REFERENCE: _REFERENCES}
    named = {str(target_id): target_id for target_id in entries}
    try:
        found = strengths(games)
    except NotRankable as error:
        return HeadToHead(players=[], reason=error.sentence(labels))
    sets = rank_sets([each.interval for each in found])
    return HeadToHead(
        players=[
            Player(
                label=labels[each.name],
                target_id=named.get(each.name),
                strength=each.value,
                interval=None if each.interval is None else Interval(low=each.interval[0], high=each.interval[1]),
                rank_low=low,
                rank_high=high,
                games=each.games,
            )
            for each, (low, high) in zip(found, sets, strict=True)
        ],
        reason=None,
    )
