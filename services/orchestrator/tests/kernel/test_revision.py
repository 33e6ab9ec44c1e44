"""Test which properties of two evaluator revisions must be equal so that their scores are comparable."""

from dataclasses import replace
from uuid import UUID

import pytest

from llmbench.contracts.chat import SamplingParams
from llmbench.contracts.describe_evaluator import EvaluatorFacts
from orchestrator.kernel.domain.new_run import Judge
from orchestrator.kernel.domain.revision import RUBRIC, own_params, revision

JUDGE = Judge(UUID(int=5), "judge", SamplingParams(temperature=0, max_tokens=1024), concurrency=1)
CONTAINS = EvaluatorFacts(
    kind="contains",
    title="Contains",
    needs_judge=False,
    params={"text": "42"},
    schema_name="contains",
    schema_version="1",
    scale_min=0,
    scale_max=1,
)


def test_identity_of_the_rubric_revision_has_not_changed() -> None:
    identity = revision(RUBRIC, JUDGE)["identity"]
    assert identity == "9b1387aca4741badc44a77bc50bd3e1943b251ea3e528fd07ace1f8fe1af3798"


def test_concurrency_and_title_do_not_change_the_revision() -> None:
    assert revision(RUBRIC, replace(JUDGE, concurrency=8)) == revision(RUBRIC, JUDGE)
    renamed = CONTAINS.model_copy(update={"title": "Has"})
    assert revision(renamed, None) == revision(CONTAINS, None)


@pytest.mark.parametrize(
    "change",
    [
        {"params": {"text": "43"}},
        {"kind": "exact"},
        {"prompt_hash": "1"},
        {"schema_name": "other"},
        {"schema_version": "2"},
        {"scale_max": 10},
    ],
)
def test_change_that_affects_scores_makes_another_revision(change: dict[str, object]) -> None:
    assert revision(CONTAINS.model_copy(update=change), None)["identity"] != revision(CONTAINS, None)["identity"]


@pytest.mark.parametrize(
    "judge",
    [
        replace(JUDGE, model="other"),
        replace(JUDGE, provider_id=UUID(int=6)),
        replace(JUDGE, params=SamplingParams(temperature=0.5)),
        None,
    ],
)
def test_another_judge_is_another_revision(judge: Judge | None) -> None:
    assert revision(RUBRIC, judge)["identity"] != revision(RUBRIC, JUDGE)["identity"]


def test_evaluator_receives_only_its_own_parameters() -> None:
    assert own_params(revision(CONTAINS, JUDGE)["params"]) == {"text": "42"}
    assert own_params(revision(RUBRIC, JUDGE)["params"]) == {}
