"""Convert a row of a file into a test case, in the same way for all file formats.

Columns: `id`, `prompt`, `context`, `system_prompt`, `conversation`, `conversation_id`, `turn`, `expected_output`,
`ground_truth`, `metadata`, `checks`. `input` may hold the columns from `prompt` to `turn` in one object. In `input`,
`ground_truth` and `metadata`, a dot leads to a field (`ground_truth.answer`). Every other column becomes metadata.

`llmbench.files.columns` maps other names to these columns. Values keep their white space.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from llmbench.contracts.check import MAX_CHECKS
from llmbench.contracts.dataset_words import TruthSource
from llmbench.faults import faults_of
from llmbench.files.json_text import NotJson, after_space, value_at
from llmbench.files.values import has_nul, require_storable

Fields = Mapping[str, Any]

MAX_TEXT_CHARACTERS: Final = 1_000_000
"""The maximum length of one text (a prompt, a context, an answer), in characters."""

MAX_CASE_CHARACTERS: Final = 2_000_000
"""The maximum length of a case as JSON, in characters, because the case has to fit into a message."""

MAX_TURNS: Final = 50
"""The maximum number of turns in a conversation."""

INPUT_FIELDS: Final = ("prompt", "context", "system_prompt", "conversation", "conversation_id", "turn")
"""The fields of a case that make up its `input`, not its ground truth or metadata."""
_ALIASES: Final = {
    "question": "prompt",
    "task_id": "id",
    "expected_answer": "expected_output",
    "turn_number": "turn",
}
_OBJECT_COLUMNS: Final = ("input", "ground_truth", "metadata")
_KNOWN: Final = (*INPUT_FIELDS, *_OBJECT_COLUMNS, "id", "expected_output", "checks")
_GRADES: Final = ("excellent", "good", "pass", "incorrect_answer_direction")

Faults = list[tuple[str | None, str]]


def _no_control(text: str) -> str:
    if any(unicodedata.category(character) == "Cc" for character in text):
        raise ValueError("must not contain control characters")
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def _blank_is_null(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _number(value: object) -> object:
    """Convert a text of decimal digits to a number, because some formats have only texts. A blank text becomes `None`;
    any other value stays unchanged."""
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else _blank_is_null(value)


MAX_NAME_CHARACTERS: Final = 255
_Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS), AfterValidator(_no_control)]
_Text = Annotated[str, Field(max_length=MAX_TEXT_CHARACTERS), AfterValidator(_not_blank)]
_OptionalText = Annotated[_Text | None, BeforeValidator(_blank_is_null)]


class _Part(BaseModel):
    """The base class of parts of a case. Texts are not stripped. Types are strict, so a number is not accepted as
    text."""

    model_config = ConfigDict(extra="forbid")


class Turn(_Part):
    role: Literal["user", "assistant"]
    content: _Text


class CaseInput(_Part):
    """The input of a case in a file. `conversation` holds the turns before the prompt, with given answers; `context` is
    the material that must support the answer.

    A case with `conversation_id` and `turn` is one turn of a live conversation. The turns before it are cases of their
    own, and the model's answers to them become part of the conversation.
    """

    prompt: _Text
    context: _OptionalText = None
    system_prompt: _OptionalText = None
    conversation: list[Turn] | None = Field(default=None, max_length=200)
    conversation_id: Annotated[_Name | None, BeforeValidator(_blank_is_null)] = None
    turn: Annotated[int | None, Field(ge=1, le=MAX_TURNS, strict=True), BeforeValidator(_number)] = None

    @model_validator(mode="after")
    def _is_one_turn(self) -> "CaseInput":
        if (self.conversation_id is None) != (self.turn is None):
            raise ValueError(
                "conversation_id and turn belong together: the first says of which, the second where in it"
            )
        if self.conversation_id is not None and self.conversation is not None:
            raise ValueError("a turn has no `conversation` of its own: the turns before it are cases of their own")
        return self


class Truth(_Part):
    """The ground truth of a case in a file. `rubric` may describe an answer for each grade: `excellent`, `good`, `pass`
    and `incorrect_answer_direction`. `confidence` is from 0 to 1."""

    answer: _OptionalText = None
    acceptable_answers: list[_Text] | None = Field(default=None, max_length=1_000)
    rubric: dict[str, Any] | None = None
    citations: list[_Text] | None = Field(default=None, max_length=1_000)
    source: TruthSource = TruthSource.IMPORTED
    confidence: float | None = Field(default=None, ge=0, le=1, allow_inf_nan=False)

    @field_validator("rubric")
    @classmethod
    def _grades_are_texts(cls, rubric: dict[str, Any] | None) -> dict[str, Any] | None:
        for name in _GRADES:
            if not isinstance((rubric or {}).get(name, ""), str):
                raise ValueError(f"{name} must be a text")
        return rubric


MAX_CHECKS_CHARACTERS: Final = 100_000
"""The maximum length of all checks of a case as JSON, in characters."""


class CheckIn(_Part):
    """A check in a file (`llmbench.contracts.check.Check`). The judge validates its kind and parameters."""

    kind: Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_no_control)]
    params: dict[str, Any] = Field(default_factory=dict)
    weight: float = Field(default=1, ge=0, le=1_000_000, allow_inf_nan=False)
    negate: bool = False


def _bounded(checks: list[CheckIn]) -> list[CheckIn]:
    require_storable([check.params for check in checks], most=MAX_CHECKS_CHARACTERS)
    return checks


def _none_is_empty(value: object) -> object:
    return [] if value is None else value


Checks = Annotated[
    list[CheckIn],
    Field(max_length=MAX_CHECKS, description="What an answer to this case has to satisfy, by program evaluators."),
    AfterValidator(_bounded),
    BeforeValidator(_none_is_empty),
]


def written_checks(checks: list[CheckIn]) -> list[dict[str, Any]]:
    """Return the checks as JSON objects for the database, without fields that have their default."""
    return [check.model_dump(exclude_defaults=True) for check in checks]


class CaseIn(_Part):
    id: Annotated[_Name | None, BeforeValidator(_blank_is_null)] = None
    input: CaseInput
    expected_output: _OptionalText = None
    ground_truth: Truth | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    checks: Checks = Field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A valid case. `digest` is a hash of its content, including its id: equal cases have the same digest in any file.

    `size` is the length of the case as JSON, in bytes. Without an id, `name` is derived from the digest.
    """

    name: str
    digest: bytes
    input: dict[str, Any]
    expected_output: str | None
    metadata: dict[str, Any]
    truth: dict[str, Any] | None
    source: TruthSource
    confidence: float | None
    size: int
    has_own_name: bool
    checks: list[dict[str, Any]] = field(default_factory=list)

    def again(self, row: int) -> "Case":
        """Return a copy with `row`, the row's number, appended to the name, for a case that occurs twice in a file."""
        return replace(self, name=f"{self.name}-{row}")


