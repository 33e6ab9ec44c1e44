"""OpenAI Evals' samples (https://github.com/openai/evals/blob/main/docs/build-eval.md), for reading only.

Each line has `input` (messages, or a text) and `ideal` (the right answer, or several). A task is one prompt:
messages are joined, and where that loses who said what it is said.
"""

from collections.abc import Iterator
from typing import Any, Final, TextIO

from config_api.transfer.formats.base import Example, Fault, Format, Note, Row, named
from llmbench.files.json_text import NotJson, after_space, value_at

_CARRIED: Final = {"input", "ideal"}


def read(text: TextIO, stem: str) -> Iterator[Row | Fault | Note]:
    for number, line in enumerate(text, start=1):
        if line.strip():
            yield from _sample(number, line, stem)


def _sample(number: int, line: str, stem: str) -> Iterator[Row | Fault | Note]:
    try:
        sample, end = value_at(line, after_space(line, 0))
        if after_space(line, end) != len(line):
            raise NotJson("has something after its object", end)
    except NotJson as error:
        yield Fault(number, None, str(error))
        return
    if not isinstance(sample, dict) or "input" not in sample:
        yield Fault(number, "input", 'is missing: a sample is {"input": …, "ideal": …}')
        return
    messages = _messages(sample["input"])
    if not messages:
        yield Fault(number, "input", "must be a text, or a list of messages with role and a text as content")
        return
    ideal = sample.get("ideal")
    answers = [ideal] if isinstance(ideal, str) else ideal or []
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        yield Fault(number, "ideal", "must be a text or a list of texts")
        return
    row = {"task_id": named(stem, number), "category": stem[:255], "question": _question(messages)}
    yield Row(number, {**row, "excellent": _one_of(answers)})
    if len(messages) > 1:
        roles = ", ".join(dict.fromkeys(role for role, _ in messages))
        yield Note(number, f"{len(messages)} messages ({roles}) became one question")
    for name in sample:
        if name not in _CARRIED:
            yield Note(number, f"not carried over: {name[:80]}")


def _messages(value: Any) -> list[tuple[str, str]]:
    """Role and text of each; empty when it is anything else."""
    if isinstance(value, str):
        return [("user", value)]
    if not isinstance(value, list):
        return []
    found = [
        (message["role"], message["content"])
        for message in value
        if isinstance(message, dict)
        and isinstance(message.get("role"), str)
        and isinstance(message.get("content"), str)
    ]
    return found if len(found) == len(value) else []


def _question(messages: list[tuple[str, str]]) -> str:
    """An instruction and a question read well one after the other; a conversation needs its speakers."""
    speakers = [role for role, _ in messages if role not in {"system", "developer"}]
    if len(speakers) <= 1:
        return "\n\n".join(text for _, text in messages)
    return "\n\n".join(f"{role.capitalize()}: {text}" for role, text in messages)


def _one_of(answers: list[str]) -> str | None:
    if len(answers) > 1:
        return "One of:\n" + "\n".join(f"- {answer}" for answer in answers)
    return answers[0] if answers else None


FORMAT: Final = Format(
    name="openai-evals",
    title="OpenAI Evals samples",
    read=read,
    file_names=("samples.jsonl", "*.evals.jsonl"),
    examples=(
        Example(
            '{"input": [{"role": "system", "content": "Answer in one word."}, {"role": "user", "content": "Capital of '
            'France?"}], "ideal": ["Paris", "paris"]}\n{"input": "2 + 2?", "ideal": "4", "tag": "sum"}\n'
            '{"ideal": "x"}\n'
            '{"input": [{"role": "user", "content": [1]}]}\n',
            (
                Row(
                    1,
                    {
                        "task_id": "capitals-1",
                        "category": "capitals",
                        "question": "Answer in one word.\n\nCapital of France?",
                        "excellent": "One of:\n- Paris\n- paris",
                    },
                ),
                Note(1, "2 messages (system, user) became one question"),
                Row(
                    2,
                    {"task_id": "capitals-2", "category": "capitals", "question": "2 + 2?", "excellent": "4"},
                ),
                Note(2, "not carried over: tag"),
                Fault(3, "input", 'is missing: a sample is {"input": …, "ideal": …}'),
                Fault(4, "input", "must be a text, or a list of messages with role and a text as content"),
            ),
            file_name="capitals",
        ),
    ),
)
