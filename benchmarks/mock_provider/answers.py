"""Derive the mock's answers from the request alone, so that equal requests get equal answers."""

import hashlib
import json
import math
import re
from typing import Any

_WORDS = [
    "the",
    "a",
    "model",
    "answer",
    "question",
    "because",
    "therefore",
    "however",
    "first",
    "second",
    "light",
    "water",
    "time",
    "number",
    "small",
    "large",
    "system",
    "result",
    "means",
    "value",
    "order",
    "point",
    "line",
    "case",
    "word",
    "work",
    "part",
    "place",
    "year",
]


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())


def prompt_of(body: dict[str, Any]) -> str:
    """Return the prompt of a request: the last user message, else the texts to embed, `prompt` or `question`. Return an
    empty text if the request has none."""
    for message in reversed(body.get("messages") or []):
        if isinstance(message, dict) and message.get("role") == "user":
            return str(message.get("content", ""))
    texts = body.get("input")
    if isinstance(texts, list):
        return "\n".join(map(str, texts))
    return str(texts or body.get("prompt") or body.get("question") or "")


def answer_to(prompt: str, tokens: int | None = None) -> str:
    """Return an answer of 8 to 15 words, or of `tokens` words."""
    seed = _digest(prompt)
    count = tokens or 8 + seed % 8
    words = [_WORDS[(seed >> (step % 48)) * 31 % len(_WORDS)] for step in range(count - 1)]
    return " ".join([f"Answer-{seed % 10_000:04d}", *words])


def schema_of(body: dict[str, Any]) -> dict[str, Any] | None:
    """Return the JSON Schema that the request has in OpenAI's or Ollama's format; `None` if it has none."""
    wanted = body.get("response_format") or body.get("format")
    if not isinstance(wanted, dict):
        return None
    if wanted.get("type") == "json_schema":
        schema = (wanted.get("json_schema") or {}).get("schema")
        return schema if isinstance(schema, dict) else None
    return wanted if "properties" in wanted else None


def asks_for_json(body: dict[str, Any]) -> bool:
    """Return whether the request uses JSON mode, in which any JSON object is a valid answer."""
    wanted = body.get("response_format")
    return body.get("format") == "json" or (isinstance(wanted, dict) and wanted.get("type") == "json_object")


def logprobs_of(text: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tokens of `text` with their log probabilities in OpenAI's format. Each digit is a token of its own.

    Only digits have alternatives, at most `top_logprobs` of the request `body`.
    """
    tokens = re.findall(r"\d|\D+", text)
    return [
        {"token": token, **_LIKELY[0], "top_logprobs": _alternatives(token)[: body.get("top_logprobs", 0)]}
        for token in tokens
    ]


_LIKELY = [{"logprob": math.log(share)} for share in (0.7, 0.2, 0.1)]


def _alternatives(token: str) -> list[dict[str, Any]]:
    if not token.isdigit():
        return [{"token": token, "logprob": 0.0}]
    others = (token, str((int(token) + 1) % 10), str((int(token) - 1) % 10))
    return [{"token": other, **likely} for other, likely in zip(others, _LIKELY, strict=True)]


def asks_for_verdict(prompt: str) -> bool:
    """Return whether the prompt names the two fields of a judge's verdict. Requests for a verdict without a JSON schema
    do so."""
    return '"score"' in prompt and '"reason"' in prompt


def verdict(prompt: str, schema: dict[str, Any] | None) -> str:
    value = {"reason": f"Judged {_digest(prompt) % 10_000:04d}.", "score": _digest(prompt) % 11}
    return json.dumps(_instance(schema, prompt) if schema else value)


def misjudged(sound: str, flags: frozenset[str]) -> str:
    """Return the valid verdict `sound`, made invalid as the flags demand: surrounded by prose, out of range, or cut
    off. Without such a flag it is unchanged."""
    if "chatty" in flags:
        return f"Let me see. As a verdict I would say: ```json\n{sound}\n``` I hope that helps!"
    if "outofrange" in flags:
        return json.dumps(json.loads(sound) | {"score": 99, "winner": "nobody"})
    return sound[: len(sound) // 2] if "cutoff" in flags else sound


def _instance(schema: dict[str, Any], seed: str, name: str = "value") -> Any:
    """Return a value that satisfies the JSON Schema `schema`. Only the simple schemas of judges are supported."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][_digest(seed + name) % len(schema["enum"])]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        return {key: _instance(part, seed, key) for key, part in schema.get("properties", {}).items()}
    if kind == "array":
        return [_instance(schema.get("items", {}), seed, name)] * max(1, schema.get("minItems", 0))
    if kind in ("integer", "number"):
        least = int(schema.get("minimum", 0))
        most = int(schema.get("maximum", least + 10))
        return least + _digest(seed + name) % (most - least + 1)
    if kind == "boolean":
        return _digest(seed + name) % 2 == 0
    if kind == "null":
        return None
    return f"{name} {_digest(seed) % 10_000:04d}."[: schema.get("maxLength")]
