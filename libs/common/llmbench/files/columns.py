"""Map a file's columns to the fields of a test case.

A column is mapped by the upload's own mapping, by the name of a field, or by a name that well-known datasets use. A
column with an unknown name keeps the name and becomes metadata.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal

from llmbench.faults import meant
from llmbench.files.cases import BadCase, Fields, is_metadata, known_name
from llmbench.files.chat_messages import is_chat, split_chat
from llmbench.files.choices import Ambiguous, Choices, choices_of, of_columns, right_choice

By = Literal["name", "known", "chosen", "other"]

OUTPUT: Final = "output"
IGNORED: Final = "ignore"
"""The field of a column that is left out. Only the user's own mapping can say so."""
_FIELDS: Final = (
    *("prompt", "context", "system_prompt", "conversation", "conversation_id", "turn", "id", "expected_output"),
    *("ground_truth", "input", "metadata", "checks", "choices", "messages", "accepted_answers"),
)
_CHOICES_OF_CASE: Final = "metadata.choices"
_ACCEPTED: Final = "ground_truth.acceptable_answers"
_PROMPTS: Final = (
    *("instruction", "problem", "query", "question_stem", "ctx", "goal", "question_text", "sentence", "user_input"),
    "text",
)
_MESSAGES: Final = ("messages", "conversations")
_CHOICES: Final = ("choices", "options", "endings")
_RIGHT: Final = (
    *("answer", "answerkey", "answer_key", "correct_answer", "label", "gold", "target", "correct", "expected", "ideal"),
    *("answer_index", "answer_idx"),
)
_ANSWERS: Final = (
    *("expected", "answer", "ideal", "target", "gold", "gold_answer", "correct_answer", "best_answer", "reference"),
    *("reference_answer", "expected_response", "solution"),
)
_ANSWERS_TO_INSTRUCTIONS: Final = ("output", "response", "completion")
"""Names of columns that hold the correct answer if the file also has an `instruction`.

Otherwise they hold outputs of a model. A dataset version can keep these in its metadata, to be scored later.
"""
_ANSWER_LISTS: Final = ("acceptable_answers", "accepted_answers", "answers", "correct_answers")
_CONTEXTS: Final = ("passage", "article")
_SYSTEMS: Final = ("system", "system_message")
_NUMBERED: Final = re.compile(r"(option|choice|sol|ending)_?(\d)$")

_CHOSEN: Final = re.compile(r"([^=]{1,255})=([A-Za-z_][\w.]{0,254})")


def chosen_map(given: Sequence[str], *, further: Sequence[str] = ()) -> dict[str, str]:
    """Parse the user's own mapping, a list of texts `column=field`, and return the field of each column.

    `further` has fields that are allowed in addition to those of a test case, such as `output`, a model's answer.
    Raises `ValueError`, whose text explains the mistake.
    """
    mapping: dict[str, str] = {}
    for pair in given:
        match = _CHOSEN.fullmatch(pair.strip())
        if match is None:
            raise ValueError(f"{pair[:80]!r} is not of the form column=field, for instance answer=expected_output")
        column, name = match[1].strip(), match[2]
        name = known_name(name)
        head, dot, tail = name.partition(".")
        fits = name in (*_FIELDS, *further, IGNORED) or (dot and tail and head in ("metadata", "ground_truth"))
        if not fits:
            known = ", ".join((*_FIELDS, *further, "metadata.<name>", IGNORED))
            raise ValueError(f"there is no field {name[:80]!r}; there are {known}")
        name = _CHOICES_OF_CASE if name == "choices" else name
        if column in mapping:
            raise ValueError(f"the column {column[:80]!r} is there twice")
        if name != IGNORED and name in mapping.values():
            raise ValueError(f"two columns cannot both be {name}")
        mapping[column] = name
    return mapping


