"""Measure how many items per second the platform can lease to annotators, and how fast it stores their labels. Check
that each item gets exactly the labels that it needs.
"""

import asyncio
import json
import sys
import time
from statistics import median, quantiles
from typing import Any

import aiohttp

from benchmarks.processes import use_of_children
from benchmarks.scenario import Measure, Scenario
from tests.platform import Platform, platform

ITEMS = 1_000
REQUIRED = 3
PEOPLE = 50
_PATH = "/v1/annotations"
_TIMEOUT = aiohttp.ClientTimeout(total=120)


async def measure() -> list[Measure]:
    async with platform(tasks=0, database_settings={}) as stack:
        task = await _task(stack)
        people = [await stack.post(f"{_PATH}/annotators", {"name": f"Person {number}"}) for number in range(PEOPLE)]
        took: dict[str, list[float]] = {"next": [], "submit": []}
        connector = aiohttp.TCPConnector(limit=PEOPLE)
        async with aiohttp.ClientSession(stack.url, connector=connector, timeout=_TIMEOUT) as session:
            began = time.perf_counter()
            async with use_of_children() as use:
                await asyncio.gather(*(_label(session, task, one["annotator_id"], took) for one in people))
                seconds = time.perf_counter() - began
        progress = await stack.get(f"{task}/progress")
    if progress["total_annotations"] != ITEMS * REQUIRED:
        sys.stderr.write(f"   error: {progress['total_annotations']} labels instead of {ITEMS * REQUIRED}\n")
    return [
        Measure(f"{PEOPLE} people: items given and labelled", len(took["submit"]) / seconds, "per s", "200"),
        Measure("requests", sum(map(len, took.values())) / seconds, "per s"),
        *_times(took),
        *(
            Measure(f"CPU of an item given and labelled: {name}", 1000 * use.cpu_s[name] / len(took["submit"]), "ms")
            for name in ("config-api", "postgres", "edge")
        ),
        Measure("labels beyond the number required", progress["surplus"], "", "0"),
        Measure("items that lack labels", progress["total_items"] - progress["completed_items"], "", "0"),
    ]


def _times(took: dict[str, list[float]]) -> list[Measure]:
    found = []
    for name, times in took.items():
        found.append(Measure(f"{name}: median", 1000 * median(times), "ms"))
        found.append(Measure(f"{name}: 95 of 100", 1000 * quantiles(times, n=20)[18], "ms"))
    return found


async def _task(stack: Platform) -> str:
    """Return the path of an active task with `ITEMS` items."""
    dataset = (await stack.post("/v1/datasets", {"name": "Cases"}))["dataset_id"]
    lines = "\n".join(json.dumps({"id": f"case-{number}", "prompt": f"Question {number}"}) for number in range(ITEMS))
    file = {"file": ("cases.jsonl", lines.encode())}
    uploaded = await stack.http.post(f"/v1/datasets/{dataset}/versions", files=file)
    version = uploaded.raise_for_status().json()
    await stack.post(f"/v1/datasets/{dataset}/versions/1/publish")
    body = {
        "name": "Are they good?",
        "dataset_version_id": version["version_id"],
        "instructions": "Say whether it is good.",
        "annotation_schema": {"type": "classification", "options": [{"value": "good"}, {"value": "bad"}]},
        "required_annotations_per_item": REQUIRED,
    }
    task = f"{_PATH}/tasks/{(await stack.post(f'{_PATH}/tasks', body))['task_id']}"
    await stack.post(f"{task}/activate")
    return task


async def _label(session: aiohttp.ClientSession, task: str, person: str, took: dict[str, list[float]]) -> None:
    """Label items as one person until none is left. Append the duration of each request in seconds to `took`: under
    "next" for the first item, and under "submit" for stored labels. As in the browser, the response to stored labels
    contains the next item."""
    query = {"annotator_id": person}
    item = await _timed(session, "GET", f"{task}/next", query, None, took["next"])
    while item is not None:
        path = f"{task}/items/{item['item_id']}"
        body = {"labels": {"label": "good"}, "time_spent_seconds": 1}
        item = (await _timed(session, "POST", path, query, body, took["submit"]))["next"]


async def _timed(  # the parts of a request
    session: aiohttp.ClientSession,
    method: str,
    path: str,
    query: dict[str, str],
    body: dict[str, Any] | None,
    times: list[float],
) -> Any:
    began = time.perf_counter()
    async with session.request(method, path, params=query, json=body) as response:
        response.raise_for_status()
        answer = None if response.status == 204 else await response.json()
    times.append(time.perf_counter() - began)
    return answer


SCENARIO = Scenario(name="annotation", title="People who label at once", measure=measure)
