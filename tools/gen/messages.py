"""Document the messages between services: a JSON Schema per message, an AsyncAPI 3.0 document, and a catalogue."""

import inspect
import json
import re
from collections.abc import Mapping
from typing import Any

import yaml
from pydantic.json_schema import models_json_schema

from llmbench.contracts.base import Message
from llmbench.contracts.registry import messages
from tools.gen import DOCS, Generated

_PLACEHOLDER = re.compile(r"{(\w+)}")
# The title and the transport of each kind of message (see `_kind`), in the order of the catalogue.
_KINDS = {
    "evt": ("Events", "stream `EVENTS`: kept for replay, read by any number of consumers"),
    "report": ("Reports", "stream `REPORTS`: a work queue, kept until the orchestrator acknowledges"),
    "cmd": ("Commands", "stream `COMMANDS`: a work queue, kept until acknowledged"),
    "ctl": ("Control", "core NATS: a hint that may be lost"),
    "req": ("Requests", "core NATS request and reply"),
}
_HEADERS = {
    "ce-specversion": "CloudEvents version, 1.0",
    "ce-id": "unique id of the message",
    "ce-type": "the message's type, as in its body",
    "ce-source": "the service that sent it",
    "ce-time": "when it became true, RFC 3339 in UTC",
    "traceparent": "W3C trace context",
    "Nats-Msg-Id": "by which JetStream drops duplicates",
}


def message_documents() -> Generated:
    """Return the schemas, the AsyncAPI document and the catalogue of all messages in `llmbench.contracts`."""
    known = dict(sorted(messages().items()))
    schemas = {
        DOCS / "schemas" / f"{name}.json": json.dumps(_schema(name, message), indent=2, ensure_ascii=False) + "\n"
        for name, message in known.items()
    }
    return {
        **schemas,
        DOCS / "asyncapi.yaml": yaml.safe_dump(asyncapi(known), sort_keys=False, allow_unicode=True, width=110),
        DOCS / "messages.md": catalogue(known),
    }


def asyncapi(known: Mapping[str, type[Message]]) -> dict[str, Any]:
    """Return the AsyncAPI 3.0 document of the messages in `known`, which maps the type of each message to its class."""
    references, definitions = models_json_schema(
        [(message, "serialization") for message in known.values()],
        ref_template="#/components/schemas/{model}",
    )
    channels: dict[str, Any] = {}
    components: dict[str, Any] = {}
    for name, message in known.items():
        channel = channels.setdefault(
            _identifier(message.SUBJECT),
            {
                "address": message.SUBJECT,
                "description": _KINDS[_kind(message)][1],
                "parameters": {field: {} for field in _PLACEHOLDER.findall(message.SUBJECT)},
                "messages": {},
            },
        )
        channel["messages"][message.__name__] = {"$ref": f"#/components/messages/{message.__name__}"}
        components[message.__name__] = {
            "name": name,
            "title": message.__name__,
            "summary": _summary(message),
            "contentType": "application/json",
            "headers": {
                "type": "object",
                "properties": {
                    header: {"type": "string", "description": meaning} for header, meaning in _HEADERS.items()
                },
            },
            "payload": references[(message, "serialization")],
            "examples": [{"payload": example} for example in message.EXAMPLES],
        }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "llmbench",
            "version": "1",
            "description": "Commands, events and requests on NATS. Generated from llmbench.contracts.",
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "components": {"messages": components, "schemas": definitions.get("$defs", {})},
    }


def catalogue(known: Mapping[str, type[Message]]) -> str:
    """Return a Markdown page about the messages in `known`, which maps the type of each message to its class."""
    lines = [
        "# Messages",
        "",
        "Generated from `llmbench.contracts` by `make gen`. Bodies are JSON; these headers go with them:",
        "",
        "| header | meaning |",
        "|---|---|",
        *(f"| `{header}` | {meaning} |" for header, meaning in _HEADERS.items()),
    ]
    for kind, (title, travels) in _KINDS.items():
        members = {name: message for name, message in known.items() if _kind(message) == kind}
        if not members:
            continue
        lines += [
            "",
            f"## {title}",
            "",
            f"{travels[0].upper()}{travels[1:]}.",
            "",
            "| type | subject | |",
            "|---|---|---|",
        ]
        lines += [
            f"| [`{name}`](schemas/{name}.json) | `{message.SUBJECT}` | {_summary(message)} |"
            for name, message in members.items()
        ]
        for name, message in members.items():
            lines += ["", f"### {message.__name__}", "", f"`{name}` on `{message.SUBJECT}`.", *_about(message)]
            for example in message.EXAMPLES[:1]:
                lines += ["", "```json", json.dumps(example, indent=2, ensure_ascii=False), "```"]
    return "\n".join(lines) + "\n"


def _schema(name: str, message: type[Message]) -> dict[str, Any]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:llmbench:{name}",
        "x-subject": message.SUBJECT,
        **message.model_json_schema(mode="serialization"),
    }


def _kind(message: type[Message]) -> str:
    """Return a key of `_KINDS`: "report" for an event that reports the result of a call or a score. For other messages,
    return the first word of the subject."""
    if message.SUBJECT.startswith(("evt.call.", "evt.score.")):
        return "report"
    return message.SUBJECT.partition(".")[0]


def _identifier(subject: str) -> str:
    return _PLACEHOLDER.sub(r"\1", subject).replace(".", "-")


def _summary(message: type[Message]) -> str:
    """Return the first paragraph of the docstring of the message's module."""
    text = inspect.getdoc(inspect.getmodule(message)) or ""
    return " ".join(text.split("\n\n", 1)[0].split())


def _about(message: type[Message]) -> list[str]:
    own = message.__doc__ if message.__doc__ != Message.__doc__ else None
    return ["", " ".join(inspect.cleandoc(own).split())] if own else []
