"""Warn when a model judges its own answers or those of its model family, because it favours them.

Zheng et al., "Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena" (2023), section 3.3.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal
from uuid import UUID


@dataclass(frozen=True)
class Contestant:
    """A model that answers or judges. `provider_id` is null if the client supplied the answers."""

    label: str
    provider_id: UUID | None
    model: str


@dataclass(frozen=True)
class Warning:
    """A warning that is stored with a run and shown with its results."""

    kind: Literal[
        "self_judging",
        "same_family",
        "one_family",
        "judge_not_asked",
        "unreadable_references",
        "columns",
        "adapted_request",
        "repeated_secret",
        "budget_nearly_spent",
    ]
    message: str


def judges_itself(judge: Contestant, target: Contestant) -> bool:
    return (judge.provider_id, judge.model) == (target.provider_id, target.model)


def warnings(judge: Contestant, targets: Sequence[Contestant]) -> list[Warning]:
    own = [target.label for target in targets if judges_itself(judge, target)]
    kin = [
        target.label
        for target in targets
        if not judges_itself(judge, target) and families(target.model) & families(judge.model)
    ]
    warnings = []
    if own:
        message = f"{judge.model} judges its own answers ({', '.join(own)}): expect its scores to be too high."
        warnings.append(Warning("self_judging", message))
    if kin:
        message = f"{judge.model} judges models of its own family ({', '.join(kin)}): its scores may favour them."
        warnings.append(Warning("same_family", message))
    return warnings


def panel_warnings(name: str, models: Sequence[str]) -> list[Warning]:
    """Return a warning if the judges of the panel `name` all belong to one model family; else an empty list. A panel
    outvotes the bias of one judge, but not a bias that all judges share."""
    shared = frozenset.intersection(*map(families, models)) if models else frozenset()
    if not shared:
        return []
    message = (
        f"The judges of the panel '{name}' ({', '.join(models)}) are all of the family {min(shared)}: what one of "
        "them favours, the others may favour as well."
    )
    return [Warning("one_family", message)]


_FAMILIES = {
    "gpt": ("gpt", "chatgpt", "o1", "o3", "o4", "davinci", "babbage", "codex", "computer-use"),
    "claude": ("claude",),
    "gemini": ("gemini", "gemma", "codegemma", "medgemma", "paligemma", "shieldgemma", "learnlm", "palm"),
    "llama": ("llama", "codellama", "tinyllama"),
    "mistral": (
        *("mistral", "mixtral", "codestral", "ministral", "magistral", "devstral", "mathstral", "pixtral", "voxtral"),
    ),
    "qwen": ("qwen", "codeqwen", "qwq", "qvq"),
    "deepseek": ("deepseek",),
    "phi": ("phi",),
    "grok": ("grok",),
    "command": ("command", "c4ai", "aya"),
    "nova": ("nova",),
    "yi": ("yi",),
    "glm": ("glm", "chatglm", "codegeex"),
    "kimi": ("kimi", "moonshot"),
}
_TUNED_FROM = {
    "llama": ("vicuna", "alpaca", "guanaco", "hermes", "wizardlm", "orca", "tulu"),
    "mistral": ("zephyr", "openhermes", "mistrallite"),
}
"""Parts of the names of models that were fine-tuned from a family, by this family. Such names often omit the family."""

# Ollama's tags of DeepSeek R1's distilled models state only the size. The 8b was first based on Llama, later on Qwen.
_DISTILLED = {"1.5b": ("qwen",), "7b": ("qwen",), "8b": ("llama", "qwen"), "14b": ("qwen",), "32b": ("qwen",)} | {
    "70b": ("llama",)
}
_R1_SIZE = re.compile(r"deepseek-r1[:-](\d+(?:\.\d+)?b)(?![a-z0-9])")
_VENDOR = re.compile(r"^(?:[a-z][a-z0-9-]*\.)+(?=[a-z])")
_FILE = re.compile(r"\.(?:gguf|ggml|bin|safetensors)$")


def families(model: str) -> frozenset[str]:
    """Return every model family that a model's name indicates.

    A distilled model has two families: `deepseek-r1-distill-qwen-7b` has Qwen's weights and learnt from DeepSeek's
    texts, so a judge of either family may favour it. Vendor prefixes (`meta-llama/`, `us.anthropic.`) and suffixes
    (`:free`, `-Q4_K_M.gguf`) are ignored. The family of an unknown model is the first word of its name.
    """
    name = _FILE.sub("", re.split(r"[/\\]", model.strip().lower())[-1])
    size = _R1_SIZE.search(name)
    kin = _named(_FAMILIES, name) | frozenset(_DISTILLED.get(size[1], ()) if size else ())
    if kin := kin or _named(_TUNED_FROM, name):
        return kin
    first = re.search(r"[a-z]+", _VENDOR.sub("", name))
    return frozenset({first.group() if first else name})


def _named(table: Mapping[str, tuple[str, ...]], name: str) -> frozenset[str]:
    return frozenset(kin for kin, words in table.items() if _pattern(words).search(name))


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that matches one of the words, if no other letter precedes or follows it. With the word `llama`,
    it matches `llama3`, but not `ollama`."""
    return re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, words))})(?![a-z])", re.ASCII)
