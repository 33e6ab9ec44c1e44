"""Read `promptfooconfig.yaml` (https://www.promptfoo.dev/docs/configuration/reference). Writing is not supported.

Each test becomes several tasks: one for each prompt and each combination of the variables' values. The rendered prompt
is the question. Assertions that a program can decide become the task's checks. Assertions that a model has to decide
become references and an evaluator of the run, limited to the tasks that have them. Everything else is reported as not
imported.
"""

import itertools
import json
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TextIO

from config_api.files.yaml_text import LineDict, YamlText, resolved
from config_api.transfer.formats.base import Example, Fault, FileItem, Format, Note, Row, Suggested, named
from config_api.transfer.promptfoo_asserts import MARK, RUBRIC, Asserted, asserted, evaluator_of
from config_api.transfer.promptfoo_text import NotRenderable, render
from llmbench.files.chat_messages import is_chat, split_chat
from llmbench.files.unreadable import Unreadable

_MOST: Final = 1_000_000
_CARRIED: Final = {"description", "prompts", "tests", "defaultTest", "assertionTemplates"}
_CARRIED_OF_TEST: Final = {"description", "vars", "assert", "metadata", "options", "threshold"}
_CARRIED_OPTIONS: Final = {"prefix", "suffix"}
_OF_METADATA: Final = {"category", "subcategory"}


def read(text: TextIO, stem: str) -> Iterator[FileItem]:
    config = YamlText(text, aliases=True, marks_plain=True).document()
    if not isinstance(config, LineDict):
        raise Unreadable(1, "is no configuration of promptfoo: `prompts` and `tests` are wanted")
    yield from _lost(config.line, {name: None for name in config if not name.startswith("x-")}, _CARRIED, "")
    prompts = yield from _prompts(config)
    default = config.get("defaultTest") or LineDict()
    if not isinstance(default, LineDict):
        yield Note(config.line, "not carried over: defaultTest, which lies in another file")
        default = LineDict()
    yield from _lost(default.line, default, _CARRIED_OF_TEST, " of defaultTest")
    tests = config.get("tests")
    if isinstance(tests, LineDict):
        tests = [tests]
    if not isinstance(tests, list):
        raise Unreadable(config.line, "`tests` must be a list in this file; tests in other files cannot be read")
    category = str(config.get("description") or stem)[:255]
    templates = _mapping(config.get("assertionTemplates"))
    number = 0
    for test in tests:
        if not isinstance(test, LineDict):
            yield Fault(config.line, "tests", f"{str(test)[:80]} lies elsewhere; only tests in this file can be read")
            continue
        yield from _lost(test.line, test, _CARRIED_OF_TEST, "")
        merged = _Test(default, test, templates)
        for prompt, variables in itertools.product(prompts, merged.combinations()):
            number += 1
            yield from merged.task(prompt, variables, task_id=named(stem, number), category=category)


@dataclass(frozen=True)
class _Prompt:
    """A prompt: a text, or the messages of a chat."""

    text: str
    messages: list[dict[str, Any]] | None = None


def _prompts(config: LineDict) -> Generator[Fault, None, list[_Prompt]]:
    listed = config.get("prompts")
    prompts = []
    for prompt in listed if isinstance(listed, list) and not is_chat(listed) else [listed]:
        text = prompt.get("raw") if isinstance(prompt, dict) else prompt
        if is_chat(text):
            prompts.append(_Prompt("", text))
        elif not isinstance(text, str) or text.startswith("file://"):
            yield Fault(config.line, "prompts", f"{str(prompt)[:80]} lies elsewhere; write the prompt into this file")
        else:
            prompts.append(_Prompt(text, _chat(text)))
    return prompts


def _chat(text: str) -> list[dict[str, Any]] | None:
    """Return the messages of a chat that is written as JSON, or `None` for any other text.

    Variables are filled in afterwards, so that their values need no escapes.
    """
    if text.lstrip()[:1] != "[":
        return None
    try:
        messages = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return messages if is_chat(messages) else None


