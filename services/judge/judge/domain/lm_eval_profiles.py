"""Score answers as lm-eval does, with its filters and its normalisation, for comparison with published results.

Source: lm-eval 0.4.13 (MIT): `tasks/gsm8k/gsm8k.yaml`, `tasks/mmlu/`, `filters/extraction.py`, `api/metrics.py`.
lm-eval compares text: "72.0" differs from "72", and it knows no tolerances or units.
"""

import re
import string
import unicodedata
from collections.abc import Sequence

INVALID = "[invalid]"
_STRICT = re.compile(r"#### (\-?[0-9\.\,]+)")
_FLEXIBLE = re.compile(r"(-?[$0-9.,]{2,})|(-?[0-9]+)")
_IN_BRACKETS = re.compile(r"(\([A-Z]\))")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def gsm8k_strict(answer: str) -> str:
    """Return the number after the first "#### ", else `INVALID` (lm-eval's filter `strict-match`)."""
    match = _STRICT.search(answer)
    return str(match[1]).strip() if match else INVALID


def gsm8k_flexible(answer: str) -> str:
    """Return the last run of digits, dollars, points and commas, else `INVALID` (lm-eval's filter `flexible-extract`)."""
    matches = [each[0] for each in _FLEXIBLE.finditer(answer)]
    return matches[-1].strip() if matches else INVALID


def gsm8k_normal(text: str) -> str:
    """Normalise an answer or a reference of GSM8K, as `regexes_to_ignore` and `ignore_case` of lm-eval's task `gsm8k`
    do."""
    text = text.replace(",", "").replace("$", "")
    # The ignored pattern `(?s).*#### ` removes all text up to the last "#### ".
    text = text.rpartition("#### ")[2]
    return re.sub(r"\.$", "", text).lower()


def mmlu_flan_cot(answer: str, choices: Sequence[str]) -> str:
    """Return the chosen letter as "(B)", as the filter `flexible-extract` of `mmlu_flan_cot_zeroshot` does.

    It is the last letter in brackets, else that of the last option whose text occurs, else the last letter after a
    colon. The result is `INVALID` if there is none. `choices` are the texts of the options A, B and so on.
    """
    matches: list[str] = _IN_BRACKETS.findall(answer)
    if matches:
        return matches[-1]
    letters = {
        _ignored(text.strip()): f"({letter})" for letter, text in zip(string.ascii_uppercase, choices, strict=False)
    }
    if letters:
        any_choice = "|".join(sorted((re.escape(text) for text in letters), key=len, reverse=True))
        choices_found = re.findall(any_choice, _ignored(answer))
        if choices_found and choices_found[-1].strip():
            return letters.get(choices_found[-1].strip(), str(choices_found[-1]).strip())
    any_letter = "|".join(string.ascii_uppercase[: len(choices)])
    after = re.findall(rf":[\s]*({any_letter})", answer) if choices else []
    return f"({after[-1]})" if after else INVALID


def mmlu_generative(answer: str) -> str:
    """Return the first line of the answer, stripped, as the filter `get_response` of `mmlu_generative` does."""
    return answer.partition("\n")[0].strip()


def mmlu_normal(text: str) -> str:
    """Return the text in lower case without ASCII punctuation, as lm-eval's `ignore_case` and `ignore_punctuation`
    do."""
    return text.lower().translate(_NO_PUNCTUATION)


def _ignored(text: str) -> str:
    return "".join(char for char in text.lower() if not unicodedata.category(char).startswith("P"))
