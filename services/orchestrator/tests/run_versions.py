"""Insert published dataset versions for tests of runs."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from run_world import World
from sqlalchemy import insert, text

from llmbench.db import tables as t
from llmbench.ids import DEFAULT_ORG_ID, new_id


def a_case(name: str, **more: Any) -> dict[str, Any]:
    """Return a case for `insert_version`. `conversation_id` and `turn` become part of its input, other values part of
    its metadata."""
    turn = {part: more.pop(part) for part in ("conversation_id", "turn") if part in more}
    metadata = {key: value for key, value in more.items() if value is not None}
    return {
        "name": name,
        "input": {"prompt": f"What of {name}?", **turn},
        "expected_output": None,
        "metadata": metadata,
        "truth": None,
    }


async def insert_version(
    world: World, cases: Sequence[dict[str, Any]], *, status: str = "PUBLISHED", dataset: str = "Leave"
) -> UUID:
    """Insert a dataset with the name `dataset`, and a version of it with these cases. Each row has the form in which
    config-api stores it."""
    dataset_id, version_id = new_id(), new_id()
    async with world.engine.begin() as connection:
        values = {"id": dataset_id, "org_id": DEFAULT_ORG_ID, "name": dataset, "type": "EVALUATION"}
        await connection.execute(insert(t.dataset).values(values))
        at = text("now()")
        await connection.execute(
            insert(t.dataset_version).values(
                id=version_id,
                dataset_id=dataset_id,
                version_number=3,
                status=status,
                file_uri="file:x",
                file_format="jsonl",
                file_bytes=1,
                row_count=len(cases),
                schema_hash="",
                content_hash="",
                validation_status="VALID",
                published_at=None if status == "DRAFT" else at,
                deprecated_at=at if status == "DEPRECATED" else None,
            )
        )
        for index, case in enumerate(cases):
            case_id = new_id()
            given = {name: case[name] for name in ("name", "input", "expected_output", "metadata")}
            given |= {name: case[name] for name in ("checks",) if name in case}
            await connection.execute(
                insert(t.test_case).values(
                    id=case_id, version_id=version_id, row_index=index, digest=case["name"].encode(), **given
                )
            )
            if case["truth"]:
                await connection.execute(
                    insert(t.ground_truth).values(
                        id=new_id(), test_case_id=case_id, value=case["truth"], source="EXPERT", confidence=0.5
                    )
                )
    return version_id
