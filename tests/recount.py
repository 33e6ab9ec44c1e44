"""Compute a run's statistics in Python, item by item, so that tests can compare them with the statistics that the
platform stores."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, quantiles
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from orchestrator.results.domain.intervals import Clusters, mean_interval, pass_interval

Row = dict[str, Any]

_ITEMS = """
    SELECT CAST(id AS text) AS id, CAST(target_id AS text) AS target_id, call_id IS NOT NULL AS call_id, category,
           status, suite_task,
           coalesce('key ' || cluster_key, 'conversation ' || conversation_id, task_id) AS cluster, cached, time_ms,
           first_token_ms, first_content_ms, tokens_per_second, prompt_tokens, completion_tokens, reasoning_tokens,
           usage_source, finish_reason, cost_usd
    FROM item WHERE run_id = :run_id
"""
_SCORES = """
    SELECT CAST(item_id AS text) AS item_id, CAST(evaluator_revision_id AS text) AS revision_id, outcome,
           normalised, passed, cost_usd, details,
           EXISTS (SELECT FROM evaluator_revision AS revision WHERE revision.id = evaluator_revision_id
                   AND judge_model IS NOT NULL AND prompt_hash <> '') AS asks_judge
    FROM score WHERE run_id = :run_id
"""
_CALLS = """
    SELECT CAST(item.target_id AS text) AS target_id,
           extract(epoch FROM model_call.started_at - run.created_at)::float8 AS started,
           extract(epoch FROM model_call.finished_at - run.created_at)::float8 AS finished
    FROM item JOIN model_call ON model_call.id = item.call_id JOIN run ON run.id = item.run_id
    WHERE item.run_id = :run_id AND NOT item.cached
"""
_EVALUATORS = """
    SELECT CAST(evaluator_revision_id AS text) AS revision_id, slot, weight, "only"
    FROM run_evaluator WHERE run_id = :run_id AND "primary" ORDER BY position
"""


async def recount(engine: AsyncEngine, run_id: UUID) -> Row:
    """Read a run's rows and return the statistics that `counted` computes."""
    async with engine.connect() as connection:
        return counted(await rows_to_count(connection, run_id))


async def rows_to_count(connection: AsyncConnection, run_id: UUID) -> dict[str, list[Row]]:
    """Return the rows that `counted` needs: `items`, `scores`, `evaluators` and `calls` of a run, with ids as
    strings."""
    found = {}
    for name, query in (("items", _ITEMS), ("scores", _SCORES), ("evaluators", _EVALUATORS), ("calls", _CALLS)):
        rows = await connection.execute(text(query), {"run_id": run_id})
        found[name] = [dict(row) for row in rows.mappings()]
    return found


def counted(rows: Mapping[str, Sequence[Row]]) -> Row:
    """Return the statistics `totals`, `results` by target, `categories`, and `evaluators`.

    The key of `evaluators` is a revision and a target; the target is "" for all targets together.
    """
    items, scores = [dict(item) for item in rows["items"]], rows["scores"]
    primary = rows["evaluators"]
    of_item: dict[str, dict[str, Row]] = defaultdict(dict)
    for score in scores:
        of_item[score["item_id"]][score["revision_id"]] = score
    for item in items:
        applying = [one for one in primary if applies(one.get("only"), item.get("suite_task"))]
        item |= _overall(applying, of_item[item["id"]])
    by_id = {item["id"]: item for item in items}
    joined = [score | {name: by_id[score["item_id"]][name] for name in ("target_id", "cluster")} for score in scores]
    return {
        "totals": _figures(items) | _throughput(items, rows["calls"]),
        "results": {
            target: _figures(of) | _throughput(of, [call for call in rows["calls"] if call["target_id"] == target])
            for target, of in _groups(items, lambda item: item["target_id"]).items()
        },
        "categories": _grouped(items, lambda item: item["category"], _figures),
        "evaluators": _grouped(joined, lambda score: (score["revision_id"], ""), _of_evaluator)
        | _grouped(joined, lambda score: (score["revision_id"], score["target_id"]), _of_evaluator),
    }


