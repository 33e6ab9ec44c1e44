"""Runs of any size: a real one of a hundred items, and its rows many times over."""

import asyncpg

from tests.platform import Platform

SEED_TASKS = 50
"""What a platform that makes such runs is seeded with."""
_TARGETS = 2

# Every case of the run again as often as there are copies, as if it had been created with so many: a target has its
# items at positions of its own, one after the other. Items and scores refer to the answers of the first.
_MOVE = """
    UPDATE {table} SET position = position % $2 + position / $2 * $3 WHERE run_id = $1 AND position >= $2
"""
_ITEM_COLUMNS = """
    run_id, target_id, group_id, epoch, category, subcategory, "case", status, dispatch, attempts, call_id, failure,
    time_ms, first_token_ms, first_content_ms, prompt_tokens, completion_tokens, reasoning_tokens, usage_source,
    tokens_per_second, finish_reason, cost_usd, cached, score_revision_id, score, score_normalised, passed, reason,
    completed_at
"""
_MULTIPLY = f"""
    WITH copied AS (
        INSERT INTO item (id, position, task_id, {_ITEM_COLUMNS})
        SELECT gen_random_uuid(), position + copy * $2::integer, task_id || '-' || copy, {_ITEM_COLUMNS}
        FROM item CROSS JOIN generate_series(1, $3::integer / $2::integer - 1) AS copy WHERE run_id = $1
        RETURNING id, position
    )
    INSERT INTO score (id, run_id, item_id, evaluator_revision_id, group_id, position, status, outcome, raw, normalised,
                       passed, reason, dispatch, attempts)
    SELECT gen_random_uuid(), score.run_id, copied.id, evaluator_revision_id, score.group_id, copied.position,
           score.status, outcome, raw, normalised, score.passed, score.reason, score.dispatch, score.attempts
    FROM copied
    JOIN item ON item.run_id = $1 AND item.position = copied.position / $3 * $3 + copied.position % $3 % $2
    JOIN score ON score.item_id = item.id
"""  # noqa: S608  # made of constants
_COUNT = """
    UPDATE run SET item_count = item_count * $2, answered_count = answered_count * $2, judged_count = judged_count * $2,
                   case_count = case_count * $2
    WHERE id = $1
"""
_CUT = """
    INSERT INTO run_block (run_id, block) SELECT id, generate_series(0, (case_count - 1) / block_cases) FROM run
    WHERE id = $1
"""


async def finished_run(stack: Platform, items: int) -> str:
    """A finished run of `items` items (a multiple of a hundred), of which none is counted; returns its id."""
    run_id = await stack.start_run(*(f"mock-0ms-target{number}" for number in range(_TARGETS)), concurrency=4)
    await stack.until_status(run_id, "FINISHED")
    cases = items // _TARGETS
    connection = await asyncpg.connect(stack.database_url.replace("+asyncpg", ""))
    try:
        async with connection.transaction():
            for table in ("item", "score"):
                await connection.execute(_MOVE.format(table=table), run_id, SEED_TASKS, cases)
            await connection.execute(_MULTIPLY, run_id, SEED_TASKS, cases)
            await connection.execute(_COUNT, run_id, cases // SEED_TASKS)
            for table in ("run_block", "run_ranking"):
                await connection.execute(f"DELETE FROM {table} WHERE run_id = $1", run_id)  # noqa: S608
            await connection.execute(_CUT, run_id)
        await connection.execute("ANALYZE item; ANALYZE score")
    finally:
        await connection.close()
    return run_id
