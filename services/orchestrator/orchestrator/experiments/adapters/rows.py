"""Build experiments, variants and rounds from rows of the database, and rows from experiments."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import RowMapping

from llmbench.contracts.experiment_words import ExperimentStatus, ExperimentType, RoundStatus, StopRule
from llmbench.contracts.run_words import RunOutcome, RunStatus
from orchestrator.experiments.domain.metrics import Guardrail
from orchestrator.experiments.domain.records import Experiment, Round, Stop, Variant
from orchestrator.experiments.domain.requested import Config, NewExperiment
from orchestrator.experiments.domain.words import Design, Direction, Method


def columns_of(new: NewExperiment) -> dict[str, Any]:
    """Return the values of a requested experiment by database column. Its variants have rows of their own."""
    return {
        "name": new.name,
        "hypothesis": new.hypothesis,
        "notes": new.notes,
        "type": new.type,
        "primary_metric": new.primary_metric,
        "guardrail_metrics": [asdict(guardrail) for guardrail in new.guardrails],
        "config": asdict(new.config),
        "setup": dict(new.setup),
        "seed": new.seed,
    }


def config_of(stored: dict[str, Any]) -> Config:
    return Config(**stored | {"method": Method(stored["method"]), "design": Design(stored["design"])})


def experiment_of(row: RowMapping, variants: Sequence[Variant]) -> Experiment:
    stopped = row["stop_rule"] is not None
    return Experiment(
        id=row["id"],
        name=row["name"],
        hypothesis=row["hypothesis"],
        notes=row["notes"],
        type=ExperimentType(row["type"]),
        status=ExperimentStatus(row["status"]),
        status_reason=row["status_reason"],
        primary_metric=row["primary_metric"],
        guardrails=[
            Guardrail(each["metric"], each["margin"], Direction(each["direction"])) for each in row["guardrail_metrics"]
        ],
        config=config_of(row["config"]),
        setup=row["setup"],
        seed=row["seed"],
        case_count=row["case_count"],
        cluster_count=row["cluster_count"],
        largest_cluster=row["largest_cluster"],
        planned=row["planned_sample"],
        cost_usd=row["cost_usd"],
        stop=Stop(StopRule(row["stop_rule"]), row["stop_sentence"], row["stopped_at"]) if stopped else None,
        conclusion=row["conclusion"],
        variants=variants,
        version=row["version"],
        created_at=row["created_at"],
        created_by=row["created_by"],
        updated_at=row["updated_at"],
        started_at=row["started_at"],
        concluded_at=row["concluded_at"],
    )


def variant_of(row: RowMapping) -> Variant:
    return Variant(
        id=row["id"],
        name=row["name"],
        is_control=row["is_control"],
        traffic_allocation=row["traffic_allocation"],
        config=row["config"],
        sample_count=row["sample_count"],
        metric_sum=row["metric_sum"],
        metric_sum_squares=row["metric_sum_squares"],
        missing_count=row["missing_count"],
        out_reason=row["out_reason"],
        out_at=row["out_at"],
        created_at=row["created_at"],
    )


def round_of(row: RowMapping) -> Round:
    ids: list[UUID] = row["variant_ids"]
    return Round(
        id=row["id"],
        number=row["number"],
        attempt=row["attempt"],
        variant_ids=ids,
        positions=row["positions"],
        allocation=row["allocation"],
        status=RoundStatus(row["status"]),
        run_id=row["run_id"],
        run_status=None if row["run_status"] is None else RunStatus(row["run_status"]),
        run_outcome=None if row["run_outcome"] is None else RunOutcome(row["run_outcome"]),
        run_reason=row["run_reason"],
        run_cost_usd=float(row["run_cost_usd"] or 0),
        items=row["items"] or 0,
        items_done=row["items_done"] or 0,
        reason=row["reason"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
    )