def _lost(line: int, fields: Mapping[str, Any], carried: set[str], where: str) -> Iterator[Note]:
    for name in fields:
        if name not in carried:
            yield Note(line, f"not carried over: {name}{where}")


class _Test:
    """A test of a promptfoo configuration, merged with the configuration's `defaultTest`."""

    def __init__(self, default: LineDict, test: LineDict, templates: Mapping[str, Any]) -> None:
        self._line = test.line
        self._test = test
        self._templates = templates
        self._variables = {**_mapping(default.get("vars")), **_mapping(test.get("vars"))}
        self._options = {**_mapping(default.get("options")), **_mapping(test.get("options"))}
        self._metadata = {**_mapping(default.get("metadata")), **_mapping(test.get("metadata"))}
        self._assertions = [*_list(default.get("assert")), *_list(test.get("assert"))]
        self._threshold = test.get("threshold", default.get("threshold"))

    def combinations(self) -> Iterator[dict[str, Any]]:
        """Yield one set of variables per combination. In each set, a variable with a list of values has one value of
        the list.

        The combinations are generated lazily: their number is the product of the lengths of all lists.
        """
        values = [value if isinstance(value, list) else [value] for value in self._variables.values()]
        for chosen in itertools.product(*values):
            yield dict(zip(self._variables, chosen, strict=True))

    def task(self, prompt: _Prompt, variables: dict[str, Any], *, task_id: str, category: str) -> Iterator[FileItem]:
        texts = {name: value or "" for name, value in variables.items() if value is None or isinstance(value, str)}
        strange = [name for name in variables if name not in texts or "{{" in texts[name] or "file://" in texts[name]]
        if strange:
            yield Fault(self._line, f"vars.{strange[0]}", "is no plain text; write the value into this file")
            return
        try:
            question_fields = self._question_fields(prompt, texts)
        except (NotRenderable, ValueError) as error:
            yield Fault(self._line, "prompts", str(error))
            return
        result = asserted(self._assertions, texts, self._templates, threshold=self._threshold, most=_MOST)
        metadata = {name: resolved(value) for name, value in self._metadata.items() if name not in _OF_METADATA}
        if result.marks:
            metadata[MARK] = result.marks
        yield Row(
            self._line,
            {
                "task_id": task_id,
                "category": self._metadata.get("category") or category,
                "subcategory": self._metadata.get("subcategory"),
                **question_fields,
                "excellent": "\n".join(result.wanted) or None,
                "incorrect_answer_direction": "\n".join(result.unwanted) or None,
                **({"accepted_answers": list(dict.fromkeys(result.accepted))} if result.accepted else {}),
                **({"checks": result.checks} if result.checks else {}),
                **({"metadata": metadata} if metadata else {}),
            },
        )
        for mark in result.marks:
            yield Suggested(evaluator_of(mark))
        yield from self._notes(result)

    def _question_fields(self, prompt: _Prompt, texts: dict[str, str]) -> dict[str, Any]:
        """Return the task's question and, if the prompt is a chat, its system prompt and conversation. `texts` has the
        values of the variables.

        Raises `ValueError` if the prompt cannot be rendered, or has no question.
        """
        before, after = self._options.get("prefix") or "", self._options.get("suffix") or ""
        if prompt.messages is None:
            return {"question": render(f"{before}{prompt.text}{after}", texts, most=_MOST)}
        chat = split_chat([_filled(message, texts) for message in prompt.messages])
        if chat.answer is not None:
            raise ValueError("ends with what the assistant says: there is no question")
        fields = {
            "question": f"{before}{chat.prompt}{after}",
            "system_prompt": chat.system_prompt,
            "conversation": list(chat.conversation),
        }
        return {name: value for name, value in fields.items() if value}

    def _notes(self, asserted: Asserted) -> Iterator[Note]:
        options = [f"options.{name}" for name in self._options if name not in _CARRIED_OPTIONS]
        description = ["description"] if self._test.get("description") else []
        for lost in (*asserted.lost, *options, *description):
            yield Note(self._line, f"not carried over: {lost}")


