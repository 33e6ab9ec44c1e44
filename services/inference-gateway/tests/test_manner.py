"""Test the adaptation of a request after a refusal: which parameter is omitted or replaced, and that the repetitions
end."""

import json

import pytest

from inference_gateway.domain.http_call import Exchange, HttpCall, Routing, SchemaMode, Streaming
from inference_gateway.domain.model_abilities import ModelAbilities, refused_parameter, step_down

EVERYTHING = frozenset({"temperature", "top_p", "seed", "max_tokens"})
CALL = HttpCall(
    "http://host/v1/chat/completions",
    {},
    streaming=Streaming.WITH_USAGE,
    schema=SchemaMode.STRICT,
    logprobs=True,
    routing=Routing.ALL_PARAMETERS,
    adaptable=EVERYTHING,
)


def openai(message: str, *, param: str | None = None, code: str | None = None) -> str:
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return json.dumps({"error": error})


NOT_ZERO = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) is supported."
OTHER_NAME = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
NO_SCHEMA = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."


@pytest.mark.parametrize(
    ("status", "body", "less"),
    [
        (
            400,
            openai(NOT_ZERO, param="temperature", code="unsupported_value"),
            ModelAbilities(without=frozenset({"temperature"})),
        ),
        (
            400,
            openai("Unsupported parameter: 'top_p' is not supported with this model.", param="top_p"),
            ModelAbilities(without=frozenset({"top_p"})),
        ),
        (400, openai(OTHER_NAME, param="max_tokens", code="unsupported_parameter"), ModelAbilities(other_limit=True)),
        (400, openai("Unrecognized request argument supplied: seed"), ModelAbilities(without=frozenset({"seed"}))),
        (
            422,
            json.dumps({"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs"}]}),
            ModelAbilities(without=frozenset({"seed"})),
        ),
        (400, openai("Unrecognized request argument supplied: stream_options"), ModelAbilities(streaming=Streaming.ON)),
        (400, openai("stream is not supported by this model"), ModelAbilities(streaming=Streaming.OFF)),
        (400, openai(NO_SCHEMA, param="response_format"), ModelAbilities(schema=SchemaMode.OBJECT)),
        (400, json.dumps({"error": "'response_format.type' must be 'text'"}), ModelAbilities(schema=SchemaMode.OBJECT)),
        (400, openai("Unsupported parameter: 'logprobs'", param="logprobs"), ModelAbilities(logprobs=False)),
        (400, openai("'top_logprobs' must be at most 5", param="top_logprobs"), ModelAbilities(logprobs=False)),
        (
            404,
            openai("No endpoints found that can handle the requested parameters."),
            ModelAbilities(routing=Routing.ANY),
        ),
        (404, openai("No endpoints found matching your data policy."), None),
        # The error code reports a wrong value; only the message names the parameter.
        (400, openai(NOT_ZERO, code="unsupported_value"), ModelAbilities(without=frozenset({"temperature"}))),
        (400, openai(NOT_ZERO, param="", code="unsupported_value"), ModelAbilities(without=frozenset({"temperature"}))),
        (
            400,
            openai("Only the default temperature is allowed for this model.", code="unsupported_value"),
            ModelAbilities(without=frozenset({"temperature"})),
        ),
        (400, openai(OTHER_NAME, code="unsupported_parameter"), ModelAbilities(other_limit=True)),
        (
            400,
            json.dumps({"code": "unsupported_value", "message": NOT_ZERO}),
            ModelAbilities(without=frozenset({"temperature"})),
        ),
        (400, openai("temperature and top_p exclude each other", code="unsupported_value"), None),
        (400, openai("This is not supported.", code="unsupported_value"), None),
        # These errors name no parameter that can be reduced.
        (400, openai("Unsupported parameter: 'stop' is not supported with this model.", param="stop"), None),
        (400, openai("'temperature' must be at most 2", param="temperature", code="invalid_value"), None),
        (400, openai("This model's maximum context length is 4096 tokens."), None),
        (404, openai("The model 'm' does not exist"), None),
        (401, openai("Incorrect API key: temperature is not supported"), None),
        (500, openai("stream"), None),
    ],
)
def test_refused_parameter_is_omitted_or_the_refusal_stands(
    status: int, body: str, less: ModelAbilities | None
) -> None:
    assert step_down(ModelAbilities(), CALL, Exchange(status, body=body.encode())) == less


def test_option_set_by_the_user_is_not_omitted() -> None:
    call = HttpCall("http://host", {}, adaptable=frozenset())
    body = openai("Unsupported parameter: 'temperature' is not supported with this model.", param="temperature")
    assert step_down(ModelAbilities(), call, Exchange(400, body=body.encode())) is None


def test_token_limit_refused_under_both_names_stands() -> None:
    body = openai("Unsupported parameter: 'max_tokens' is not supported", param="max_tokens")
    assert step_down(ModelAbilities(other_limit=True), CALL, Exchange(400, body=body.encode())) is None


@pytest.mark.parametrize("body", ["", "[1]", "{", '{"error": 1}', '{"detail": "no"}', "[" * 100_000])
def test_any_error_body_can_be_examined(body: str) -> None:
    assert refused_parameter(body) is None
