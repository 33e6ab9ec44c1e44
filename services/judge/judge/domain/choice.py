"""Recognise which options an answer chooses, mainly by letter or by the text of an option.

A negated letter ("not B"), an open alternative ("A or maybe B") and a part of a name ("Vitamin B") do not count as a
choice. The time is linear in the answer's length.
"""

import re
from collections.abc import Mapping

from judge.domain.choice_patterns import (
    ACTUALLY,
    ASKS_FOR_WRONG,
    CALLED_WRONG,
    IS_NOT,
    JUDGED_LINE,
    LABEL_IN_LINE,
    LINE_CHOICE,
    MARKUP,
    NEGATED_BEFORE,
    REASONED,
    SENTENCE,
    TICKED,
    WHOLE_LINE,
    WRAP,
)
from judge.domain.markers import CORRECTION
from judge.domain.next_question import without_next_question
from judge.domain.option_claims import Claims
from judge.domain.option_texts import NAMED_CHARS, NONE, Choice
from judge.domain.plain_text import without_markup
from judge.domain.question_words import asked_words
from judge.domain.thoughts import without_thoughts


def chosen(answer: str, letters: str, texts: Mapping[str, str], question: str = "") -> Choice:
    """Return the options that the answer chooses, with the rule that found them.

    `letters` are the options' letters, in order. `texts` maps letters to the texts of options, and may be empty. The
    words of `question` help if the answer only mentions options. The result has no letters if the answer chooses
    nothing, or leaves open which option it means. The main rules, in this order:

    - `only`: apart from punctuation, the answer is one letter ("(B).") or several ("A, C").
    - `option text`: the answer is the text of one option.
    - `stated` or `boxed`: "the answer is B", "I choose B", a JSON key, a LaTeX box; the last one counts, because
      models change their mind.
    - `predicate`: "B is correct". `conclusion`: "so B.", "it's B.".
    - `line`: exactly one line begins like a choice ("B) Paris"). `brackets`: exactly one letter in brackets.
    - `option named`: the text of exactly one option occurs in the answer, in its conclusion, or in the sentence that
      has the question's own words.
    """
    answer = without_next_question(without_thoughts(answer)[:NAMED_CHARS], question)
    text = MARKUP.sub("", without_markup(answer)).strip()
    if not text:
        return NONE
    reader = _Reader(letters, texts, asked_words(question), for_wrong=bool(ASKS_FOR_WRONG.search(question[-2_000:])))
    choice = (
        reader.only(text)
        or reader.by_option_text(text)
        or reader.claimed(text)
        or reader.judged(text)
        or reader.corrected(text)
        or reader.listed(text)
        or reader.unless_denied(reader.named(text), text)
        or reader.numbered(answer, question)
        or NONE
    )
    return reader.as_option(choice)


class _Reader(Claims):
    """Reads the choice in an answer, for one set of option letters and option texts."""

    # --- choices that no statement announces ---

    def corrected(self, text: str) -> Choice | None:
        """Return the choice after the last correction ("A. No wait, B."), or `None`."""
        corrections = sorted([*CORRECTION.finditer(text), *ACTUALLY.finditer(text)], key=lambda found: found.start())
        if not corrections:
            return None
        rest = text[corrections[-1].end() :].strip(" ,.:;-!\n")
        return self.only(rest) or self._alone(rest)

    def judged(self, text: str) -> Choice | None:
        """Return the options that the answer marks as correct, if it assesses several options line by line or with
        ticks and crosses. Return `None` for any other answer.

        An example is "A: no" on one line and "B: yes" on the next.
        """
        for pattern in (JUDGED_LINE, TICKED):
            found = [each for each in pattern.finditer(text) if each[1] in self._letters]
            right = {each[1] for each in found if each["yes"]}
            if len({each[1] for each in found}) > 1 and right:
                return Choice(frozenset(right), "judged")
        return None

    def _only_lines(self, text: str) -> Choice | None:
        """Return the options that an answer lists, one letter on each line ("A", "C"). Return `None` for any other
        answer. Also return it if a letter occurs twice, or if every option of the question is listed: that chooses
        none."""
        lines = [WHOLE_LINE.fullmatch(line) for line in text[:4_000].split("\n") if line.strip()]
        letters = {line[1] if line else "" for line in lines}
        if not 1 < len(letters) == len(lines) < len(self._letters) or not letters <= set(self._letters):
            return None
        return Choice(frozenset(letters), "lines")

    def _lists_options(self, line: str) -> bool:
        """Return whether a line lists at least three options in order: "A) Rome, B) Paris, C) Oslo"."""
        labels = [label[1] for label in LABEL_IN_LINE.finditer(line[:4_000]) if label[1] in self._letters]
        return len(labels) > 2 and labels == sorted(set(labels))

    def listed(self, text: str) -> Choice | None:
        if several := self._only_lines(text):
            return several
        text = "\n".join(line for line in text.split("\n") if not self._lists_options(line))
        lines = [found[1].upper() for found in LINE_CHOICE.finditer(text) if found[1].upper() in self._letters]
        if len(set(lines)) == 1:
            return Choice(frozenset(lines[:1]), "line")
        if len(set(lines)) > 1:
            below = list(LINE_CHOICE.finditer(text))[-1]
            rest = text[text.find("\n", below.end()) + 1 :] if "\n" in text[below.end() :] else ""
            first_is_alone = len(lines) == 1
            return None if first_is_alone or not rest.strip() else self._alone(rest)
        return self._alone(text)

    def _alone(self, text: str) -> Choice | None:
        """Return the choice of a letter that stands alone: as a sentence, in brackets, after the word "option", at the
        end, or before a reason. Return `None` without such a letter."""
        if (first := REASONED.match(text)) and first[1] in self._letters:
            return Choice(frozenset(first[1]), "sentence")
        sentences = [part.strip() for part in SENTENCE.split(text) if part.strip()]
        own = {
            found[1].upper()
            for part in sentences
            if (found := re.fullmatch(rf"[{WRAP}]*([{re.escape(self._letters)}])[{WRAP}]*", part[:40]))
        }
        if len(own) == 1:
            return Choice(frozenset(own), "sentence")
        bracketed = {
            found[1]
            for found in self._bracketed.finditer(text)
            if not NEGATED_BEFORE.search(text[max(0, found.start() - 40) : found.start()])
            and not IS_NOT.match(text, found.end())
        }
        if len(bracketed) == 1:
            return Choice(frozenset(bracketed), "brackets")
        options = {
            found[1]
            for found in re.finditer(rf"(?:[Oo]ption|[Cc]hoice|[Ll]etter|选项)\s?([{self._letters}])(?![\w'’])", text)
            if not NEGATED_BEFORE.search(text[max(0, found.start() - 40) : found.start()])
            and not IS_NOT.match(text, found.end())
        }
        if len(options) == 1 and not bracketed:
            return Choice(frozenset(options), "option")
        last = re.search(rf"(?:[-–—:,;]|\.)\s([{self._letters}])[.!*\s]*\Z", text[-40:])
        called_wrong = not self._for_wrong and CALLED_WRONG.search(text[-60:])
        if last and not called_wrong and not bracketed and not own:
            return Choice(frozenset(last[1]), "last letter")
        return None
