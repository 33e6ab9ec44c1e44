"""`promptfooconfig.yaml` (https://www.promptfoo.dev/docs/configuration/reference), for reading only.

Each test, under each prompt and with each combination of its lists of variables, becomes a task: the prompt
filled in is the question, assertions become references. Everything else is named as not carried over.
"""

import itertools
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final, TextIO

from config_api.files.yaml_text import LineDict, YamlText
from config_api.transfer.formats.base import Example, Fault, Format, Note, Row, named
from config_api.transfer.promptfoo_text import NotRenderable, References, references, render
from llmbench.files.unreadable import Unreadable

_MOST: Final = 1_000_000
_CARRIED: Final = {"description", "prompts", "tests", "defaultTest"}
_CARRIED_OF_TEST: Final = {"description", "vars", "assert", "metadata", "options"}
_CARRIED_OPTIONS: Final = {"prefix", "suffix"}


def read(text: TextIO, stem: str) -> Iterator[Row | Fault | Note]:
    config = YamlText(text).whole()
    if not isinstance(config, LineDict):
        raise Unreadable(1, "is no configuration of promptfoo: `prompts` and `tests` are wanted")
    yield from _lost(config.line, config, _CARRIED, "")
    prompts = yield from _prompts(config)
    default = config.get("defaultTest") or LineDict()
    if not isinstance(default, LineDict):
        yield Note(config.line, "not carried over: defaultTest, which lies in another file")
        default = LineDict()
    yield from _lost(default.line, default, _CARRIED_OF_TEST, " of defaultTest")
    tests = config.get("tests")
    if not isinstance(tests, list):
        raise Unreadable(config.line, "`tests` must be a list in this file; tests in other files cannot be read")
    category = str(config.get("description") or stem)[:255]
    number = 0
    for test in tests:
        if not isinstance(test, LineDict):
            yield Fault(config.line, "tests", f"{str(test)[:80]} lies elsewhere; only tests in this file can be read")
            continue
        yield from _lost(test.line, test, _CARRIED_OF_TEST, "")
        merged = _Test(default, test)
        for prompt, variables in itertools.product(prompts, merged.combinations()):
            number += 1
            yield from merged.task(prompt, variables, task_id=named(stem, number), category=category)


def _prompts(config: LineDict) -> Generator[Fault, None, list[str]]:
    """Returns the prompts' texts."""
    listed = config.get("prompts")
    texts = []
    for prompt in listed if isinstance(listed, list) else [listed]:
        text = prompt.get("raw") if isinstance(prompt, dict) else prompt
        if not isinstance(text, str) or text.startswith("file://"):
            yield Fault(config.line, "prompts", f"{str(prompt)[:80]} lies elsewhere; write the prompt into this file")
        else:
            texts.append(text)
    return texts


def _lost(line: int, found: Mapping[str, Any], carried: set[str], where: str) -> Iterator[Note]:
    for name in found:
        if name not in carried:
            yield Note(line, f"not carried over: {name}{where}")


class _Test:
    """A test with what `defaultTest` adds to it."""

    def __init__(self, default: LineDict, test: LineDict) -> None:
        self._line = test.line
        self._test = test
        self._variables = {**_mapping(default.get("vars")), **_mapping(test.get("vars"))}
        self._options = {**_mapping(default.get("options")), **_mapping(test.get("options"))}
        self._metadata = {**_mapping(default.get("metadata")), **_mapping(test.get("metadata"))}
        self._assertions = [*_list(default.get("assert")), *_list(test.get("assert"))]

    def combinations(self) -> Iterator[dict[str, Any]]:
        """A list of values stands for one test with each of them. As lazy as can be: lists multiply."""
        values = [value if isinstance(value, list) else [value] for value in self._variables.values()]
        for chosen in itertools.product(*values):
            yield dict(zip(self._variables, chosen, strict=True))

    def task(
        self, prompt: str, variables: dict[str, Any], *, task_id: str, category: str
    ) -> Iterator[Row | Fault | Note]:
        texts = {name: value or "" for name, value in variables.items() if value is None or isinstance(value, str)}
        strange = [name for name in variables if name not in texts or "{{" in texts[name] or "file://" in texts[name]]
        if strange:
            yield Fault(self._line, f"vars.{strange[0]}", "is no plain text; write the value into this file")
            return
        template = f"{self._options.get('prefix') or ''}{prompt}{self._options.get('suffix') or ''}"
        try:
            question = render(template, texts, most=_MOST)
        except NotRenderable as error:
            yield Fault(self._line, "prompts", str(error))
            return
        found = references(self._assertions, texts, most=_MOST)
        yield Row(
            self._line,
            {
                "task_id": task_id,
                "category": self._metadata.get("category") or category,
                "subcategory": self._metadata.get("subcategory"),
                "question": question,
                "excellent": "\n".join(found.wanted) or None,
                "incorrect_answer_direction": "\n".join(found.unwanted) or None,
            },
        )
        yield from self._notes(found)

    def _notes(self, found: References) -> Iterator[Note]:
        options = [f"options.{name}" for name in self._options if name not in _CARRIED_OPTIONS]
        metadata = [f"metadata.{name}" for name in self._metadata if name not in {"category", "subcategory"}]
        description = ["description"] if self._test.get("description") else []
        for lost in dict.fromkeys((*found.lost, *options, *metadata, *description)):
            yield Note(self._line, f"not carried over: {lost}")


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
            "      - type: not-contains\n        value: London\n      - type: latency\n        threshold: 500\n",
            (
                Note(1, "not carried over: providers"),
                Row(
                    6,
                    {
                        "task_id": "example-1",
                        "category": "Capitals",
                        "subcategory": None,
                        "question": "Capital of France?",
                        "excellent": "Contains, in any case: France",
                        "incorrect_answer_direction": "Contains: London",
                    },
                ),
                Note(6, "not carried over: the assertion latency"),
                Row(
                    6,
                    {
                        "task_id": "example-2",
                        "category": "Capitals",
                        "subcategory": None,
                        "question": "Capital of Italy?",
                        "excellent": "Contains, in any case: Italy",
                        "incorrect_answer_direction": "Contains: London",
                    },
                ),
                Note(6, "not carried over: the assertion latency"),
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
