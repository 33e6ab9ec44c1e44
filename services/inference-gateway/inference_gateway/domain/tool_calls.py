"""Assemble the tool calls of an answer from the pieces of a stream, and write them as one line of JSON."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from inference_gateway.domain.json_of import json_of, to_json


@dataclass
class _Call:
    id: str | None
    index: int | None
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    given: Any = None
    """The arguments, if the provider sends them as an object instead of a text."""

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "arguments": self.parsed_arguments()}

    def parsed_arguments(self) -> Any:
        """Return the arguments as parsed JSON, or as text if they are not JSON."""
        if self.given is not None:
            return self.given
        text = "".join(self.arguments)
        if not text.strip():
            return {}
        try:
            return json_of(text.encode("utf-8", "surrogatepass"))
        except ValueError:
            return text


class ToolCalls:
    """The tool calls received so far. Each piece is passed to `add` or `add_function`.

    A provider may number the calls (OpenAI), number all of them 0 (Gemini), or not number them (Ollama). So a new id
    begins another call, and so does a name without a number.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add(self, listed: object) -> None:
        """Add the list `tool_calls` of a message, or of a streamed piece of it. Any other value is ignored."""
        for entry in listed if isinstance(listed, list) else ():
            if isinstance(entry, dict):
                function = next(
                    (entry[name] for name in ("function", "custom") if isinstance(entry.get(name), dict)), entry
                )
                self._add(entry.get("id"), entry.get("index"), function)

    def add_function(self, function: object) -> None:
        """Add a `function_call` of OpenAI's older API, or a content part that is a call."""
        if isinstance(function, dict):
            self._add(function.get("id"), 0 if "id" not in function else None, function)

    def as_json(self) -> str:
        """Return the calls as one line of JSON, equal for equal calls: without ids, with arguments sorted by name."""
        return to_json({"tool_calls": [call.as_json() for call in self._calls]})

    def replace_texts(self, text: Callable[[str], str], json: Callable[[Any], Any]) -> None:
        """Apply `text` to the name of each call, and `json` to the arguments."""
        for call in self._calls:
            call.name = text(call.name)
            arguments = call.parsed_arguments()
            if (changed := json(arguments)) != arguments:
                call.given = changed

    def _add(self, id_: object, index: object, function: dict[str, Any]) -> None:
        call_id = id_ if isinstance(id_, str) and id_ else None
        number = index if isinstance(index, int) else None
        name = function.get("name")
        name = name if isinstance(name, str) else ""
        call = self._call_of_piece(call_id, number, name)
        call.name = call.name or name
        arguments = next((function[key] for key in ("arguments", "input") if function.get(key) is not None), None)
        if isinstance(arguments, str):
            call.arguments.append(arguments)
        elif arguments is not None:
            call.given = arguments

    def _call_of_piece(self, call_id: str | None, number: int | None, name: str) -> _Call:
        last = self._calls[-1] if self._calls else None
        same_number = last if last is not None and last.index == number else self._numbered(number)
        call = same_number if number is not None else last
        if call is not None:
            other_id = call_id is not None and call.id is not None and call_id != call.id
            unnumbered = number is None and (bool(name) or (call_id is not None and call_id != call.id))
            if not other_id and not unnumbered:
                call.id = call.id or call_id
                return call
        self._calls.append(_Call(call_id, number))
        return self._calls[-1]

    def _numbered(self, number: int | None) -> _Call | None:
        return next((call for call in reversed(self._calls) if call.index == number), None)
