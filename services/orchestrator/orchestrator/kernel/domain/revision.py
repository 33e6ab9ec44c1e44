"""Compute the identity of an evaluator revision. If the judge, prompt, schema, scale or a parameter differs, the
revision differs."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from llmbench.contracts import rubric
from llmbench.contracts.describe_evaluator import EvaluatorFacts
from orchestrator.kernel.domain.limits import SUITE_TASK
from orchestrator.kernel.domain.new_run import Judge, NewEvaluator, Panel

JUDGE_PARAMS = "judge_params"
"""The parameter that holds the judge model's sampling parameters, next to the evaluator's own parameters."""

JUDGE_ASKS = "judge_asks"
"""The parameter that marks the judge as an embedding model, by the value `EMBEDDINGS`."""
EMBEDDINGS = "embeddings"

PANEL = "panel"
"""The parameter that holds a panel: the sorted identities of its members, and its quorum."""

CORRECTS = "corrects"
"""The parameter that holds the identity of the judge's revision whose scores people corrected."""

_ADDED_KEYS = (JUDGE_PARAMS, JUDGE_ASKS, PANEL, SUITE_TASK, CORRECTS)

RUBRIC = EvaluatorFacts(
    kind=rubric.KIND,
    title="Rubric",
    needs_judge=True,
    params={},
    prompt_hash=rubric.PROMPT_HASHES[rubric.PROMPT_VERSION],
    schema_name=rubric.SCHEMA_NAME,
    schema_version=rubric.SCHEMA_VERSION,
    scale_min=rubric.SCALE_MIN,
    scale_max=rubric.SCALE_MAX,
    pass_mark=rubric.PASS_MARK,
)
"""The default evaluator. Its description is in the contract, so the judge service need not be called."""


def revision(
    facts: EvaluatorFacts, judge: Judge | None, panel: Panel | None = None, suite_task: str | None = None
) -> dict[str, Any]:
    """Return the values of a revision for the table `evaluator_revision`, by column, with its `identity`. The id and
    the organisation are left out.

    Each task of a suite has separate revisions, because weight and threshold belong to the task. The scores of two
    tasks are therefore never averaged.
    """
    params = dict(facts.params)
    if suite_task is not None:
        params[SUITE_TASK] = suite_task
    if judge is not None:
        params[JUDGE_PARAMS] = judge.params.model_dump(mode="json", exclude_none=True)
        if judge.embeds:
            params[JUDGE_ASKS] = EMBEDDINGS
    if panel is not None:
        members = sorted(revision(facts, member, suite_task=suite_task)["identity"] for member in panel.judges)
        params[PANEL] = {"members": members, "quorum": panel.quorum}
    identifying: dict[str, Any] = {
        "kind": facts.kind,
        "judge_provider_id": str(judge.provider_id) if judge else None,
        "judge_model": judge.model if judge else None,
        "prompt_hash": facts.prompt_hash,
        "schema_name": facts.schema_name,
        "schema_version": facts.schema_version,
        "params": params,
    }
    scale = {"scale_min": facts.scale_min, "scale_max": facts.scale_max}
    # Leave out the scale of the rubric: its identity was defined before scales, and stored revisions must stay valid.
    hashed = identifying if facts.kind == rubric.KIND else identifying | scale
    identity = hashlib.sha256(json.dumps(hashed, sort_keys=True).encode()).hexdigest()
    return {
        **identifying,
        **scale,
        "judge_provider_id": judge.provider_id if judge else None,
        "identity": identity,
    }


def corrected_identity(identity: str) -> str:
    """Return the identity of the copy of a judge's revision in which people's scores replace some of the judge's.
    `identity` is that of the judge's own revision."""
    return hashlib.sha256(f"{CORRECTS} {identity}".encode()).hexdigest()


def own_params(params: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a revision without those of its judge or panel, and without its suite's task."""
    return {name: value for name, value in params.items() if name not in _ADDED_KEYS}


def identity_of(evaluator: NewEvaluator) -> str:
    identity: str = revision_of(evaluator)["identity"]
    return identity


def revision_of(evaluator: NewEvaluator) -> dict[str, Any]:
    """Return the revision of a new evaluator, by column of the table `evaluator_revision` (see `revision`)."""
    return revision(evaluator.facts, evaluator.judge, evaluator.panel, evaluator.limits.suite_task)


def with_members(evaluators: Sequence[NewEvaluator]) -> list[NewEvaluator]:
    """Return the evaluators followed by the members of their panels.

    Each revision occurs once. A panel member that is also an evaluator by itself stays an evaluator.
    """
    by_identity = {identity_of(evaluator): evaluator for evaluator in evaluators}
    for evaluator in evaluators:
        for member in evaluator.members:
            by_identity.setdefault(identity_of(member), member)
    return list(by_identity.values())
