"""Test the comments that people write on items: people can delete only their own comments, and hostile texts are shown
as plain text."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest
from run_world import World
from sqlalchemy import insert

from llmbench.db import tables as t
from llmbench.ids import new_id
from llmbench.organisation import asked_by
from orchestrator.runs.adapters.comments import PostgresCommentStore
from orchestrator.runs.ports.comments import MOST_COMMENTS, CommentOut, NotDone

HOSTILE = "<script>alert(1)</script> \u202e=HYPERLINK('x')"


@pytest.fixture
async def item(world: World) -> tuple[UUID, str]:
    run_id = await world.start()
    await world.until_status(run_id, "FINISHED")
    return run_id, (await world.items(run_id))[0]["id"]


def path(run_id: UUID, item_id: str, comment_id: str = "") -> str:
    return f"/api/runs/{run_id}/items/{item_id}/comments" + (f"/{comment_id}" if comment_id else "")


async def listed(world: World, run_id: UUID, item_id: str) -> list[dict[str, Any]]:
    response = await world.http.get(path(run_id, item_id))
    assert response.status_code == 200, response.text
    items: list[dict[str, Any]] = response.json()["items"]
    return items


async def test_comments_are_listed_with_author_and_time_and_are_deleted(world: World, item: tuple[UUID, str]) -> None:
    first = await world.http.post(path(*item), json={"text": f"  {HOSTILE}  ", "by": "Ada"})
    second = await world.http.post(path(*item), json={"text": "Why?\nIt is right."})
    assert (first.status_code, second.status_code) == (201, 201), first.text
    comments = await listed(world, *item)
    assert [(one["text"], one["given_name"], one["own"]) for one in comments] == [
        (HOSTILE, "Ada", True),
        ("Why?\nIt is right.", None, True),
    ]
    assert all(one["created_at"] for one in comments)
    assert "created_by" not in comments[0]
    assert (await world.http.delete(path(*item, comments[0]["id"]))).status_code == 204
    assert await listed(world, *item) == comments[1:]
    assert (await world.http.delete(path(*item, comments[0]["id"]))).status_code == 404


async def test_bad_comments_are_refused(world: World, item: tuple[UUID, str]) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "text": {"text": "   "},
        "NUL": {"text": "a\0b"},
        "by": {"text": "a", "by": "A\ndmin"},
        "created_by": {"text": "a", "created_by": str(uuid4())},
        "4,000": {"text": "x" * 4_001},
    }
    for named, body in bodies.items():
        response = await world.http.post(path(*item), json=body)
        assert response.status_code == 422, response.text
        assert named in response.text
    assert await listed(world, *item) == []


async def test_item_of_another_run_has_no_comments(world: World, item: tuple[UUID, str]) -> None:
    _, item_id = item
    for wrong in (path(uuid4(), item_id), path(item[0], str(uuid4()))):
        assert (await world.http.get(wrong)).status_code == 404
        assert (await world.http.post(wrong, json={"text": "?"})).status_code == 404
        assert (await world.http.delete(f"{wrong}/{uuid4()}")).status_code == 404


async def test_an_item_takes_only_so_many_comments(world: World, item: tuple[UUID, str]) -> None:
    async with world.engine.begin() as connection:
        rows = [{"id": new_id(), "item_id": UUID(item[1]), "text": "again"} for _ in range(MOST_COMMENTS)]
        await connection.execute(insert(t.item_comment), rows)
    refused = await world.http.post(path(*item), json={"text": "again"})
    assert (refused.status_code, refused.json()["title"]) == (409, "Too many comments")


async def test_comments_that_are_added_at_the_same_time_do_not_exceed_the_limit(
    world: World, item: tuple[UUID, str]
) -> None:
    async with world.engine.begin() as connection:
        rows = [{"id": new_id(), "item_id": UUID(item[1]), "text": "again"} for _ in range(MOST_COMMENTS - 1)]
        await connection.execute(insert(t.item_comment), rows)
    responses = await asyncio.gather(*(world.http.post(path(*item), json={"text": "me"}) for _ in range(6)))
    assert sorted(response.status_code for response in responses) == [201, *[409] * 5]
    assert len(await listed(world, *item)) == MOST_COMMENTS


async def test_comment_of_somebody_else_is_not_deleted(world: World, item: tuple[UUID, str]) -> None:
    store = PostgresCommentStore(world.engine, world.engine)
    run_id, item_id = item[0], UUID(item[1])
    ada, bo = uuid4(), uuid4()
    with asked_by(ada):
        comment = await store.add(run_id, item_id, "Look.", "Not Ada")
    assert isinstance(comment, CommentOut)
    assert (comment.created_by, comment.given_name, comment.own) == (ada, None, True)
    with asked_by(bo):
        found = await store.of_item(run_id, item_id)
        assert found is not None
        assert [one.own for one in found.items] == [False]
        assert await store.delete(run_id, item_id, comment.id) is NotDone.NOT_OWN
    with asked_by(ada):
        assert await store.delete(run_id, item_id, comment.id) is None
    assert await listed(world, *item) == []
