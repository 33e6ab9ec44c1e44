"""Test that a new provider type needs one new file in the inference gateway, and no change of an existing file."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import asyncpg

from llmbench_cli.embedded.services import GATEWAY
from tests.architecture.made_up_provider_type import MODULE, PATH
from tests.architecture.repository import ROOT, files, text
from tests.platform import Platform, platform

SOURCE = "services/inference-gateway"
ACME = {"name": "Acme", "type": "ACME"}


def test_type_name_occurs_only_in_its_profile() -> None:
    """The name of the type OPENROUTER occurs in no source file but its profile. Some other types occur in more files,
    such as the types of the default providers."""
    named = [
        str(path)
        for path in files()
        if path.suffix in (".py", ".ts", ".tsx")
        and not {"tests", "benchmarks", "versions", "web"} & set(path.parts)
        and '"OPENROUTER"' in text(path)
    ]
    assert named == ["services/inference-gateway/inference_gateway/profiles/openrouter.py"]


async def test_new_type_is_listed_validated_and_called(tmp_path: Path) -> None:
    assert not (ROOT / PATH).exists()
    shutil.copytree(ROOT / SOURCE, tmp_path / SOURCE, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    (tmp_path / PATH).write_text(MODULE, encoding="utf-8")
    async with platform(tasks=1) as stack:
        await _restart_gateway(stack, tmp_path / SOURCE)
        types = {item["type"]: item for item in (await stack.get("/api/providers/types"))["items"]}
        assert [option["name"] for option in types["ACME"]["options"]] == ["warmth"]
        assert (types["ACME"]["secret_header"], types["ACME"]["base_url"]) == ("X-Acme-Key", None)
        assert types["ACME"]["inference_endpoint"] == "/acme/v1/chat/completions"

        refused = await stack.http.post("/api/providers", json=ACME)
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "base_url")
        body = {**ACME, "base_url": stack.provider_url}
        refused = await stack.http.post("/api/providers", json={**body, "options": {"warmth": 2}})
        assert (refused.status_code, refused.json()["errors"]) == (
            422,
            [{"field": "options.warmth", "message": "must be a number from 0 to 1"}],
        )
        refused = await stack.http.post("/api/providers", json={**body, "type": "ACNE"})
        assert "ACME" in refused.json()["detail"]

        endpoints = {"models_endpoint": "/v1/models", "inference_endpoint": "/v1/chat/completions"}
        made = await stack.post("/api/providers", {**body, **endpoints, "options": {"warmth": 0.5}})
        assert (await stack.post(f"/api/providers/{made['id']}/test"))["ok"]
        target = {"provider_id": made["id"], "model": "mock-0ms"}
        run_id = (await stack.post("/api/runs", {**stack.run_body(judge=None), **JUDGED, "targets": [target]}))["id"]
        run = await stack.until_status(run_id, "FINISHED")
        assert run["outcome"] == "complete", run
        assert await _bodies(stack) == [(0.5, "eu")] * 2, "the warm-up and the item"


JUDGED = {"evaluators": [{"kind": "contains", "params": {"text": "0"}}]}


async def _restart_gateway(stack: Platform, source: Path) -> None:
    gateway = stack.services[GATEWAY]
    await gateway.stop()
    path = os.pathsep.join([str(source), *filter(None, [gateway.spec.env.get("PYTHONPATH")])])
    gateway.spec = replace(gateway.spec, env={**gateway.spec.env, "PYTHONPATH": path})
    await gateway.start()


async def _bodies(stack: Platform) -> list[tuple[float, str]]:
    """Return `warmth` and `region`, the fields that only ACME sends, of each request body."""
    connection = await asyncpg.connect(stack.database_url)
    try:
        # ACME cannot unload a model, so the release of this model sends no request body.
        rows = await connection.fetch("SELECT request FROM model_call WHERE request -> 'body' ? 'messages'")
    finally:
        await connection.close()
    bodies = [json.loads(row["request"])["body"] for row in rows]
    return [(body["warmth"], body["region"]) for body in bodies]
