"""Publish a collection as a version of a dataset: write its tasks to a file, and process the file like an upload."""

import json
from typing import IO, Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from config_api.bodies import Input, Name, OptionalText
from config_api.checks import CheckService
from config_api.collections import store as collection_store
from config_api.datasets.formats.registry import formats
from config_api.datasets.ingest import NewVersion, ingest
from config_api.datasets.schemas import DatasetIn, VersionOut
from config_api.files.store import FileStore
from config_api.tasks import store as task_store
from config_api.tasks.schemas import TaskOut
from config_api.versions import missing
from llmbench.errors import FieldError, Problem

_PAGE = 500
_GRADES = ("excellent", "good", "pass", "incorrect_answer_direction")


class PublishCollection(Input):
    """The request body that publishes a collection as a dataset.

    By default the dataset is named after the collection. If a dataset of that name exists, it gets a new version.
    """

    dataset_name: Name | None = None
    description: OptionalText = None


async def publish_collection(
    engine: AsyncEngine, files: FileStore, checks: CheckService, collection_id: UUID, wanted: PublishCollection
) -> VersionOut:
    """Create a PUBLISHED version from the collection's tasks. Later changes of the collection do not affect it.

    Raises a 404 problem for an unknown collection, and a 422 problem for an empty collection. Also raises the problems
    that an upload of the file would raise (see `ingest`).
    """
    async with engine.connect() as connection:
        collection = await collection_store.find_collection(connection, collection_id)
    if collection is None:
        raise missing("collection", collection_id)
    if not collection.task_count:
        raise Problem(
            422, "Empty", "The collection is empty.", errors=[FieldError("id", "is a collection without tasks")]
        )
    dataset = DatasetIn(name=wanted.dataset_name or collection.name, description=collection.description)
    with files.spool() as file:
        await _write(engine, file, collection_id)
        new = NewVersion(
            file,
            formats()["jsonl"],
            file_name=f"{collection.name[:249]}.jsonl",
            description=wanted.description,
            publish=True,
        )
        return await ingest(engine, files, checks, dataset, new)


async def _write(engine: AsyncEngine, file: IO[bytes], collection_id: UUID) -> None:
    tasks_of_collection = task_store.TaskFilter(collection_id=collection_id)
    after = None
    while True:
        async with engine.connect() as connection:
            page = await task_store.list_tasks(connection, tasks_of_collection, after=after, limit=_PAGE)
        if not page:
            return
        for task, after in page:  # noqa: B007  # the next page begins after the last `after`
            file.write(json.dumps(_case(task), ensure_ascii=False).encode() + b"\n")


def _case(task: TaskOut) -> dict[str, Any]:
    """Return the task as a test case. In a run over the case, a judge gets the same references as in a run over the
    task."""
    given = task.model_dump(by_alias=True)
    rubric = {name: given[name] for name in _GRADES if given[name] is not None}
    metadata = task.metadata | {name: given[name] for name in ("category", "subcategory") if given[name] is not None}
    truth = {"rubric": rubric, "acceptable_answers": task.accepted_answers}
    truth = {name: value for name, value in truth.items() if value}
    rest = {name: given[name] for name in ("system_prompt", "conversation", "checks") if given[name]}
    return {
        "id": task.task_id,
        "prompt": task.question,
        **({"ground_truth": truth} if truth else {}),
        **rest,
        "metadata": metadata,
    }
