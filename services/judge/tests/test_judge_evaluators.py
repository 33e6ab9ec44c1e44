"""Conformance: every evaluator does what its examples say."""

from collections.abc import Mapping

import pytest
from judge_world import command

from judge.evaluators.base import Evaluator, Example, Reply
from judge.evaluators.registry import evaluators
from llmbench.contracts.chat import ChatRequest, SamplingParams

CASES = [(evaluator, example) for evaluator in evaluators().values() for example in evaluator.examples]


def test_every_evaluator_has_examples() -> None:
    assert evaluators()
    assert all(evaluator.examples for evaluator in evaluators().values())


@pytest.mark.parametrize(
    ("evaluator", "example"), CASES, ids=[f"{evaluator.kind}: {example.name}" for evaluator, example in CASES]
)
async def test_an_example_comes_out_as_it_says(evaluator: Evaluator, example: Example) -> None:
    task = command()
    case = task.case.model_copy(update=example.case)
    task = task.model_copy(update={"answer": example.answer, "case": case})
    replies = iter(example.replies)
    parts: list[str] = []

    async def ask(part: str, request: ChatRequest) -> Reply:
        parts.append(part)
        return next(replies)

    verdict = (await evaluator.evaluate(task, ask)).model_dump(mode="json")
    assert tuple(parts) == example.parts
    assert {key: verdict[key] for key in example.verdict} == example.verdict


async def test_a_retry_has_another_seed_and_the_judges_own_parameters() -> None:
    requests: list[ChatRequest] = []

    async def ask(part: str, request: ChatRequest) -> Reply:
        requests.append(request)
        return Reply("no verdict")

    for dispatch, params in ((1, {}), (2, {}), (1, {"seed": 2**31 - 1, "temperature": 0.5, "max_tokens": 99})):
        task = command(dispatch=dispatch)
        task = task.model_copy(update={"judge": task.judge.model_copy(update={"params": _params(params)})})
        await evaluators()["rubric"].evaluate(task, ask)
    chosen = [request.params for request in requests]
    assert len({params.seed for params in chosen[:4]}) == 4
    assert [params.temperature for params in chosen] == [0, 0, 0, 0, 0.5, 0.5]
    assert chosen[4].max_tokens == 99


def _params(fields: Mapping[str, object]) -> SamplingParams:
    return SamplingParams.model_validate(fields)