def applies(only: Mapping[str, Any] | None, suite_task: str | None) -> bool:
    """Return whether an evaluator with the filter `only` scores the cases of this task of a suite."""
    return (only or {}).get("suite_task") in (None, suite_task)


def _overall(primary: Sequence[Row], scores: dict[str, Row]) -> Row:
    scored = {id_: one for id_, one in scores.items() if one["outcome"] == "scored"}
    weights = {score["revision_id"]: score["weight"] for score in primary if score["weight"] > 0}
    told = [scored[score["revision_id"]]["passed"] for score in primary if score["revision_id"] in scored]
    verdicts = [verdict for verdict in told if verdict is not None]
    if not weights.keys() <= scored.keys():
        return {"value": None, "passed": None}
    value = sum(weight * scored[id_]["normalised"] for id_, weight in weights.items()) / sum(weights.values())
    return {"value": value, "passed": all(verdicts) if verdicts else None}


def _throughput(items: Sequence[Row], calls: Sequence[Row]) -> Row:
    """Return answers and tokens per second of busy time: the time in which at least one answered call was in flight."""
    busy, until = 0.0, float("-inf")
    for call in sorted(calls, key=lambda call: call["started"]):
        busy += max(0.0, call["finished"] - max(call["started"], until))
        until = max(until, call["finished"])
    answered = [item for item in items if item["call_id"] and not item["cached"]]
    if not busy or not answered:
        return {}
    tokens = _known(answered, "completion_tokens")
    return {
        "busy_s": busy,
        "requests_per_second": len(answered) / busy,
        "system_tokens_per_second": sum(tokens) / busy if tokens else None,
    }


def _pace(items: Sequence[Row]) -> float | None:
    """Return the pooled token rate: all tokens after the first one of each answer, per second of generating them;
    `None` without such tokens."""
    tokens, seconds = 0, 0.0
    for item in items:
        if not item["tokens_per_second"] or item["completion_tokens"] is None:
            continue
        shown = (item["first_content_ms"] or 0) > (item["first_token_ms"] or float("inf"))
        generated = item["completion_tokens"] - 1 - (0 if shown else item["reasoning_tokens"] or 0)
        if generated > 0:
            tokens += generated
            seconds += generated / item["tokens_per_second"]
    return tokens / seconds if tokens else None


def _figures(items: Sequence[Row]) -> Row:
    timed = [item for item in items if not item["cached"]]
    costs = _known(items, "cost_usd")
    return _scores(items, "value") | {
        "items": len(items),
        "completed": sum(item["status"] == "COMPLETED" for item in items),
        "failed": sum(item["status"] == "FAILED" for item in items),
        "skipped": sum(item["status"] == "SKIPPED" for item in items),
        "timed": len(_known(timed, "time_ms")),
        "cached": len(items) - len(timed),
        "mean_time_ms": _mean(_known(timed, "time_ms")),
        "p50_time_ms": _quantile(_known(timed, "time_ms"), 50),
        "p95_time_ms": _quantile(_known(timed, "time_ms"), 95),
        "p99_time_ms": _quantile(_known(timed, "time_ms"), 99),
        "mean_first_token_ms": _mean(_known(timed, "first_token_ms")),
        "p50_first_token_ms": _quantile(_known(timed, "first_token_ms"), 50),
        "p95_first_token_ms": _quantile(_known(timed, "first_token_ms"), 95),
        "p99_first_token_ms": _quantile(_known(timed, "first_token_ms"), 99),
        "mean_tokens_per_second": _pace(timed),
        "prompt_tokens": sum(_known(items, "prompt_tokens")),
        "completion_tokens": sum(_known(items, "completion_tokens")),
        "reasoning_tokens": sum(_known(items, "reasoning_tokens")),
        "estimated_usage": sum(item["usage_source"] == "estimated" for item in items),
        "cut": sum(item["finish_reason"] == "length" for item in items),
        "priced": len(_known(timed, "cost_usd")),
        "cost_usd": sum(costs) if _known(timed, "cost_usd") or _all_cached(items) else None,
    }


