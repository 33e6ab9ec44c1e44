"""From a run in which models wrote questions to a draft of a dataset, and what of their answers did not hold."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from llmbench.contracts.grounded_questions import KIND
from llmbench_cli.platform_api import Unanswered
from llmbench_cli.resources import made_dataset, said_by

if TYPE_CHECKING:
    import httpx

Json = dict[str, Any]


@dataclass(frozen=True)
class Draft:
    """`version` is null when not one conversation holds; `refused` says of each that does not, why."""

    dataset: str
    version: Json | None
    refused: list[Json]


def make_draft(api: "httpx.Client", run_id: str, *, dataset: str, closed_book: bool) -> Draft:
    """A new version of the dataset, which is made when there is none, with every conversation that holds.

    With `closed_book` the cases have no context: what is asked has to know the document by itself.
    Raises `Unanswered`.
    """
    run = said_by(api.get(f"/api/runs/{run_id}"))
    if not any(one["kind"] == KIND for one in run["evaluators"]):
        raise Unanswered(f"the run '{run['name']}' wrote no questions: it has no evaluator {KIND}")
    refused = list(_refused(api, run_id))
    with TemporaryFile() as file:
        if not _receive(api, run_id, file, closed_book=closed_book):
            return Draft(dataset, None, refused)
        file.seek(0)
        writers = ", ".join(one["label"] for one in run["targets"])[:200]
        with made_dataset(api, dataset) as path:
            answer = api.post(
                f"{path}/versions",
                files={"file": ("questions.jsonl", file)},
                data={"description": f"Written by {writers}, run {run_id}"},
            )
            return Draft(dataset, said_by(answer), refused)


def _receive(api: "httpx.Client", run_id: str, file: IO[bytes], *, closed_book: bool) -> int:
    """How many cases there are."""
    count = 0
    with api.stream("GET", f"/api/runs/{run_id}/export", params={"format": "test-cases"}) as answer:
        if answer.is_error:
            answer.read()
            said_by(answer)
        for line in answer.iter_lines():
            case = json.loads(line)
            if closed_book:
                del case["context"]
            file.write(json.dumps(case, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            count += 1
    return count


def _refused(api: "httpx.Client", run_id: str) -> Iterator[Json]:
    """Each answer that failed, and each conversation that does not hold, with why."""
    cursor: str | None = None
    while True:
        query: dict[str, str] = {"limit": "200", **({"cursor": cursor} if cursor else {})}
        page = said_by(api.get(f"/api/runs/{run_id}/items", params=query))
        for item in page["items"]:
            where = {"task_id": item["task_id"], "target": item["target_label"], "item_id": item["id"]}
            if item["failure"]:
                yield where | {"conversation": None, "reason": item["failure"]["message"]}
            elif item["passed"] is False:
                detail = said_by(api.get(f"/api/runs/{run_id}/items/{item['id']}"))
                yield from (where | one for one in _reasons(detail))
        cursor = page["next_cursor"]
        if cursor is None:
            return


def _reasons(item: Json) -> Iterator[Json]:
    for score in item["scores"]:
        if score["kind"] != KIND:
            continue
        refused = score["details"].get("refused", [])
        for one in refused:
            yield {"conversation": one["number"], "reason": one["reason"]}
        if not refused and score["passed"] is False:
            yield {"conversation": None, "reason": score["reason"]}
