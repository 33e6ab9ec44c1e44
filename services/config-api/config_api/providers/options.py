"""Describe each provider type's options, for the form and for checks that prevent a failure in the middle of a run.

Any other option is sent to the provider unchanged.
"""

import re
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from llmbench.contracts.http_json import PLACEHOLDERS, HttpJsonOptions
from llmbench.contracts.provider import ProviderType
from llmbench.contracts.reserved_options import reserved
from llmbench.faults import faults_of

API_VERSION = "api_version"
DEPLOYMENT = "deployment"
DEPLOYMENTS = "deployments"

_VERSION = re.compile(r"\d{4}-\d{2}-\d{2}(-preview)?|preview|latest")
_DEPLOYMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_NO_DEPLOYMENT = "is not the name of a deployment (letters, digits and .-_)"
_MAX_DEPLOYMENTS = 200


@dataclass(frozen=True)
class Option:
    """An option; `kind` is for people: `number`, `boolean or text` …"""

    name: str
    kind: str
    description: str
    example: Any


_EFFORT = Option("reasoning_effort", "text", "How long a reasoning model thinks: minimal, low, medium, high.", "low")
_TOP_K = Option("top_k", "number", "Choose among this many of the likeliest tokens.", 40)

OPTIONS: dict[ProviderType, tuple[Option, ...]] = {
    ProviderType.OLLAMA: (
        Option("num_ctx", "number", "Context window in tokens; another value loads the model anew.", 8192),
        Option("keep_alive", "text or number", "How long the model stays loaded when idle; -1 for ever.", "10m"),
        Option("think", "boolean or text", "Let a reasoning model think: true, false, low, medium, high.", False),
        Option("num_gpu", "number", "Layers on the GPU.", 99),
        _TOP_K,
        Option("repeat_penalty", "number", "Above 1 repetitions become less likely.", 1.1),
    ),
    ProviderType.LM_STUDIO: (
        Option("ttl", "number", "Seconds after which LM Studio unloads the idle model.", 300),
        _TOP_K,
        Option("repeat_penalty", "number", "Above 1 repetitions become less likely.", 1.1),
    ),
    ProviderType.OPENAI: (
        _EFFORT,
        Option("verbosity", "text", "How long answers are: low, medium, high.", "low"),
        Option("service_tier", "text", "auto, default, flex or priority; prices differ.", "flex"),
    ),
    ProviderType.OPENROUTER: (
        Option(
            "provider",
            "object",
            "Which upstream answers. Fix it, or two runs may compare different hosts.",
            {"order": ["DeepInfra"], "allow_fallbacks": False},
        ),
        Option("reasoning", "object", "Effort or token budget of reasoning models.", {"effort": "low"}),
        Option("transforms", "list", "Empty: a prompt that is too long is refused instead of cut.", []),
    ),
    ProviderType.AZURE_OPENAI: (
        Option(
            DEPLOYMENTS,
            "list of texts",
            "Names of the deployments: they are this provider's models. A resource does not tell them to an API key.",
            ["gpt-4o-mini"],
        ),
        Option(
            API_VERSION,
            "text",
            "A dated API version, for a resource without the /openai/v1 API. Left out, /openai/v1 is used.",
            "2024-10-21",
        ),
        Option(
            DEPLOYMENT,
            "text",
            "The deployment behind every model of this provider. Left out, the model's name is the deployment's.",
            "prod-4o",
        ),
        _EFFORT,
    ),
    ProviderType.CUSTOM_OPEN_AI_COMPATIBLE: (
        _TOP_K,
        Option("chat_template_kwargs", "object", "vLLM, SGLang: arguments of the chat template.", {"thinking": False}),
    ),
    ProviderType.HTTP_JSON: (
        Option(
            "request",
            "object",
            f"The body that is sent. Placeholders: {', '.join(f'{{{{{name}}}}}' for name in PLACEHOLDERS)}.",
            {"question": "{{question}}", "history": "{{history}}"},
        ),
        Option("answer_path", "text", "JSONPath to the answer's text.", "$.answer"),
        Option("citations_path", "text", "JSONPath to each citation, or to their list.", "$.citations[*]"),
        Option("citation_document_path", "text", "JSONPath, in a citation, to the document.", "$.document"),
        Option("citation_section_path", "text", "JSONPath, in a citation, to the section.", "$.section"),
        Option("citation_relevance_path", "text", "JSONPath, in a citation, to its relevance.", "$.relevance_score"),
        Option("models", "list of texts", "What runs call this service, where it is several.", ["default"]),
    ),
}


def faults(type_: ProviderType, options: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the errors, each with its path in `options`."""
    if type_ is ProviderType.HTTP_JSON:
        return _http_json_faults(options)
    found = reserved(options)
    if type_ is not ProviderType.AZURE_OPENAI:
        return found
    if API_VERSION in options and not _matches(_VERSION, options[API_VERSION]):
        message = "must be a date as in 2024-10-21 or 2025-04-01-preview; leave it out for /openai/v1"
        found.append((API_VERSION, message))
    if DEPLOYMENT in options and not _matches(_DEPLOYMENT, options[DEPLOYMENT]):
        found.append((DEPLOYMENT, _NO_DEPLOYMENT))
    if DEPLOYMENTS in options:
        found += _deployment_faults(options[DEPLOYMENTS])
    return found


def _http_json_faults(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the errors of HTTP_JSON options. The template contains the body's fields, so any other name is a misspelt
    option."""
    try:
        HttpJsonOptions.model_validate(options)
    except ValidationError as error:
        unknown = {fault["loc"][-1] for fault in error.errors() if fault["type"] == "extra_forbidden"}
        return [
            (
                fault.field or "request",
                "is no option of HTTP_JSON; what the body is to hold belongs into `request`"
                if fault.field in unknown
                else fault.message.removeprefix("request: "),
            )
            for fault in faults_of(error, HttpJsonOptions)
        ]
    return []


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _deployment_faults(value: object) -> list[tuple[str, str]]:
    if not isinstance(value, list) or not 0 < len(value) <= _MAX_DEPLOYMENTS:
        return [(DEPLOYMENTS, f"must be a list of 1 to {_MAX_DEPLOYMENTS} names")]
    found = []
    for index, name in enumerate(value):
        if not _matches(_DEPLOYMENT, name):
            found.append((f"{DEPLOYMENTS}.{index}", _NO_DEPLOYMENT))
        elif name in value[:index]:
            found.append((f"{DEPLOYMENTS}.{index}", "is there already"))
    return found