@dataclass(frozen=True)
class Plan:
    """The meaning of the columns of a file. `named` maps each column to its field, and to the way in which
    that field was found.

    `choices` is the column that has a list of choices, and `messages` the column that has a chat. If each choice has a
    column of its own, `letters` has pairs of such a column and the choice's label. `addition` is a column that is
    appended to the prompt.
    """

    named: Mapping[str, tuple[str, By]]
    choices: str | None = None
    letters: tuple[tuple[str, str], ...] = ()
    messages: str | None = None
    addition: str | None = None


@dataclass
class Columns:
    """Maps the columns of each row of a file to fields. Remembers to which field each column was mapped, and counts the
    rows, and those with ground truth.

    `chosen` is the user's own mapping. `outputs` is true if the file may have outputs of a model to score.
    """

    chosen: Mapping[str, str] = field(default_factory=dict)
    outputs: bool = False
    seen: dict[str, tuple[str, By]] = field(default_factory=dict)
    rows: int = 0
    with_truth: int = 0

    def read(self, fields: Fields) -> Fields:
        """Return the row with the columns mapped to fields. Raises `BadCase` for a value that cannot be mapped, such as
        a chat without a question."""
        plan = plan_of(tuple(fields), tuple(self.chosen.items()), self.outputs)
        for column, known in plan.named.items():
            if column not in self.seen or self.seen[column][1] == "other":
                self.seen[column] = known
        renamed = _applied(fields, plan)
        self.rows += 1
        self.with_truth += _has_truth(renamed)
        return renamed

    def is_metadata(self, column: str) -> bool:
        return self.seen.get(column, ("", "other"))[1] == "other" and is_metadata(column)

    def mapping(self) -> list[dict[str, str]]:
        return [{"column": column, "field": name, "by": by} for column, (name, by) in self.seen.items()]

    def unknown(self) -> list[str]:
        return [column for column, (_, by) in self.seen.items() if by == "other"]

    def unmapped(self) -> str | None:
        """Return a message about the columns of the user's mapping that have not occurred in any row so far.

        Return `None` if every column occurred, or if no row was read.
        """
        return lacking_columns(self.chosen, list(self.seen))

    def warnings(self) -> list[str]:
        """Return warnings for the user about missing ground truth in the rows read so far. An empty list means that
        there is nothing to warn about."""
        messages: list[str] = []
        unknown = ", ".join(name[:80] for name in self.unknown()[:20])
        if self.outputs and (self.with_truth or not unknown):
            return messages
        if self.rows and not self.with_truth:
            no_truth = "No ground truth came of this file: no column was read as the expected output."
            if unknown:
                no_truth += f" These became metadata: {unknown}. Name the right one with map=<column>=expected_output."
            messages.append(no_truth)
        elif self.with_truth < self.rows:
            messages.append(f"{self.rows - self.with_truth:,} of {self.rows:,} rows have no ground truth.")
        return messages


def lacking_columns(chosen: Mapping[str, str], known: Sequence[str]) -> str | None:
    """Return a message about the columns of the mapping `chosen` that are not in `known`, the columns of the file.
    Return `None` if all are, or if `known` is empty.

    >>> lacking_columns({"answr": "expected_output"}, ["id", "answer"])
    "the file has no column 'answr'; did you mean 'answer'?"
    """
    lacking = [column for column in chosen if column not in known] if known else []
    return "; ".join(f"the file has no column {name[:80]!r}; {meant(name[:80], known)}" for name in lacking) or None


def _has_truth(fields: Fields) -> bool:
    return any(
        value not in (None, "", [], {}) and (column.partition(".")[0] in ("ground_truth", "checks", "expected_output"))
        for column, value in ((known_name(name), value) for name, value in fields.items())
    )


def _normal(column: str) -> str:
    return re.sub(r"[\s-]+", "_", column.strip().lower())


