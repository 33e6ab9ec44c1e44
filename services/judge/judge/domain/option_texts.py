"""Recognise a question's options by their texts in an answer."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from judge.domain.choice_patterns import (
    AFTERTHOUGHT,
    ALL_ABOVE,
    ALSO_NAMED,
    BOTH,
    BRACKETED_TEXT,
    CLAUSE,
    CLOSE,
    CONCLUDES,
    DENIED_REST,
    ENDS_THERE,
    FILLER,
    INSTEAD_OF,
    IS_NOT,
    IS_WHAT,
    LABELLED,
    LATIN,
    NTH,
    NTH_OPTION,
    NUMBERED_OPTION,
    OPEN,
    SENTENCE,
    SINCE_SO,
    TEXT_NOT,
    WRAP,
)
from judge.domain.final_number import read
from judge.domain.number_reading import HEDGED as SEVERAL
from judge.domain.number_reading import NumberOptions
from judge.domain.number_statement import read_complete
from judge.domain.numbers import Number
from judge.domain.plain_text import plain
from judge.domain.question_words import content_words
from judge.domain.same_number import NumberRules, near
from judge.domain.simplified import normal


@dataclass(frozen=True)
class Choice:
    """The options that a text chooses, by their letters, and the name of the rule that found them.

    `letters` is empty if the text chooses nothing, or leaves open which option it means.
    """

    letters: frozenset[str]
    rule: str

    @property
    def text(self) -> str | None:
        return ", ".join(sorted(self.letters)) or None


NONE = Choice(frozenset(), "none")
HEDGED = Choice(frozenset(), "several left open")
NAMED_CHARS = 200_000


class OptionTexts:
    """Finds the texts of a question's options in an answer.

    `letters` are the options' letters, in order; `texts` maps letters to texts, and may be empty. `asked` has the
    content words of the question. `for_wrong` says that the question asks for a wrong option.
    """

    def __init__(self, letters: str, texts: Mapping[str, str], asked: set[str], *, for_wrong: bool) -> None:
        self._for_wrong = for_wrong
        self._letters = letters
        self._asked = asked
        either = re.escape(letters + letters.lower())
        self._any_letter = re.compile(rf"{OPEN}([{either}])(?![{LATIN}'’^]|-\w){CLOSE}")
        self._capital = re.compile(rf"(?<![{LATIN}'’-])([{re.escape(letters)}])(?![{LATIN}'’^]|-\w)")
        self._only = re.compile(rf"[{WRAP}]*([{either}])[{WRAP}]*")
        self._bracketed = re.compile(rf"[(\[]\s?([{re.escape(letters)}])\s?[)\]]")
        self._texts = {letter: stripped(text) for letter, text in texts.items() if stripped(text)}
        self._groups = {group: letter for letter, text in texts.items() if (group := self._group_of(letter, text))}
        # The longest text first: "Guilty of Romance" before "Guilty".
        unique = sorted(set(self._texts.values()), key=len, reverse=True)
        self._any_text = re.compile("|".join(_bounded(text) for text in unique), re.IGNORECASE) if unique else None
        self._numbers = _numbers_of_options(self._texts)
        if self._numbers:
            self._any_text = None  # "4" is in "1/4": numbers are compared by value

    def _group_of(self, letter: str, text: str) -> frozenset[str]:
        """Return the letters that an option like "Both A and B" or "All of the above" stands for. For other options the
        set is empty."""
        if ALL_ABOVE.fullmatch(text.strip()):
            group = frozenset(self._letters[: self._letters.find(letter)])
        elif BOTH.fullmatch(text.strip()):
            group = frozenset(re.findall(r"\b[A-Z]\b", text)) & frozenset(self._letters)
        else:
            return frozenset()
        return group if len(group) > 1 else frozenset()

    def as_option(self, choice: Choice) -> Choice:
        """Replace the choice of several letters with the option that means all of them: "Both A and B" may be option C.

        Any other choice is returned unchanged.
        """
        meant = self._groups.get(choice.letters)
        return Choice(frozenset(meant), choice.rule) if meant else choice

    def only(self, text: str) -> Choice | None:
        text = _without_asides(text)
        if found := self._only.fullmatch(text[:200]) if len(text) <= 200 else None:
            return Choice(frozenset(found[1].upper()), "only")
        if len(text) > 200:
            return None
        if nth := NTH_OPTION.fullmatch(text):
            place = self._place(nth[1].lower())
            return Choice(frozenset(self._letters[place : place + 1]), "option's place")
        if (nth := NUMBERED_OPTION.fullmatch(text)) and 0 < int(nth[1]) <= len(self._letters):
            return Choice(frozenset(self._letters[int(nth[1]) - 1]), "option's place")
        text = INSTEAD_OF.sub("", AFTERTHOUGHT.sub("", text)).rstrip("? ")
        begin = FILLER.match(text)
        if found := self._only.fullmatch(text, begin.end() if begin and text[begin.end() :][:1].isupper() else 0):
            return Choice(frozenset(found[1].upper()), "only")
        alternatives = [part.strip(" ()[].*\"'") for part in re.split(r"\s(?:or|oder|ou|或)\s", text)]
        if len(alternatives) > 1 and all(len(part) == 1 and part.upper() in self._letters for part in alternatives):
            return HEDGED
        bare = re.sub(r"\A(?:[Bb]oth|[Ee]ither)\s(?=\W?[A-Z]\W)", "", text.strip(" \n\t.*_()[]{}\"'"))
        if stripped(bare) in self._texts.values():
            return None
        if re.fullmatch(rf"[{re.escape(self._letters)}]{{2,}}", bare) and len(set(bare)) == len(bare):
            return Choice(frozenset(bare), "only")
        parts = re.split(r"\s*(?:,\s*and\b|,|;|\b(?:and|und|et)\b|&|\+|、|和|と|/|\s)\s*", bare)
        parts = [part.strip("()[]\"'. ") for part in parts if part]
        if 1 < len(parts) == len(set(parts)) and all(
            len(part) == 1 and part.upper() in self._letters for part in parts
        ):
            return Choice(frozenset(part.upper() for part in parts), "only")
        return None

    def _place(self, word: str) -> int:
        if word == "last":
            return len(self._texts or self._letters) - 1
        return int(word[:-2]) - 1 if word[0].isdigit() else NTH.index(word)

    def by_option_text(self, text: str) -> Choice | None:
        answer_text = stripped(text)
        same = [letter for letter, option_value in self._texts.items() if option_value == answer_text]
        if len(same) == 1:
            return Choice(frozenset(same), "option text")
        several = self._several_texts(text) if not same else set()
        return Choice(frozenset(several), "option text") if len(several) > 1 else None

    def numbered(self, text: str, question: str) -> Choice | None:
        """Choose the options whose values are the numbers of the answer: 0.25 means the option "1/4".

        Return `HEDGED` if the answer leaves open which number it means. Return `None` unless the options are different
        numbers, and each number of the answer is the value of an option.
        """
        if not self._numbers:
            return None
        reading = read(text, NumberOptions(question=question))
        if reading.shape == "none":
            return HEDGED if reading is SEVERAL else None
        letters = {
            letter
            for number in reading.values
            for letter, option_value in self._numbers.items()
            if near(number, option_value, NumberRules())
        }
        if reading.shape not in ("number", "list") or len(letters) != len(reading.values):
            return None
        return Choice(frozenset(letters), "option named")

    def _several_texts(self, text: str) -> set[str]:
        """Return the letters of several options if `text` only lists their texts, joined by words such as "and".
        Otherwise return an empty set. After the last text, a conclusion like "are prime" may follow if the question,
        too, has the word "prime".

        If "7 and 11" is the text of a single option, the result is this option's letter alone.
        """
        found: set[str] = set()
        at = 0
        for _ in range(26):
            option_at = self._text_at(text, at)
            if option_at is None:
                return set()
            found.add(option_at[0])
            rest = text[option_at[1] : option_at[1] + 60]
            are = IS_WHAT.match(rest) if len(found) > 1 and not self._for_wrong else None
            if are and content_words(are[1]) & self._asked:
                rest = rest[are.end() :]
            if not rest.strip(" .!*\n\t"):
                return found
            joint = ALSO_NAMED.match(text, option_at[1])
            if joint is None:
                return set()
            at = joint.end()
        return set()

    def _past_text(self, text: str, end: int) -> int:
        """Return the position after the option's text that follows a letter, such as "Paris" in "B) Paris or C)
        Berlin".

        The letter ends at `end`. If no option's text follows it, return `end`.
        """
        found = re.match(r"[)\].:]?\s{0,2}", text[end : end + 4])
        option_at = self._text_at(text, end + (found.end() if found else 0))
        return option_at[1] if option_at else end

    def named(self, text: str) -> Choice | None:
        if self._any_text is None:
            return None
        first = self._text_at(text, 0)
        if first and ENDS_THERE.match(text[first[1] : first[1] + 20]):
            return Choice(frozenset(first[0]), "option text")
        equals = text.rfind("=")
        result = self._text_at(text, equals + 1) if equals >= 0 else None
        if result and not text[result[1] : result[1] + 40].strip(" .!*)\n"):
            return Choice(frozenset(result[0]), "option named")
        everywhere = self._mentions(text)
        if len(everywhere) == 1:
            return Choice(frozenset(everywhere), "option named")
        sentences = [part for part in SENTENCE.split(text) if part.strip()]
        for part in reversed(sentences):
            if CONCLUDES.search(part) and (mentioned := self._mentions(part)):
                ends = [each.end() for each in SINCE_SO.finditer(part)]
                since = self._mentions(part[ends[-1] :]) if ends and len(mentioned) > 1 else set()
                mentioned = since or mentioned
                return Choice(frozenset(mentioned), "option named") if len(mentioned) == 1 else None
        return self._named_where_asked(sentences) if everywhere else None

    def _named_where_asked(self, sentences: list[str]) -> Choice | None:
        if not self._asked:
            return None
        shares: dict[str, float] = {}
        for part in sentences[:500]:
            mentioned = self._mentions(part)
            if len(mentioned) == 1:
                share = len(self._asked & content_words(part)) / len(self._asked)
                letter = mentioned.pop()
                shares[letter] = max(share, shares.get(letter, 0))
        ordered = sorted(shares, key=lambda letter: shares[letter], reverse=True)
        if not ordered or shares[ordered[0]] < 0.6 or (len(ordered) > 1 and shares[ordered[1]] == shares[ordered[0]]):
            return self._named_in_a_clause(sentences)
        return Choice(frozenset(ordered[0]), "option named")

    def _named_in_a_clause(self, sentences: list[str]) -> Choice | None:
        """Return the option named in the clause that clearly shares the most words with the question, or `None`.

        An example is a question about the gas that plants give off. The answer "Plants take in carbon dioxide and give
        off oxygen" names oxygen.
        """
        shares: dict[str, float] = {}
        for part in sentences[:200]:
            for clause in CLAUSE.split(part[:1_000]):
                mentioned = self._mentions(clause)
                if mentioned and len(clause.split()) < 3:
                    return None
                if len(mentioned) == 1:
                    share = len(self._asked & content_words(clause)) / len(self._asked)
                    letter = mentioned.pop()
                    shares[letter] = max(share, shares.get(letter, 0))
        ordered = sorted(shares, key=lambda letter: shares[letter], reverse=True)
        if len(ordered) < 2 or shares[ordered[0]] < 0.4 or shares[ordered[1]] * 2 > shares[ordered[0]]:
            return None
        return Choice(frozenset(ordered[0]), "option named")

    def _mentions(self, text: str) -> set[str]:
        """Return the letters of the options whose texts occur in `text` without a negation."""
        if self._any_text is None:
            return set()
        found: set[str] = set()
        for each in self._any_text.finditer(text):
            denied = not self._for_wrong and IS_NOT.match(text, each.end())
            if not denied and not TEXT_NOT.search(text[max(0, each.start() - 40) : each.start()]):
                found |= self._letters_of(each[0])
        return found

    def _text_at(self, text: str, start: int) -> tuple[str, int] | None:
        if self._any_text is None:
            return None
        skipped = re.compile(r"[\s\"'“*(:-]*(?:(?:the|an?)\s(?=\S))?", re.IGNORECASE)
        # Try the text with its article first: an option's own text may be "A monoid".
        for begin in (re.compile(r"[\s\"'“*(:-]*").match(text, start), skipped.match(text, start)):
            assert begin is not None
            found = self._any_text.match(text, begin.end())
            letters = self._letters_of(found[0]) if found else set()
            if found and len(letters) == 1:
                return letters.pop(), found.end()
        return None

    def _letters_of(self, answer_text: str) -> set[str]:
        bare = stripped(answer_text)
        return {letter for letter, text in self._texts.items() if text == bare}


def _without_asides(text: str) -> str:
    """Remove from a short answer a leading label such as "Answer:", texts in brackets, and an end that rules options
    out, such as ", not B". An answer of more than 200 characters stays unchanged."""
    if len(text) > 200:
        return text
    text = BRACKETED_TEXT.sub("", text)
    text = DENIED_REST.sub("", text)
    label = LABELLED.match(text)
    return text[label.end() :] if label else text


LEADS = set(
    "option choice letter answer therefore so thus hence and or that is only clearly statement think "
    "believe because but "
    "both then since say while as whereas however either also select choose pick not neither nor if "
    "conclude know see shows "
    "means mean yes no correct 选项 here number".split()
)


def stripped(text: str) -> str:
    text = " ".join(normal("NFKC", text).replace("$", "").casefold().split())
    return text.strip(" .,;:!*_`\"'()[]") or text


def _numbers_of_options(texts: Mapping[str, str]) -> dict[str, Number]:
    """Return the options as numbers by letter if all of them are different numbers, else an empty dict."""
    readings = {letter: read_complete(plain(text), NumberOptions()) for letter, text in texts.items()}
    found = {
        letter: reading.values[0]
        for letter, reading in readings.items()
        if reading is not None and reading.shape == "number"
    }
    if len(found) < max(2, len(texts)):
        return {}
    values = [*found.values()]
    has_duplicates = any(near(left, right, NumberRules()) for left, right in combinations(values, 2))
    return {} if has_duplicates else found


def _bounded(text: str) -> str:
    """Return a pattern that matches the text as complete words. In scripts without word boundaries, such as Chinese, it
    matches the text anywhere."""
    body = r"\s+".join(re.escape(word) for word in text.split())
    left = r"(?<![\w])" if _wordy(text[0]) else ""
    if text == "no":  # "no idea", "no doubt"
        return rf"{left}no(?=\s*(?:[.,;:!?)\]\"'*”’–—-]|\n|\Z))(?!,? doubt)"
    right = r"(?![\w]|[.,]\d)" if _wordy(text[-1]) else ""
    return f"{left}{body}{right}"


def _wordy(char: str) -> bool:
    return char.isalnum() and unicodedata.east_asian_width(char) not in ("W", "F")
