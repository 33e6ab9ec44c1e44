"""IFEval: prompts with instructions that a program can check (Zhou et al. 2023)."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from llmbench_cli.recipes.base import BadRow, Figure, Json, Recipe, Row, Skipped

Arguments = Mapping[str, Any]

_SOURCE: Final = "Zhou et al. 2023, arXiv:2311.07911"
_LONGEST: Final = 2000
_MOST_REPEATS: Final = 1000
# Python's \w without the letters of other scripts: RE2 cannot repeat the class of all letters hundreds of times.
_WORD: Final = r"\w\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{24F}"
_OPTIONS: Final = ("My answer is yes.", "My answer is no.", "My answer is maybe.")


class _NotExpressible(Exception):
    """Raised for an instruction with arguments that no check expresses."""


def _check(pattern: str, **params: bool | str) -> Json:
    if len(pattern) > _LONGEST:
        raise _NotExpressible
    return {"kind": "regex", "params": {"pattern": pattern, **params}}


def _escaped(text: str) -> str:
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", text)


def _counted(once: str, given: Arguments, number: str, relation: str = "", **params: bool) -> Iterator[Json]:
    """Yield the check that an answer matches the pattern `once` at least n times, or the check that it matches fewer
    than n times.

    n is `given[number]`. `given[relation]` is "at least" or "less than"; with an empty `relation`, "at least" applies.
    Yield nothing for "at least 0", which every answer meets. Raises `_NotExpressible` for "less than 0", and if n or
    the pattern is too large.
    """
    times = _number(given, number)
    less = bool(relation) and _relation(given, relation) == "less than"
    if times == 0:
        if less:
            raise _NotExpressible
        return
    if times > _MOST_REPEATS:
        raise _NotExpressible
    yield _check(rf"(?:{once}){{{times}}}", absent=less, **params)


def _number(given: Arguments, name: str) -> int:
    value = given.get(name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadRow(f"{name!r} has to be a number, and is {value!r}")
    return value


def _text(given: Arguments, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadRow(f"{name!r} has to be a text, and is {value!r}")
    return value.strip()


def _texts(given: Arguments, name: str) -> list[str]:
    value = given.get(name)
    if not isinstance(value, list) or not value or not all(isinstance(each, str) and each for each in value):
        raise BadRow(f"{name!r} has to be a list of texts, and is {value!r}")
    return value


def _relation(given: Arguments, name: str) -> str:
    value = _text(given, name)
    if value not in ("less than", "at least"):
        raise BadRow(f"{name!r} has to be 'less than' or 'at least', and is {value!r}")
    return value


def _existence(given: Arguments) -> Iterator[Json]:
    # As in the authors' checker, keywords are patterns: they are not escaped.
    yield from (_check(keyword, ignore_case=True) for keyword in _texts(given, "keywords"))


def _frequency(given: Arguments) -> Iterator[Json]:
    yield from _counted(rf"{_text(given, 'keyword')}[\s\S]*?", given, "frequency", "relation", ignore_case=True)


def _forbidden(given: Arguments) -> Iterator[Json]:
    words = _texts(given, "forbidden_words")
    yield from (_check(rf"\b{word}\b", ignore_case=True, absent=True) for word in words)


def _letters(given: Arguments) -> Iterator[Json]:
    letter = _escaped(_text(given, "letter"))
    yield from _counted(rf"{letter}[\s\S]*?", given, "let_frequency", "let_relation", ignore_case=True)


def _words(given: Arguments) -> Iterator[Json]:
    yield from _counted(rf"[{_WORD}]+(?:[^{_WORD}]+|\z)", given, "num_words", "relation")


def _placeholders(given: Arguments) -> Iterator[Json]:
    yield from _counted(r"\[.*?\][\s\S]*?", given, "num_placeholders")


def _postscript(given: Arguments) -> Iterator[Json]:
    marker = _text(given, "postscript_marker")
    pattern = {"P.P.S": r"p\.\s?p\.\s?s", "P.S.": r"p\.\s?s\."}.get(marker, marker)
    yield _check(pattern, ignore_case=True)


def _bullets(given: Arguments) -> Iterator[Json]:
    bullet = r"^\s*(?:\*[^*].*|-.*)$[\s\S]*?"
    exactly = _number(given, "num_bullets")
    yield from _counted(bullet, given, "num_bullets", multiline=True)
    yield _check(rf"(?:{bullet}){{{exactly + 1}}}", multiline=True, absent=True)


def _constrained(given: Arguments) -> Iterator[Json]:
    yield _check("|".join(map(_escaped, _OPTIONS)))


def _sections(given: Arguments) -> Iterator[Json]:
    yield from _counted(rf"{_text(given, 'section_spliter')}\s?\d+[\s\S]*?", given, "num_sections")


def _title(given: Arguments) -> Iterator[Json]:
    yield _check(r"<<[^\n]*[^\s<>][^\n]*>>")


def _repeat(given: Arguments) -> Iterator[Json]:
    yield _check(rf"\A\s*{_escaped(_text(given, 'prompt_to_repeat'))}", ignore_case=True)


def _end(given: Arguments) -> Iterator[Json]:
    yield _check(rf"{_escaped(_text(given, 'end_phrase'))}\"*\s*\z", ignore_case=True)


def _quotation(given: Arguments) -> Iterator[Json]:
    yield _check('".*"', where="whole", dot_all=True)


def _no_comma(given: Arguments) -> Iterator[Json]:
    yield _check(",", absent=True)


_CHECKS: Final[Mapping[str, Callable[[Arguments], Iterator[Json]]]] = {
    "keywords:existence": _existence,
    "keywords:frequency": _frequency,
    "keywords:forbidden_words": _forbidden,
    "keywords:letter_frequency": _letters,
    "length_constraints:number_words": _words,
    "detectable_content:number_placeholders": _placeholders,
    "detectable_content:postscript": _postscript,
    "detectable_format:number_bullet_lists": _bullets,
    "detectable_format:constrained_response": _constrained,
    "detectable_format:multiple_sections": _sections,
    "detectable_format:title": _title,
    "combination:repeat_prompt": _repeat,
    "startend:end_checker": _end,
    "startend:quotation": _quotation,
    "punctuation:no_comma": _no_comma,
}


def _case(row: Row) -> Json | Skipped:
    names = row.texts("instruction_id_list")
    arguments = row.fields.get("kwargs")
    if not isinstance(arguments, list) or len(arguments) != len(names):
        raise BadRow("'kwargs' has to be a list with an object for each instruction")
    # An empty answer follows no instruction, whatever its checks say.
    checks: list[Json] = [_check(r"\S")]
    for name, given in zip(names, arguments, strict=True):
        if not isinstance(given, dict | None):
            raise BadRow(f"'kwargs' of {name} has to be an object")
        if name not in _CHECKS:
            return Skipped(f"no check expresses {name}")
        try:
            checks += _CHECKS[name](given or {})
        except _NotExpressible:
            return Skipped(f"no check expresses {name} with these arguments")
    key = row.fields.get("key", row.number)
    return {
        "id": f"ifeval-{key}",
        "prompt": row.text("prompt"),
        "checks": checks,
        "metadata": {"category": names[0].partition(":")[0], "tags": sorted(set(names))},
    }


RECIPE = Recipe(
    name="ifeval",
    title="IFEval",
    category="instructions",
    files="input_data.jsonl of the authors, or the Parquet of google/IFEval: key, prompt, instruction_id_list, kwargs",
    metric="prompt-level strict accuracy: the share of prompts all of whose instructions are followed.",
    difference="It is the pass rate here; the score is the mean share of checks that pass. Prompts with an instruction "
    "that no check expresses are left out, such as languages, sentences and JSON. They are a large part of the "
    "published set, so the figure of the rest is another measure.",
    figures=(
        Figure(76.89, "GPT-4", "prompt-level strict, all 541 prompts", _SOURCE),
        Figure(43.07, "PaLM 2 S", "prompt-level strict, all 541 prompts", _SOURCE),
    ),
    convert=_case,
    evaluators=({"kind": "case_checks"},),
    params={"temperature": 0, "max_tokens": 2048},
)
