"""Normalise digits, signs, fractions and LaTeX, so that numbers can be read from a text.

Every step takes linear time, because models write the text.
"""

import re
import unicodedata

from judge.domain.simplified import normal

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TO_DIGITS = str.maketrans(_SUPERSCRIPTS + "⁻⁺", "0123456789-+")
_SIGNS = str.maketrans(
    {
        "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": " - ", "\ufe63": "-",
        "\uff0d": "-", "\u066b": ".", "\u066c": ",", "\u066a": "%", "\u2044": "/", "\u2215": "/", "÷": "/",
        "\u22c5": "×", "\u00b7": "×", "\u2217": "*", "\u2019": "'", "。": ". ", "、": ", ", "\u200b": "", "\u200c": "",
        "\u200d": "", "\u200e": "", "\u200f": "", "\u2060": "", "\ufeff": "", "\u061c": "", "؟": "? ",
    }
)  # fmt: skip
_EXPONENT = re.compile(rf"(?<=[\d)A-Za-z])[⁻⁺]?[{_SUPERSCRIPTS}]{{1,6}}")
_VULGAR = re.compile(r"(\d?)\s?([\u00bc-\u00be\u2150-\u215e])")
_NUMBER = r"[+-]?\d[\d.,]{0,40}"
_FRACTION = re.compile(rf"(\d?)\s?\\[dtc]?frac\s?(?:\{{\s?({_NUMBER})\s?\}}|(\d))\s?(?:\{{\s?({_NUMBER})\s?\}}|(\d))")
_DOLLARS = re.compile(r"\$\$|\$(?=[^\s$])((?:\\\$|\\[^$\n]|[^$\\\n]){1,300})(?<=\S)\$(?!\d)")
_LATEX: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\\(?:text\w{0,4}|math\w{1,4}|mbox|operatorname)\s?\{([^{}]{0,200})\}"), r" \1 "),
    (re.compile(r"\\(?:times|cdot)(?![A-Za-z])"), "×"),
    (re.compile(r"\\(?:approx|simeq|sim)(?![A-Za-z])"), "≈"),
    (re.compile(r"\\pm(?![A-Za-z])"), "±"),
    (re.compile(r"\\(?:ge|geq|le|leq|ne|neq)(?![A-Za-z])"), "≠"),
    (re.compile(r"\\(?:left|right|displaystyle|quad|qquad|bigl?|bigr?)(?![A-Za-z])"), " "),
    (re.compile(r"\^?\s?(?:\{\s?\\circ\s?\}|\\circ(?![A-Za-z])|\\degree(?![A-Za-z]))"), "°"),
    (re.compile(r"\^\{\s?([+-]?\d{1,6})\s?\}"), r"^\1"),
    (re.compile(r"(?<=\d)\{,\}(?=\d)"), ","),
    (re.compile(r"(?<=\d)\\,(?=\d{3})"), ","),
    (re.compile(r"\\!"), ""),
    (re.compile(r"\\[,;:> ]"), " "),
    (re.compile(r"\\([%$#&_{}])"), r"\1"),
    (re.compile(r"\\[()\[\]]"), " "),
    (re.compile(r"\\\\"), "\n"),
)
_MARKDOWN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"~~[^~\n]{0,200}~~"), " "),
    (re.compile(r"(?<!\d)\*\*|\*\*(?!\d)|`|__"), ""),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*(])"), ""),
    (re.compile(r"<<[^<>\n]{0,200}>>"), ""),
    (re.compile(r"</?(?:b|i|em|strong|u|sup|sub|p|br|div|span)\s?/?>", re.IGNORECASE), ""),
)
_THOUGHTS = re.compile(
    r"<(think|thinking|thought|reasoning|analysis|scratchpad)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE
)
_END_OF_THOUGHTS = re.compile(r"</(?:think|thinking|thought|reasoning|analysis|scratchpad)>", re.IGNORECASE)


