"""The identity of an evaluator revision: another judge, prompt, schema or parameter is another."""

import hashlib
import json
from typing import Any
from uuid import UUID

from llmbench.contracts import rubric
from llmbench.contracts.chat import SamplingParams


def rubric_revision(judge_provider_id: UUID, judge_model: str, judge_params: SamplingParams) -> dict[str, Any]:
    """The columns of `evaluator_revision`, but for its id and organisation."""
    params = judge_params.model_dump(mode="json", exclude_none=True)
    facts = {
        "kind": rubric.KIND,
        "judge_provider_id": str(judge_provider_id),
        "judge_model": judge_model,
        "prompt_hash": rubric.PROMPT_HASHES[rubric.PROMPT_VERSION],
        "schema_name": rubric.SCHEMA_NAME,
        "schema_version": rubric.SCHEMA_VERSION,
        "params": {"judge_params": params},
    }
    identity = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
    return {
        **facts,
        "judge_provider_id": judge_provider_id,
        "identity": identity,
        "scale_min": float(rubric.SCALE_MIN),
        "scale_max": float(rubric.SCALE_MAX),
    }
