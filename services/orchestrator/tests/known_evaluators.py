"""A fake of the judge service's list of evaluators."""

from typing import Any

from llmbench.contracts.case import Case
from llmbench.contracts.check import WITH_CHECKS
from llmbench.contracts.check_references import CheckReferences, ReferenceProblem, ReferencesChecked
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed, EvaluatorFacts, ParamProblem
from llmbench.contracts.list_evaluators import EvaluatorInfo, EvaluatorsListed


def describe_evaluator(question: DescribeEvaluator) -> EvaluatorDescribed:
    """Describe an evaluator as the judge service does: `contains` calls no model, `g_eval` and `pairwise`
    call one, and `semantic_similarity` calls one only with some parameters."""
    params = question.params
    if question.kind == "contains":
        if not isinstance(params.get("text"), str):
            return EvaluatorDescribed(problems=(ParamProblem(field="text", message="is missing"),))
        return _facts("contains", params={"text": params["text"], "ignore_case": params.get("ignore_case", True)})
    if question.kind == "case_checks":
        return _facts("case_checks", params={}, only=WITH_CHECKS)
    if question.kind == "numeric":
        return _facts("numeric", params=params, reads_references=True)
    if question.kind == "g_eval":
        complete_params = {"criteria": params.get("criteria", "coherence"), **params}
        return _facts("g_eval", params=complete_params, needs_judge=True, prompt_hash="abc", scale_min=1, scale_max=5)
    if question.kind == "pairwise":
        return _facts("pairwise", params=params, needs_judge=True, prompt_hash="def")
    if question.kind == "semantic_similarity":
        complete_params = {"embedding": params.get("embedding", "here")}
        asks = {"needs_judge": True, "judge_asks": "embeddings"} if complete_params["embedding"] == "provider" else {}
        return _facts("semantic_similarity", params=complete_params, scale_min=-1, **asks)
    return EvaluatorDescribed(problems=(ParamProblem(field="", message=f"there is no evaluator '{question.kind}'"),))


def check_references(question: CheckReferences) -> ReferencesChecked:
    """Report each reference without a digit as unreadable."""
    problems = tuple(
        ReferenceProblem(task_id=case.task_id, message=f"ambiguous reference: {case.task_id} has no number")
        for case in question.cases
        if not any(char.isdigit() for reference in _references(case) for char in reference)
    )
    return ReferencesChecked(checked=len(question.cases), problems=problems)


def _references(case: Case) -> tuple[str, ...]:
    accepted = case.ground_truth.acceptable_answers if case.ground_truth else ()
    return (case.expected_output or case.excellent or "", *accepted)


_CRITERIA = {"properties": {"criterion": {"enum": ["faithfulness", "relevance", "custom"]}}}
KNOWN = EvaluatorsListed(
    evaluators=tuple(
        EvaluatorInfo(kind=kind, title=kind.title(), description="", needs_judge=asks, params_schema=schema)
        for kind, asks, schema in (("contains", False, {}), ("g_eval", True, _CRITERIA), ("rubric", True, {}))
    )
)


def _facts(kind: str, *, params: dict[str, Any], **more: Any) -> EvaluatorDescribed:
    facts = {"needs_judge": False, "schema_name": kind, "schema_version": "1", "scale_min": 0, "scale_max": 1}
    return EvaluatorDescribed(facts=EvaluatorFacts(kind=kind, title=kind.title(), params=params, **(facts | more)))
