"""Create a draft dataset version from a run in which models wrote questions, and list the rejected answers."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

from llmbench.contracts.grounded_questions import KIND
from llmbench_cli.client import Client, Json, lines
from llmbench_cli.errors import CommandFailed
from llmbench_cli.resources import made_dataset


@dataclass(frozen=True)
class Draft:
    """The result of `make_draft`. `dataset` is the dataset's name or id.

    `version` is the new draft version as the API returns it. It is None if the evaluator `grounded_questions` accepted
    none of the conversations that the models wrote. `refused` lists the rejected answers and conversations with the
    reason.
    """

    dataset: str
    version: Json | None
    refused: list[Json]


async def make_draft(client: Client, run_id: str, *, dataset: str, closed_book: bool) -> Draft:
    """Create a draft version of a dataset from the conversations that the models of a run wrote about a document.

    Only the conversations that the evaluator `grounded_questions` accepted become cases; without any, nothing is
    created. `dataset` is a name or an id; a dataset is created if none has that name.

    With `closed_book` the cases have no context, so that the tested model has to know the document. Raises
    CommandFailed if the run has no such evaluator.
    """
    run = await client.get(f"/api/runs/{run_id}")
    if not any(evaluator["kind"] == KIND for evaluator in run["evaluators"]):
        raise CommandFailed(f"the run '{run['name']}' wrote no questions: it has no evaluator {KIND}")
    refused = [refusal async for refusal in _refused(client, run_id)]
    with TemporaryFile() as file:
        if not await _receive(client, run_id, file, closed_book=closed_book):
            return Draft(dataset, None, refused)
        file.seek(0)
        writers = ", ".join(target["label"] for target in run["targets"])[:200]
        fields = {"description": f"Written by {writers}, run {run_id}"}
        async with made_dataset(client, dataset) as path:
            version = await client.upload(f"{path}/versions", file, name="questions.jsonl", fields=fields)
            return Draft(dataset, version, refused)


async def _receive(client: Client, run_id: str, file: IO[bytes], *, closed_book: bool) -> int:
    """Write the cases that the platform exports from the run into the file, and return their number. `closed_book`
    leaves out the cases' context."""
    count = 0
    async with client.stream(f"/api/runs/{run_id}/export", format="test-cases") as chunks:
        async for line in lines(chunks):
            case = json.loads(line)
            if closed_book:
                del case["context"]
            file.write(json.dumps(case, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            count += 1
    return count


async def _refused(client: Client, run_id: str) -> AsyncIterator[Json]:
    """Yield what becomes no case, with the reason: answers of the run that failed, answers that the evaluator
    `grounded_questions` rejected, and single conversations of an answer that it rejected."""
    async for item in client.every(f"/api/runs/{run_id}/items"):
        where = {"task_id": item["task_id"], "target": item["target_label"], "item_id": item["id"]}
        if item["failure"]:
            yield where | {"conversation": None, "reason": item["failure"]["message"]}
        elif item["passed"] is False:
            detail = await client.get(f"/api/runs/{run_id}/items/{item['id']}")
            for reason in _reasons(detail):
                yield where | reason


def _reasons(item: Json) -> Iterator[Json]:
    for score in item["scores"]:
        if score["kind"] != KIND:
            continue
        refused = score["details"].get("refused", [])
        for conversation in refused:
            yield {"conversation": conversation["number"], "reason": conversation["reason"]}
        if not refused and score["passed"] is False:
            yield {"conversation": None, "reason": score["reason"]}