class BadCase(Exception):
    """Raised for a row that is no valid test case. `faults` are pairs of a column and a message; the column is `None`
    for a fault of the entire row."""

    def __init__(self, faults: Faults) -> None:
        super().__init__(str(faults))
        self.faults = faults


def case_of(fields: Fields, *, texts_only: bool) -> Case:
    """Convert a row, a mapping from column to value, into a case. Raises `BadCase` for an invalid row. If the format is
    `texts_only`, such as CSV, a text in `input` or `ground_truth` that begins with a brace is parsed as JSON.
    """
    try:
        body = CaseIn.model_validate(_arranged(fields, texts_only=texts_only))
    except ValidationError as error:
        raise BadCase(_faults(error, fields)) from None
    input_ = body.input.model_dump(exclude_none=True)
    truth = (
        body.ground_truth.model_dump(exclude_none=True, exclude={"source", "confidence"}) if body.ground_truth else None
    )
    source = body.ground_truth.source if body.ground_truth else TruthSource.IMPORTED
    confidence = body.ground_truth.confidence if body.ground_truth else None
    content: list[Any] = [body.id, input_, body.expected_output, body.metadata, truth, source, confidence]
    checks = written_checks(body.checks)
    if checks:
        # Checks are appended last, so that a case without checks keeps the digest that it had before checks existed.
        content.append(checks)
    written = _storable(content, fields)
    digest = hashlib.sha256(written).digest()
    return Case(
        name=body.id or f"case-{digest.hex()[:16]}",
        digest=digest,
        input=input_,
        expected_output=body.expected_output,
        metadata=body.metadata,
        truth=truth,
        source=source,
        confidence=confidence,
        size=len(written),
        has_own_name=body.id is not None,
        checks=checks,
    )


def _storable(content: list[Any], fields: Fields) -> bytes:
    """Encode the content as canonical JSON.

    Raises `BadCase` for content that is too large, or that cannot be stored: a NUL, half of a surrogate pair,
    infinity or NaN.
    """
    try:
        written = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        if len(written) > MAX_CASE_CHARACTERS:
            raise BadCase([(None, f"has more than {MAX_CASE_CHARACTERS:,} characters together")])
        if has_nul(written):
            raise BadCase([(_column_with(fields, "\0"), "must not contain NUL characters")])
        return written.encode()
    except UnicodeEncodeError:
        raise BadCase([(None, "contains half of a surrogate pair, which is no character")]) from None
    except ValueError:
        raise BadCase([(None, "contains a number that is not finite")]) from None


