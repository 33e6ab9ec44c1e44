"""Test that an `llm_eval_config.json` becomes providers with encrypted keys and a preset. If it is invalid, nothing is
stored.
"""

from typing import Any

import httpx
import pytest
from config_api_asserting import assert_problem

PATH = "/api/providers/import-llm-eval-config"
AZURE = {
    "name": "GPT-4o",
    "endpoint": "https://mine.openai.azure.com/",
    "api_key": "azure-key-0123456789",
    "deployment_name": "prod-4o",
}
OPENAI = {
    "name": "gpt-4o-mini",
    "endpoint": "https://api.openai.com",
    "api_key": "sk-0123456789abcdef",
    "model_type": "openai",
}


async def test_models_become_providers_with_encrypted_keys(api: httpx.AsyncClient) -> None:
    settings = {"max_concurrent_calls": 5, "timeout_seconds": 30, "max_retries": 10}
    config = {"generator_model": AZURE, "evaluation_models": [AZURE, OPENAI], "settings": settings}
    answer = await api.post(PATH, json=config)
    assert answer.status_code == 201, answer.text
    imported = answer.json()
    assert [(model["role"], model["name"], model["model"]) for model in imported["models"]] == [
        ("generator", "GPT-4o", "prod-4o"),
        ("evaluation", "GPT-4o", "prod-4o"),
        ("evaluation", "gpt-4o-mini", "gpt-4o-mini"),
    ]
    wanted = {
        "concurrency": 5,
        "timeout_s": 30,
        "max_attempts": 10,
        "max_conversation_history": 10,
        "parallel_groups": 1,
    }
    assert imported["run"] == wanted
    assert imported["max_conversation_history"] == 10
    assert imported["notes"] == ["max_retries 10 are 11 tries; a run makes at most 10"]
    preset = (await api.get(f"/api/evaluation-presets/{imported['preset_id']}")).json()
    assert (preset["name"], preset["run"]) == ("llm_eval_config", imported["run"])
    assert preset["settings"] == settings | {"max_conversation_history": 10, "parallel_groups": 1}
    azure = (await api.get(f"/api/providers/{imported['models'][0]['provider_id']}")).json()
    assert (azure["type"], azure["base_url"]) == ("AZURE_OPENAI", "https://mine.openai.azure.com")
    assert azure["options"] == {"api_version": "2024-02-15-preview", "deployments": ["prod-4o"]}
    [header] = azure["headers"]
    assert (header["header_key"], header["header_value"], header["hint"]) == ("api-key", None, "6789")

    # A second import conflicts with the names and changes nothing.
    before = len((await api.get("/api/providers")).json()["items"])
    again = {"evaluation_models": [{**OPENAI, "name": "new"}, OPENAI]}
    assert_problem(await api.post(PATH, json=again), 409, "name")
    taken = {"evaluation_models": [{**OPENAI, "name": "new"}]}
    assert_problem(await api.post(PATH, json=taken), 409, "preset_name")
    assert len((await api.get("/api/providers")).json()["items"]) == before
    answer = await api.post(PATH, json=taken, params={"preset_name": "second"})
    assert (answer.status_code, answer.json()["preset_name"]) == (201, "second")


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"evaluation_models": [{**OPENAI, "name": f"m{at}"} for at in range(6)]}, "evaluation_models"),
        ({"evaluation_models": [OPENAI, OPENAI]}, "body"),
        ({"generator_model": {**OPENAI, "name": ""}}, "generator_model.name"),
        ({"generator_model": {**OPENAI, "name": "x" * 51}}, "generator_model.name"),
        ({"generator_model": {**OPENAI, "endpoint": "mine"}}, "generator_model.endpoint"),
        ({"settings": {"max_concurrent_calls": 51}}, "settings.max_concurrent_calls"),
        ({"settings": {"timeout_seconds": 9}}, "settings.timeout_seconds"),
        ({"settings": {"max_retries": 11}}, "settings.max_retries"),
        ({"settings": {"max_conversation_history": 0}}, "settings.max_conversation_history"),
        ({"setings": {}}, "setings"),
        ({}, "body"),
        ({"generator_model": None, "evaluation_models": [], "settings": {}}, "body"),
        ({"generator_model": {**OPENAI, "name": "a\nb"}}, "name"),
        ({"generator_model": {**OPENAI, "api_key": "sk-0123\nx"}}, "api_key"),
        ({"generator_model": {**OPENAI, "endpoint": "https://user:pw@host"}}, "endpoint"),
    ],
)
async def test_invalid_llm_eval_config_is_refused_with_its_field(
    api: httpx.AsyncClient, changed: dict[str, Any], field: str
) -> None:
    answer = await api.post(PATH, json=changed)
    assert_problem(answer, 422, field)
    assert "sk-0123" not in answer.text
