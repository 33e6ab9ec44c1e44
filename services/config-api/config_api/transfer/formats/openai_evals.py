"""Read the samples of OpenAI Evals (https://github.com/openai/evals/blob/main/docs/build-eval.md). Writing is not
supported.

Each line has `input` (messages, or a text) and perhaps `ideal` (the right answer, or several). A system message becomes
the task's system prompt, and other messages before the last one become the conversation. Unknown fields become the
metadata.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from config_api.transfer.formats.base import Example, Fault, FileItem, Format, Row, Suggested, named
from llmbench.files.chat_messages import Chat, split_chat
from llmbench.files.json_lines import rows

_CARRIED: Final = {"input", "ideal"}


def read(text: TextIO, stem: str) -> Iterator[FileItem]:
    for number, sample in rows(text, "sample"):
        if isinstance(sample, str):
            yield Fault(number, None, sample)
        else:
            yield from _sample(number, sample, stem)


def _sample(number: int, sample: Mapping[str, Any], stem: str) -> Iterator[FileItem]:
    if "input" not in sample:
        yield Fault(number, "input", 'is missing: a sample is {"input": …, "ideal": …}')
        return
    try:
        chat = _chat_of(sample["input"])
    except ValueError as error:
        yield Fault(number, "input", str(error))
        return
    ideal = sample.get("ideal")
    answers = [ideal] if isinstance(ideal, str) else ideal or []
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        yield Fault(number, "ideal", "must be a text or a list of texts")
        return
    answers = [answer for answer in dict.fromkeys(answers) if answer.strip()]
    fields = {
        "task_id": named(stem, number),
        "category": stem[:255],
        "question": chat.prompt,
        "system_prompt": chat.system_prompt,
        "conversation": list(chat.conversation),
        "accepted_answers": answers,
        "metadata": {name: value for name, value in sample.items() if name not in _CARRIED},
    }
    yield Row(number, {name: value for name, value in fields.items() if value})
    if answers:
        yield Suggested({"kind": "exact_match"})


def _chat_of(value: Any) -> Chat:
    if isinstance(value, str):
        return Chat(None, (), value)
    if not isinstance(value, list):
        raise ValueError("must be a text, or a list of messages with role and content")
    chat = split_chat(value)
    if chat.answer is not None:
        raise ValueError("ends with what the assistant says: there is no question")
    return chat


FORMAT: Final = Format(
    name="openai-evals",
    title="OpenAI Evals samples",
    read=read,
    file_names=("samples.jsonl", "*.evals.jsonl"),
    examples=(
        Example(
            '{"input": [{"role": "system", "content": "Answer in one word."}, {"role": "user", "content": "Capital of '
            'France?"}], "ideal": ["Paris", "paris"]}\n{"input": "2 + 2?", "ideal": "4", "tag": "sum"}\n'
            '{"input": [{"role": "system", "content": "Sum.", "name": "example_user"}, {"role": "system", "content": '
            '"3", "name": "example_assistant"}, {"role": "user", "content": "2 + 2?"}]}\n'
            '{"ideal": "x"}\n'
            '{"input": [{"role": "user", "content": [1]}]}\n',
            (
                Row(
                    1,
                    {
                        "task_id": "capitals-1",
                        "category": "capitals",
                        "question": "Capital of France?",
                        "system_prompt": "Answer in one word.",
                        "accepted_answers": ["Paris", "paris"],
                    },
                ),
                Suggested({"kind": "exact_match"}),
                Row(
                    2,
                    {
                        "task_id": "capitals-2",
                        "category": "capitals",
                        "question": "2 + 2?",
                        "accepted_answers": ["4"],
                        "metadata": {"tag": "sum"},
                    },
                ),
                Suggested({"kind": "exact_match"}),
                Row(
                    3,
                    {
                        "task_id": "capitals-3",
                        "category": "capitals",
                        "question": "2 + 2?",
                        "conversation": [{"role": "user", "content": "Sum."}, {"role": "assistant", "content": "3"}],
                    },
                ),
                Fault(4, "input", 'is missing: a sample is {"input": …, "ideal": …}'),
                Fault(5, "input", "message 1 has no text as its content"),
            ),
            file_name="capitals",
        ),
    ),
)
