"""HTTP_JSON: a service with its own JSON API, such as a RAG service.

The provider's options are the template of the request, and the JSONPaths of the answer and its citations
(llmbench.contracts.http_json). Further options of a target or judge become fields of the body. Nothing is streamed.

A system prompt or history for which the template has no placeholder is an error. A sampling parameter without a
placeholder is left out, and a note with the answer says so.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from inference_gateway.domain.http_call import HttpCall, JsonPaths
from inference_gateway.domain.model_abilities import ModelAbilities
from inference_gateway.domain.template import filled
from inference_gateway.profiles.base import BEARER, Example, NotPossible, Profile, chat_messages, inference_url
from llmbench.contracts.chat import ChatRequest
from llmbench.contracts.http_json import (
    DEFAULT_MODEL,
    HTTP_JSON,
    OPTION_NAMES,
    PLACEHOLDERS,
    HttpJsonOptions,
    placeholders,
)
from llmbench.contracts.provider import ProviderSnapshot
from llmbench.contracts.provider_type import OptionInfo, ProviderTypeInfo
from llmbench.faults import faults_of

_PARAMETERS = ("temperature", "top_p", "max_tokens", "seed", "stop")
_ASKED = {"model": "default", "messages": [{"role": "user", "content": "How much leave?"}]}


def _text(name: str, description: str, example: str) -> OptionInfo:
    return OptionInfo(name=name, kind="text", description=description, example=example)


class HttpJson(Profile):
    info = ProviderTypeInfo(
        type=HTTP_JSON,
        title="JSON service (RAG)",
        description="A service with a JSON API of its own, such as a RAG service.",
        position=70,
        base_url_example="http://127.0.0.1:8080",
        api_prefix="",
        inference_path="/query",
        lists_models=False,
        headers=(BEARER,),
        options=(
            OptionInfo(
                name="request",
                kind="object",
                description="The body that is sent. Placeholders: "
                f"{', '.join(f'{{{{{name}}}}}' for name in PLACEHOLDERS)}.",
                example={"question": "{{question}}", "history": "{{history}}"},
            ),
            _text("answer_path", "JSONPath to the answer's text.", "$.answer"),
            _text("citations_path", "JSONPath to each citation, or to their list.", "$.citations[*]"),
            _text("citation_document_path", "JSONPath, in a citation, to the document.", "$.document"),
            _text("citation_section_path", "JSONPath, in a citation, to the section.", "$.section"),
            _text("citation_relevance_path", "JSONPath, in a citation, to its relevance.", "$.relevance_score"),
            OptionInfo(
                name="models",
                kind="list of texts",
                description="The model's name in runs, if the service has several models.",
                example=["default"],
            ),
        ),
        reserved=(),
        quirks=(
            "The options are the template of the request and the paths to the answer; a provider has no others. "
            "Further options of a target or a judge become fields of the body.",
            "Nothing is streamed. A parameter without a place in the template is noted with the answer.",
            "A test of the connection asks one question, because the service has no list of models.",
        ),
    )

    def option_problems(self, options: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the errors in a provider's options as pairs of field and message; an empty list if there are none.

        An unknown option name is an error: further fields of the request body belong in the option `request`.
        """
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

    def completion(self, provider: ProviderSnapshot, request: ChatRequest, abilities: ModelAbilities) -> HttpCall:
        options, more = _read(provider, request.params.options)
        messages = chat_messages(request)
        system = [each for each in messages if each["role"] == "system"]
        turns = [each for each in messages if each["role"] != "system"]
        question, history = turns[-1:], turns[:-1]
        chosen = request.params.model_dump(mode="json", include=set(_PARAMETERS), exclude_none=True)
        values = chosen | {
            "question": question[0]["content"] if question else "",
            "messages": messages,
            "history": history,
            "model": request.model,
        }
        if system:
            values["system_prompt"] = "\n\n".join(each["content"] for each in system)
        named = set(placeholders(options.request))
        _require_places(named, system=bool(system), history=bool(history))
        return HttpCall(
            inference_url(provider, provider.inference_endpoint),
            filled(options.request, values) | more,
            dialect=JsonPaths(
                answer=options.answer_path,
                citations=options.citations_path,
                document=options.citation_document_path,
                section=options.citation_section_path,
                relevance=options.citation_relevance_path,
            ),
            notes=_notes(request, {name: value for name, value in chosen.items() if name not in named | more.keys()}),
            headers=self.headers,
        )

    def named_models(self, provider: ProviderSnapshot) -> tuple[str, ...]:
        """Return the names of models in the option `models`; without such a list, only `DEFAULT_MODEL`."""
        named = provider.options.get("models", [DEFAULT_MODEL])
        return tuple(str(name) for name in named) if isinstance(named, list) else (DEFAULT_MODEL,)

    EXAMPLES = (
        Example(
            "the template that is there without any: the question alone",
            endpoint="/query",
            request=_ASKED,
            path="/query",
            body={"question": "How much leave?"},
        ),
        Example(
            "a template of one's own: a value keeps its type, what is not set is left out, a further option is a field",
            endpoint="/v2/ask",
            options={
                "request": {
                    "input": {"text": "Q: {{question}}", "chat_history": "{{history}}"},
                    "options": {"temperature": "{{temperature}}", "seed": "{{ seed }}"},
                    "stream": False,
                },
                "answer_path": "$.data.text",
                "top_k": 3,
            },
            request={
                "model": "default",
                "messages": [
                    {"role": "user", "content": "How much leave?"},
                    {"role": "assistant", "content": "30 days."},
                    {"role": "user", "content": 'And "{{history}}"\n?'},
                ],
                "params": {"temperature": 0},
            },
            path="/v2/ask",
            body={
                "input": {
                    "text": 'Q: And "{{history}}"\n?',
                    "chat_history": [
                        {"role": "user", "content": "How much leave?"},
                        {"role": "assistant", "content": "30 days."},
                    ],
                },
                "options": {"temperature": 0.0},
                "stream": False,
                "top_k": 3,
            },
        ),
        Example(
            "a parameter without a place is noted",
            endpoint="/query",
            request={**_ASKED, "params": {"max_tokens": 8}},
            path="/query",
            body={"question": "How much leave?"},
            notes=("max_tokens 8 was not sent",),
        ),
    )


