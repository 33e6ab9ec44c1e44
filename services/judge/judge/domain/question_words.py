"""Find the words in a question that say what it asks for, such as a period of time or a count."""

import re

_COMMON = set(
    "a an the of in on at to for from by with and or is are was were be been do does did how many much "
    "what which who "
    "whom when where why if then that this these those it its he she they we you i his her their our your "
    "will would can "
    "could should has have had as per each every not no so than there please answer number".split()
)
_COUNT = re.compile(r"\bhow (?:many|old|long|far|tall|often)\b", re.IGNORECASE)
_SHARE = re.compile(
    r"%|percent|per cent|\b(?:share|rate|proportion|fraction|probability|chance|portion)", re.IGNORECASE
)
_PERIOD_OF = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
    "hourly": "hour",
}
_PERIOD = re.compile(
    r"(?<!\w)(?:(?:a|per|each|every)\s|/\s?)?(daily|weekly|monthly|yearly|annual|hourly|(?<=\w\s)(?:day|week|month|year|hour))"
    r"(?!\w)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]{2,30}")


def asked_words(text: str) -> set[str]:
    """Return the content words of the last question in `text` or, if it has no question, of its last sentence."""
    parts = [part for part in re.split(r"(?<=[.?!])\s+|\n+", text[-4_000:]) if part.strip()]
    questions = [part for part in parts if "?" in part] or parts[-1:]
    return content_words(questions[-1]) if questions else set()


def content_words(text: str) -> set[str]:
    """Return the words of the text's first 4,000 characters, in lower case and without common endings.

    Function words such as "the" are left out.
    """
    return {_short(word) for word in _WORDS.findall(text[:4_000].lower()) if word not in _COMMON}


def last_sentence(question: str) -> str:
    return re.split(r"[.!]\s", question[-1_000:].strip())[-1]


def periods(text: str) -> set[str]:
    """Return the periods of time to which the text refers: "daily", "per day" and "every day" all give "day"."""
    return {_PERIOD_OF.get(match[1].lower(), match[1].lower()) for match in _PERIOD.finditer(text)}


def asks_for_a_count(question: str) -> bool:
    """Return whether the question asks for a number of things or units ("how many", "how old"), and not for a share."""
    question = question[-4_000:]
    return bool(_COUNT.search(question)) and not _SHARE.search(question)


def _short(word: str) -> str:
    for ending in ("ing", "ies", "ed", "es", "s", "e"):
        if len(word) > len(ending) + 2 and word.endswith(ending):
            return word[: -len(ending)]
    return word
