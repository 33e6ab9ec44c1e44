"""Test the environment that the supervisor passes to a service: the platform's settings, and the user's settings for
this service."""

from dataclasses import replace
from pathlib import Path

import pytest

from llmbench.http.listeners import places
from llmbench_cli.embedded.errors import StartError
from llmbench_cli.embedded.proxied import proxy_header
from llmbench_cli.embedded.services import SERVICES, Surroundings, listeners, service_spec

TOLD = Surroundings(
    database_urls={"config-api": "postgresql://here/db"},
    nats_urls={"config-api": "nats://here", "judge": "nats://there"},
    master_key="k" * 32,
    public_origins="http://127.0.0.1:8400",
    log_level=None,
    logs=Path("/logs"),
    files=Path("/logs") / "files",
)


def test_listeners_are_on_loopback_unless_the_user_sets_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_JUDGE_HOST", "::")
    monkeypatch.setenv("LLMBENCH_CONFIG_API_HOST", "0.0.0.0")
    told = listeners({"judge": 7001, "config-api": 7002, "nats": 7003}, more="box:8400")
    assert places(told) == (("box", 8400), ("::", 7001), ("0.0.0.0", 7002), ("127.0.0.1", 7003))
    spec = service_spec("config-api", 7002, replace(TOLD, listeners=told))
    assert spec.env["LLMBENCH_LISTENERS"] == told


def test_service_gets_its_own_settings_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_CONFIG_API_OLLAMA_BASE_URL", "http://box:11434")
    monkeypatch.setenv("LLMBENCH_CONFIG_API_PORT", "1")
    monkeypatch.setenv("LLMBENCH_DATABASE_URL", "postgresql://elsewhere/db")
    config_api, judge = (service_spec(name, 4711, TOLD).env for name in ("config-api", "judge"))
    assert config_api["LLMBENCH_CONFIG_API_OLLAMA_BASE_URL"] == "http://box:11434"
    # Values that the supervisor sets itself take precedence over the user's.
    assert config_api["LLMBENCH_CONFIG_API_PORT"] == "4711"
    assert config_api["LLMBENCH_DATABASE_URL"] == "postgresql://here/db"
    assert judge["LLMBENCH_NATS_URL"] == "nats://there"
    assert judge.get("LLMBENCH_DATABASE_URL") != "postgresql://here/db"
    assert not [name for name in judge if name.startswith("LLMBENCH_CONFIG_API_")]
    assert "LLMBENCH_MASTER_KEY" not in judge


@pytest.mark.parametrize(("chosen", "patience_s"), [(None, 40), ("120", 130), ("soon", 40)])
def test_stop_timeout_of_the_gateway_exceeds_its_grace_period(
    monkeypatch: pytest.MonkeyPatch, chosen: str | None, patience_s: float
) -> None:
    if chosen is not None:
        monkeypatch.setenv("LLMBENCH_INFERENCE_GATEWAY_STOP_GRACE_S", chosen)
    told = replace(TOLD, nats_urls=dict.fromkeys(SERVICES, "nats://here"))
    assert service_spec("inference-gateway", 4711, told).stop_grace_s == patience_s
    assert service_spec("judge", 4711, told).stop_grace_s == 10


def test_secrets_of_the_users_shell_are_not_passed_to_services(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "PGPASSWORD", "MASTER_KEY", "DATABASE_URL", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy")
    config_api, judge = (service_spec(name, 4711, TOLD).env for name in ("config-api", "judge"))
    assert [name for name, value in judge.items() if value == "secret"] == []
    assert [name for name, value in config_api.items() if value == "secret"] == ["AWS_SECRET_ACCESS_KEY"]
    assert judge["HTTPS_PROXY"] == "http://proxy"


PROXY = {f"LLMBENCH_IDENTITY_PROXY_{name}": "x" for name in ("KEYS", "ISSUER", "AUDIENCE")}


@pytest.mark.parametrize("missing", PROXY)
def test_proxy_without_the_settings_that_check_its_tokens_stops_the_start(missing: str) -> None:
    with pytest.raises(StartError, match=missing):
        proxy_header("proxy", {**PROXY, missing: ""})


def test_header_of_the_proxy_is_known_only_where_it_signs_people_in() -> None:
    assert proxy_header("proxy", PROXY) == "X-Forwarded-Identity"
    assert proxy_header("proxy", {**PROXY, "LLMBENCH_IDENTITY_PROXY_HEADER": "X-Who"}) == "X-Who"
    assert proxy_header("on", {}) == proxy_header("off", PROXY) == ""


@pytest.mark.parametrize("auth", ["on", "proxy"])
def test_services_learn_how_people_sign_in(auth: str) -> None:
    spec = service_spec("judge", 4711, replace(TOLD, identity_url="http://127.0.0.1:1", auth=auth))
    assert spec.env["LLMBENCH_AUTH"] == auth
    assert "LLMBENCH_AUTH" not in service_spec("judge", 4711, TOLD).env