def _filled(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, str):
        return render(value, texts, most=_MOST)
    if isinstance(value, list):
        return [_filled(each, texts) for each in value]
    return {name: _filled(each, texts) for name, each in value.items()} if isinstance(value, dict) else value


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


FORMAT: Final = Format(
    name="promptfoo",
    title="promptfoo configuration",
    read=read,
    file_names=("promptfooconfig*.yaml", "promptfooconfig*.yml", "*.promptfoo.yaml"),
    examples=(
        Example(
            "description: Capitals\nprompts:\n  - 'Capital of {{country}}?'\nproviders: [openai:gpt-5]\ntests:\n"
            "  - vars:\n      country: [France, Italy]\n    assert:\n      - type: icontains\n"
            "        value: '{{country}}'\n"
            "      - type: not-contains\n        value: London\n        weight: 2\n"
            "      - type: latency\n        threshold: 500\n      - type: javascript\n        value: 'true'\n",
            (
                Note(1, "not carried over: providers"),
                *(
                    part
                    for number, country in enumerate(("France", "Italy"), start=1)
                    for part in (
                        Row(
                            6,
                            {
                                "task_id": f"example-{number}",
                                "category": "Capitals",
                                "subcategory": None,
                                "question": f"Capital of {country}?",
                                "excellent": None,
                                "incorrect_answer_direction": None,
                                "checks": [
                                    {"kind": "contains", "params": {"texts": [country], "ignore_case": True}},
                                    {
                                        "kind": "contains",
                                        "params": {"texts": ["London"], "ignore_case": False},
                                        "weight": 2.0,
                                        "negate": True,
                                    },
                                    {"kind": "latency", "params": {"max_ms": 500}},
                                ],
                            },
                        ),
                        Note(6, "not carried over: the assertion javascript"),
                    )
                ),
            ),
        ),
        Example(
            'prompts:\n  - \'[{"role": "system", "content": "Be {{tone}}."}, {"role": "user", "content": "Why?"}]\'\n'
            "defaultTest: &usual\n  metadata: {level: 3}\n  vars: {tone: kind}\n"
            "tests:\n  - <<: *usual\n    threshold: 0.5\n    assert:\n"
            "      - {type: similar, value: Because., threshold: 0.8}\n"
            "      - {type: llm-rubric, value: Is kind}\n"
            "      - {type: is-json, value: {type: object, minProperties: 1}}\n",
            (
                Row(
                    7,
                    {
                        "task_id": "example-1",
                        "category": "example",
                        "subcategory": None,
                        "question": "Why?",
                        "system_prompt": "Be kind.",
                        "excellent": "Is kind",
                        "incorrect_answer_direction": None,
                        "accepted_answers": ["Because."],
                        "checks": [
                            {
                                "kind": "json_schema",
                                "params": {"strict": True, "json_schema": {"type": "object", "minProperties": 1}},
                            }
                        ],
                        "metadata": {"level": 3, "promptfoo": ["similar 0.8", RUBRIC]},
                    },
                ),
                Suggested(
                    {
                        "kind": "semantic_similarity",
                        "name": "similar 0.8",
                        "params": {"pass_mark": 0.8},
                        "only": {"metadata": {"promptfoo": ["similar 0.8"]}},
                    }
                ),
                Suggested({"kind": "rubric", "only": {"metadata": {"promptfoo": ["rubric"]}}}),
                Note(7, "not carried over: the threshold of a test with assertions that a model decides"),
            ),
        ),
        Example(
            "prompts: [file://p.txt, 'Say {{ word | upper }}', 'Say {{word}}']\n"
            "tests:\n  - vars: {other: x}\n  - tests.csv\n",
            (
                Fault(1, "prompts", "file://p.txt lies elsewhere; write the prompt into this file"),
                Fault(
                    3,
                    "prompts",
                    "uses template logic ({% … %}, filters, expressions), which only promptfoo can run",
                ),
                Fault(3, "prompts", "needs the variable 'word', which the test does not give"),
                Fault(1, "tests", "tests.csv lies elsewhere; only tests in this file can be read"),
            ),
        ),
    ),
)
