"""Find markers that announce an answer in a text: "####", a box, "the answer is", a JSON key, a tag.

The readers of numbers, mathematical expressions and option letters share this module. The time is linear in the
text's length.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MOST = 40
"""The maximum number of places to examine for a marker, from the last one backwards."""
_LONGEST_CONTENT = 2_000


@dataclass(frozen=True)
class Marker:
    """A place in a text that announces an answer; `start` is its position, `rule` the name of its kind.

    `contents` are the texts next to it that may be the answer, the shortest first. A `strict` marker ("####") is meant
    to be followed by nothing but the answer.
    """

    rule: str
    start: int
    contents: tuple[str, ...]
    strict: bool = False


_IS = r"(?:is|are|can only be|could only be|has to be|was|would be|should be|must be|will be|equals|comes (?:out )?to|turns out to be|becomes)"
_ANSWER = re.compile(
    r"(?<![A-Za-z])(?<!\bwrong )(?<!\bincorrect )(?<!\bnaive )(?:answer|final (?:result|value|total))s?(?![A-Za-z])"
    rf"(?:\s(?:to|for)\s[^.:\n]{{1,120}}?)?[\s*_`\"'”)\]]{{0,8}}(?:(?<!\w){_IS}\b[\s*_]{{0,4}}:?|:|：|=|->|→|⇒)",
    re.IGNORECASE,
)
_ANSWER_ELSEWHERE = re.compile(
    r"(?:最终|正确|最后)?(?:的)?答案(?:应该|应)?(?:是|为|為|选|選|：|:)+|正解(?:は|：|:)|(?:答え|回答)(?:は|：|:)|정답(?:은|:)|답(?:은|:)"
    r"|\bAntwort\b[\s*_]{0,4}(?:ist|lautet|:)|\bréponse\b[^.:\n]{0,30}?(?:\best\b|:)|"
    r"\brespuesta\b[^.:\n]{0,30}?(?:\bes\b|:)"
    r"|\brisposta\b[^.:\n]{0,30}?(?:\bè|:)|\bresposta\b[^.:\n]{0,30}?(?:\bé|:)|\bответ\b[\s*_]{0,4}(?:[:—-]|это)?"
    r"|\bantwoord\b[^.:\n]{0,30}?(?:\bis\b|:)|\bodpowiedź\b[^.:\n]{0,30}?(?:\bto\b|\bjest\b|:)"
    r"|\bodpověď\b[^.:\n]{0,30}?(?:\bje\b|:)|\bsvar(?:et)?\b[^.:\n]{0,30}?(?:\bär\b|\ber\b|:)|\bcevap\b(?:\s?:|(?=\s\W?[A-Z]\b))"
    r"|\bđáp án\b[^.:\n]{0,30}?(?:\blà\b|:)|\bjawaban\w{0,3}\b[^.:\n]{0,30}?(?:\badalah\b|:)|ค(?:ำ|\u0e4d\u0e32)ตอบ[^.:\n]{0,30}?(?:คือ|:)|उत्तर(?:\s?:|(?=\s\W?[A-Z]\b))"
    r"|(?:الجواب|الإجابة)[^.:\n]{0,30}?(?:هو|هي|:)",
    re.IGNORECASE,
)
_JSON_KEY = re.compile(
    r"\"(?:final_answer|finalAnswer|result|value|output|number|total|solution|choice|letter|option|"
    r"prediction|label)\""
    r"\s{0,8}:",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^[#*_ \t]{0,10}(?:the )?(?:final )?answer[*_: \t]{0,10}$", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(r"<(answer|final_answer|final|result)>", re.IGNORECASE)
_HASHES = re.compile(r"####+[ \t]{0,8}")
_BOX = re.compile(r"\\(?:boxed|fbox)\s?(?=[{\d(])")
_IS_THE_ANSWER = re.compile(
    r"(?<!\w)(?:is|being|as) (?:the|our|my) (?:final |correct |right |best )?(?:answer|choice|"
    r"option)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z|[\"')*])|[。！？]")
_DENIED = re.compile(r"[^.!?\n]{1,60}\?\s(?:no|nope|wrong|nein|non)\b[\s,.:!;–—-]{0,4}(?=\S)", re.IGNORECASE)
"""A proposal that is rejected at once: "The answer is 43? No, 42"."""
CORRECTION = re.compile(
    r"(?<![A-Za-z])(?:wait|correction|scratch that|let me correct|let me fix|i (?:made|see) (?:a|an|"
    r"my) (?:mistake|error)|"
    r"i was wrong|that'?s (?:wrong|not right|incorrect)|on second thoughts?|actually,? no|no,? actually|oops|sorry,|"
    r"(?<=\.\. )no,|(?<=… )no,|actually,(?=\s\W?\d)|"
    r"(?:up)?on (?:further |closer |second )?(?:reflection|inspection|thought)|my (?:mistake|bad)|"
    r"no,? wait|hold on|I correct myself|moment mal|korrektur|等等|不对)(?![A-Za-z])",
    re.IGNORECASE,
)


def markers(text: str) -> Iterator[Marker]:
    """Yield the markers in `text`, the places that announce an answer, from the last to the first.

    Only the last `_MOST` places that look like a marker are examined. An unreadable LaTeX box is skipped.
    """
    positions: list[tuple[int, int, str]] = []
    for pattern, rule in (
        (_ANSWER, "marker:answer"),
        (_ANSWER_ELSEWHERE, "marker:answer"),
        (_JSON_KEY, "marker:json"),
        (_HEADING, "marker:answer"),
        (_TAG, "marker:tag"),
        (_HASHES, "marker:####"),
        (_BOX, "boxed"),
        (_IS_THE_ANSWER, "marker:is the answer"),
    ):
        positions += [(each.start(), each.end(), rule) for each in pattern.finditer(text)]
    positions.sort(reverse=True)
    for start, end, rule in positions[:_MOST]:
        contents = _contents(text, start, end, rule)
        if contents:
            yield Marker(rule, start, contents, strict=rule == "marker:####")


def _contents(text: str, start: int, end: int, rule: str) -> tuple[str, ...]:
    if rule == "boxed":
        content = boxed(text, end)
        return () if content is None else (content,)
    if rule == "marker:is the answer":
        before = text[max(0, start - 120) : start]
        ends = [match.end() for match in _SENTENCE_END.finditer(before)]
        return (before[ends[-1] if ends else 0 :].rpartition("\n")[2],)
    rest = text[end : end + _LONGEST_CONTENT]
    if rule == "marker:tag":
        return (rest.partition("</")[0],)
    line, _, below = rest.partition("\n")
    if rule == "marker:####":
        return (line,)
    if not line.strip(" \t*_`:$[(\\{"):
        line = next((candidate for candidate in below.split("\n") if candidate.strip(" \t*_`:$[]()\\{}")), "")
    if rule == "marker:json":
        return (re.split(r"[,}](?!\d)", line, maxsplit=1)[0],)
    if denied := _DENIED.match(line):
        line = line[denied.end() :]
    sentence = _SENTENCE_END.search(line.lstrip(" \t*_`:"))
    narrow = line.lstrip(" \t*_`:")[: sentence.start()] if sentence else line
    return (narrow, line) if narrow != line else (line,)


def boxed(text: str, brace: int) -> str | None:
    """Return the content of a LaTeX box: the text in the braces that open at the index `brace`. If no brace opens
    there, return the word that begins there.

    Return `None` if there is neither, or if the braces do not close within `_LONGEST_CONTENT` characters.
    """
    if text[brace : brace + 1] != "{":
        short = re.match(r"[\w.,/-]{1,40}", text[brace : brace + 40])
        return short[0] if short else None
    depth = 0
    for place, char in enumerate(text[brace : brace + _LONGEST_CONTENT]):
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return text[brace + 1 : brace + place]
    return None
