"""Test `/api/evaluators` with every kind of reply from the judge service."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import nats
import pytest
from config_api_asserting import assert_problem
from nats.aio.client import Client
from nats.aio.msg import Msg

from llmbench.contracts.list_evaluators import EvaluatorInfo, EvaluatorsListed, ListEvaluators
from llmbench.messaging.fence import fence

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
CONTAINS = EvaluatorInfo(
    kind="contains", title="Contains", description="Is a text in it?", needs_judge=False, params_schema=SCHEMA
)
RUBRIC = EvaluatorInfo(kind="rubric", title="A rubric", description="0 to 10", needs_judge=True, params_schema={})


@pytest.fixture
async def wire(nats_url: str) -> AsyncIterator[Client]:
    connection = await nats.connect(nats_url)
    yield connection
    await connection.close()


async def _judge(wire: Client, reply: bytes) -> None:
    async def answer(message: Msg) -> None:
        assert ListEvaluators.model_validate_json(message.data)
        await message.respond(reply)

    await wire.subscribe(ListEvaluators.SUBJECT, cb=answer)
    await fence(wire)


async def test_evaluators_are_those_of_the_judge_sorted_by_title(api: httpx.AsyncClient, wire: Client) -> None:
    await _judge(wire, EvaluatorsListed(evaluators=(CONTAINS, RUBRIC)).model_dump_json().encode())
    answer = await api.get("/api/evaluators")
    assert answer.status_code == 200
    assert [item["kind"] for item in answer.json()["items"]] == ["rubric", "contains"], "by title"
    assert answer.json()["items"][1] == CONTAINS.model_dump()


async def test_unreachable_judge_service_is_a_503(api: httpx.AsyncClient) -> None:
    assert_problem(await api.get("/api/evaluators"), 503)
    assert "the judge service does not answer" in (await api.get("/api/evaluators")).json()["detail"]


async def test_judge_of_another_version_is_a_503(api: httpx.AsyncClient, wire: Client) -> None:
    await _judge(wire, b'{"evaluators": 7}')
    answer = await api.get("/api/evaluators")
    assert_problem(answer, 503)
    assert "another version" in answer.json()["detail"]
