"""Extract the LaTeX expression from an answer or a reference."""

import re

from judge.domain.markers import boxed, markers
from judge.domain.simplified import normal
from judge.domain.thoughts import without_thoughts

_LONGEST = 2_000
_BOX = re.compile(r"\\(?:boxed|fbox)\s?(?=[{\w(])")
_SUPERSCRIPT = re.compile(r"([\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b]+)")
_ROOT = re.compile(r"√\s?\(?(\d+|[A-Za-z])\)?")
_INSTEAD = str.maketrans(
    {"\u2212": "-", "\u2013": "-", "×": "\\times ", "·": "\\cdot ", "÷": "/", "π": "\\pi ", "∞": "\\infty ", "°": "^\\circ",
     "≤": "\\le ", "≥": "\\ge ", "≠": "\\ne ", "∪": "\\cup ", "∩": "\\cap "}
)  # fmt: skip
_IN_DOLLARS = re.compile(r"(?<!\\)\$|\\\(|\\\[|\\begin\{(?![pbvBV]?matrix|array)")
_LEFT_OUT = re.compile(
    r"\\(?:left|right|displaystyle|[,;:! ]|quad|qquad)(?![A-Za-z])|\\text\s?\{\s*\}|(?<!\d)\s+|\s+(?!\d)|(?<!\\)\$"
)
_BARE_FRACTION = re.compile(
    r"\\[dtc]?frac\s?(\\(?!sqrt|frac|dfrac|text)[A-Za-z]+|\d|[A-Za-z](?![A-Za-z]))\s?"
    r"(\\(?!sqrt|frac|dfrac|text)[A-Za-z]+|\d|[A-Za-z](?![A-Za-z]))"
)
_NUMBER_IN_TEXT = re.compile(r"\\text\w{0,4}\s?\{\s*(-?\d[\d.,]*)(\s[^{}]*)?\}")
_POINT_INSIDE = re.compile(r"([.,])\s?(\$\$?|\\[\])])")
_NAMED = re.compile(r"\{[a-zA-Z]=")
_ALONE = re.compile(r"[^\n$]{1,200}")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_GSM8K = re.compile(r"####\s*([^\n]{1,200})\s*\Z")


def latex_of_answer(text: str) -> tuple[str, str]:
    """Return the part of an answer to compare, as LaTeX, and the name of the rule that found it.

    The part is the last box. Without a box, it is the text next to a marker, such as "the answer is": the last such
    text with a number or a formula. Otherwise it is a short answer without words, or else the end of the answer.
    """
    text = without_thoughts(text)
    if (content := _last_box(text)) is not None:
        return _in_box(content), "boxed"
    for marker in markers(text):
        content = marker.contents[0].strip()
        if content and re.search(r"[\d\\]|\b[a-z]\b", content):
            return f"The final answer is {_unicode(content)}", marker.rule
    if _ALONE.fullmatch(text.strip(" .\n")) and not _WORD.search(_unicode(text)) and not _IN_DOLLARS.search(text):
        return _in_box(text.strip(" .\n*_`")), "whole text"
    return _POINT_INSIDE.sub(r"\2\1", _unicode(text[-_LONGEST:])), "last expression"


def latex_of_reference(text: str) -> tuple[str, str]:
    """Return the part of a reference to compare, as LaTeX, and the name of the rule that found it.

    The part is the last box, else the value after a final "####", else the text. Only the end of a long text counts.
    """
    if (content := _last_box(text)) is not None:
        return _in_box(content), "boxed"
    if match := _GSM8K.search(text[-400:]):
        return _in_box(match[1].strip()), "marker:####"
    text = text.strip()
    if len(text) > 300 or _IN_DOLLARS.search(text):
        return _unicode(text[-_LONGEST:]), "last expression"
    return _in_box(text), "whole text"


def identical(answer_latex: str, reference_latex: str) -> bool:
    """Return whether two LaTeX texts are equal apart from notation, such as spaces and sizes of brackets.

    If only one of them has an equals sign, the variable before it is ignored ("x=5" equals "5"). An empty answer equals
    nothing.
    """
    answer, other = _simple(answer_latex), _simple(reference_latex)
    if ("=" in answer) != ("=" in other):
        answer, other = _NAMED.sub("{", answer), _NAMED.sub("{", other)
    return bool(answer_latex) and answer == other


def _simple(text: str) -> str:
    return _LEFT_OUT.sub("", text.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac"))


def plainly(text: str) -> str:
    """Return the text in NFKC without white space and unescaped dollar signs, to compare texts without parsing them."""
    return re.sub(r"\s+|(?<!\\)\$", "", normal("NFKC", text))


def _last_box(text: str) -> str | None:
    places = [match.end() for match in _BOX.finditer(text)]
    for place in reversed(places[-20:]):
        content = boxed(text, place)
        if content is not None and content.strip():
            return content.strip()
    return None


def _in_box(content: str) -> str:
    content = _BARE_FRACTION.sub(r"\\frac{\1}{\2}", content)
    if number := _NUMBER_IN_TEXT.fullmatch(content.strip()):
        content = number[1] + (f"\\text{{{number[2]}}}" if number[2] else "")
    return f"$\\boxed{{{_unicode(content)}}}$"


def _unicode(text: str) -> str:
    if text.isascii():
        return text
    text = _SUPERSCRIPT.sub(lambda match: "^{" + normal("NFKC", match[1]).replace("\u2212", "-") + "}", text)
    text = normal("NFKC", _ROOT.sub(r"\\sqrt{\1}", text))
    # NFKC writes vulgar fractions with a fraction slash.
    text = re.sub(r"(\d+)\u2044(\d+)", r"\\frac{\1}{\2}", text)
    return text.translate(_INSTEAD)
