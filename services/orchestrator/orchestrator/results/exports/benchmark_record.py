"""Write the benchmark record: JSON Lines of three types (metadata, results, summary), which `llmbench sql` reads.

A missing value is null, never 0: a failed answer lists every evaluator without a score, with the failure as the reason.
Targets with the same provider and model are distinguished by their labels. `location` is the category and the item's
position in the run. `base_eval_run` is the id of the run's baseline: the baseline that the run itself names, else the
one whose gates were decided for the run. Without a baseline, it is the run's own id. `input` has the messages of the
request to the model, with the earlier turns of a conversation. The summary's `speed`, and `case_sample` in the metadata
of a sampled run, are additions of llmbench.
"""

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from llmbench.contracts.base import rfc3339
from orchestrator.kernel.domain.overall import deciding_scores
from orchestrator.kernel.domain.prompts import case_as_sent, case_request
from orchestrator.results.domain.benchmark_summary import BenchmarkSummary, Metric, of_metrics
from orchestrator.results.domain.speed import Speed
from orchestrator.results.exports.base import ExportFormat
from orchestrator.results.exports.record import chunked, failure_text, to_json
from orchestrator.results.ports.queries import ExportLine, ExportSource
from orchestrator.results.ports.schemas import RunSummary, TargetOut

_RESULT = "result"


async def write(run: RunSummary, source: ExportSource) -> AsyncIterator[bytes]:
    async def parts() -> AsyncIterator[str]:
        providers = _providers(run)
        identity = _identity(run)
        yield _record("metadata", identity | _about(run, providers))
        summary, speeds = BenchmarkSummary(), _Speeds()
        async for line in source.lines(with_turns_before=True):
            speeds.add(line)
            config = providers[line.item.target_id]
            metrics = _metrics(run, line)
            summary.add(
                _provider_name(config),
                metrics,
                latency_ms=_timed_ms(line),
                cost_usd=line.item.figures.cost_usd,
            )
            yield _record(_RESULT, _result(run, line, config, metrics))
        speed = speeds.as_document(providers, await source.busy_s())
        yield _record("summary", {**identity, "suite_name": run.name, **summary.as_document(), "speed": speed})

    async for chunk in chunked(parts()):
        yield chunk


def _record(type_: str, data: Mapping[str, Any]) -> str:
    return to_json({"type": type_, "data": data}) + "\n"


class _Speeds:
    """Collect the speed of the run, and of each target that has an item."""

    def __init__(self) -> None:
        self._of: dict[UUID | None, Speed] = {None: Speed()}

    def add(self, line: ExportLine) -> None:
        self._of[None].add(line.item.figures)
        self._of.setdefault(line.item.target_id, Speed()).add(line.item.figures)

    def as_document(
        self, providers: Mapping[UUID, Mapping[str, Any]], busy_s: Mapping[UUID | None, float]
    ) -> dict[str, Any]:
        figures = {target: speed.figures(busy_s=busy_s.get(target)) for target, speed in self._of.items()}
        return {
            "load": "closed_loop",
            "overall": figures.pop(None),
            "providers": {_provider_name(providers[target]): figure for target, figure in figures.items() if target},
        }


def _provider_name(config: Mapping[str, Any]) -> str:
    return f"{config['provider']}/{config['model']}"


def _identity(run: RunSummary) -> dict[str, Any]:
    at = (run.started_at or run.created_at).astimezone(UTC)
    return {"benchmark_id": f"bench_{at:%Y%m%d_%H%M%S}_{run.id.hex[-6:]}", "timestamp": rfc3339(at)}


def _about(run: RunSummary, providers: Mapping[UUID, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "base_eval_run": str(run.baseline_run_id or (run.gate and run.gate.baseline_run_id) or run.id),
        "suite_name": run.name,
        "description": run.description,
        "tags": run.tags,
        **({"case_sample": run.sample.model_dump()} if run.sample else {}),
        "providers": list(providers.values()),
    }


def _providers(run: RunSummary) -> dict[UUID, dict[str, Any]]:
    """Return the `provider_config` of each target, as the record's specification defines it."""
    alike = Counter((target.provider_name, target.model) for target in run.targets)
    return {
        target.id: {
            "provider": target.provider_name,
            "model": target.model
            if alike[target.provider_name, target.model] == 1
            else f"{target.model} ({target.label})",
            "model_params": _params(target),
        }
        for target in run.targets
    }


def _params(target: TargetOut) -> dict[str, Any]:
    return {name: value for name, value in target.params.model_dump(mode="json").items() if value not in (None, {})}


def _metrics(run: RunSummary, line: ExportLine) -> list[Metric]:
    """Return one metric for every evaluator of the run, also for an item without an answer."""
    deciding = {score.evaluator: score for score in deciding_scores(line.scores)}
    why = failure_text(line)
    return [
        Metric(name, score.normalised, score.passed, score.reason or score.error or why)
        if (score := deciding.get(name))
        else Metric(name, None, None, why)
        for name in dict.fromkeys(evaluator.name for evaluator in run.evaluators)
    ]


def _result(run: RunSummary, line: ExportLine, config: Mapping[str, Any], metrics: list[Metric]) -> dict[str, Any]:
    item = line.item
    judged = [score.time_ms for score in line.scores if score.time_ms is not None]
    before = line.turns_before
    case = case_as_sent(item.case, before, show_choices=run.show_choices, most_turns=len(before), prompt=item.prompt)
    request = case_request(case, model=item.model, params=item.params, prompt=item.prompt)
    return {
        "provider_config": config,
        "sample": {
            "duration_ms": _timed_ms(line),
            "tag": item.case.task_id,
            "input": [message.model_dump() for message in request.messages],
            "output": {"content": line.answer},
            "model": item.model,
            "model_params": config["model_params"],
            "start_time_ms": _epoch_ms(line.started_at),
            "end_time_ms": _epoch_ms(line.finished_at),
            "url": line.url,
            "location": {"tag": item.case.category, "lineNumber": str(item.position + 1)},
        },
        "metrics": [
            {
                "metric": metric.name,
                "passed": None if metric.passed is None else int(metric.passed),
                "score": metric.score,
                "reason": metric.reason,
            }
            for metric in metrics
        ],
        "summary": of_metrics(metrics),
        "timing": {
            "provider_latency_ms": _timed_ms(line),
            "evaluation_time_ms": round(sum(judged)) if judged else None,
        },
    }


def _timed_ms(line: ExportLine) -> int | None:
    """Return the time of the answer in milliseconds; `None` for a cached answer, which was not timed."""
    figures = line.item.figures
    return None if figures.cached else figures.time_ms


def _epoch_ms(at: datetime | None) -> int | None:
    return None if at is None else round(at.timestamp() * 1000)


FORMAT = ExportFormat(
    name="benchmark-record",
    title="Benchmark record",
    description="Metadata, results and summary, for `llmbench sql`.",
    media_type="application/x-ndjson",
    extension="jsonl",
    write=write,
    json_schema="benchmark-record",
)
