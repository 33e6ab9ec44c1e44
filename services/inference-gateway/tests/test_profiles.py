"""Test that every profile builds the requests in its EXAMPLES, and that its `info` is complete."""

import pytest

from inference_gateway.domain.http_call import Streaming
from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.profiles.base import Example, NotPossible, Profile
from inference_gateway.profiles.registry import profile_for, profiles
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.embedding import EmbeddingRequest
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.provider_type import HeaderInfo
from llmbench.ids import new_id

CASES = [(profile, example) for profile in profiles().values() for example in profile.EXAMPLES]


def provider(type_: str, **more: object) -> ProviderSnapshot:
    given: dict[str, object] = {
        "provider_id": new_id(),
        "name": "p",
        "type": type_,
        "base_url": "http://host",
        "models_endpoint": "/v1/models",
        "inference_endpoint": "/v1/chat/completions",
    }
    return ProviderSnapshot.model_validate(given | more)


@pytest.mark.parametrize(("profile", "example"), CASES, ids=[f"{p.type}: {e.title}" for p, e in CASES])
def test_profile_builds_the_request_of_each_example(profile: Profile, example: Example) -> None:
    call = profile.completion(
        provider(profile.type, options=dict(example.options), inference_endpoint=example.endpoint),
        ChatRequest.model_validate(example.request),
        example.abilities,
    )
    assert call.url == f"http://host{example.path}"
    assert call.body == example.body
    assert bool(call.body.get("stream")) == (call.streaming is not Streaming.OFF)
    assert len(call.notes) == len(example.notes)
    assert all(words in note for words, note in zip(example.notes, call.notes, strict=True)), call.notes


def test_every_profile_has_examples() -> None:
    assert all(profile.EXAMPLES for profile in profiles().values())


@pytest.mark.parametrize("profile", profiles().values(), ids=profiles())
def test_descriptor_has_what_form_and_page_need(profile: Profile) -> None:
    info = profile.info
    assert info.description.endswith(".")
    assert all(quirk.endswith(".") for quirk in info.quirks)
    assert all(option.description.endswith(".") for option in info.options)
    assert len({option.name for option in info.options}) == len(info.options)
    assert info.base_url in (None, info.base_url_example)
    assert profile.option_problems({option.name: option.example for option in info.options}) == []


@pytest.mark.parametrize(
    ("type_", "options", "field"),
    [
        ("AZURE_OPENAI", {"api_version": "v1"}, "api_version"),
        ("AZURE_OPENAI", {"api_version": "\u0662\u0660\u0662\u0664-10-21"}, "api_version"),
        ("AZURE_OPENAI", {"deployment": "a/b"}, "deployment"),
        ("AZURE_OPENAI", {"deployments": ["a", "a"]}, "deployments.1"),
        ("HTTP_JSON", {"answer_path": "answer"}, "answer_path"),
        ("HTTP_JSON", {"model": "m"}, "model"),
        ("OLLAMA", {"model": "m"}, "model"),
        ("OPENAI", {"stream": "no"}, "stream"),
    ],
)
def test_option_that_would_fail_each_call_is_refused(type_: str, options: dict[str, object], field: str) -> None:
    assert [path for path, _ in profile_for(type_).option_problems(options)] == [field]


def test_reserved_options_are_refused() -> None:
    for profile in profiles().values():
        for name in profile.info.reserved:
            assert [path for path, _ in profile.option_problems({name: None})] == [name]


@pytest.mark.parametrize(("profile", "example"), CASES, ids=[f"{p.type}: {e.title}" for p, e in CASES])
def test_every_call_has_the_headers_of_its_type(profile: Profile, example: Example) -> None:
    info = profile.info.model_copy(update={"headers": (HeaderInfo(name="Acme-Version", value="2"),)})
    versioned: Profile = type("Versioned", (type(profile),), {"info": info})()
    at = provider(profile.type, options=dict(example.options))
    calls = [
        versioned.completion(at, ChatRequest.model_validate(example.request), example.abilities),
        versioned.embedding(provider(profile.type), EmbeddingRequest(model="m", texts=("a",))),
        versioned.unload(at, "m"),
    ]
    assert all(call.headers == {"Acme-Version": "2"} for call in calls if call is not None)


