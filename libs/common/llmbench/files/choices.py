"""Read the choices of a multiple-choice question, and the correct one, in the notations of known datasets."""

import ast
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from llmbench.files.json_text import NotJson, after_space, value_at

_LETTERS: Final = string.ascii_uppercase
_LONGEST_LITERAL: Final = 20_000
_AROUND: Final = " \t\n().:*[]\"'"


@dataclass(frozen=True)
class Choices:
    """The choices of a question in the file's order, and their labels if the file has any.

    `kept` is the file's own object from letter to text, if its letters are not A, B, C… in order. Otherwise it is
    `None`. A case's metadata stores `kept`; if that is `None`, it stores the list of texts.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...] = ()
    kept: list[str] | dict[str, str] | None = None

    def metadata(self) -> list[str] | dict[str, str]:
        return list(self.texts) if self.kept is None else self.kept


class Ambiguous(ValueError):
    """Raised when the file's answer is the label of one choice and the text of another. Also raised for a number that
    matches no choice."""


def choices_of(value: Any) -> Choices | None:
    """Read choices from a list of texts, an object from letter to text, ARC's `{text: […], label: […]}`, or a list of
    objects `{text, label}`. Each of these may also be written as a text, in JSON or as a Python literal.

    Returns `None` for anything else, and for fewer than 2 or more than 26 choices.
    """
    if isinstance(value, str):
        value = _spelt_out(value)
    match value:
        case {"text": [*texts], "label": [*labels]} if len(texts) == len(labels):
            return _listed(texts, labels)
        case [{"text": _, "label": _}, *_] if all(isinstance(each, dict) for each in value):
            return _listed([each.get("text") for each in value], [each.get("label") for each in value])
        case [_, _, *_]:
            return _listed(value, ())
        case {**pairs} if len(pairs) > 1 and all(_is_letter(name) for name in pairs):
            return _lettered(pairs)
    return None


def of_columns(texts: Sequence[Any], labels: Sequence[str]) -> Choices | None:
    """Return the choices of a row that has one choice per column.

    `labels` are the labels of the choices, if any. Return `None` unless there are 2 to 26 choices, each a text or a
    number.
    """
    return _listed(texts, labels)


def _listed(texts: Sequence[Any], labels: Sequence[Any]) -> Choices | None:
    if not 2 <= len(texts) <= len(_LETTERS) or not all(_is_text(text) for text in (*texts, *labels)):
        return None
    return Choices(tuple(map(str, texts)), tuple(map(str, labels)))


def _lettered(pairs: Mapping[Any, Any]) -> Choices | None:
    if not all(_is_text(text) for text in pairs.values()):
        return None
    named = {str(name).upper(): str(text) for name, text in pairs.items()}
    in_order = "".join(named) == _LETTERS[: len(named)]
    return Choices(tuple(named.values()), tuple(named), None if in_order else named)


def _is_letter(name: Any) -> bool:
    return isinstance(name, str) and len(name) == 1 and name.upper() in _LETTERS


def _is_text(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _spelt_out(text: str) -> Any:
    """Parse a text that has the choices in JSON or as a Python literal, because some formats have only texts.

    Returns `None` if it is neither.
    """
    try:
        value, end = value_at(text, after_space(text, 0))
        if after_space(text, end) == len(text):
            return value
    except NotJson:
        pass
    if text.lstrip()[:1] in ("[", "{") and len(text) <= _LONGEST_LITERAL:
        try:
            return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
    return None


def right_choice(answer: Any, choices: Choices) -> str | None:
    """Return the letter of the correct choice. If `choices.kept` is an object (see `Choices`), return the choice's key
    in it.

    `answer` is the choice's label or letter, its position from 0, or its text; a label takes precedence over a
    position. Returns `None` for a text that matches no choice, and for the number -1, which marks a withheld answer.
    Raises `Ambiguous` for another whole number that matches no choice. Also raises it for a text that is the label or
    position of one choice and the text of another.
    """
    if isinstance(answer, bool) or answer is None:
        return None
    if isinstance(answer, float) and answer.is_integer():
        answer = int(answer)
    if isinstance(answer, int):
        return _by_place(answer, choices)
    if not isinstance(answer, str) or not answer.strip():
        return None
    given = answer.strip()
    by_text = [place for place, text in enumerate(choices.texts) if text.strip().casefold() == given.casefold()]
    bare = given.strip(_AROUND)
    names = choices.labels or tuple(_LETTERS[: len(choices.texts)])
    positions = {place for place, name in enumerate(names) if name.casefold() == bare.casefold()}
    if not positions and bare.isdecimal() and len(bare) < 4 and not choices.labels:
        positions = {int(bare)} if int(bare) < len(choices.texts) else set()
    elif not positions and len(bare) == 1 and bare.upper() in _LETTERS[: len(choices.texts)]:
        positions = {_LETTERS.index(bare.upper())}
    positions |= set(by_text[:1])
    if len(positions) > 1:
        raise Ambiguous(f"{given[:40]!r} is the name of one choice and the text of another: give its letter")
    if not positions and bare.isdecimal() and bare == given:
        raise Ambiguous(f"is {given[:40]}, but there are {len(choices.texts)} choices, counted from 0")
    return _letter(positions.pop(), choices) if positions else None


def _by_place(place: int, choices: Choices) -> str | None:
    if place == -1:
        return None
    if choices.labels and str(place) in choices.labels:
        return _letter(choices.labels.index(str(place)), choices)
    if 0 <= place < len(choices.texts):
        return _letter(place, choices)
    if choices.texts.count(str(place)) == 1:
        return _letter(choices.texts.index(str(place)), choices)
    raise Ambiguous(f"is {place}, but there are {len(choices.texts)} choices, counted from 0")


def _letter(place: int, choices: Choices) -> str:
    return choices.labels[place] if choices.kept is not None else _LETTERS[place]
