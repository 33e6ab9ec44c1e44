"""Read the claims that an answer makes about the options of a multiple-choice question, such as "A is wrong"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.domain.choice_patterns import (
    AFTER_WORD,
    ALL_BUT,
    ALSO,
    ARE,
    BUT,
    ENDS_BUT,
    ENDS_SENTENCE,
    FIGURE,
    FILLER,
    FITS,
    GOES_WITH_A,
    HEDGES,
    IS_LETTER,
    IS_WHAT,
    IT,
    JOINT_AND,
    JOINT_OR,
    NEGATED_BEFORE,
    NEGATED_START,
    PLURAL,
    PREDICATE,
    REJECTS,
    SAYS_WRONG,
    SO,
    STARTS_NEGATED,
    STRONG,
    THEN_IS,
    UNSURE,
    WRONG,
)
from judge.domain.markers import CORRECTION, markers
from judge.domain.option_texts import HEDGED, LEADS, Choice, OptionTexts
from judge.domain.question_words import content_words


@dataclass(frozen=True)
class _Claim:
    place: int
    letters: frozenset[str]
    rule: str
    negated: bool = False
    hedged: bool = False
    strong: bool = False
    also: bool = False


class Claims(OptionTexts):
    """Reads claims about the options: "the answer is B", "A is wrong", "so C"."""

    # --- statements ---

    def claimed(self, text: str) -> Choice | None:
        claims = sorted(self._claims(text), key=lambda claim: claim.place)
        denied = {letter for claim in claims if claim.negated for letter in claim.letters}
        wrong = [claim for claim in claims if claim.negated and claim.rule == "predicate"]
        # "Hence, option C is not correct" concludes nothing.
        affirmed = [
            claim
            for claim in claims
            if not claim.negated
            and not (
                claim.rule == "conclusion"
                and any(0 <= each.place - claim.place <= 40 and claim.letters <= each.letters for each in wrong[:200])
            )
        ]
        if not affirmed:
            return None
        strong = [claim for claim in affirmed if claim.strong]
        if strong:
            last = strong[-1]
            corrections = [found.start() for found in CORRECTION.finditer(text, last.place)]
            later = [claim for claim in affirmed if corrections and claim.place > corrections[-1]]
            last = later[-1] if later else last
            also = [claim for claim in affirmed if claim.also and claim.place > last.place]
            if corrections and not later and (instead := self._instead(text, corrections[-1], last.letters)):
                return instead
            if last.hedged:
                return HEDGED
            return Choice(last.letters.union(*(claim.letters for claim in also)), last.rule)
        predicates = [claim for claim in affirmed if claim.rule == "predicate"]
        several = frozenset().union(*(claim.letters for claim in predicates)) - denied
        concluded = affirmed[-1]
        is_single = concluded.rule == "conclusion" and len(concluded.letters) == 1 and not concluded.hedged
        if len(several) > 1 and is_single and not concluded.letters & several:
            # The choice in "A, B and C are all correct, so D." is D.
            return Choice(concluded.letters, "conclusion")
        if predicates:
            corrections = [found.start() for found in CORRECTION.finditer(text)]
            since = [claim for claim in predicates if not corrections or claim.place > corrections[-1]] or predicates[
                -1:
            ]
            every = frozenset().union(*(claim.letters for claim in since)) - denied
            return HEDGED if any(claim.hedged for claim in since) else Choice(every, "predicate") if every else None
        unsure = [claim for claim in affirmed if claim.hedged]
        if unsure and len(frozenset().union(*(claim.letters for claim in affirmed)) - denied) > 1:
            return HEDGED
        last = affirmed[-1]
        return Choice(last.letters, last.rule) if len(last.letters) == 1 or not last.hedged else HEDGED

    def unless_denied(self, choice: Choice | None, text: str) -> Choice | None:
        """Return `choice`, or `None` if the text denies all letters of it: "A is wrong because Sydney is …".

        If the question asks for a wrong option, `choice` is returned unchanged, because "A is wrong" then chooses A.
        """
        if choice is None or self._for_wrong:
            return choice
        denied = {letter for claim in self._claims(text) if claim.negated for letter in claim.letters}
        return None if choice.letters and choice.letters <= denied else choice

    def _instead(self, text: str, correction: int, was: frozenset[str]) -> Choice | None:
        """Return the new choice after a correction ("The answer is A. Actually, no: B."), or `None`.

        The correction begins at the index `correction`; `was` has the letters that were chosen before it.
        """
        correction_match = CORRECTION.match(text, correction)
        assert correction_match is not None
        rest = text[correction_match.end() : correction_match.end() + 200].strip(" ,.:;-–—!\n")
        if rejected := REJECTS.match(rest):
            rest = rest[rejected.end() :]
        if re.match(r"[^.!?\n]{1,160}\?", rest):
            return None  # a question corrects nothing
        if own := self.only(rest):
            return own
        claim = self._at(rest, 0, 0, "stated", texts=True)
        if claim is None or claim.negated or claim.letters == was:
            return None
        begins = self._any_letter.match(rest)
        if begins and not re.match(r"[.,;:!)]|\s*\Z|\s(?:because|since|as)\b", rest[begins.end() :]):
            return None
        return HEDGED if claim.hedged else Choice(claim.letters, "corrected")

    def _claims(self, text: str) -> Iterator[_Claim]:
        for marker in markers(text):
            rule = "boxed" if marker.rule == "boxed" else "stated"
            content = marker.contents[0]
            if marker.rule == "marker:is the answer":
                claim = self._before(content, marker.start)
            elif marker.strict and not self._any_letter.match(content):
                continue
            else:
                claim = self._at(content, 0, marker.start, rule, texts=True)
            if claim:
                yield claim
        for found in STRONG.finditer(text):
            claim = self._at(text[found.end() : found.end() + 300], 0, found.start(), "stated", texts=True)
            if claim:
                negated = claim.negated or bool(NEGATED_BEFORE.search(text[max(0, found.start() - 30) : found.start()]))
                negated = negated or bool(re.search(r"n't|\bnot\b", found[0]))
                yield _Claim(found.start(), claim.letters, "stated", negated, claim.hedged, strong=True)
        yield from self._predicates(text)
        for found in STARTS_NEGATED.finditer(text):
            claim = self._at(text[found.end() : found.end() + 160], 0, found.start(), "stated", texts=True)
            if claim and not claim.negated:
                yield claim
        for found in ENDS_BUT.finditer(text):
            rest = text[found.end() : found.end() + 60]
            filler = FILLER.match(rest)
            own = self._any_letter.match(rest, filler.end() if filler else 0)
            if own and ENDS_SENTENCE.match(rest, own.end()) and own[1] not in "ai":
                rather = bool(found["rather"])
                yield _Claim(found.start(), frozenset(own[1].upper()), "conclusion", strong=rather)
        for found in ALL_BUT.finditer(text):
            if found[1] in self._letters:
                yield _Claim(found.start(), frozenset(found[1]), "predicate", strong=True)
        for found in THEN_IS.finditer(text):
            before = text[max(0, found.start() - 80) : found.start() + 1]
            if found[1] in self._letters and (SAYS_WRONG.search(before) or re.search(r"n['’]t\b", before)):
                yield _Claim(found.start(), frozenset(found[1]), "conclusion")
        for found in ARE.finditer(text):
            claim = self._at(text[found.end() : found.end() + 60], 0, found.start(), "conclusion", texts=False)
            if claim and len(claim.letters) > 1 and not claim.hedged:
                before = text[max(0, found.start() - 60) : found.start()]
                if not SAYS_WRONG.search(re.split(r"[.;!?\n]", before)[-1]):
                    yield claim
        for found in IS_LETTER.finditer(text):
            # "The capital of Australia is C." names what the question asks for.
            before = re.split(r"[.!?;\n]", text[max(0, found.start() - 160) : found.start()])[-1]
            denied = NEGATED_BEFORE.search(before) or SAYS_WRONG.search(before)
            if found[1] in self._letters and not denied and content_words(before) & self._asked:
                yield _Claim(found.start(), frozenset(found[1]), "conclusion")
        for pattern in (SO, IT):
            for found in pattern.finditer(text):
                if NEGATED_BEFORE.search(text[max(0, found.start() - 20) : found.start()]):
                    continue
                claim = self._at(text[found.end() : found.end() + 60], 0, found.start(), "conclusion", texts=False)
                if claim:
                    hedged = claim.hedged or bool(UNSURE.search(found[0]))
                    yield _Claim(found.start(), claim.letters, "conclusion", claim.negated, hedged)

    def _before(self, content: str, place: int) -> _Claim | None:
        """Return the claim at the end of `content`, the text before a marker: "Therefore A is the answer." claims A.
        Return `None` unless `content` ends with an option's letter, or names exactly one option by its text.

        `place` is the position of the claim in the answer.
        """
        found = list(self._capital.finditer(content))
        if found and not content[found[-1].end() :].strip(" )]*\"'"):
            negated = bool(NEGATED_BEFORE.search(content[: found[-1].start()]))
            return _Claim(place, frozenset(found[-1][1]), "stated", negated, strong=True)
        named = self._mentions(content)
        if len(named) == 1:
            return _Claim(place, frozenset(named), "stated", strong=True)
        return None

    def _predicates(self, text: str) -> Iterator[_Claim]:
        for found in self._capital.finditer(text):
            predicate = PREDICATE.match(text, found.end() + (text[found.end() : found.end() + 1] in ")]"))
            if not predicate and FITS.match(text, found.end()) and not self._part_of_a_name(text, found):
                negated = bool(NEGATED_BEFORE.search(text[max(0, found.start() - 40) : found.start()]))
                yield _Claim(found.start(), frozenset(found[1]), "predicate", negated)
                continue
            if not predicate and not self._for_wrong and (is_what := IS_WHAT.match(text, found.end())):
                # "A and C are prime" chooses A and C if the question asks for primes.
                if content_words(is_what[1]) & self._asked and not self._part_of_a_name(text, found):
                    before = text[max(0, found.start() - 40) : found.start()]
                    yield _Claim(found.start(), frozenset({found[1]} | self._joined_before(before)), "predicate")
                continue
            if not predicate or self._part_of_a_name(text, found):
                continue
            negated = bool(predicate["no"]) or bool(WRONG.match(predicate["what"]))
            if negated and predicate["no"] and WRONG.match(predicate["what"]):
                negated = False  # "A is not wrong"
            before = text[max(0, found.start() - 40) : found.start()]
            negated = negated or bool(NEGATED_BEFORE.search(before))
            joined = self._joined_before(before)
            # "Out of A, B and C, B is correct." chooses only B.
            group = {found[1]} if found[1] in joined else {found[1]} | joined
            hedged = bool(re.search(r"\b(?:or|either)\W{0,3}\w?\W{0,3}\Z", before))
            yield _Claim(
                found.start(), frozenset(group), "predicate", negated, hedged, also=bool(ALSO.search(predicate[0]))
            )

    def _joined_before(self, before: str) -> set[str]:
        """Return the letters before the last one in "A, B and C are correct"."""
        found = re.search(rf"((?:[{self._letters}]\)?\s*(?:,|and|&)\s*(?:and\s+)?[(]?)+)\Z", before)
        if found is None or FIGURE.search(before[: found.start()]):
            return set()
        return set(re.findall(rf"[{self._letters}]", found[1]))

    def _part_of_a_name(self, text: str, found: re.Match[str]) -> bool:
        """Return whether the letter is part of a name. "Vitamin B is the best" is no choice, unlike "Option B is" and
        "therefore B is"."""
        before = re.search(r"([\w’'-]+)[ \t]+[(*\"']?\Z", text[max(0, found.start() - 30) : found.start()])
        if found[1] in "AI":
            after = AFTER_WORD.match(text, found.end())
            if after and after[1].lower() not in GOES_WITH_A:
                return True
        if not before:
            return False
        return before[1].lower() not in LEADS and not before[1].isdigit()

    def _at(self, text: str, start: int, place: int, rule: str, *, texts: bool) -> _Claim | None:
        """Return the claim that begins at the index `start` with letters or, if `texts` is true, with an option's text;
        else `None`.

        `place` is the position by which claims are ordered, and `rule` is the name of the rule that found the claim.
        """
        if NEGATED_START.match(text, start):
            instead = BUT.search(text[start : start + 80])
            if instead:
                return self._at(text[start + instead.end() :], 0, place, rule, texts=texts)
            named = self._capital.search(text[start : start + 40])
            return _Claim(place, frozenset(named[1]) if named else frozenset(), rule, negated=True, strong=False)
        hedged = bool(HEDGES.match(text, start))
        if hedged:
            start = HEDGES.match(text, start).end()  # type: ignore[union-attr]
        filler = FILLER.match(text, start)
        at = filler.end() if filler else start
        own = self._text_at(text, at) if texts else None
        found = self._any_letter.match(text, at)
        if own is not None and (found is None or own[1] > found.end() + 1):
            return self._claim_of_text(text, own, place, rule, hedged=hedged)
        if found is None or not self._is_a_letter(text, found, conclusion=rule == "conclusion"):
            if texts:
                extent = re.split(r"[.!?\n](?:\s|\Z)|\n", text[at:], maxsplit=1)[0]
                there = self._mentions(extent)
                if len(there) == 1:
                    return _Claim(place, frozenset(there), rule, hedged=hedged, strong=True)
            return None
        group, end = {found[1].upper()}, found.end()
        end = self._past_text(text, end)
        for _ in range(25):
            either = JOINT_OR.match(text, end)
            joint = either or JOINT_AND.match(text, end)
            following = self._any_letter.match(text, joint.end()) if joint else None
            if not joint or not following or not self._is_a_letter(text, following, conclusion=False):
                break
            if joint[0].strip() == ";" and not re.match(r"[)\]*]{0,3}\s*(?:;|\.?\s*\Z)", text[following.end() :][:20]):
                break
            if either is None and NEGATED_START.match(text, joint.end()):
                break
            # "B, A is wrong" begins another statement.
            another = PREDICATE.match(text, following.end()) if either is None else None
            begins_anew = joint[0].strip()[:1] in (",", ";") and "and" not in joint[0]
            if another and (begins_anew or another["be"].lower() not in PLURAL):
                break
            group.add(following[1].upper())
            hedged = hedged or either is not None
            end = self._past_text(text, following.end())
        return _Claim(place, frozenset(group), rule, hedged=hedged and len(group) > 1, strong=rule != "conclusion")

    def _claim_of_text(self, text: str, own: tuple[str, int], place: int, rule: str, *, hedged: bool) -> _Claim:
        letter, end = own
        joint = JOINT_OR.match(text, end)
        other = self._text_at(text, joint.end()) if joint else None
        if other is not None and other[0] != letter:
            return _Claim(place, frozenset({letter, other[0]}), rule, hedged=True, strong=True)
        return _Claim(place, frozenset(letter), rule, hedged=hedged, strong=True)

    def _is_a_letter(self, text: str, found: re.Match[str], *, conclusion: bool) -> bool:
        letter, end = found[1], found.end()
        wrapped = found.start(1) > 0 and text[found.start(1) - 1] in "([{\"'“【「<"
        if (
            wrapped
            and text[found.end(1) : found.end(1) + 1] in ")]}\"'”】」>"
            and text[found.end(1) : found.end(1) + 1]
        ):
            return True
        after = AFTER_WORD.match(text, end)
        if letter.islower() or conclusion:
            # The letter is an article in "the answer is a monoid" and "it's A good idea".
            return not after or (letter != "a" and after[1].lower() in ("because", "since", "as", "and", "or", "is"))
        if letter in "AI" and after:
            return after[1].lower() in GOES_WITH_A or after[1][0].isupper()
        return True
