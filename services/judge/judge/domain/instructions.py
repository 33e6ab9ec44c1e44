"""Decide whether an answer follows an instruction of IFEval, by the rules of its authors' program ("strict").

Source: Zhou et al. 2023, "Instruction-Following Evaluation for Large Language Models" (arXiv:2311.07911), whose program
is `instruction_following_eval` of google-research. Keywords and other patterns from a file are matched by RE2 instead
of Python's `re`, so look-around and back-references are refused.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from judge.domain.patterns import BadPattern, Pattern

Given = Mapping[str, Any]
"""The arguments of an instruction, valid for its rule."""

# The white space, the digits and the letters of words that Python's `re` knows, in RE2's syntax.
_SPACE: Final = r"[\t-\r\x1c-\x20\x85\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]"
_WORD: Final = r"\p{L}\p{N}_"
_OPTIONS: Final = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
# The languages that langdetect knows. No answer would follow an instruction that asks for another one.
_LANGUAGES: Final = (
    *("af", "ar", "bg", "bn", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "gu", "he", "hi"),
    *("hr", "hu", "id", "it", "ja", "kn", "ko", "lt", "lv", "mk", "ml", "mr", "ne", "nl", "no", "pa", "pl", "pt", "ro"),
    *("ru", "sk", "sl", "so", "sq", "sv", "sw", "ta", "te", "th", "tl", "tr", "uk", "ur", "vi", "zh-cn", "zh-tw"),
)
_MOST: Final = 1_000_000
_LONGEST: Final = 2000
_MOST_TEXTS: Final = 100


class Language(Protocol):
    """Reads natural language: counts English sentences and capital words, and detects the language of a text."""

    def sentences(self, text: str) -> int: ...

    def capital_words(self, text: str) -> int: ...

    def detected(self, text: str) -> str | None: ...


@dataclass(frozen=True)
class Followed:
    """The decision about an answer: `right` says whether it follows the instruction, and `reason` why."""

    right: bool
    reason: str


@dataclass(frozen=True)
class Rule:
    """The rule of an instruction. `arguments` has a function for each argument, which validates and returns its value
    or raises `ValueError`. `check` decides about an answer that is not blank."""

    check: Callable[[str, Given, Language], Followed]
    arguments: Mapping[str, Callable[[Any], Any]]


def read_arguments(instruction: str, given: Given) -> dict[str, Any]:
    """Return the arguments of an instruction, validated. Arguments that are `None` are left out, as the published file
    has them for other instructions.

    Raises `ValueError` for an argument that is missing, unknown or invalid; the message names it.
    """
    rule = RULES[instruction]
    named = {name: value for name, value in given.items() if value is not None}
    if unknown := sorted(named.keys() - rule.arguments.keys()):
        known = ", ".join(rule.arguments) or "none"
        raise ValueError(f"{instruction} has no argument {unknown[0]!r}; its arguments are: {known}")
    read = {}
    for name, reader in rule.arguments.items():
        if name not in named:
            raise ValueError(f"{instruction} needs the argument {name!r}")
        try:
            read[name] = reader(named[name])
        except ValueError as error:
            raise ValueError(f"{name!r} {error}, and is {str(named[name])[:60]!r}") from None
    return read


def follows(instruction: str, answer: str, given: Given, language: Language) -> Followed:
    """Decide whether an answer follows an instruction. `given` are its arguments, from `read_arguments`.

    A blank answer follows none.
    """
    if not answer.strip():
        return Followed(False, "The answer is blank.")
    return RULES[instruction].check(answer, given, language)


def _number(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise ValueError(f"has to be a whole number from 0 to {_MOST:,}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 20 * _LONGEST:
        raise ValueError(f"has to be a text of at most {20 * _LONGEST:,} characters")
    return value.strip()


def _letter(value: Any) -> str:
    if not isinstance(value, str) or len(value.strip()) != 1:
        raise ValueError("has to be one character")
    return value.strip().lower()


def _relation(value: Any) -> str:
    if value not in ("less than", "at least"):
        raise ValueError("has to be 'less than' or 'at least'")
    return str(value)


def _pattern(value: Any) -> str:
    if not isinstance(value, str) or not value or len(value) > _LONGEST:
        raise ValueError(f"has to be a pattern of at most {_LONGEST:,} characters")
    try:
        Pattern(value)
        # RE2 accepts a quotation without its end (\Q), which would quote the rest of a rule's pattern.
        Pattern(f"(?:{value})")
    except BadPattern as error:
        raise ValueError(f"has to be a pattern ({error})") from None
    return value


def _patterns(value: Any) -> list[str]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= _MOST_TEXTS:
        raise ValueError(f"has to be a list of 1 to {_MOST_TEXTS} texts")
    return [_pattern(each) for each in value]


def _stripped_pattern(value: Any) -> str:
    return _pattern(value.strip() if isinstance(value, str) else value)


def _marker(value: Any) -> str:
    marker = _stripped_pattern(value)
    _pattern(marker.lower())
    return marker


def _language_code(value: Any) -> str:
    if value not in _LANGUAGES:
        raise ValueError(f"has to be one of {', '.join(_LANGUAGES)}")
    return str(value)


def _compared(count: int, what: str, wanted: int, relation: str = "at least") -> Followed:
    """Return whether the count is right. `what` names what was counted, in the plural."""
    right = count < wanted if relation == "less than" else count >= wanted
    asked = f"{'fewer than' if relation == 'less than' else relation} {wanted:,}"
    return Followed(right, f"{what}: {count:,}. The instruction asks for {asked}.")


def _exactly(count: int, what: str, wanted: int) -> Followed:
    return Followed(count == wanted, f"{what}: {count:,}. The instruction asks for exactly {wanted:,}.")


def _either(right: bool, if_right: str, if_wrong: str) -> Followed:
    return Followed(right, if_right if right else if_wrong)


def _existence(answer: str, given: Given, _: Language) -> Followed:
    missing = [word for word in given["keywords"] if Pattern(word, ignore_case=True).search(answer) is None]
    return _either(not missing, "The answer has every keyword.", f"The answer lacks {_shown(missing)}.")


def _frequency(answer: str, given: Given, _: Language) -> Followed:
    count = Pattern(given["keyword"], ignore_case=True).count(answer)
    return _compared(count, f"Occurrences of {_shown([given['keyword']])}", given["frequency"], given["relation"])


def _forbidden(answer: str, given: Given, _: Language) -> Followed:
    found = [word for word in given["forbidden_words"] if _as_word(word).search(answer) is not None]
    return _either(not found, "The answer has no forbidden word.", f"The answer has {_shown(found)}.")


def _as_word(word: str) -> Pattern:
    """Return the pattern of a text between two boundaries of words, which know the letters of every script."""
    start = rf"(?:\A|[^{_WORD}])" if re.match(r"\w", word) else r"\b"
    end = rf"(?:[^{_WORD}]|\z)" if re.search(r"\w\Z", word) else r"\b"
    return Pattern(f"{start}(?:{word}){end}", ignore_case=True)


def _letters(answer: str, given: Given, _: Language) -> Followed:
    count = answer.lower().count(given["letter"])
    return _compared(
        count, f"Occurrences of the letter {given['letter']!r}", given["let_frequency"], given["let_relation"]
    )


def _language(answer: str, given: Given, language: Language) -> Followed:
    found = language.detected(answer)
    # As in the authors' program, an answer without a language follows the instruction.
    right = found is None or found == given["language"]
    return Followed(right, f"Language: {found or 'not known'}. The instruction asks for {given['language']}.")


def _sentences(answer: str, given: Given, language: Language) -> Followed:
    return _compared(language.sentences(answer), "Sentences", given["num_sentences"], given["relation"])


def _paragraphs(answer: str, given: Given, _: Language) -> Followed:
    parts = re.split(r"\s?\*\*\*\s?", answer)
    if any(not part.strip() for part in parts[1:-1]):
        return Followed(False, "A paragraph between two dividers is empty.")
    ends = [parts[0], parts[-1]] if len(parts) > 1 else parts
    count = len(parts) - sum(not part.strip() for part in ends)
    return _exactly(count, "Paragraphs between dividers (***)", given["num_paragraphs"])


def _words(answer: str, given: Given, _: Language) -> Followed:
    return _compared(len(re.findall(r"\w+", answer)), "Words", given["num_words"], given["relation"])


def _first_word(answer: str, given: Given, _: Language) -> Followed:
    parts = answer.split("\n\n")
    count = sum(bool(part.strip()) for part in parts)
    number, wanted = given["nth_paragraph"], given["first_word"].lower()
    # The number is compared with those that are not empty, and then counts the empty ones, too: as the authors do.
    words = parts[number - 1].split() if 1 <= number <= count else []
    if not words:
        return Followed(False, f"Paragraphs: {count:,}. There is none with the number {number:,}.")
    first = re.split(r"[.,?!'\"]", words[0].lstrip("'").lstrip('"'), maxsplit=1)[0].lower()
    if first != wanted:
        return Followed(False, f"Paragraph {number:,} begins with {first[:60]!r} instead of {wanted!r}.")
    return _exactly(count, "Paragraphs", given["num_paragraphs"])


def _placeholders(answer: str, given: Given, _: Language) -> Followed:
    return _compared(Pattern(r"\[.*?\]").count(answer), "Placeholders in brackets", given["num_placeholders"])


def _postscript(answer: str, given: Given, _: Language) -> Followed:
    marker = given["postscript_marker"]
    patterns = {"P.P.S": rf"p\.{_SPACE}?p\.{_SPACE}?s", "P.S.": rf"p\.{_SPACE}?s\."}
    found = Pattern(patterns.get(marker, marker.lower())).search(answer.lower())
    return _either(found is not None, "The answer has a postscript.", f"The answer has no postscript ({marker}).")


def _bullets(answer: str, given: Given, _: Language) -> Followed:
    stars = Pattern(rf"^{_SPACE}*\*[^*].*$", multiline=True).count(answer)
    dashes = Pattern(rf"^{_SPACE}*-.*$", multiline=True).count(answer)
    return _exactly(stars + dashes, "Bullet points", given["num_bullets"])


def _constrained(answer: str, _: Given, __: Language) -> Followed:
    found = next((option for option in _OPTIONS if option in answer), None)
    return _either(found is not None, f"The answer has {found!r}.", "The answer has none of the three options.")


def _highlights(answer: str, given: Given, _: Language) -> Followed:
    # As in the authors' program, a section in double asterisks may count twice.
    single = [text for text in re.findall(r"\*[^\n*]*\*", answer) if text.strip("*").strip()]
    double = [text for text in re.findall(r"\*\*[^\n*]*\*\*", answer) if text[2:-2].strip()]
    return _compared(len(single) + len(double), "Highlighted sections", given["num_highlights"])


def _sections(answer: str, given: Given, _: Language) -> Followed:
    count = Pattern(rf"{_SPACE}?(?:{given['section_spliter']}){_SPACE}?\p{{Nd}}+{_SPACE}?").count(answer)
    return _compared(count, f"Sections ({given['section_spliter']} 1, …)", given["num_sections"])


def _json(answer: str, _: Given, __: Language) -> Followed:
    text = answer.strip()
    for fence in ("```json", "```Json", "```JSON", "```"):
        text = text.removeprefix(fence)
    try:
        json.loads(text.removesuffix("```").strip())
    except (ValueError, RecursionError):
        return Followed(False, "The answer is not JSON.")
    return Followed(True, "The answer is JSON.")


def _title(answer: str, _: Given, __: Language) -> Followed:
    right = any(_has_title(line) for line in answer.split("\n"))
    return _either(right, "The answer has a title.", "The answer has no title in <<double brackets>>.")


def _has_title(line: str) -> bool:
    start, end = line.find("<<"), line.rfind(">>")
    return 0 <= start < end - 2 and bool(line[start : end + 2].lstrip("<").rstrip(">").strip())


def _two_responses(answer: str, _: Given, __: Language) -> Followed:
    parts = [part.strip() for part in answer.split("******")]
    if not all(parts[1:-1]):
        return Followed(False, "A response between two dividers is empty.")
    found = [part for part in parts if part]
    right = len(found) == 2 and found[0] != found[1]
    reason = f"Responses between dividers (******): {len(found):,}. The instruction asks for two different ones."
    return _either(right, "The answer has two different responses.", reason)


def _repeated(answer: str, given: Given, _: Language) -> Followed:
    right = answer.strip().lower().startswith(given["prompt_to_repeat"].lower())
    return _either(right, "The answer begins with the request.", "The answer does not begin with the request.")


def _end(answer: str, given: Given, _: Language) -> Followed:
    right = answer.strip().strip('"').lower().endswith(given["end_phrase"].lower())
    return _either(right, "The answer ends with the phrase.", f"The answer does not end with {given['end_phrase']!r}.")


def _capitals(answer: str, given: Given, language: Language) -> Followed:
    count = language.capital_words(answer)
    return _compared(count, "Words in capital letters", given["capital_frequency"], given["capital_relation"])


def _upper(answer: str, _: Given, language: Language) -> Followed:
    if not answer.isupper():
        return Followed(False, "The answer is not in capital letters only.")
    return _language(answer, {"language": "en"}, language)


def _lower(answer: str, _: Given, language: Language) -> Followed:
    if not answer.islower():
        return Followed(False, "The answer is not in small letters only.")
    return _language(answer, {"language": "en"}, language)


def _no_comma(answer: str, _: Given, __: Language) -> Followed:
    count = answer.count(",")
    return _either(not count, "The answer has no comma.", f"Commas: {count:,}. The instruction asks for none.")


def _quotation(answer: str, _: Given, __: Language) -> Followed:
    text = answer.strip()
    right = len(text) > 1 and text[0] == text[-1] == '"'
    return _either(right, "The answer stands in double quotes.", "The answer does not stand in double quotes.")


def _shown(texts: list[str]) -> str:
    return ", ".join(repr(text[:60]) for text in texts[:5]) + (" and more" if len(texts) > 5 else "")


RULES: Final[Mapping[str, Rule]] = {
    "keywords:existence": Rule(_existence, {"keywords": _patterns}),
    "keywords:frequency": Rule(_frequency, {"keyword": _stripped_pattern, "frequency": _number, "relation": _relation}),
    "keywords:forbidden_words": Rule(_forbidden, {"forbidden_words": _patterns}),
    "keywords:letter_frequency": Rule(
        _letters, {"letter": _letter, "let_frequency": _number, "let_relation": _relation}
    ),
    "language:response_language": Rule(_language, {"language": _language_code}),
    "length_constraints:number_sentences": Rule(_sentences, {"num_sentences": _number, "relation": _relation}),
    "length_constraints:number_paragraphs": Rule(_paragraphs, {"num_paragraphs": _number}),
    "length_constraints:number_words": Rule(_words, {"num_words": _number, "relation": _relation}),
    "length_constraints:nth_paragraph_first_word": Rule(
        _first_word, {"num_paragraphs": _number, "nth_paragraph": _number, "first_word": _text}
    ),
    "detectable_content:number_placeholders": Rule(_placeholders, {"num_placeholders": _number}),
    "detectable_content:postscript": Rule(_postscript, {"postscript_marker": _marker}),
    "detectable_format:number_bullet_lists": Rule(_bullets, {"num_bullets": _number}),
    "detectable_format:constrained_response": Rule(_constrained, {}),
    "detectable_format:number_highlighted_sections": Rule(_highlights, {"num_highlights": _number}),
    "detectable_format:multiple_sections": Rule(
        _sections, {"section_spliter": _stripped_pattern, "num_sections": _number}
    ),
    "detectable_format:json_format": Rule(_json, {}),
    "detectable_format:title": Rule(_title, {}),
    "combination:two_responses": Rule(_two_responses, {}),
    "combination:repeat_prompt": Rule(_repeated, {"prompt_to_repeat": _text}),
    "startend:end_checker": Rule(_end, {"end_phrase": _text}),
    "startend:quotation": Rule(_quotation, {}),
    "change_case:capital_word_frequency": Rule(
        _capitals, {"capital_frequency": _number, "capital_relation": _relation}
    ),
    "change_case:english_capital": Rule(_upper, {}),
    "change_case:english_lowercase": Rule(_lower, {}),
    "punctuation:no_comma": Rule(_no_comma, {}),
}
"""The rules by the ids of the instructions, as the published file has them."""
