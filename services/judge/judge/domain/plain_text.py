"""Normalise a model's text before numbers or option letters are read from it.

The text is untrusted, so every step takes linear time.
"""

import html
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
    (re.compile(r"(?<=[\d)])<sup>\s?([+-]?\d{1,6})\s?</sup>", re.IGNORECASE), r"^\1"),
    (re.compile(r"</?(?:b|i|em|strong|u|sup|sub|p|br|div|span)\s?/?>", re.IGNORECASE), ""),
)
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,6}|#x[0-9A-Fa-f]{1,5});")
_MINUS_AND_SPACE = re.compile(r"(?<![\w)\]}%°$€£])(?<![\w)\]}%°$€£]\s)\u2212\s(?=[$€£]?\d)")
_REPEATING = re.compile(r"(?<![\d.,])(\d{0,9})\.(\d{0,9})\\(?:overline|bar)\s?\{\s?(\d{1,9})\s?\}")
_HOURS_MINUTES = re.compile(
    r"(?<![\w.,])(\d{1,4})\s?h(?:rs?|ours?)?\s?(\d{1,2})\s?m(?:in(?:ute)?s?)?\b(?:\s?(\d{1,2})\s?s(?:ec(?:ond)?s?)?\b)?",
    re.IGNORECASE,
)
_FEET_INCHES = re.compile(
    r"(?<![\w.,])(\d{1,3})\s?(?:ft\b\.?|feet|foot|['\u2032])\s?(\d{1,2}(?:\.\d{1,3})?)"
    r"(?:\s?(?:\"|\u2033|\u201d|''|in\b(?!\s\w)|inch(?:es)?\b)|(?=[\s.]*\Z))",
    re.IGNORECASE,
)
_ZERO = re.compile(r"(?<![\w-])(?<!below )(?<!above )(?<!point )zero(?![\w-])", re.IGNORECASE)


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


def without_programs(text: str) -> str:
    """Return the text without fenced blocks that are marked as program code, such as "```python".

    If no digit would remain, the text is returned unchanged.
    """
    if "```" not in text:
        return text
    rest = _PROGRAM.sub("\n", text)
    return rest if any(char.isdecimal() for char in rest) else text


def plain(text: str) -> str:
    """Return the text with ASCII digits, signs, fractions and exponents, and without LaTeX and Markdown.

    Some phrases are written as numbers with units, such as "minus 7" and "2h30m".
    """
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    if not text.isascii():
        text = _MINUS_AND_SPACE.sub("-", text)
        text = _EXPONENT.sub(lambda found: "^" + found[0].translate(_TO_DIGITS), text.translate(_SIGNS))
        text = _VULGAR.sub(_plain_vulgar, text)
        text = normal("NFKC", text).translate(_SIGNS)
        if not text.isascii():
            text = "".join(_digit(char) if char.isdecimal() else char for char in text)
    if "$" in text:
        text = _DOLLARS.sub(lambda found: f" {found[1] or ''} ", text)
    if "\\" in text or "{" in text:
        text = _REPEATING.sub(_plain_repeating, text)
        text = _FRACTION.sub(_plain_fraction, text)
        for pattern, instead in _LATEX:
            text = pattern.sub(instead, text)
    for pattern, instead in _MARKDOWN:
        text = pattern.sub(instead, text)
    return _with_signs_and_halves(text)


_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0f\ufeff]")
_INLINE_TAG = re.compile(r"</?(?:b|i|em|strong|u|span|code|mark|font|small|big)(?:\s[^<>]{0,100})?>", re.IGNORECASE)
_BLOCK_TAG = re.compile(r"</?(?:p|br|div|li|ul|ol|h[1-6]|center)(?:\s[^<>]{0,100})?/?>", re.IGNORECASE)
_LETTER_SIGNS = {
    code: chr(65 + (code - first) % 32) for first in (0x1F150, 0x1F170) for code in range(first, first + 26)
}


def without_markup(text: str) -> str:
    """Return the text in NFKC, without invisible characters, HTML tags and entities, to read option letters."""
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    if "<" in text:
        text = _BLOCK_TAG.sub("\n", _INLINE_TAG.sub("", text))
    if text.isascii():
        return text
    return normal("NFKC", _INVISIBLE.sub("", text.translate(_LETTER_SIGNS)))


def _with_signs_and_halves(text: str) -> str:
    """Replace "minus 7", "5 degrees below zero", "an hour and a half", "2h30m", "5'10\"" with digits and units."""
    text = _HOURS_MINUTES.sub(_plain_hours, text)
    text = _FEET_INCHES.sub(r"\1 feet \2 inches", text)
    text = _ZERO.sub("0", text)
    text = _SIGN_WORD.sub(lambda found: f"{found['before'] or ''}-", text)
    text = _BELOW_ZERO.sub(r"-\1", text)
    return _HALF_OF_ONE.sub(r"0.5 \1", _ONE_AND_A_HALF.sub(r"1.5 \1s", text))


def _as_fraction(char: str) -> str:
    return unicodedata.normalize("NFKC", char).replace("\u2044", "/")


def _digit(char: str) -> str:
    return str(unicodedata.decimal(char))


def _plain_vulgar(found: re.Match[str]) -> str:
    signed = not found[1] and found.string[found.start() - 1 : found.start()] in ("-", "+")
    return f"{found[1]}{'' if signed else ' '}{_as_fraction(found[2])}"


def _plain_hours(found: re.Match[str]) -> str:
    return f"{found[1]} hours {found[2]} minutes" + (f" {found[3]} seconds" if found[3] else "")


def _plain_repeating(found: re.Match[str]) -> str:
    """Return a repeating decimal in LaTeX as a fraction, such as 0.1\\overline{6} as 15/90."""
    once, again = found[1] + found[2], found[3]
    below = (10 ** len(again) - 1) * 10 ** len(found[2])
    return f"{int(once + again) - int(once or 0)}/{below}"


def _plain_fraction(found: re.Match[str]) -> str:
    above, below = found[2] or found[3], found[4] or found[5]
    return f"{found[1]} {above}/{below}" if found[1] else f"{above}/{below}"