_SIGN_WORD = re.compile(
    r"(?P<before>(?:\A|[:=≈(,;]|\b(?:is|are|was|were|be|equals?|to|of|at|by|between|from|and|about|approximately|exactly|around|gives?|gets?|"
    r"makes?|answer|result|ist|est|es|è|é|beträgt))[\s*_]{0,4})(?:minus|negative|moins|menos)\s(?=[$€£]?\.?\d)"
    r"|(?<!\w)negative\s(?=[$€£]?\.?\d)",
    re.IGNORECASE,
)
_BELOW_ZERO = re.compile(
    r"(?<![\w.,-])(\d{1,6}(?:\.\d{1,6})?\s?(?:°|degrees?)?(?:\s?(?:C|F|Celsius|Fahrenheit)\b)?)\sbelow\s(?:zero|0)\b",
    re.IGNORECASE,
)
_MEASURED = "(hour|minute|day|week|month|year|mile|metre|meter|litre|liter|pound|cup|dozen)"
_ONE_AND_A_HALF = re.compile(rf"(?<!\w)(?:an?|one)\s{_MEASURED}\sand\sa\shalf(?!\w)", re.IGNORECASE)
_HALF_OF_ONE = re.compile(rf"(?<!\w)(?<!and a )(?:a\s)?half\s(?:of\s)?an?\s{_MEASURED}(?!\w)", re.IGNORECASE)
_PROGRAM = re.compile(
    r"```(?:python|py|javascript|js|java|cpp|c|r|julia|sql|bash|sh|ruby|go|rust)\b[^`]*```", re.IGNORECASE
)


_CHAT_TOKEN = re.compile(r"<\|[\w-]{1,40}\|>|</s>\s*\Z|<(?:eos|end_of_turn)>\s*\Z")


def without_programs(text: str) -> str:
    """Return the text without fenced programs, if numbers remain: a program is not the answer."""
    if "```" not in text:
        return text
    rest = _PROGRAM.sub("\n", text)
    return rest if any(char.isdecimal() for char in rest) else text


def without_thoughts(text: str) -> str:
    """Return the text without reasoning between tags.

    Text after a tag that never closes is reasoning, too: the answer was cut off before it began.
    """
    if "<" not in text:
        return text
    text = _CHAT_TOKEN.sub(" ", text)
    ends = list(_END_OF_THOUGHTS.finditer(text))
    # Some chat templates put the opening tag into the prompt, so only the closing one is in the answer.
    rest = text[ends[-1].end() :] if ends else text
    return _THOUGHTS.sub(" ", rest)


def plain(text: str) -> str:
    """Return the text with ASCII digits, signs, fractions and exponents, and without markup."""
    if not text.isascii():
        text = _EXPONENT.sub(lambda match: "^" + match[0].translate(_TO_DIGITS), text.translate(_SIGNS))
        text = _VULGAR.sub(_plain_vulgar, text)
        text = normal("NFKC", text).translate(_SIGNS)
        if not text.isascii():
            text = "".join(_digit(char) if char.isdecimal() else char for char in text)
    if "$" in text:
        text = _DOLLARS.sub(lambda match: f" {match[1] or ''} ", text)
    if "\\" in text or "{" in text:
        text = _FRACTION.sub(_plain_fraction, text)
        for pattern, instead in _LATEX:
            text = pattern.sub(instead, text)
    for pattern, instead in _MARKDOWN:
        text = pattern.sub(instead, text)
    return _with_signs_and_halves(text)


def _with_signs_and_halves(text: str) -> str:
    """Replace "minus 7", "5 degrees below zero", "an hour and a half" by digits."""
    text = _SIGN_WORD.sub(lambda match: f"{match['before'] or ''}-", text)
    text = _BELOW_ZERO.sub(r"-\1", text)
    return _HALF_OF_ONE.sub(r"0.5 \1", _ONE_AND_A_HALF.sub(r"1.5 \1s", text))


def _as_fraction(char: str) -> str:
    return unicodedata.normalize("NFKC", char).replace("\u2044", "/")


def _digit(char: str) -> str:
    return str(unicodedata.decimal(char))


def _plain_vulgar(match: re.Match[str]) -> str:
    signed = not match[1] and match.string[match.start() - 1 : match.start()] in ("-", "+")
    return f"{match[1]}{'' if signed else ' '}{_as_fraction(match[2])}"


def _plain_fraction(match: re.Match[str]) -> str:
    above, below = match[2] or match[3], match[4] or match[5]
    return f"{match[1]} {above}/{below}" if match[1] else f"{above}/{below}"
