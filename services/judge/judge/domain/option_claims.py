"""Read the claims that an answer makes about the options."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.domain.choice_patterns import (
    AFTER_WORD,
    ALSO,
    ARE,
    BUT,
    ENDS_BUT,
    ENDS_SENTENCE,
    FILLER,
    FITS,
    GOES_WITH_A,
    HEDGES,
    IS_WHAT,
    IT,
    JOINT_AND,
    JOINT_OR,
    NEGATED_BEFORE,
    NEGATED_START,
    PLURAL,
    PREDICATE,
    SAYS_WRONG,
    SO,
    STARTS_NEGATED,
    STRONG,
    UNSURE,
    WRONG,
)
from judge.domain.markers import CORRECTION, markers
from judge.domain.option_texts import HEDGED, LEADS, Choice, OptionTexts
from judge.domain.question_words import asked_words


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
        said = [
            claim
            for claim in claims
            if not claim.negated
            and not (
                claim.rule == "conclusion"
                and any(0 <= each.place - claim.place <= 40 and claim.letters <= each.letters for each in wrong[:200])
            )
        ]
        if not said:
            return None
        strong = [claim for claim in said if claim.strong]
        if strong:
            last = strong[-1]
            corrections = [match.start() for match in CORRECTION.finditer(text, last.place)]
            later = [claim for claim in said if corrections and claim.place > corrections[-1]]
            last = later[-1] if later else last
            also = [claim for claim in said if claim.also and claim.place > last.place]
            if corrections and not later and (instead := self._instead(text, corrections[-1], last.letters)):
                return instead
            if last.hedged:
                return HEDGED
            return Choice(last.letters.union(*(claim.letters for claim in also)), last.rule)
        predicates = [claim for claim in said if claim.rule == "predicate"]
        if predicates:
            corrections = [match.start() for match in CORRECTION.finditer(text)]
            since = [claim for claim in predicates if not corrections or claim.place > corrections[-1]] or predicates[
                -1:
            ]
            every = frozenset().union(*(claim.letters for claim in since)) - denied
            return HEDGED if any(claim.hedged for claim in since) else Choice(every, "predicate") if every else None
        unsure = [claim for claim in said if claim.hedged]
        if unsure and len(frozenset().union(*(claim.letters for claim in said)) - denied) > 1:
            return HEDGED
        last = said[-1]
        return Choice(last.letters, last.rule) if len(last.letters) == 1 or not last.hedged else HEDGED

    def _instead(self, text: str, correction: int, was: frozenset[str]) -> Choice | None:
        """Return the choice that stands alone after a correction ("The answer is A. Actually, no: B.")."""
        match = CORRECTION.match(text, correction)
        assert match is not None
        rest = text[match.end() : match.end() + 200].strip(" ,.:;-–—!\n")
        if own := self.only(rest):
            return own
        claim = self._at(rest, 0, 0, "stated", texts=True)
        if claim is None or claim.negated or claim.letters == was:
            return None
        begins = self._one.match(rest)
        if begins and not re.match(r"[.,;:!)]|\s*\Z|\s(?:because|since|as)\b", rest[begins.end() :]):
            return None
        return HEDGED if claim.hedged else Choice(claim.letters, "corrected")

    def _claims(self, text: str) -> Iterator[_Claim]:
        for marker in markers(text):
            rule = "boxed" if marker.rule == "boxed" else "stated"
            content = marker.contents[0]
            if marker.rule == "marker:is the answer":
                claim = self._before(content, marker.start)
            elif marker.strict and not self._one.match(content):
                continue
            else:
                claim = self._at(content, 0, marker.start, rule, texts=True)
            if claim:
                yield claim
        for match in STRONG.finditer(text):
            claim = self._at(text[match.end() : match.end() + 300], 0, match.start(), "stated", texts=True)
            if claim:
                negated = claim.negated or bool(NEGATED_BEFORE.search(text[max(0, match.start() - 30) : match.start()]))
                negated = negated or bool(re.search(r"n't|\bnot\b", match[0]))
                yield _Claim(match.start(), claim.letters, "stated", negated, claim.hedged, strong=True)
        yield from self._predicates(text)
        for match in STARTS_NEGATED.finditer(text):
            claim = self._at(text[match.end() : match.end() + 160], 0, match.start(), "stated", texts=True)
            if claim and not claim.negated:
                yield claim
        for match in ENDS_BUT.finditer(text):
            rest = text[match.end() : match.end() + 60]
            filler = FILLER.match(rest)
            own = self._one.match(rest, filler.end() if filler else 0)
            if own and ENDS_SENTENCE.match(rest, own.end()) and own[1] not in "ai":
                yield _Claim(match.start(), frozenset(own[1].upper()), "conclusion")
        for match in ARE.finditer(text):
            claim = self._at(text[match.end() : match.end() + 60], 0, match.start(), "conclusion", texts=False)
            if claim and len(claim.letters) > 1 and not claim.hedged:
                before = text[max(0, match.start() - 60) : match.start()]
                if not SAYS_WRONG.search(re.split(r"[.;!?\n]", before)[-1]):
                    yield claim
        for pattern in (SO, IT):
            for match in pattern.finditer(text):
                if NEGATED_BEFORE.search(text[max(0, match.start() - 20) : match.start()]):
                    continue
                claim = self._at(text[match.end() : match.end() + 60], 0, match.start(), "conclusion", texts=False)
                if claim:
                    hedged = claim.hedged or bool(UNSURE.search(match[0]))
                    yield _Claim(match.start(), claim.letters, "conclusion", claim.negated, hedged)

    def _before(self, content: str, place: int) -> _Claim | None:
        """Return the choice of a claim that precedes its predicate ("Therefore A is the answer.")."""
        capitals = list(self._capital.finditer(content))
        if capitals and not content[capitals[-1].end() :].strip(" )]*\"'"):
            negated = bool(NEGATED_BEFORE.search(content[: capitals[-1].start()]))
            return _Claim(place, frozenset(capitals[-1][1]), "stated", negated, strong=True)
        named = self._mentions(content)
        if len(named) == 1:
            return _Claim(place, frozenset(named), "stated", strong=True)
        return None

    def _predicates(self, text: str) -> Iterator[_Claim]:
        for capital in self._capital.finditer(text):
            match = PREDICATE.match(text, capital.end() + (text[capital.end() : capital.end() + 1] in ")]"))
            if not match and FITS.match(text, capital.end()) and not self._part_of_a_name(text, capital):
                negated = bool(NEGATED_BEFORE.search(text[max(0, capital.start() - 40) : capital.start()]))
                yield _Claim(capital.start(), frozenset(capital[1]), "predicate", negated)
                continue
            if not match and not self._for_wrong and (is_what := IS_WHAT.match(text, capital.end())):
                # "A and C are prime" when the primes are asked for.
                if asked_words(is_what[1], whole=True) & self._asked and not self._part_of_a_name(text, capital):
                    before = text[max(0, capital.start() - 40) : capital.start()]
                    yield _Claim(capital.start(), frozenset({capital[1]} | self._joined_before(before)), "predicate")
                continue
            if not match or self._part_of_a_name(text, capital):
                continue
            negated = bool(match["no"]) or bool(WRONG.match(match["what"]))
            if negated and match["no"] and WRONG.match(match["what"]):
                negated = False  # "A is not wrong"
            before = text[max(0, capital.start() - 40) : capital.start()]
            negated = negated or bool(NEGATED_BEFORE.search(before))
            group = {capital[1]} | self._joined_before(before)
            hedged = bool(re.search(r"\b(?:or|either)\W{0,3}\w?\W{0,3}\Z", before))
            yield _Claim(
                capital.start(), frozenset(group), "predicate", negated, hedged, also=bool(ALSO.search(match[0]))
            )

    def _joined_before(self, before: str) -> set[str]:
        """Return the letters before the last one in "A, B and C are correct"."""
        match = re.search(rf"((?:[{self._letters}]\)?\s*(?:,|and|&)\s*(?:and\s+)?[(]?)+)\Z", before)
        return set(re.findall(rf"[{self._letters}]", match[1])) if match else set()

    def _part_of_a_name(self, text: str, match: re.Match[str]) -> bool:
        """Return whether the letter is part of a name. "Vitamin B is the best" is no choice, unlike "Option B is" and
        "therefore B is"."""
        before = re.search(r"([\w’'-]+)[ \t]+[(*\"']?\Z", text[max(0, match.start() - 30) : match.start()])
        if match[1] in "AI":
            after = AFTER_WORD.match(text, match.end())
            if after and after[1].lower() not in GOES_WITH_A:
                return True
        if not before:
            return False
        return before[1].lower() not in LEADS and not before[1].isdigit()

    def _at(self, text: str, start: int, place: int, rule: str, *, texts: bool) -> _Claim | None:
        """Return the choice at the start of the text: letters or, with `texts`, the text of an option."""
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
        match = self._one.match(text, at)
        if own is not None and (match is None or own[1] > match.end() + 1):
            return self._claim_of_text(text, own, place, rule, hedged=hedged)
        if match is None or not self._is_a_letter(text, match, conclusion=rule == "conclusion"):
            if texts:
                extent = re.split(r"[.!?\n](?:\s|\Z)|\n", text[at:], maxsplit=1)[0]
                there = self._mentions(extent)
                if len(there) == 1:
                    return _Claim(place, frozenset(there), rule, hedged=hedged, strong=True)
            return None
        group, end = {match[1].upper()}, match.end()
        end = self._past_text(text, end)
        for _ in range(25):
            either = JOINT_OR.match(text, end)
            joint = either or JOINT_AND.match(text, end)
            following = self._one.match(text, joint.end()) if joint else None
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

    def _is_a_letter(self, text: str, match: re.Match[str], *, conclusion: bool) -> bool:
        letter, end = match[1], match.end()
        wrapped = match.start(1) > 0 and text[match.start(1) - 1] in "([{\"'“【「<"
        if (
            wrapped
            and text[match.end(1) : match.end(1) + 1] in ")]}\"'”】」>"
            and text[match.end(1) : match.end(1) + 1]
        ):
            return True
        after = AFTER_WORD.match(text, end)
        if letter.islower() or conclusion:
            # "the answer is a monoid", "it's A good idea"
            return not after or (letter != "a" and after[1].lower() in ("because", "since", "as", "and", "or", "is"))
        if letter in "AI" and after:
            return after[1].lower() in GOES_WITH_A or after[1][0].isupper()
        return True
