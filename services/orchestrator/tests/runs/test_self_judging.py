"""Test that a judge of a target's own family causes a warning, however the model is named."""

from uuid import UUID

import pytest

from orchestrator.runs.domain.self_judging import Contestant, families, panel_warnings, warnings

NAMES = {
    "gpt": "gpt-4o openai/gpt-4.1-mini o1 o3-mini openai/o4-mini chatgpt-4o-latest gpt-oss:20b text-davinci-003",
    "claude": "claude-sonnet-4 anthropic/claude-3.5-sonnet:beta us.anthropic.claude-3-5-haiku-20241022-v1:0",
    "gemini": "gemini-2.5-pro google/gemma-3-27b-it:free google_gemma-3-4b-it-Q4_K_M.gguf codegemma:7b "
    "models/gemini-pro",
    "llama": "llama3.1:8b meta-llama/Llama-3.1-8B-Instruct meta.llama3-70b-instruct-v1:0 codellama:13b vicuna-13b "
    "nvidia/llama-3.1-nemotron-70b-instruct hf.co/bartowski/Hermes-3-Llama-3.1-8B-GGUF:Q4_K_M tinyllama "
    "C:\\models\\Llama-3.2-1B.Q8_0.gguf",
    "mistral": "mistral-large-latest mistralai/Mixtral-8x7B-Instruct-v0.1 codestral-2501 ministral-8b magistral-small "
    "open-mixtral-8x22b zephyr-7b-beta mistral.mistral-7b-instruct-v0:2 nous-hermes-2-mixtral-8x7b-dpo",
    "qwen": "qwen2.5:7b Qwen/Qwen3-8B-AWQ qwq-32b qwen2.5-0.5b-instruct-q4_k_m.gguf codeqwen:7b",
    "deepseek": "deepseek-chat deepseek/deepseek-r1:free deepseek-coder-v2 deepseek-r1:671b",
    "phi": "phi3:mini microsoft/phi-4 Phi-3.5-mini-instruct-Q4_K_M.gguf",
    "grok": "grok-3 x-ai/grok-2-1212",
    "command": "command-r-plus cohere.command-r-v1:0 c4ai-aya-expanse-8b",
    "nova": "amazon/nova-pro-v1 us.amazon.nova-lite-v1:0",
    "smollm": "smollm2:135m HuggingFaceTB/SmolLM2-360M-Instruct",
    "titan": "amazon.titan-text-express-v1",
}


@pytest.mark.parametrize(
    ("family", "model"), [(family, name) for family, all_ in NAMES.items() for name in all_.split()]
)
def test_family_is_recognised_whatever_surrounds_its_name(family: str, model: str) -> None:
    assert families(model) == {family}


@pytest.mark.parametrize(
    ("model", "kin"),
    [
        ("deepseek-r1-distill-qwen-32b", {"deepseek", "qwen"}),
        ("deepseek/deepseek-r1-distill-llama-70b", {"deepseek", "llama"}),
        ("DeepSeek-R1-0528-Qwen3-8B-Q4_K_M.gguf", {"deepseek", "qwen"}),
        ("deepseek-r1:7b", {"deepseek", "qwen"}),
        ("deepseek-r1:8b-llama-distill-q4_K_M", {"deepseek", "llama", "qwen"}),
        ("deepseek-r1:70b", {"deepseek", "llama"}),
    ],
)
def test_distilled_model_belongs_to_two_families(model: str, kin: set[str]) -> None:
    assert families(model) == kin


@pytest.mark.parametrize("name", ["", "/", "4711", "ollama", "novation", "gptq-thing", "🦙", "a" * 100_000])
def test_name_without_a_known_family_is_its_own_family(name: str) -> None:
    (only,) = families(name)
    assert only not in NAMES


def test_judge_of_the_family_of_a_distilled_models_teacher_or_base_causes_a_warning() -> None:
    target = Contestant("distilled", UUID(int=1), "deepseek-r1-distill-qwen-7b")
    for judge in ("deepseek-chat", "qwen2.5:72b"):
        (warning,) = warnings(Contestant(judge, UUID(int=2), judge), [target])
        assert warning.kind == "same_family"
    assert warnings(Contestant("gpt-4o", UUID(int=2), "gpt-4o"), [target]) == []


def test_panel_causes_a_warning_if_all_its_judges_share_a_family() -> None:
    assert [warning.kind for warning in panel_warnings("rubric", ["gpt-4o", "o3-mini"])] == ["one_family"]
    assert [warning.kind for warning in panel_warnings("rubric", ["qwen3:8b", "deepseek-r1:7b"])] == ["one_family"]
    assert panel_warnings("rubric", ["llama3.1", "mixtral"]) == []