@lru_cache(maxsize=1024)
def plan_of(columns: tuple[str, ...], chosen: tuple[tuple[str, str], ...], outputs: bool) -> Plan:
    """Decide the meaning of a file's columns from their names.

    `chosen` is the user's mapping, as pairs of column and field; it takes precedence. With `outputs`, columns such as
    `response` hold outputs of a model, never the correct answer.
    """
    given = dict(chosen)
    named: dict[str, tuple[str, By]] = {column: (given[column], "chosen") for column in columns if column in given}
    has_instruction = any(_normal(column) == "instruction" for column in columns)
    addition = None
    for column in columns:
        if column in named or is_metadata(column):
            continue
        if known_name(column) == "input" and has_instruction:
            addition = column
            named[column] = ("prompt", "known")
        else:
            name = known_name(column)
            named[column] = (name, "name" if _normal(column) == name or "." in name else "known")
    free = {_normal(column): column for column in reversed(columns) if column not in named}
    fields = {name for column, (name, _) in named.items() if column != addition}

    def take(aliases: Sequence[str], name: str) -> str | None:
        alias = next((alias for alias in aliases if alias in free), None)
        if alias is None or name in fields:
            return None
        column = free.pop(alias)
        named[column] = (name, "known")
        fields.add(name)
        return column

    choices = next((column for column, (name, _) in named.items() if name == _CHOICES_OF_CASE), None)
    letters: tuple[tuple[str, str], ...] = ()
    if choices is None:
        choices = take(_CHOICES, _CHOICES_OF_CASE)
        letters = () if choices else _letter_columns(columns, free)
        for column, _ in letters:
            free.pop(_normal(column), None)
            named[column] = (_CHOICES_OF_CASE, "known")
    messages = next((column for column, (name, _) in named.items() if name == "messages"), None)
    if not fields & {"prompt", "input"} and messages is None:
        messages = take(_MESSAGES, "messages")
    if not fields & {"prompt", "input", "messages"}:
        take(_PROMPTS, "prompt")
    if not fields & {"expected_output", "ground_truth", "ground_truth.answer"}:
        if choices or letters:
            take(_RIGHT, "expected_output")
        take((*_ANSWERS, *(_ANSWERS_TO_INSTRUCTIONS if has_instruction and not outputs else ())), "expected_output")
    if not fields & {"ground_truth", _ACCEPTED, "accepted_answers"}:
        take(_ANSWER_LISTS, _ACCEPTED)
    take(_CONTEXTS, "context")
    take(_SYSTEMS, "system_prompt")
    for column in columns:
        named.setdefault(column, (f"metadata.{column}", "other"))
    return Plan({column: named[column] for column in columns}, choices, letters, messages, addition)


