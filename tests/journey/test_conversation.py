"""Test conversations with a RAG service, while the gateway is killed between turns.

Each turn is asked once, in order, with the service's own earlier answers. Citations are read from the response's field
for citations, and scored.
"""

from collections import Counter

import pytest

from tests.journey.conftest import Seeded

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

TALKS, TURNS = 3, 4
SERVICE = "mock-60ms"
CALLS_BETWEEN = 4
"""The number of calls that the service answers between two kills."""


def question(talk: int, turn: int) -> str:
    return f"Talk {talk}, question {turn}?"


CSV = "id,conversation_id,turn,prompt,expected_output\n" + "".join(
    f'{talk}-{turn},talk-{talk},{turn},"{question(talk, turn)}",No.\n'
    for talk in range(TALKS)
    for turn in range(1, TURNS + 1)
)


async def test_conversations_with_a_rag_service_survive_kills_between_turns(seeded: Seeded) -> None:
    stack = await seeded(tasks=1)
    service = {
        "name": "HR assistant",
        "type": "HTTP_JSON",
        "base_url": f"{stack.provider_url}/rag/{SERVICE}",
        "options": {
            "request": {"question": "{{question}}", "history": "{{history}}"},
            "citations_path": "$.citations[*]",
        },
    }
    tested = await stack.post("/api/providers/test", service)
    assert (tested["ok"], [model["id"] for model in tested["models"]]) == (True, ["default"])
    elsewhere = {**service, "options": {**service["options"], "answer_path": "$.reply.text"}}  # type: ignore[dict-item]  # a dict
    tested = await stack.post("/api/providers/test", elsewhere)
    assert "answer_path $.reply.text finds nothing in it; it has answer, turns_known, citations" in tested["problem"]

    provider_id = (await stack.post("/api/providers", service))["id"]
    dataset_id = (await stack.post("/v1/datasets", {"name": "Talks", "type": "EVALUATION"}))["dataset_id"]
    uploaded = await stack.http.post(f"/v1/datasets/{dataset_id}/versions", files={"file": ("talks.csv", CSV.encode())})
    assert uploaded.status_code == 201, uploaded.text
    version = await stack.post(f"/v1/datasets/{dataset_id}/versions/1/publish")
    body = {
        "targets": [{"provider_id": provider_id, "model": "default"}],
        "evaluators": [{"kind": "citations"}, {"kind": "fuzzy_match", "weight": 0}],
        "dataset_version_ids": [version["version_id"]],
        # The default timeout for such services, 5 s, is too short for a call that the provider holds.
        "timeout_s": 300,
    }
    await stack.control(model=SERVICE, hold=CALLS_BETWEEN)
    run_id = (await stack.post("/api/runs", body))["id"]
    for _ in range(2):
        await stack.until_held(SERVICE)
        await stack.control(model=SERVICE, hold=CALLS_BETWEEN)
        await stack.services["inference-gateway"].kill()
        await stack.services["inference-gateway"].start()
    await stack.control(model=SERVICE, hold=None)
    run = await stack.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("complete", 0)

    items = {item["task_id"]: item for item in await stack.items(run_id)}
    assert len(items) == TALKS * TURNS
    answers: dict[str, str] = {}
    for talk in range(TALKS):
        for turn in range(1, TURNS + 1):
            item = items[f"{talk}-{turn}"]
            assert (item["conversation_id"], item["turn"], item["attempts"]) == (f"talk-{talk}", turn, 1)
            detail = await stack.get(f"/api/runs/{run_id}/items/{item['id']}")
            answers[question(talk, turn)] = detail["answer"]
            before = [question(talk, earlier) for earlier in range(1, turn)]
            assert [message["content"] for message in detail["request"]["body"]["history"]] == [
                text for asked in before for text in (asked, answers[asked])
            ]
            assert [citation["relevance"] for citation in detail["citations"]] == [0.87, 0.41]
            cited = next(score for score in detail["scores"] if score["kind"] == "citations")
            assert (cited["details"]["status"], cited["details"]["found_in"]) == ("PRESENT", "fields")

    talk_calls = [call for call in await stack.ledger() if call["prompt"].startswith("Talk")]
    paid = Counter(call["call_id"] for call in talk_calls if call["answered"])
    assert len(paid) == TALKS * TURNS
    assert sum(paid.values()) - len(paid) <= 2, "at most the one call per kill whose row was not committed"
    for talk in range(TALKS):
        order = [call["prompt"] for call in talk_calls if call["prompt"].startswith(f"Talk {talk}")]
        assert list(dict.fromkeys(order)) == [question(talk, turn) for turn in range(1, TURNS + 1)]
