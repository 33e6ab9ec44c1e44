"""Imitate the vendors that share OpenAI's API. They differ in keys, error bodies, model lists and additions to answers.

Each vendor is served under a path of its own name; README.md lists them. Their texts follow the vendors' public API
documentation and the errors quoted in public issue threads.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

_OPENAI_TYPES = {401: "invalid_request_error", 429: "requests", 500: "server_error", 503: "server_error"}
_OPENAI_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


@dataclass(frozen=True)
class Vendor:
    """A vendor that needs no key and answers like OpenAI. Subclasses imitate real vendors.

    `key_header` is the header in which a request must have a key; `None` if no key is needed.
    """

    name: str = "any"
    key_header: str | None = None

    def refusal(self, headers: Mapping[str, str]) -> web.Response | None:
        """Return a 401 response if the vendor needs a key and the request has none, else `None`."""
        if self.key_header is None or headers.get(self.key_header):
            return None
        return self.error(401, "You didn't provide an API key.", code="invalid_api_key")

    def error(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> web.Response:
        body = self.error_body(status, message, code, param)
        return web.Response(
            text=json.dumps(body), status=status, headers=dict(headers or {}), content_type="application/json"
        )

    def error_body(self, status: int, message: str, code: str | None, param: str | None) -> dict[str, Any]:
        return {"error": {"message": message, "type": "mock_error", "param": param, "code": code}}

    def unknown_model(self, model: str) -> web.Response:
        return self.error(404, f"model {model!r} not found", code="model_not_found")

    def usage(self, usage: dict[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
        return usage

    def model_name(self, model: str) -> str:
        """Return the name of the model as the vendor's answers state it."""
        return model

    def preamble(self) -> bytes:
        """Return the first bytes of a stream, which precede its first chunk."""
        return b""

    def models(self, names: tuple[str, ...]) -> dict[str, Any]:
        rows = [{"id": name, "object": "model", "created": 1700000000, "owned_by": self.name} for name in names]
        return {"object": "list", "data": rows}

    def refused_format(self, wanted: str) -> str | None:
        """Return the reason why a `response_format` of the type `wanted` is refused; `None` if it is supported."""
        return None


@dataclass(frozen=True)
class OpenAi(Vendor):
    name: str = "openai"
    key_header: str | None = "Authorization"

    def error_body(self, status: int, message: str, code: str | None, param: str | None) -> dict[str, Any]:
        kind = _OPENAI_TYPES.get(status, "invalid_request_error")
        error = {"message": message, "type": kind, "param": param, "code": code or _OPENAI_CODES.get(status)}
        return {"error": error}

    def unknown_model(self, model: str) -> web.Response:
        return self.error(404, f"The model `{model}` does not exist or you do not have access to it.")

    def usage(self, usage: dict[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
        details = {"reasoning_tokens": 0, "audio_tokens": 0, **usage.pop("completion_tokens_details", {})}
        prompt = {"cached_tokens": 0, "audio_tokens": 0}
        return {**usage, "completion_tokens_details": details, "prompt_tokens_details": prompt}


@dataclass(frozen=True)
class Ollama(Vendor):
    """Ollama's OpenAI-compatible API. The module `ollama` serves its native API."""

    name: str = "library"

    def error_body(self, status: int, message: str, code: str | None, param: str | None) -> dict[str, Any]:
        return {"error": {"message": message, "type": "api_error", "param": None, "code": None}}

    def unknown_model(self, model: str) -> web.Response:
        body = self.error_body(404, f"model '{model}' not found", None, None)
        body["error"]["type"] = "not_found_error"
        return web.json_response(body, status=404)


@dataclass(frozen=True)
class OllamaNative(Vendor):
    def error_body(self, status: int, message: str, code: str | None, param: str | None) -> dict[str, Any]:
        return {"error": message}

    def unknown_model(self, model: str) -> web.Response:
        return self.error(404, f"model '{model}' not found")


@dataclass(frozen=True)
class LmStudio(Vendor):
    name: str = "organization_owner"

    def error_body(self, status: int, message: str, code: str | None, param: str | None) -> dict[str, Any]:
        return {"error": message}

    def unknown_model(self, model: str) -> web.Response:
        error = {
            "message": f"Model not found: {model}",
            "type": "invalid_request_error",
            "param": "model",
            "code": "model_not_found",
        }
        return web.json_response({"error": error}, status=404)

    def refused_format(self, wanted: str) -> str | None:
        return "'response_format.type' must be 'json_schema' or 'text'" if wanted == "json_object" else None


@dataclass(frozen=True)
class OpenRouter(Vendor):
    name: str = "openrouter"
    key_header: str | None = "Authorization"

    def error_body(self, status: int, message: str, code: str | None, param: str | None) -> dict[str, Any]:
        return {"error": {"message": message, "code": status}, "user_id": "org_mock"}

    def unknown_model(self, model: str) -> web.Response:
        return self.error(400, f"{model} is not a valid model ID")

    def usage(self, usage: dict[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
        if not (body.get("usage") or {}).get("include"):
            return usage
        cost = usage["total_tokens"] * 1e-6
        return {**usage, "cost": cost, "is_byok": False, "cost_details": {"upstream_inference_cost": cost}}

    def preamble(self) -> bytes:
        return b": OPENROUTER PROCESSING\n\n"

    def models(self, names: tuple[str, ...]) -> dict[str, Any]:
        price = {"prompt": "0.000001", "completion": "0.000001"}
        return {"data": [{"id": name, "name": name, "pricing": price, "context_length": 8192} for name in names]}


@dataclass(frozen=True)
class Azure(OpenAi):
    name: str = "azure"
    key_header: str | None = "api-key"

    def refusal(self, headers: Mapping[str, str]) -> web.Response | None:
        if headers.get("api-key"):
            return None
        return self.error(
            401,
            "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for "
            "an active subscription and use a correct regional API endpoint for your resource.",
            code="401",
        )

    def error_body(self, status: int, message: str, code: str | None, param: str | None) -> dict[str, Any]:
        if param is not None or code == "context_length_exceeded":
            return super().error_body(status, message, code, param)
        return {"error": {"code": code or str(status), "message": message}}

    def unknown_model(self, model: str) -> web.Response:
        return self.error(
            404,
            "The API deployment for this resource does not exist. If you created the deployment within the last 5 "
            "minutes, please wait a moment and try again.",
            code="DeploymentNotFound",
        )

    def model_name(self, model: str) -> str:
        return "gpt-4o-2024-08-06"

    def preamble(self) -> bytes:
        results = [{"prompt_index": 0, "content_filter_results": {"hate": {"filtered": False, "severity": "safe"}}}]
        first = {"choices": [], "created": 0, "id": "", "model": "", "object": "", "prompt_filter_results": results}
        return b"data: " + json.dumps(first).encode() + b"\n\n"


ANY = Vendor()
OLLAMA_NATIVE = OllamaNative()
VENDORS: dict[str, Vendor] = {
    "openai": OpenAi(),
    "ollama": Ollama(),
    "lmstudio": LmStudio(),
    "openrouter": OpenRouter(),
    "azure": Azure(),
}
"""The vendors, by the first part of the path under which they are served."""