def _read(provider: ProviderSnapshot, overruling: Mapping[str, Any]) -> tuple[HttpJsonOptions, dict[str, Any]]:
    """Return the options of the type HTTP_JSON, and all other options, which become fields of the body.

    The options `overruling` of a target or judge override the provider's. Raises `NotPossible` if an option of
    HTTP_JSON is invalid.
    """
    given = {**provider.options, **overruling}
    try:
        options = HttpJsonOptions.model_validate({name: given[name] for name in OPTION_NAMES if name in given})
    except ValidationError as error:
        fault = faults_of(error, HttpJsonOptions)[0]
        where = f"options.{fault.field}".rstrip(".")
        raise NotPossible(f"{where} {fault.message}") from None
    return options, {name: value for name, value in given.items() if name not in OPTION_NAMES}


def _require_places(named: set[str], *, system: bool, history: bool) -> None:
    if history and not named & {"history", "messages"}:
        raise NotPossible(
            "the provider's request template has no place for the turns before the question: add {{history}} or "
            "{{messages}}"
        )
    if system and not named & {"system_prompt", "messages"}:
        raise NotPossible(
            "the provider's request template has no place for the system prompt: add {{system_prompt}} or "
            "{{messages}}, or leave the prompt out"
        )


def _notes(request: ChatRequest, unsent: Mapping[str, Any]) -> tuple[str, ...]:
    notes = [
        f"{name} {value} was not sent: the request template has no place for it." for name, value in unsent.items()
    ]
    if request.response_schema is not None:
        notes.append("The JSON Schema was not enforced: the service was asked in words.")
    if request.top_logprobs is not None:
        notes.append("Log-probabilities were not asked for: the service has none.")
    return tuple(notes)


PROFILE = HttpJson()