def _all_cached(items: Sequence[Row]) -> bool:
    timed = _known([item for item in items if not item["cached"]], "time_ms")
    return not timed and any(item["cached"] for item in items)


def _of_evaluator(scores: Sequence[Row]) -> Row:
    costs = _known(scores, "cost_usd")
    outcomes = ("scored", "unparsed", "refused", "errored")
    return (
        _scores(scores, "normalised")
        | {name: sum(score["outcome"] == name for score in scores) for name in outcomes}
        | {
            "asked": len(scores),
            "pending": sum(score["outcome"] is None for score in scores),
            "verdicts": len(_known(scores, "passed")),
            "cost_usd": sum(costs) if costs else None,
            "judging": _of_judge(scores),
        }
    )


def _of_judge(scores: Sequence[Row]) -> Row | None:
    judged = [
        (score["details"], score["outcome"] == "scored")
        for score in scores
        if score["asks_judge"]
        and score["outcome"] in ("scored", "unparsed")
        and score["details"].get("decided_by") != "program"
    ]
    if not judged:
        return None
    replies = [
        # The details of older scores have no counts of replies, so the counts are derived from the outcome.
        details.get("replies")
        or {
            "asked": details.get("repeats", 1),
            "parsed": details.get("repeats_scored", int(scored)),
            "repaired": int(details.get("repaired", False)),
        }
        for details, scored in judged
    ]
    requested = sum(reply["asked"] for reply in replies)
    swaps = [details["swap_consistent"] for details, _ in judged if "swap_consistent" in details]
    repeats = [one for details, _ in judged if (one := details.get("self_agreement")) is not None]
    modes = [details["mode"] for details, _ in judged if "mode" in details]
    return {
        "asked": requested,
        "parse_rate": sum(reply["parsed"] for reply in replies) / requested,
        "repair_rate": sum(reply["repaired"] for reply in replies) / requested,
        "swapped": len(swaps),
        "swap_consistency": _mean(swaps),
        "repeated": len(repeats),
        "self_agreement": _mean(repeats),
        "modes": {mode: modes.count(mode) for mode in ("logprobs", "samples", "single") if mode in modes},
    }


def _scores(rows: Sequence[Row], name: str) -> Row:
    values, verdicts = _clusters(rows, name), _clusters(rows, "passed")
    return {
        "scored": values.n,
        "clusters": values.count,
        "mean_score": values.x / values.n if values.n else None,
        "mean_score_interval": _interval(mean_interval(values) if values.n else None),
        "pass_rate": verdicts.x / verdicts.n if verdicts.n else None,
        "pass_rate_interval": _interval(pass_interval(verdicts) if verdicts.n else None),
    }


def _clusters(rows: Sequence[Row], name: str) -> Clusters:
    clusters: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row[name] is not None:
            clusters[row["cluster"]].append(float(row[name]))
    return Clusters(
        count=len(clusters),
        n=sum(map(len, clusters.values())),
        x=sum(map(sum, clusters.values())),
        xx=sum(sum(of) ** 2 for of in clusters.values()),
        xn=sum(sum(of) * len(of) for of in clusters.values()),
        nn=sum(len(of) ** 2 for of in clusters.values()),
    )


def _grouped(rows: Iterable[Row], key: Callable[[Row], Any], of: Callable[[Sequence[Row]], Row]) -> dict[Any, Row]:
    return {name: of(group) for name, group in _groups(rows, key).items()}


def _groups(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def _known(rows: Iterable[Row], name: str) -> list[Any]:
    return [row[name] for row in rows if row[name] is not None]


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _quantile(values: Sequence[float], percent: int) -> float | None:
    if len(values) < 2:
        return values[0] if values else None
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def _interval(bounds: tuple[float, float] | None) -> Row | None:
    return None if bounds is None else {"low": bounds[0], "high": bounds[1]}
