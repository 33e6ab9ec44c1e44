"""Test what is found as the Python code of an answer, in the forms in which models write it."""

import pytest

from judge.domain.python_source import python_source

RIGHT = "def double(n):\n    return 2 * n"
SETUP = 'def double(n):\n    """Return n, twice."""\n'
IN_TEXT = (
    'def double(n):\n    """Return n, twice.\n\n    ```python\n    double(2)\n    ```\n    """\n    return 2 * n\n'
)
"""Code with fences in its docstring."""


@pytest.mark.parametrize(
    ("answer", "code", "rule"),
    [
        (f"```python\n{RIGHT}\n```", f"{RIGHT}\n", "tested block"),
        (f"Look:\n\n  ~~~py\n  {RIGHT.replace(chr(10), chr(10) + '  ')}\n  ~~~", f"{RIGHT}\n", "tested block"),
        (f"```python title=x\n{RIGHT}", RIGHT, "tested block"),
        (f"```\n{RIGHT}\n```\nUse it:\n```python\nprint(double(2))\n```", f"{RIGHT}\n", "tested block"),
        (f"```js\nlet a = 1\n```\n```Python\n{RIGHT}\n```\n```text\n4\n```", f"{RIGHT}\n", "tested block"),
        ("```python\ndouble = lambda n: 2 * n\n```", "double = lambda n: 2 * n\n", "tested block"),
        (RIGHT, RIGHT, "whole text"),
        ("    return 2 * n", f"{SETUP}    return 2 * n", "function body"),
        ("return 2 * n", f"{SETUP}    return 2 * n", "function body"),
        ("```\nreturn 2 * n\n```", f"{SETUP}    return 2 * n\n", "function body"),
        ("def twice(n):\n    return 2 * n", f"{SETUP}def twice(n):\n    return 2 * n", "function body"),
    ],
)
def test_code_is_found_in_an_answer(answer: str, code: str, rule: str) -> None:
    found = python_source(answer, SETUP, "double")
    assert found is not None
    assert (found.code, found.rule) == (code, rule)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Two times n, I think.",
        "```python\n```",
        "```js\nfunction double() {}\n```",
        "(" * 5000,
        "- " * 50_000 + "1",
    ],
    ids=["nothing", "a sentence", "an empty block", "another language", "too deep", "too deep for the compiler"],
)
def test_answer_without_code_has_none(answer: str) -> None:
    assert python_source(answer, "", "double") is None


def test_without_an_entry_point_the_last_definition_counts() -> None:
    answer = (
        f"```python\ndef double(n): return n\n```\nBetter:\n```python\n{RIGHT}\n```\n```python\nprint(double(1))\n```"
    )
    found = python_source(answer, "", None)
    assert found is not None
    assert found.code == f"{RIGHT}\n"


@pytest.mark.parametrize(
    "answer",
    [
        "try:\n    from numpy import dot\nexcept ImportError:\n    def double(n):\n        return 2 * n\n",
        "from functools import partial\nfrom operator import mul\ndouble: partial[int] = partial(mul, 2)\n",
        "class Maths:\n    def twice(self, n):\n        return 2 * n\nif True:\n    double = Maths().twice\n",
        "from math import floor as double\n",
    ],
)
def test_block_may_define_the_entry_point_in_any_way(answer: str) -> None:
    found = python_source(f"```python\n{answer}```\n\n```python\nprint(double(2))\n```", SETUP, "double")
    assert found is not None
    assert (found.code, found.rule) == (answer, "tested block")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (f"```python3.11\n{RIGHT}\n```", f"{RIGHT}\n"),
        (f"```ipython\n{RIGHT}\n```", f"{RIGHT}\n"),
        (f"Here it is: ```python\n{RIGHT}\n```\nIt doubles.", f"{RIGHT}\n"),
        (f"- ```python\n  {RIGHT}\n  ```".replace("\n    ", "\n      "), f"{RIGHT}\n"),
        (f"```python\n{RIGHT}```\nIt doubles.", f"{RIGHT}\n"),
        (f"```python\nprint(1)\n\n{RIGHT}\n```".replace("\n", "\r\n"), f"print(1)\n\n{RIGHT}\n"),
        (f"```python\n{RIGHT}\n```".replace("\n", "\r"), f"{RIGHT}\n"),
        (f"\ufeff{RIGHT}", RIGHT),
        (f"{RIGHT}\n```\nIt doubles.", f"{RIGHT}\n"),
        ("    return 2 * n\n```", f"{SETUP}    return 2 * n\n"),
        ("```\nreturn 2 * n\n```\nFor example:\n```\nprint(double(2))\n```", f"{SETUP}    return 2 * n\n"),
        ("m = n\n    return m + n", f"{SETUP}    m = n\n    return m + n"),
        (f"```python\n{IN_TEXT}```\nIt doubles.", IN_TEXT),
        (f"````python\n{IN_TEXT}````\nIt doubles.", IN_TEXT),
        (IN_TEXT, IN_TEXT),
        (f"The function:\n\nimport math\n\n{RIGHT}\n\nIt doubles n.", f"import math\n\n{RIGHT}\n\n"),
        (f"<code>\n{RIGHT}\n</code>", f"{RIGHT}\n"),
        (f"{RIGHT}\n<|im_end|>", f"{RIGHT}\n"),
    ],
)
def test_code_is_found_however_models_fence_it(answer: str, code: str) -> None:
    found = python_source(answer, SETUP, "double")
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize(
    "answer",
    [
        f"<think>n, twice.</think>\n\n{RIGHT}",
        f"n, twice.\n</think>\n{RIGHT}",
        f"<think>\n```python\ndef double(n):\n    return n\n```\n</think>\n{RIGHT}",
        f"<think>\n```python\ndef double(n):\n    return n\n</think>\n```python\n{RIGHT}\n```\nDone.",
    ],
)
def test_drafts_in_reasoning_do_not_count(answer: str) -> None:
    found = python_source(answer, "", "double")
    assert found is not None
    assert found.code.strip() == RIGHT


def test_tags_of_reasoning_may_be_in_the_code() -> None:
    answer = "```python\ndef double(text):\n    return text.replace('</think>', '</think>' * 2)\n```"
    found = python_source(answer, SETUP, "double")
    assert found is not None
    assert found.code == answer.removeprefix("```python\n").removesuffix("```")


@pytest.mark.parametrize(
    "answer",
    [
        f"```python\n{RIGHT}\n\nprint(double(2)\n```",
        f"{RIGHT}\n\ndef twice(",
        f"<think>\n```python\n{RIGHT}\n```\nOr is it",
    ],
    ids=["a fault after the function", "cut off", "cut off in thought"],
)
def test_code_is_not_mended(answer: str) -> None:
    assert python_source(answer, "", "double") is None
