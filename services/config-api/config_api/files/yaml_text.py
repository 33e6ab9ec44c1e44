"""Parse YAML files: texts are kept as written, and expansion is limited.

A list is read one entry at a time. Every value without quotes (a plain scalar) is a text: `no` is "no", and `1.10` is
"1.10". Only `null`, `~` and an empty value mean null.

Some fields may have any JSON value. For these, `marks_plain` makes each plain scalar a `Plain`, and `resolved`
converts it to a number or boolean if it looks like one.

Aliases are refused unless requested, and then limited: a few lines of them can expand to gigabytes.
"""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO

import yaml
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from llmbench.files.unreadable import MAX_DEPTH, Unreadable

MAX_VALUES = 2_000_000
"""The maximum number of values in a file. A hundred thousand tasks have fewer; a file of only commas would fill the
memory."""

_NOTHING = {"", "~", "null", "Null", "NULL"}
_TEXT_TAGS = {None, "!", "tag:yaml.org,2002:str"}


_INT = re.compile(r"[-+]?[0-9]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_MERGE = "<<"
_PROMPTFOO = ". For a promptfoo configuration, name the format: promptfoo"


class Plain(str):
    """A plain scalar: a text without quotes, which YAML reads as a number or a boolean if it looks like one."""

    __slots__ = ()


def resolved(value: Any) -> Any:
    """Return the value with each `Plain` in it converted to a JSON type, by the core schema of YAML 1.2.

    Numbers that are not finite stay texts.
    """
    if isinstance(value, Plain):
        text = str(value)
        if text in _TRUTH:
            return _TRUTH[text]
        if _INT.fullmatch(text):
            return int(text)
        number = float(text) if _FLOAT.fullmatch(text) else math.inf
        return number if math.isfinite(number) else text
    if isinstance(value, dict):
        return {str(name): resolved(each) for name, each in value.items()}
    if isinstance(value, list):
        return [resolved(each) for each in value]
    return value


def texts(value: Any) -> Any:
    """Return the value with each `Plain` (a scalar without quotes) in it as a string, exactly as in the file."""
    if isinstance(value, Plain):
        return str(value)
    if isinstance(value, dict):
        return {str(name): texts(each) for name, each in value.items()}
    return [texts(each) for each in value] if isinstance(value, list) else value


class LineDict(dict[str, Any]):
    """A mapping with the line on which it starts."""

    line: int = 1


@dataclass
class YamlText:
    """A file with one YAML document. Methods raise `Unreadable` if the text is no valid YAML or exceeds a limit."""

    text: TextIO
    max_values: int = MAX_VALUES
    aliases: bool = False
    marks_plain: bool = False

    def __post_init__(self) -> None:
        # Use only libyaml's parser, which constructs no Python objects from tags.
        with _errors_as_unreadable():
            self._parser = CParser(self.text)
        self._values = 0
        # Anchored values by name, each with the number of values that it contains.
        self._anchors: dict[str, tuple[Any, int]] = {}

    def entries(self) -> Iterator[tuple[int, Any]]:
        """Yield each entry of a document that is a list, as a pair: the number of the entry's first line, and its
        value."""
        if not self._begin():
            return
        if not isinstance(self._peek(), SequenceStartEvent):
            hint = _PROMPTFOO if isinstance(self._peek(), MappingStartEvent) else ""
            raise Unreadable(_line(self._peek()), f"a list of tasks is wanted: each begins with `- task_id: …`{hint}")
        self._next()
        while not isinstance(self._peek(), SequenceEndEvent):
            yield _line(self._peek()), self._value(MAX_DEPTH)
        self._next()
        self._end()

    def document(self) -> Any:
        """Return the document's value, or `None` for an empty file."""
        if not self._begin():
            return None
        value = self._value(MAX_DEPTH)
        self._end()
        return value

    def _begin(self) -> bool:
        assert isinstance(self._next(), StreamStartEvent)
        if isinstance(self._peek(), StreamEndEvent):
            return False
        assert isinstance(self._next(), DocumentStartEvent)
        return True

    def _end(self) -> None:
        assert isinstance(self._next(), DocumentEndEvent)
        if not isinstance(self._peek(), StreamEndEvent):
            raise Unreadable(_line(self._peek()), "the file holds a second YAML document; put all into one")

    def _value(self, depth: int) -> Any:
        event = self._next()
        self._values += 1
        if self._values > self.max_values:
            raise Unreadable(_line(event), f"holds more than {self.max_values} values; import it in parts")
        if isinstance(event, AliasEvent):
            return self._aliased(event)
        assert isinstance(event, ScalarEvent | SequenceStartEvent | MappingStartEvent)
        if event.tag not in _TEXT_TAGS:
            raise Unreadable(_line(event), f"the tag {event.tag} is refused; every value is a text")
        if depth == 0:
            raise Unreadable(_line(event), f"is nested more than {MAX_DEPTH} deep")
        begun = self._values
        value = self._content(event, depth)
        if event.anchor is not None and self.aliases:
            self._anchors[event.anchor] = (value, self._values - begun + 1)
        return value

    def _content(self, event: ScalarEvent | SequenceStartEvent | MappingStartEvent, depth: int) -> Any:
        if isinstance(event, ScalarEvent):
            if not event.implicit[0] or event.tag is not None:
                return event.value
            if event.value in _NOTHING:
                return None
            return Plain(event.value) if self.marks_plain else event.value
        if isinstance(event, SequenceStartEvent):
            return list(self._sequence(depth - 1))
        return self._mapping(event, depth - 1)

    def _aliased(self, event: AliasEvent) -> Any:
        """Return the value of an alias. Its values count towards the limit as if they were written out."""
        if not self.aliases:
            raise Unreadable(_line(event), f"the alias *{event.anchor} is refused; write out what it stands for")
        if event.anchor not in self._anchors:
            raise Unreadable(_line(event), f"the alias *{event.anchor} stands for nothing that is written before it")
        value, size = self._anchors[event.anchor]
        self._values += size
        if self._values > self.max_values:
            raise Unreadable(_line(event), f"stands for more than {self.max_values} values; write less of it")
        return value

    def _sequence(self, depth: int) -> Iterator[Any]:
        while not isinstance(self._peek(), SequenceEndEvent):
            yield self._value(depth)
        self._next()

    def _mapping(self, start: Event, depth: int) -> LineDict:
        line_dict = LineDict()
        line_dict.line = _line(start)
        merged: list[tuple[int, Any]] = []
        while not isinstance(self._peek(), MappingEndEvent):
            line, key = _line(self._peek()), self._value(depth)
            if self.aliases and key == _MERGE:
                merged.append((line, self._value(depth)))
                continue
            if not isinstance(key, str):
                raise Unreadable(line, "a field's name must be a text")
            if key in line_dict:
                raise Unreadable(line, f"the field {key[:80]!r} is there twice")
            line_dict[str(key)] = self._value(depth)
        self._next()
        for line, value in merged:
            for other in value if isinstance(value, list) else [value]:
                if not isinstance(other, dict):
                    raise Unreadable(line, "<< merges mappings only")
                for name, each in other.items():
                    line_dict.setdefault(name, each)
        return line_dict

    def _peek(self) -> Event:
        with _errors_as_unreadable():
            event = self._parser.peek_event()
        assert event is not None, "the document has not ended"
        return event

    def _next(self) -> Event:
        with _errors_as_unreadable():
            event = self._parser.get_event()
        assert event is not None, "the document has not ended"
        return event


@contextmanager
def _errors_as_unreadable() -> Iterator[None]:
    try:
        yield
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unreadable(mark.line + 1 if mark else 1, f"is not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise Unreadable(1, f"is not YAML: {error}") from None


def _line(event: Event) -> int:
    return int(event.start_mark.line) + 1 if event.start_mark else 1
