"""Run one benchmark with providers of every type. Mocks imitate the vendors; the built-in llama.cpp is real."""

from contextlib import AsyncExitStack
from typing import Any

import pytest

from llmbench_cli.embedded.model import MODEL_NAME, installed
from llmbench_cli.embedded.ports import free_port
from llmbench_cli.embedded.services import model_spec
from tests.journey.conftest import Seeded
from tests.platform import Platform
from tests.servers import running

pytestmark = pytest.mark.asyncio(loop_scope="session")

MODEL = "mock-20ms"
BEARER = [{"header_key": "Authorization", "header_value": "Bearer sk-mock-0123456789", "is_secret": True}]
AZURE_KEY = [{"header_key": "api-key", "header_value": "azure-mock-0123456789", "is_secret": True}]
PRICE = {"model": MODEL, "input_usd_per_million": 1, "output_usd_per_million": 2}

PROVIDERS: dict[str, dict[str, Any]] = {
    "openai": {"type": "OPENAI", "path": "/openai", "headers": BEARER, "prices": [PRICE]},
    "ollama": {"type": "OLLAMA", "path": "/ollama"},
    "ollama native": {"type": "OLLAMA", "path": "/ollama", "options": {"num_ctx": 4096}},
    "lm studio": {"type": "LM_STUDIO", "path": "/lmstudio"},
    "openrouter": {"type": "OPENROUTER", "path": "/openrouter/api/v1", "headers": BEARER},
    "azure": {"type": "AZURE_OPENAI", "path": "/azure", "headers": AZURE_KEY},
    "azure dated": {
        "type": "AZURE_OPENAI",
        "path": "/azure",
        "headers": AZURE_KEY,
        "options": {"api_version": "2024-10-21", "deployments": [MODEL]},
    },
    "custom": {"type": "CUSTOM_OPEN_AI_COMPATIBLE", "path": ""},
}
# Providers whose calls have a known price: reported by the vendor, entered by the user, or from a published list.
PRICED = {"openai", "openrouter", "azure", "azure dated"}


async def _provider(stack: Platform, name: str, of: dict[str, Any]) -> str:
    body = {key: value for key, value in of.items() if key != "path"}
    base_url = body.pop("base_url", None) or stack.provider_url + of["path"]
    return str((await stack.post("/api/providers", {"name": name, "base_url": base_url, **body}))["id"])


async def test_same_benchmark_completes_on_every_provider_type(seeded: Seeded) -> None:
    async with AsyncExitStack() as opened:
        stack = await seeded(tasks=2)
        ids = {name: await _provider(stack, name, of) for name, of in PROVIDERS.items()}
        for name, provider_id in ids.items():
            tested = await stack.post(f"/api/providers/{provider_id}/test")
            assert tested["ok"], (name, tested)
        targets: list[dict[str, Any]] = [
            {"provider_id": id_, "model": MODEL, "label": name} for name, id_ in ids.items()
        ]
        if installed():
            port = free_port()
            await opened.enter_async_context(running(model_spec(port, stack.logs)))
            built_in = {"type": "CUSTOM_OPEN_AI_COMPATIBLE", "base_url": f"http://127.0.0.1:{port}"}
            id_ = await _provider(stack, "built-in", built_in)
            targets.append({"provider_id": id_, "model": MODEL_NAME, "label": "built-in", "params": {"max_tokens": 16}})
        run_id = await stack.start_run(targets=targets)
        run = await stack.until_status(run_id, "FINISHED")
        assert run["outcome"] == "complete", [group["failure_reason"] for group in run["groups"]]
        results = {result["label"]: result for result in run["results"]}
        assert results.keys() == {str(target["label"]) for target in targets}
        for label, result in results.items():
            assert (result["scored"], result["timed"]) == (2, 2), label
            assert result["mean_first_token_ms"] is not None, label
            assert result["completion_tokens"] > 0, label
            assert (result["priced"] == 2) == (label in PRICED), label
        assert run["cost_usd"] > 0
        assert run["unpriced_calls"] > 0
