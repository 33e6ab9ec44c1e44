"""Test that a mistake in the settings is an error that names the variable."""

import pytest
from pydantic import Field, SecretStr
from pydantic_settings import SettingsConfigDict

from llmbench.errors import BadSettings
from llmbench.service.settings import DatabaseSettings, load


class Settings(DatabaseSettings):
    model_config = SettingsConfigDict(env_prefix="LLMBENCH_CONFIG_API_")

    window: int = 3
    key: SecretStr = Field(default=SecretStr("-" * 8), min_length=8, validation_alias="LLMBENCH_MASTER_KEY")


def test_default_settings_suit_a_single_machine() -> None:
    settings = load(Settings)
    assert settings.host == "127.0.0.1"
    assert settings.door().origins == {"http://127.0.0.1:8400", "http://localhost:8400"}
    assert not settings.door().any_host_may_probe


def test_own_and_shared_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_CONFIG_API_WINDOW", "7")
    monkeypatch.setenv("LLMBENCH_CONFIG_API_PORT", "8123")
    monkeypatch.setenv("LLMBENCH_NATS_URL", "nats://elsewhere:4222")
    monkeypatch.setenv("LLMBENCH_PUBLIC_ORIGINS", "https://bench.example/, http://localhost:1")
    settings = load(Settings)
    assert (settings.window, settings.port, settings.nats_url) == (7, 8123, "nats://elsewhere:4222")
    assert settings.door().origins == {"https://bench.example", "http://localhost:1"}


def test_allowed_hosts_and_public_origins_are_separate_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_ALLOWED_HOSTS", "edge  Bench.example.org,10.0.0.7, fd00::7 ")
    monkeypatch.setenv("LLMBENCH_CONFIG_API_HOST", "0.0.0.0")
    door = load(Settings).door()
    assert {"edge", "bench.example.org", "10.0.0.7", "fd00::7"} <= door.hosts
    assert door.origins == {"http://127.0.0.1:8400", "http://localhost:8400"}
    assert door.any_host_may_probe


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("LLMBENCH_ALLOWED_HOSTS", "edge http://bench.example"),
        ("LLMBENCH_ALLOWED_HOSTS", "bench.example:8400"),
        ("LLMBENCH_PUBLIC_ORIGINS", "bench.example"),
        ("LLMBENCH_PUBLIC_ORIGINS", "https://bench.example/path"),
        ("LLMBENCH_PUBLIC_ORIGINS", "https://bench.example:port"),
        ("LLMBENCH_PUBLIC_ORIGINS", "https://user@bench.example"),
        ("LLMBENCH_PUBLIC_ORIGINS", "http://127.0.0.1:8400 http://localhost:8400"),
        ("LLMBENCH_PUBLIC_ORIGINS", "*"),
    ],
)
def test_host_or_origin_that_can_never_match_is_refused(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadSettings, match=f"{variable}.*such as"):
        load(Settings)


@pytest.mark.parametrize(
    "name", ["LLMBENCH_CONFIG_API_WIDNOW", "LLMBENCH_NATS_ULR", "LLMBENCH_CONFIG_API_NATS_URL", "LLMBENCH_"]
)
def test_unknown_variable_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "1")
    with pytest.raises(BadSettings, match=name):
        load(Settings)


def test_variables_of_other_services_and_programs_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LLMBENCH_JUDGE_ANYTHING", "LLMBENCH_HOME", "LLMBENCH_PORT", "OTHER_THING"):
        monkeypatch.setenv(name, "1")
    load(Settings)


def test_invalid_value_is_named_and_a_secret_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLMBENCH_CONFIG_API_WINDOW", "many")
    monkeypatch.setenv("LLMBENCH_MASTER_KEY", "geheim")
    with pytest.raises(BadSettings, match="window") as refused:
        load(Settings)
    assert "LLMBENCH_MASTER_KEY" in str(refused.value)
    assert "geheim" not in str(refused.value)