def _arranged(fields: Fields, *, texts_only: bool) -> dict[str, Any]:
    """Return the row's fields in the nested structure of `CaseIn`. Nulls and empty texts count as missing.

    `texts_only` is true if the file's format has only texts, as CSV does, so objects are written as JSON.
    """
    nested: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {"input": {}, "ground_truth": {}, "metadata": {}}
    for column, value in fields.items():
        if value is None or value == "":
            continue
        head, dot, tail = column.partition(".")
        name = known_name(column)
        if name in _OBJECT_COLUMNS:
            for part, each in _object_fields(name, value, texts_only=texts_only).items():
                _put(parts[name], part, each, column)
        elif dot and tail and head in _OBJECT_COLUMNS:
            _put(parts[head], tail, _revived(tail, value), column)
        elif name in INPUT_FIELDS:
            _put(parts["input"], name, _revived(name, value), column)
        elif name in ("id", "expected_output", "checks"):
            _put(nested, name, _revived(name, value), column)
        else:
            _put(parts["metadata"], column, value, column)
    nested["input"] = parts["input"]
    nested["metadata"] = parts["metadata"]
    if parts["ground_truth"]:
        nested["ground_truth"] = parts["ground_truth"]
    return nested


@lru_cache(maxsize=4096)
def known_name(column: str) -> str:
    """Return the standard name of a column, or the column itself if it is not known.

    For example, `System Prompt` becomes `system_prompt`, and `question` becomes `prompt`.
    """
    name = re.sub(r"[\s-]+", "_", column.strip().lower())
    name = _ALIASES.get(name, name)
    return name if name in _KNOWN else column


def given_name(fields: Fields) -> str | None:
    """Return the id of a row, even if other fields of the row are invalid. Return `None` if the id is missing or is no
    text of 1 to 255 characters."""
    field = next((value for column, value in fields.items() if known_name(column) == "id"), None)
    return field if isinstance(field, str) and 0 < len(field) <= MAX_NAME_CHARACTERS else None


@lru_cache(maxsize=4096)
def is_metadata(column: str) -> bool:
    """Return whether `case_of` stores the column as metadata: its name is neither a field of a case nor an alias of
    such a field."""
    return (
        known_name(column) == column
        and column not in _KNOWN
        and (column.partition(".")[0] not in ("input", "ground_truth") or "." not in column)
    )


def _object_fields(name: str, value: Any, *, texts_only: bool) -> Mapping[str, Any]:
    """Return the fields of a value of the column `input`, `ground_truth` or `metadata`.

    A text in `metadata` is parsed as JSON. So is a text that begins with a brace, if the format has only texts. Any
    other text is the prompt (`input`) or the answer (`ground_truth`). Raises `BadCase` for any other value.
    """
    if isinstance(value, str):
        if name == "metadata" or (texts_only and value.lstrip()[:1] == "{"):
            value = _json(name, value)
        else:
            return {"prompt" if name == "input" else "answer": value}
    if not isinstance(value, dict):
        raise BadCase([(name, "must be an object" if name == "metadata" else "must be an object or a text")])
    return value


def _revived(name: str, value: Any) -> Any:
    """Return the value, parsed as JSON if it is a text and the column needs a list or an object: some formats, such as
    CSV, only have texts. Raises `BadCase` for a text that is not JSON."""
    structured = ("conversation", "acceptable_answers", "citations", "rubric", "checks")
    return _json(name, value) if name in structured and isinstance(value, str) else value


def _json(name: str, text: str) -> Any:
    try:
        value, end = value_at(text, after_space(text, 0))
    except NotJson as error:
        raise BadCase([(name, str(error))]) from None
    if after_space(text, end) != len(text):
        raise BadCase([(name, "has something after its JSON")])
    return value


def _put(into: dict[str, Any], name: str, value: Any, column: str) -> None:
    if name in into:
        raise BadCase([(column, "is there twice, under two names")])
    into[name] = value


def _column_with(fields: Fields, character: str) -> str | None:
    return next((name for name, value in fields.items() if isinstance(value, str) and character in value), None)


_NO_PROMPT: Final = "is missing; where another column has it, say so: map <column>=prompt"
_EMPTY_PROMPT: Final = "must not be empty"


def _faults(error: ValidationError, fields: Fields) -> Faults:
    absent = any(fault["type"] == "missing" and fault["loc"] == ("input", "prompt") for fault in error.errors())
    faults: Faults = []
    for fault in faults_of(error, CaseIn):
        name = fault.field.removeprefix("input.") or None
        if absent and name == "prompt":
            faults.append((name, _EMPTY_PROMPT if _has_prompt_column(fields) else _NO_PROMPT))
        else:
            faults.append((name, fault.message))
    return faults


def _has_prompt_column(fields: Fields) -> bool:
    """Return whether the row has a column for the prompt, so that a missing prompt is an empty cell."""
    return any(known_name(column) in ("prompt", "input", "input.prompt") for column in fields)