def _letter_columns(columns: Sequence[str], free: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Find columns that hold one choice each: A, B, C, … (MMLU), or numbered ones such as option1 or sol1.

    `columns` has all columns of the file. `free` has those that belong to no field yet, by their normalised names.
    Return the columns with the labels of their choices, in order.
    """
    letters = [column for column in columns if column in free.values() and re.fullmatch("[A-J]", column)]
    if len(letters) > 1 and "".join(sorted(letters)) == "ABCDEFGHIJ"[: len(letters)]:
        return tuple((letter, letter) for letter in sorted(letters))
    numbered = [(match[1], match[2], column) for name, column in free.items() if (match := _NUMBERED.fullmatch(name))]
    stems = {stem for stem, _, _ in numbered}
    places = sorted((number, column) for _, number, column in numbered)
    if len(stems) != 1 or [number for number, _ in places] not in ([str(n + 1) for n in range(len(places))],):
        return ()
    # PIQA's `label` is the 0-based index of a solution; Winogrande's answer is the number in the option's column name.
    by_place = stems == {"sol"}
    return tuple((column, "" if by_place else number) for number, column in places) if len(places) > 1 else ()


def _applied(fields: Fields, plan: Plan) -> Fields:
    choice_columns: dict[str, Any] = {}
    choices = _choices(fields, plan)
    for column, value in fields.items():
        name, by = plan.named[column]
        if name == IGNORED:
            continue
        if by == "other":
            choice_columns[column] = value
        elif column == plan.choices:
            # A value that is not a list of choices stays unchanged.
            choice_columns["metadata.choices"] = value if choices is None else choices.metadata()
        elif column == plan.messages or (name in ("prompt", "input") and is_chat(value)):
            _put_messages(choice_columns, column, value)
        elif column == plan.addition or any(column == letter for letter, _ in plan.letters):
            continue
        elif name == "prompt" and plan.addition is not None:
            addition = fields[plan.addition]
            has_more = isinstance(value, str) and isinstance(addition, str) and addition.strip()
            choice_columns["prompt"] = f"{value}\n\n{addition}" if has_more else value
        elif name == "expected_output" and known_name(column) != name:
            _put_answer(choice_columns, column, value, choices)
        elif name in (_ACCEPTED, "accepted_answers") and by != "name":
            _put_answers(choice_columns, column, value)
        elif by != "chosen" and known_name(column) == name:
            # The column keeps its name, so that a duplicate is noticed.
            choice_columns[column] = str(value) if name == "id" and type(value) is int else value
        else:
            choice_columns[name] = value
    if plan.letters and choices is not None:
        choice_columns["metadata.choices"] = choices.metadata()
    elif plan.letters:
        choice_columns |= {column: fields[column] for column, _ in plan.letters if column in fields}
    return choice_columns


def _choices(fields: Fields, plan: Plan) -> Choices | None:
    if plan.choices is not None:
        return choices_of(fields[plan.choices])
    texts = [fields[column] for column, _ in plan.letters]
    labels = [label for _, label in plan.letters if label]
    while texts and texts[-1] in (None, ""):
        texts.pop()
    return of_columns(texts, labels[: len(texts)]) if plan.letters else None


def _put_messages(renamed: dict[str, Any], column: str, value: Any) -> None:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, list):
        raise BadCase([(column, "must be a list of messages with role and content")])
    try:
        chat = split_chat(value)
    except ValueError as error:
        raise BadCase([(column, str(error))]) from None
    renamed["prompt"] = chat.prompt
    if chat.system_prompt is not None:
        renamed.setdefault("system_prompt", chat.system_prompt)
    if chat.conversation:
        renamed["conversation"] = list(chat.conversation)
    if chat.answer is not None:
        renamed.setdefault("expected_output", chat.answer)


def _put_answer(renamed: dict[str, Any], column: str, value: Any, choices: Choices | None) -> None:
    """Store the expected answer that a column has. A list of answers becomes several accepted answers. For a question
    with choices, store the letter of the correct choice."""
    if choices is not None:
        try:
            if (letter := right_choice(value, choices)) is not None:
                renamed["expected_output"] = letter
                return
        except Ambiguous as error:
            raise BadCase([(column, str(error))]) from None
        if isinstance(value, int) and value == -1:
            return
    match value:
        case list():
            _put_answers(renamed, column, value)
        # TriviaQA stores an answer as an object with `value` and `aliases`.
        case {"value": str(answer), **rest}:
            renamed["expected_output"] = answer
            if rest.get("aliases"):
                _put_answers(renamed, column, rest["aliases"])
        case bool() | int() | float():
            renamed["expected_output"] = json.dumps(value)
        case _:
            renamed["expected_output"] = value


def _put_answers(renamed: dict[str, Any], column: str, value: Any) -> None:
    """Store the accepted answers of a column: a list of texts, a single text, or SQuAD's `{text: […]}`."""
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        value = value["text"]
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return _put_answers(renamed, column, json.loads(value))
        except ValueError:
            pass
    if value in (None, "", []):
        return
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str | int | float) for each in listed):
        raise BadCase([(column, "must be a text or a list of texts")])
    texts = [each if isinstance(each, str) else json.dumps(each) for each in listed]
    known = renamed.get(_ACCEPTED, [])
    renamed[_ACCEPTED] = list(dict.fromkeys([*known, *(text for text in texts if text.strip())]))
