"""Test that every evaluator gives the verdicts of its own examples."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from judge_world import command, command_of

from judge.evaluators.base import Evaluator, Example, Reply, Request, UnfitParams
from judge.evaluators.registry import evaluators
from llmbench.confined.confinement import cannot_confine_code
from llmbench.contracts import rubric
from llmbench.contracts.answer_scored import Errored, Replies, Scored, Unparsed
from llmbench.contracts.chat import ChatRequest, SamplingParams
from llmbench.contracts.describe_evaluator import EvaluatorFacts
from llmbench.contracts.judge_answer import JudgeAnswer

CATALOGUE = Path(__file__).parents[3] / "docs" / "how-to" / "choose-evaluators.md"
CASES = [
    (evaluator, example)
    for evaluator in evaluators().values()
    # Where code cannot be confined, the evaluator that runs it refuses all parameters.
    if evaluator.kind != "python_tests" or cannot_confine_code() is None
    for example in evaluator.examples
]


def test_every_evaluator_has_examples() -> None:
    assert evaluators()
    assert all(evaluator.examples for evaluator in evaluators().values())


@pytest.mark.parametrize(
    ("evaluator", "example"), CASES, ids=[f"{evaluator.kind}: {example.name}" for evaluator, example in CASES]
)
async def test_an_example_comes_out_as_it_says(evaluator: Evaluator[Any], example: Example) -> None:
    task = command_of(evaluator, example)
    replies = iter(example.replies)
    parts: list[str] = []

    async def ask(part: str, request: Request, *, reuse: bool = False) -> Reply:
        parts.append(part)
        return next(replies)

    verdict = (await evaluator.evaluate(task, ask)).model_dump(mode="json")
    assert tuple(parts) == example.parts
    # Compare only the details that the example gives.
    details = {name: verdict.get("details", {}).get(name) for name in example.verdict.get("details", {})}
    assert {key: verdict[key] for key in example.verdict} | {"details": details} == {"details": {}} | example.verdict


async def test_a_retry_has_another_seed_and_the_judges_own_parameters() -> None:
    requests: list[ChatRequest] = []

    async def ask(part: str, request: Request, *, reuse: bool = False) -> Reply:
        assert isinstance(request, ChatRequest)
        requests.append(request)
        return Reply("no verdict")

    for dispatch, params in ((1, {}), (2, {}), (1, {"seed": 2**31 - 1, "temperature": 0.5, "max_tokens": 99})):
        task = command(dispatch=dispatch)
        task = task.model_copy(update={"judge": task.lane.model_copy(update={"params": _params(params)})})
        await evaluators()["rubric"].evaluate(task, ask)
    chosen = [request.params for request in requests]
    assert len({params.seed for params in chosen[:4]}) == 4
    assert [params.temperature for params in chosen] == [0, 0, 0, 0, 0.5, 0.5]
    assert chosen[4].max_tokens == 99


@pytest.mark.parametrize(("evaluator", "example"), CASES)
def test_the_facts_of_an_example_are_whole_and_stable(evaluator: Evaluator[Any], example: Example) -> None:
    facts = evaluator.facts(example.params)
    assert evaluator.facts(facts.params) == facts, "what was made whole is read back as it is"
    assert json.loads(facts.model_dump_json())["params"] == facts.params
    assert bool(facts.prompt_hash) == evaluator.needs_judge == (facts.needs_judge and facts.judge_asks == "chat")
    assert facts.needs_judge == evaluator.needs_judge or evaluator.info().may_need_judge
    assert facts.scale_min < facts.scale_max


@pytest.mark.parametrize("evaluator", evaluators().values(), ids=evaluators())
def test_every_parameter_says_what_it_is(evaluator: Evaluator[Any]) -> None:
    info = evaluator.info()
    assert info.title
    assert info.description.endswith(".")
    Draft202012Validator.check_schema(info.params_schema)
    assert info.params_schema["additionalProperties"] is False
    for name, schema in info.params_schema.get("properties", {}).items():
        assert schema.get("description"), f"{evaluator.kind}.{name}"
    with pytest.raises(UnfitParams, match="no_such_parameter"):
        evaluator.read({"no_such_parameter": 1})


def test_the_catalogue_has_every_evaluator_with_its_parameters() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", CATALOGUE.read_text("utf-8"), re.MULTILINE))
    assert {kind: set(re.findall(r"`(\w+)`", row)) - {"text"} for kind, row in rows.items()} == {
        kind: set(evaluator.params.model_fields) for kind, evaluator in evaluators().items()
    }


def test_the_rubrics_identity_is_what_the_contract_says() -> None:
    assert evaluators()[rubric.KIND].facts({}) == EvaluatorFacts(
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


BY_PROGRAM = [one for one in evaluators().values() if one.reads_text]


@pytest.mark.parametrize("evaluator", BY_PROGRAM, ids=[one.kind for one in BY_PROGRAM])
@pytest.mark.parametrize(
    ("kind", "cut", "reason"),
    [
        (
            "reasoning",
            True,
            "The answer was cut at its token limit while the model was still reasoning: there is none.",
        ),
        ("reasoning", False, "The model wrote only its reasoning, and no answer."),
        ("empty", True, "The answer was cut at its token limit before it began."),
    ],
)
async def test_what_was_cut_before_it_began_scores_0_and_says_so(
    evaluator: Evaluator[Any], kind: str, cut: bool, reason: str
) -> None:
    verdict = await evaluator.evaluate(_unanswered(evaluator, kind, cut=cut), _nobody)
    assert isinstance(verdict, Scored)
    assert (verdict.raw, verdict.normalised, verdict.passed) == (evaluator.scale_min, 0, False)
    assert verdict.reason == reason


def test_versions_of_computations_that_have_changed() -> None:
    """An evaluator revision's identity includes `schema_version`, so scores of two computations are never mixed.

    When a change may give an answer another score, raise the version in the evaluator and here.
    """
    versions = {one.kind: one.schema_version for one in BY_PROGRAM if one.schema_version != "1"}
    assert versions == {
        **dict.fromkeys(("bleu", "contains", "grounded_questions", "levenshtein", "python_tests", "starts_with"), "2"),
        **dict.fromkeys(("citations", "exact_match", "fuzzy_match", "json_schema", "multiple_choice"), "3"),
        "numeric": "4",
    }


@pytest.mark.parametrize("evaluator", BY_PROGRAM, ids=[one.kind for one in BY_PROGRAM])
async def test_an_image_is_no_wrong_answer(evaluator: Evaluator[Any]) -> None:
    verdict = await evaluator.evaluate(_unanswered(evaluator, "media", cut=False), _nobody)
    assert isinstance(verdict, Errored)
    assert "audio or images" in getattr(verdict.failure, "message", "")


@pytest.mark.parametrize("kind", ["latency", "cost"])
async def test_what_reads_no_text_scores_a_cut_answer_as_any(kind: str) -> None:
    evaluator = evaluators()[kind]
    example = next(one for one in evaluator.examples if one.verdict.get("raw") == 1.0)
    task = command_of(evaluator, example).model_copy(update={"answer": "", "answer_kind": "reasoning", "cut": True})
    assert isinstance(verdict := await evaluator.evaluate(task, _nobody), Scored)
    assert verdict.raw == 1.0


async def test_replies_are_counted_with_the_score_and_without_one() -> None:
    replies = iter(
        (
            *(Reply('{"reason": "x", "score": 9}'), Reply("?"), Reply('{"reason": "x", "score": 8}')),
            *(Reply("?"), Reply("!"), Reply("?"), Reply("!")),
        )
    )

    async def ask(part: str, request: Request, *, reuse: bool = False) -> Reply:
        return next(replies)

    scored = await evaluators()["rubric"].evaluate(_rubric(repeats=3), ask)
    assert isinstance(scored, Scored)
    assert scored.details["replies"] == {"asked": 3, "parsed": 2, "repaired": 1}
    unparsed = await evaluators()["rubric"].evaluate(_rubric(repeats=1), ask)
    assert isinstance(unparsed, Unparsed)
    assert unparsed.replies == Replies(asked=1)


def _rubric(*, repeats: int) -> JudgeAnswer:
    task = command()
    return task.model_copy(update={"evaluator": task.evaluator.model_copy(update={"params": {"repeats": repeats}})})


def _unanswered(evaluator: Evaluator[Any], kind: str, *, cut: bool) -> JudgeAnswer:
    task = command_of(evaluator, evaluator.examples[0])
    return task.model_copy(update={"answer": " \n", "answer_kind": kind, "cut": cut})


async def _nobody(part: str, request: Request, *, reuse: bool = False) -> Reply:
    raise AssertionError("nobody is to be asked")


@pytest.mark.parametrize(
    ("kind", "params", "field"),
    [
        ("regex", {"pattern": "(?=x)y"}, "pattern"),
        ("regex", {"pattern": "a{1000}{1000}{1000}"}, "pattern"),
        ("regex", {"pattern": "("}, "pattern"),
        ("regex", {}, "pattern"),
        ("latency", {"max_ms": 0}, "max_ms"),
        ("cost", {"max_usd": float("nan")}, "max_usd"),
        ("numeric", {"units": {"km": 0}}, "units.km"),
        ("fuzzy_match", {"threshold": 80}, "threshold"),
        ("bleu", {"tokenizer": "flores200"}, "tokenizer"),
        ("json_schema", {"json_schema": {"type": "thing"}}, "json_schema"),
        ("json_schema", {"json_schema": {"pattern": "(?=x)"}}, "json_schema"),
        ("json_schema", {"json_schema": {"patternProperties": {"^(a|aa)+$": {}}}}, "json_schema"),
        ("json_schema", {"json_schema": {"x": {"patternProperties": ["^(a|aa)+$"]}, "$ref": "#/x"}}, "json_schema"),
        ("contains", {"texts": [""]}, "texts.0"),
        ("exact_match", {"profile": "squad", "ignore_case": True}, "profile"),
        ("exact_match", {"profile": "triviaqa"}, "profile"),
        ("squad_f1", {"measure": "f2"}, "measure"),
        ("chrf", {"word_order": 3}, "word_order"),
        ("semantic_similarity", {"embedding": "word2vec"}, "embedding"),
        ("semantic_similarity", {"pass_mark": -1.5}, "pass_mark"),
        ("bert_score", {"embedding": "provider"}, "embedding"),
        ("bert_score", {"baseline": 1}, "baseline"),
        ("bert_score", {"idf_texts": [""]}, "idf_texts.0"),
    ],
)
def test_a_wrong_parameter_is_named(kind: str, params: dict[str, Any], field: str) -> None:
    with pytest.raises(UnfitParams) as raised:
        evaluators()[kind].read(params)
    assert any(field in (problem.field, problem.message.partition(":")[0]) for problem in raised.value.problems)


def _params(fields: Mapping[str, object]) -> SamplingParams:
    return SamplingParams.model_validate(fields)
