"""Which letter of a multiple-choice question an answer chooses."""

import re
from collections.abc import Mapping

_WRAP = r"[\s*_`(\[{\"'“”.:)\]}]*"


def chosen_letter(answer: str, letters: str, texts: Mapping[str, str]) -> tuple[str | None, str]:
    """The letter and how it was told, tried in this order:

    `only`: the answer is the letter, whatever stands around it ("(B).").
    `stated`: "the answer is B", "Answer: (B)", "\\boxed{B}"; the last of them, because models change their mind.
    `line`: exactly one line begins like a choice ("B) Paris").
    `single`: exactly one of the letters stands alone as a capital.
    `text`: the text of exactly one choice stands in the answer.
    """
    any_letter = f"[{re.escape(letters)}]"
    if found := re.fullmatch(rf"{_WRAP}({any_letter}){_WRAP}", answer.strip(), re.IGNORECASE):
        return found[1].upper(), "only"
    stated = re.findall(
        rf"\\boxed\{{\s*(?:\\text\{{)?\s*({any_letter})\b"
        rf"|(?i:\b(?:answer|choice|option|antwort|réponse|respuesta|risposta)\b)"
        rf"[\s*_`:=]{{0,8}}(?i:is|ist|est|es|è|would be|should be)?"
        rf"[\s*_`:=(\[\"'“]{{0,8}}({any_letter})(?![\w'\u2019])",
        answer,
    )
    if stated:
        return (stated[-1][0] or stated[-1][1]).upper(), "stated"
    lines = set(re.findall(rf"^[\s*_`>-]{{0,8}}\(?({any_letter})[).:](?=\s|$|\*)", answer, re.MULTILINE))
    if len(lines) == 1:
        return lines.pop(), "line"
    alone = set(re.findall(rf"(?<![\w'\u2019])({any_letter})(?![\w'\u2019])", answer))
    # "A" and "I" are words as well.
    certain = alone - {
        letter for letter in "AI" if not re.search(rf"[(\[*]{letter}[)\]*]|\b{letter}[.)]|\s{letter}$", answer)
    }
    if len(certain) == 1 and not lines:
        return certain.pop(), "single"
    said = answer.casefold()
    named = {letter for letter, text in texts.items() if text.strip() and text.strip().casefold() in said}
    if len(named) == 1 and not alone:
        return named.pop(), "text"
    return None, "none"
