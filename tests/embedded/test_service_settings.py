"""What the supervisor tells a service: the stack's own settings, and the user's for that service."""

from pathlib import Path

import pytest

from llmbench_cli.embedded.services import Surroundings, service_spec

TOLD = Surroundings(
    database_urls={"config-api": "postgresql://here/db"},
    nats_urls={"config-api": "nats://here", "judge": "nats://there"},
    master_key="k" * 32,
    public_origins="http://127.0.0.1:8400",
    log_level=None,
    logs=Path("/logs"),
    files=Path("/logs") / "files",
)


def test_a_service_gets_its_own_settings_and_no_other_services(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_CONFIG_API_OLLAMA_BASE_URL", "http://box:11434")
    monkeypatch.setenv("LLMBENCH_CONFIG_API_PORT", "1")
    monkeypatch.setenv("LLMBENCH_DATABASE_URL", "postgresql://elsewhere/db")
    config_api, judge = (service_spec(name, 4711, TOLD).env for name in ("config-api", "judge"))
    assert config_api["LLMBENCH_CONFIG_API_OLLAMA_BASE_URL"] == "http://box:11434"
    # What the supervisor decides goes before.
    assert config_api["LLMBENCH_CONFIG_API_PORT"] == "4711"
    assert config_api["LLMBENCH_DATABASE_URL"] == "postgresql://here/db"
    assert judge["LLMBENCH_NATS_URL"] == "nats://there"
    assert judge.get("LLMBENCH_DATABASE_URL") != "postgresql://here/db"
    assert not [name for name in judge if name.startswith("LLMBENCH_CONFIG_API_")]
    assert "LLMBENCH_MASTER_KEY" not in judge
