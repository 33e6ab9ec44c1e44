"""Generate questions from documents, publish them, ask them turn by turn, and check a model's results.

The results about one document are not independent, and form one cluster.
"""

import json
from typing import Any

import pytest

from tests.journey.conftest import Seeded
from tests.platform import Platform

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

DOCUMENTS, TURNS = ("Leave.md", "Travel.md", "Pay.md"), 3
WRITER, TARGETS = "questions-writer", ("mock-0ms-first", "mock-0ms-second-nousage")


def passage(document: str, turn: int) -> str:
    return f"Rule {turn} of {document} is applied from day {turn} on."


def generated_questions(document: str) -> str:
    turns = [
        {
            "question": f"What is rule {turn} of {document}?",
            "ground_truth": f"Day {turn}.",
            "passage": passage(document, turn),
        }
        for turn in range(1, TURNS + 1)
    ]
    return json.dumps({"conversations": [{"turns": turns}]})


async def questions(stack: Platform, document: str) -> str:
    """Let a model generate questions about a document. Return the questions that the document's text supports, as lines
    of a dataset file."""
    text = " ".join(passage(document, turn) for turn in range(1, TURNS + 1)) + " And so on, as ever." * 10
    uploaded = await stack.http.post("/v1/documents", files={"file": (document, text.encode())})
    assert uploaded.status_code == 201, uploaded.text
    path = f"/v1/documents/{uploaded.json()['document_id']}/publish"
    run = (await stack.post(path, {"conversations": 1, "turns": TURNS}))["run"]
    targets = [{"provider_id": stack.provider_id, "model": WRITER}]
    run_id = (await stack.post("/api/runs", run | {"targets": targets, "check_providers": False}))["id"]
    assert (await stack.until_status(run_id, "FINISHED"))["outcome"] == "complete"
    return (await stack.http.get(f"/api/runs/{run_id}/export", params={"format": "test-cases"})).text


async def test_generated_questions_are_asked_turn_by_turn_and_clustered_by_document(seeded: Seeded) -> None:
    stack = await seeded(tasks=1)
    says = [{"when": [passage(document, 1)], "say": generated_questions(document)} for document in DOCUMENTS]
    await stack.control(model=WRITER, **{"as": "mock-0ms"}, says=says)
    lines = "".join([await questions(stack, document) for document in DOCUMENTS])
    await stack.control(model=WRITER, **{"as": None})

    dataset_id = (await stack.post("/v1/datasets", {"name": "Rules", "type": "EVALUATION"}))["dataset_id"]
    uploaded = await stack.http.post(f"/v1/datasets/{dataset_id}/versions", files={"file": ("q.jsonl", lines.encode())})
    assert (uploaded.status_code, uploaded.json()["row_count"]) == (201, len(DOCUMENTS) * TURNS), uploaded.text
    version = await stack.post(f"/v1/datasets/{dataset_id}/versions/1/publish")
    run = await run_of_version(stack, version["version_id"])

    await check_prompts_of_turns(stack, run["id"])
    await check_exported_conversations(stack, run["id"])
    assert (run["cluster_level"], run["totals"]["clusters"], run["load"]) == ("document", len(DOCUMENTS), "closed_loop")
    for figures in (run["totals"], *run["results"]):
        assert figures["p95_time_ms"] <= figures["p99_time_ms"]
        assert figures["requests_per_second"] == pytest.approx(figures["timed"] / figures["busy_s"])
    assert [result["estimated_usage"] for result in run["results"]] == [0, len(DOCUMENTS) * TURNS], (
        "marked where estimated"
    )

    changed = await stack.http.patch(f"/api/runs/{run['id']}", json={"cluster_by": "passage"})
    assert (changed.status_code, changed.json()["cluster_level"]) == (200, "metadata")
    again = await stack.get(f"/api/runs/{run['id']}")
    # Each turn has a passage of its own, but a conversation is never divided into several clusters.
    assert again["totals"]["clusters"] == len(DOCUMENTS)
    refused = await stack.http.patch(f"/api/runs/{run['id']}", json={"cluster_by": "chapter"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "cluster_by")


async def run_of_version(stack: Platform, version_id: str) -> dict[str, Any]:
    evaluators = [{"kind": "contains", "params": {"text": "1"}}]
    more = {"collection_ids": [], "dataset_version_ids": [version_id], "evaluators": evaluators}
    run_id = await stack.start_run(*TARGETS, judge=None, max_conversation_history=1, **more)
    run = await stack.until_status(run_id, "FINISHED")
    assert (run["outcome"], run["counts"]["failed"]) == ("complete", 0)
    return run


async def check_prompts_of_turns(stack: Platform, run_id: str) -> None:
    """Check the prompt of each turn: it has the model's own earlier answers, at most as many turns as the run
    allows, and the context once."""
    details = [await stack.get(f"/api/runs/{run_id}/items/{item['id']}") for item in await stack.items(run_id)]
    by_turn = {(detail["target_label"], detail["conversation_id"], detail["turn"]): detail for detail in details}
    assert len(by_turn) == len(TARGETS) * len(DOCUMENTS) * TURNS
    for (target, conversation, turn), item in by_turn.items():
        contents = [
            message["content"] for message in item["request"]["body"]["messages"] if message["role"] != "system"
        ]
        assert contents[-1].startswith("Context:\n")
        assert contents[-1].endswith(item["case"]["question"])
        if turn == 1:
            assert len(contents) == 1
        else:
            before = by_turn[target, conversation, turn - 1]
            assert contents[:-1] == [before["case"]["question"], before["answer"]]


async def check_exported_conversations(stack: Platform, run_id: str) -> None:
    document = (await stack.http.get(f"/api/runs/{run_id}/export", params={"format": "rag-run"})).json()
    places = [
        (result["model_name"], result["conversation_id"], result["turn_number"]) for result in document["results"]
    ]
    assert places == [
        (target, f"{name}-0001.1", turn) for target in TARGETS for name in DOCUMENTS for turn in range(1, TURNS + 1)
    ]
