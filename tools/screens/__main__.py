"""Make the pictures in docs/screens: the main screens of a platform with finished and paused runs.

python -m tools.screens [arguments of playwright test …]
"""

import asyncio
import json
import os
import sys
from typing import Any

from benchmarks.mock_provider.server import mock_provider
from llmbench_cli.embedded.binaries import checkout
from tests.platform import Platform, platform
from tools.screens.labels import annotate
from tools.screens.play import JUDGE, LOCAL, MODELS, SLOW, TASKS, prepared_replies


async def prepare(stack: Platform, local_url: str) -> dict[str, str]:
    """Create the providers, tasks, collections, datasets and runs that the pictures show. Existing providers are
    deleted. `local_url` is the URL of the mock provider for the local models. Return environment variables with the
    ids."""
    for part in prepared_replies():
        url = local_url if part["model"] in LOCAL else stack.provider_url
        (await stack.provider_http.post(f"{url}/control", json=part)).raise_for_status()
    for provider in (await stack.get("/api/providers"))["items"]:
        (await stack.http.delete(f"/api/providers/{provider['id']}")).raise_for_status()
    local = await stack.post("/api/providers", _provider("Workstation", local_url, None))
    hosted = await stack.post("/api/providers", _provider("Model hub", stack.provider_url, "sk-only-for-tests-4c1d7e"))
    ids: dict[str, list[str]] = {}
    for task in TASKS:
        fields = {"task_id": task.task_id, "category": task.category, "subcategory": task.subcategory}
        answers = {"excellent": task.excellent, "good": task.good, "incorrect_answer_direction": task.wrong}
        made = await stack.post("/api/tasks", {**fields, "question": task.question, **answers})
        ids.setdefault(task.category, []).append(made["id"])
    collection = await stack.post(
        "/api/collections",
        {
            "name": "Everyday tasks",
            "description": "Short questions of six kinds, each with a reference.",
            "task_ids": [task_id for group in ids.values() for task_id in group],
        },
    )
    await stack.post(
        "/api/collections", {"name": "Numbers and logic", "task_ids": ids["arithmetic"] + ids["reasoning"]}
    )

    await stack.post(f"/api/collections/{collection['id']}/publish", {"description": "As it was in spring."})
    held_out = await stack.post(
        "/v1/datasets",
        {
            "name": "Everyday tasks, held out",
            "description": "Asked by nobody before a release; with what is known to be right.",
            "type": "GOLDEN_SET",
            "tags": ["release", "English"],
            "metadata": {"owner": "evaluation", "year": 2026},
        },
    )
    for file_name in ("held-out.jsonl", "held-out-corrected.jsonl"):
        upload = {"file": (file_name, _cases(), "application/jsonl")}
        path = f"/v1/datasets/{held_out['dataset_id']}/versions"
        (await stack.http.post(path, files=upload)).raise_for_status()
    await stack.post(f"/v1/datasets/{held_out['dataset_id']}/versions/1/publish", {})

    def body(name: str, *models: str, **more: Any) -> dict[str, Any]:
        return {
            "name": name,
            "judge": {"provider_id": hosted["id"], "model": JUDGE},
            "targets": [
                {"provider_id": (local if model in LOCAL else hosted)["id"], "model": model} for model in models
            ],
            "collection_ids": [collection["id"]],
            "concurrency": 2,
        } | more

    first = await stack.post("/api/runs", body("Small models, first look", "cedar-8b", "quartz-3b", tags=["local"]))
    await stack.until_status(first["id"], "FINISHED")
    cut = await stack.post(
        "/api/runs", body("Preview of lynx", "cedar-8b", SLOW.name, "quartz-3b", tags=["preview"], concurrency=1)
    )
    await stack.until(cut["id"], lambda run: run["counts"]["answered"] >= len(TASKS) + 2)
    await stack.post(f"/api/runs/{cut['id']}/pause")
    await stack.until_status(cut["id"], "PAUSED")
    done = await stack.post(
        "/api/runs",
        body(
            "Four models, everyday tasks",
            *(model.name for model in MODELS),
            tags=["weekly", "all"],
            evaluators=[
                {"kind": "rubric"},
                {"kind": "rouge_l", "weight": 0},
                {"kind": "latency", "weight": 0, "params": {"max_ms": 60_000}},
            ],
        ),
    )
    await stack.until_status(done["id"], "FINISHED")
    labelled = await annotate(stack, done["id"])
    asked = await stack.post(
        "/api/playground",
        {"question": TASKS[0].question, "targets": body("", *(model.name for model in MODELS[:3]))["targets"]},
    )
    await stack.until_status(asked["id"], "FINISHED")
    return {
        "LLMBENCH_PICTURES_ANNOTATION": labelled,
        "LLMBENCH_PICTURES_DONE": done["id"],
        "LLMBENCH_PICTURES_LIVE": cut["id"],
        "LLMBENCH_PICTURES_DATASET": held_out["dataset_id"],
        "LLMBENCH_PICTURES_PROMPT": await _prompt(stack),
        "LLMBENCH_PICTURES_QUESTION": asked["id"],
    }


