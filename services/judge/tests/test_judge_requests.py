"""Test the requests about evaluators with the real application and a real broker."""

from typing import Any

import nats
from judge_world import TIMEOUT_S, command, running_judge
from nats.aio.client import Client

from judge.evaluators.registry import evaluators
from llmbench.contracts.check_references import CheckReferences, ReferencesChecked
from llmbench.contracts.describe_evaluator import DescribeEvaluator, EvaluatorDescribed
from llmbench.contracts.list_evaluators import EvaluatorsListed, ListEvaluators
from llmbench.messaging.publish import request


async def _described(client: Client, kind: str, params: dict[str, Any]) -> EvaluatorDescribed:
    raw = await request(client, DescribeEvaluator(kind=kind, params=params), service="test", timeout_s=TIMEOUT_S)
    return EvaluatorDescribed.model_validate_json(raw)


async def test_evaluators_are_listed_and_described(nats_url: str) -> None:
    async with running_judge(nats_url):
        client = await nats.connect(nats_url)
        try:
            raw = await request(client, ListEvaluators(), service="test", timeout_s=TIMEOUT_S)
            listed = EvaluatorsListed.model_validate_json(raw).evaluators
            assert {evaluator.kind for evaluator in listed} == set(evaluators())
            rubric = await _described(client, "rubric", {})
            assert rubric.facts == evaluators()["rubric"].facts({})
            assert rubric.problems == ()
            wrong = await _described(client, "rubric", {"mood": "kind"})
            assert wrong.facts is None
            assert [problem.field for problem in wrong.problems] == ["mood"]
            unknown = await _described(client, "astrology", {})
            assert "'astrology'" in unknown.problems[0].message
            question = CheckReferences(kind="numeric", cases=(command().case.model_copy(update={"excellent": "many"}),))
            raw = await request(client, question, service="test", timeout_s=TIMEOUT_S)
            checked = ReferencesChecked.model_validate_json(raw)
            assert (checked.checked, len(checked.problems)) == (1, 1)
            for subject in (ListEvaluators.SUBJECT, DescribeEvaluator.SUBJECT, CheckReferences.SUBJECT):
                invalid = await client.request(subject, b"\xff", timeout=TIMEOUT_S)
                assert invalid.data == b"", "its sender can say at once that the versions differ"
        finally:
            await client.close()