@pytest.mark.parametrize("type_", profiles())
def test_profile_announces_whether_it_can_unload_models(type_: str) -> None:
    profile = profile_for(type_)
    call = profile.unload(provider(type_), "m")
    assert (call is not None) == profile.unloads


def test_unknown_provider_type_is_refused() -> None:
    with pytest.raises(NotPossible, match="no provider type GOPHER; the known types are AZURE_OPENAI"):
        profile_for("GOPHER")


@pytest.mark.parametrize("base_url", ["http://host:11434", "http://host:11434/", "http://host:11434/v1"])
def test_ollama_unload_url_is_native_whether_or_not_the_base_url_has_v1(base_url: str) -> None:
    call = profile_for("OLLAMA").unload(provider("OLLAMA", base_url=base_url), "m")
    assert call is not None
    assert (call.url, call.body) == ("http://host:11434/api/generate", {"model": "m", "keep_alive": 0})


@pytest.mark.parametrize("type_", ["OPENAI", "OLLAMA"])
@pytest.mark.parametrize("option", ["model", "messages"])
def test_reserved_option_in_a_request_is_refused_by_name(type_: str, option: str) -> None:
    request = ChatRequest.model_validate(
        {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "params": {"options": {option: "other"}}}
    )
    with pytest.raises(NotPossible, match=option):
        profile_for(type_).completion(provider(type_), request, ModelAbilities())


def test_absolute_endpoint_must_have_the_origin_of_the_base_url() -> None:
    request = ChatRequest.model_validate({"model": "m", "messages": [{"role": "user", "content": "Hi"}]})
    profile = profile_for("CUSTOM_OPEN_AI_COMPATIBLE")
    same = provider(profile.type, inference_endpoint="http://HOST:80/deep/chat")
    assert profile.completion(same, request, ModelAbilities()).url == "http://HOST:80/deep/chat"
    other = provider(profile.type, inference_endpoint="https://host/v1/chat")
    with pytest.raises(NotPossible, match="another origin"):
        profile.completion(other, request, ModelAbilities())


def test_ollama_refuses_a_mix_of_options_for_different_endpoints() -> None:
    request = ChatRequest.model_validate(
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Hi"}],
            "params": {"options": {"num_ctx": 4096, "reasoning_effort": "low"}},
        }
    )
    with pytest.raises(NotPossible, match="num_ctx at its native endpoint alone and reasoning_effort at /v1 alone"):
        profile_for("OLLAMA").completion(provider("OLLAMA"), request, ModelAbilities())


@pytest.mark.parametrize(
    ("base_url", "options", "url"),
    [
        ("https://r.openai.azure.com", {}, "https://r.openai.azure.com/openai/v1/models"),
        (
            "https://r.openai.azure.com",
            {"api_version": "preview"},
            "https://r.openai.azure.com/openai/v1/models?api-version=preview",
        ),
        (
            "https://r.openai.azure.com/",
            {"api_version": "2024-10-21"},
            "https://r.openai.azure.com/openai/models?api-version=2024-10-21",
        ),
    ],
)
def test_azure_lists_models_with_the_chosen_api(base_url: str, options: dict[str, str], url: str) -> None:
    azure = provider("AZURE_OPENAI", base_url=base_url, models_endpoint="/openai/v1/models", options=options)
    assert profile_for(azure.type).models_url(azure) == url


def test_dated_azure_api_with_a_base_url_ending_in_v1() -> None:
    azure = provider(
        "AZURE_OPENAI",
        base_url="https://r.openai.azure.com/openai/v1/",
        models_endpoint="/models",
        inference_endpoint="/chat/completions",
        options={"api_version": "2024-10-21"},
    )
    request = ChatRequest.model_validate({"model": "m", "messages": [{"role": "user", "content": "Hi"}]})
    call = profile_for(azure.type).completion(azure, request, ModelAbilities())
    assert call.url == "https://r.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21"
    assert profile_for(azure.type).models_url(azure) == (
        "https://r.openai.azure.com/openai/models?api-version=2024-10-21"
    )