async def _prompt(stack: Platform) -> str:
    """Create a prompt with two versions, and return its id."""
    tone = {"name": "tone", "default": "in one sentence", "description": "How to answer."}
    prompt = await stack.post(
        "/api/prompts",
        {
            "name": "Brief answers",
            "description": "For models that explain too much.",
            "user_template": "{{question}}\nAnswer {{tone}}.",
            "variables": [tone],
        },
    )
    context = "{{#context}}Context: {{context}}\n\n{{/context}}"
    second = {
        "system_template": "You answer questions about {{category}}.",
        "user_template": f"{context}{{{{question}}}}\nAnswer {{{{tone}}}}.",
        "variables": [tone | {"default": "in one word"}],
        "notes": "Shorter, and with the context where there is one.",
    }
    await stack.post(f"/api/prompts/{prompt['id']}/versions", second)
    return str(prompt["id"])


def _cases() -> bytes:
    """Return the tasks in `TASKS` as the content of a dataset's file, one case per line."""
    lines = (
        {
            "id": task.task_id,
            "prompt": task.question,
            "expected_output": task.good,
            "ground_truth": {"answer": task.excellent, "acceptable_answers": [task.good], "source": "EXPERT"},
            "metadata": {"category": task.category, "subcategory": task.subcategory},
        }
        for task in TASKS
    )
    return "\n".join(json.dumps(line) for line in lines).encode()


def _provider(name: str, base_url: str, key: str | None) -> dict[str, Any]:
    prices = [
        {"model": model.name, "input_usd_per_million": model.price[0], "output_usd_per_million": model.price[1]}
        for model in (*MODELS, SLOW)
        if (model.name in LOCAL) == (key is None)
    ]
    if key:
        prices.append({"model": JUDGE, "input_usd_per_million": 1.0, "output_usd_per_million": 4.0})
    secret = [{"header_key": "Authorization", "header_value": f"Bearer {key}", "is_secret": True}] if key else []
    return {
        "name": name,
        "type": "CUSTOM_OPEN_AI_COMPATIBLE",
        "base_url": base_url,
        "headers": secret,
        "prices": prices,
    }


async def nothing(_database_url: str, _provider_url: str) -> None:
    """Do nothing. `platform` calls this in place of a function that fills the database, because `prepare` creates all
    data later."""


async def main(arguments: list[str]) -> int:
    async with platform(prepare=nothing) as stack, mock_provider() as local_url:
        ids = await prepare(stack, local_url)
        process = await asyncio.create_subprocess_exec(
            "npm",
            "--prefix",
            str(checkout() / "web"),
            "run",
            "--silent",
            "pictures",
            "--",
            *arguments,
            env=os.environ | {"LLMBENCH_E2E_URL": stack.url} | ids,
        )
        return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
