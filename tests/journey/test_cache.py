"""Test that a run may reuse the answers of an earlier run; each epoch reuses a different answer."""

import pytest

from tests.journey.conftest import Seeded

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.never_rerun]

TARGET = "mock-5ms-target"


async def test_second_run_reuses_the_answers_of_the_first(seeded: Seeded) -> None:
    stack = await seeded(tasks=3)
    first = await stack.start_run(TARGET, epochs=2)
    await stack.until_status(first, "FINISHED")
    calls_before = sum(call["model"] == TARGET for call in await stack.ledger())
    assert calls_before == 7, "a warm-up, and each of three tasks twice"

    second = await stack.start_run(TARGET, epochs=3, use_cache=True)
    run = await stack.until_status(second, "FINISHED")
    assert run["outcome"] == "complete"
    items = await stack.items(second)
    assert [item["cached"] for item in items] == [True] * 6 + [False] * 3, "a third epoch was never asked for"
    assert (run["totals"]["cached"], run["totals"]["timed"]) == (6, 3)
    assert sum(call["model"] == TARGET for call in await stack.ledger()) == calls_before + 4
    # The reused answers have the same text as the original ones.
    pages = [await stack.items(run_id) for run_id in (first, second)]
    answers = [
        [(await stack.get(f"/api/runs/{run_id}/items/{item['id']}"))["answer"] for item in page[:3]]
        for run_id, page in zip((first, second), pages, strict=True)
    ]
    assert answers[0] == answers[1]
    assert all(answers[0])
