"""Which of several choices an answer takes: by letter, or by the text of a choice.

What is negated ("not B"), left open ("A or maybe B") or part of a name ("Vitamin B") is no choice. Linear in the
answer's length.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.domain.markers import CORRECTION, markers
from judge.domain.plain_text import without_thoughts
from judge.domain.question_words import asked_words
from judge.domain.simplified import normal


@dataclass(frozen=True)
class Choice:
    """`letters` is empty where nothing, or nothing certain, was chosen."""

    letters: frozenset[str]
    rule: str

    @property
    def text(self) -> str | None:
        return ", ".join(sorted(self.letters)) or None


NONE = Choice(frozenset(), "none")
_HEDGED = Choice(frozenset(), "several left open")
_NAMED_CHARS = 200_000

_WRAP = "\\s*_`<(\\[{\"'“”‘’.:;,!)\\]}>$#-"
_OPEN = r"[\s*_`(\[{\"'“‘<$【「『]*"
_CLOSE = r"[*_`)\]}\"'”’>$】」』]*"
# Chinese and Japanese go on without a space: "Bです".
_LATIN = "A-Za-z0-9_\u00c0-\u024f\u0370-\u04ff"
_FILLER = re.compile(
    r"\s*(?:(?:most likely|most probably|likely|probably|definitely|clearly|certainly|obviously|therefore|"
    r"thus|then|simply|"
    r"actually|indeed|in fact|both|the|an|option|options|choice|choices|letter|letters|answer|answers|"
    r"number|statement|la|le|el|il|die|der|das|opción|opzione|opção|lettre|letra|"
    r"réponse|respuesta|Antwort|risposta|resposta|"
    r"statements|option:|选项|是|为|：|:|=|-|→|of course|i think|i believe)(?=[\s(\[{*_\"':$A-Z])\s*){0,6}",
    re.IGNORECASE,
)
_HEDGES = re.compile(r"\s*(?:either|one of|between|perhaps either|maybe either|could be either)\b", re.IGNORECASE)
_JOINT_AND = re.compile(
    rf"{_CLOSE}\s*(?:,\s*and|,|;|and|&|\+|/|、|和|与|及|und|et|y)\s*(?:also\s+|option\s+)?", re.IGNORECASE
)
_JOINT_OR = re.compile(
    rf"{_CLOSE}\s*[,(]?\s*(?:or|oder|ou|或|或者|还是|and/or|/)\s*(?:else\s+)?(?:maybe|perhaps|possibly|even|"
    rf"option|also|rather)?"
    r"\s*",
    re.IGNORECASE,
)
_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|cannot|(?:do not|don't|don’t|wouldn't) (?:think|believe|say|guess)(?: that)?|without|except|excluding|eliminate|eliminated|rule out|"
    r"ruled out|reject|nicht|pas)|"
    r"n't|n’t|不是|不选|不|非)\s*(?:be|to|the|option|choice|answer|choose|pick|select|go (?:with|for)|just|only)?\s*"
    r"(?:the |option |choice |answer )?[\s(*\"'\[]*\Z",
    re.IGNORECASE,
)
_NEGATED_START = re.compile(
    r"\s*(?:not\b|n't|n’t|never\b|neither\b|nicht\b|pas\b|不是|不|非|none\b|anything but\b)", re.IGNORECASE
)
_BUT = re.compile(
    r"(?<!\w)(?:but(?: rather)?|rather|instead(?: it'?s| it is)?|sondern|mais|sino)(?!\w)|而是", re.IGNORECASE
)
_RIGHT = (
    r"(?:correct|right|true|accurate|valid|the (?:only |most |best |most likely |"
    r"single )?(?:\w+ )?(?:answer|option|choice|one|"
    r"solution|response|match|candidate)|my (?:final )?(?:answer|choice)|best|richtig|korrekt|correcte?|"
    r"correcta|corretta|正确|对的|正解)"
)
_PREDICATE = re.compile(
    r"\s*(?:\([^()\n]{0,80}\)|[-–—:,]\s[^.\n,]{1,80}?,?)?\s*(?P<be>is|are|seems|looks|appears|must be|"
    r"would be|has to be|should be|"
    r"ist|sind|est|es|è|são|是)\s*(?P<no>not\b|n't|n’t|never\b|nicht\b|不)?\s*(?:(?:also|indeed|definitely|"
    r"clearly|therefore|"
    r"thus|probably|likely|most likely|both|all|to be|certainly|obviously|in fact|then|hence|actually)\s+)*"
    rf"(?P<what>{_RIGHT}|wrong|incorrect|false|not\b|ruled out|eliminated|impossible|falsch|fausse?|错)",
    re.IGNORECASE,
)
_PLURAL = ("are", "sind", "sont", "son", "são")
_WRONG = re.compile(r"wrong|incorrect|false|not|ruled out|eliminated|impossible|falsch|fausse?|错", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:also|too|as well|both|and so)\b", re.IGNORECASE)
_STRONG = re.compile(
    r"(?:\b(?:correct|right|best|true|appropriate|accurate|suitable|final)\s+(?:answer|option|choice|"
    r"alternative|response|"
    r"statement|selection|one)s?(?!\w)[^.\n:?]{0,60}?(?:\b(?:is|are|would be|must be|should be|has to be)\b|:|=)"
    r"|\b(?:option|choice|selection)\s*(?:is\b|:)"
    r"|\bI(?:'d|’d| would| will|'ll|’ll|'m|’m| am)?\s+(?:(?:therefore|would|will|hence|then|thus|going to)\s+)?"
    r"(?:choose|chose|pick|picked|select|selected|go(?:ing)? (?:with|for)|say|vote for|opt for|answer)\b"
    r"|\bI (?:actually )?meant?\b"
    r"|\b(?:richtig|korrekt|correct) (?:ist|is|are|sind)\b|正确(?:的)?(?:选项)?(?:是|为)|答案(?=不是)"
    r"|\b(?:we|let'?s|you should|should)\s+(?:choose|pick|select|go (?:with|for))\b"
    r"|\bmy (?:final )?(?:choice|pick|guess|answer|selection)\s*(?:is\b|would be\b|:)"
    r"|故选|应选择?|應選擇?|应该选择?|选择|選擇|我选择?|我選|选|選|정답은|正解は)",
    re.IGNORECASE,
)
_SO = re.compile(
    r"(?:(?<!\w)(?:so|therefore|thus|hence|ergo|also|somit|donc)|=>|→|⇒|∴|所以|因此)[\s,:]{0,4}(?:it'?s |"
    r"it is |it must be |that'?s |we get )?",
    re.IGNORECASE,
)
_IT = re.compile(
    r"(?<!\w)(?:it'?s|it’s|c['’]est|es la|es ist|é a|è la|it is|that'?s|that is|must be|has to be|would be|should be|could be|might be|"
    r"may be|can be|i think|"
    r"i believe|i guess|i'd guess|probably|maybe|perhaps|likely|definitely|possibly|presumably|leaves?(?: us with)?|left with|"
    r"this is|guess:?)\s",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"could|might|may|maybe|perhaps|possibly|can be", re.IGNORECASE)
_STARTS_NEGATED = re.compile(
    r"(?:\A|[.!?\n])[\s*_]{0,4}(?:it(?:'s|’s| is)\s)?(?=(?:not|nicht|pas|不是)(?!\w))", re.IGNORECASE
)
_ENDS_BUT = re.compile(r"(?<!\w)but\s", re.IGNORECASE)
_ENDS_SENTENCE = re.compile(r"[\s*_)\]\"'”]{0,8}(?:[.!](?:\s|\Z)|\n|\Z)")
_ALSO_NAMED = re.compile(r"\s*(?:,\s*and\b|,|;|\band\b|&|\+|、|和)\s*(?:the\s)?", re.IGNORECASE)
_IS_WHAT = re.compile(
    r"[)*\s]{1,3}(?:is|are)\s(?:(?:both|all|also|a|an)\s){0,2}([^\W\d_]{2,30})"
    r"(?=\s?[.,;!\n]|\s?\Z|\s(?:and|but|while|whereas)\s)",
    re.IGNORECASE,
)
_FITS = re.compile(
    r"[)*\s]{1,3}(?:(?:fits|matches|works) (?:best|the (?:question|description|definition))|makes (?:the )?(?:most )?sense|"
    r"remains\b|applies\b|is (?:a |the )?(?:better|more (?:likely|plausible|probable|accurate))\b|is (?:the )?(?:only )?(?:one )?(?:plausible|possible|left)\b)",
    re.IGNORECASE,
)
_AFTERTHOUGHT = re.compile(
    r",?\s(?:I (?:think|guess|believe|suppose|would say)|I['’]d (?:say|guess)|probably|obviously|of course|for sure|"
    r"definitely)[.!\s]*\Z",
    re.IGNORECASE,
)
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERED_OPTION = re.compile(r"(?:option|choice)\s#?(\d{1,2})\W*", re.IGNORECASE)
_INSTEAD_OF = re.compile(r",?\s(?:instead of|rather than|over|not)\s\W?[A-Z]\W{0,3}\Z")
_NTH_OPTION = re.compile(
    rf"(?:(?:the |my )?(?:correct |right |best )?answer is |I(?:'d| would)? (?:choose|pick|say) |it'?s )?(?:the )?"
    rf"({'|'.join(_NTH)}) (?:option|choice|answer|one)\W*",
    re.IGNORECASE,
)
_JUDGED_LINE = re.compile(
    r"^[ \t*_`>#-]{0,8}[(\[]?([A-Z])(?:[)\].:][)\].:*]{0,3}|(?=[ \t][✓✔✅☑✗✘❌✖]))[^\n]{0,200}?"
    r"(?:(?P<yes>[✓✔✅☑]|(?<!\w)(?:yes|correct|right|true))|(?P<no>[✗✘❌✖]|(?<!\w)(?:no|wrong|incorrect|false|not correct)))"
    r"[*_.!)\] \t\ufe0f]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
_TICKED = re.compile(r"(?<!\w)([A-Z])[)\].:]?\s?(?:(?P<yes>[✓✔✅☑])|(?P<no>[✗✘❌✖]))")
_WHOLE_LINE = re.compile(r"[\s*_`>#•-]{0,8}[(\[]?([A-Z])(?:[)\].:]\s[^\n]*|[)\].:*_\s]*)")
_ARE = re.compile(r"(?<!\w)(?:are|include):?\s(?=\W{0,3}(?:both\s\W{0,3})?[A-Z]\b)")
_ACTUALLY = re.compile(r"(?<!\w)actually[,:]?\s", re.IGNORECASE)
_SAYS_WRONG = re.compile(
    r"\b(?:wrong|incorrect|false|not|n['’]t|never|eliminated|ruled out|remaining|other|others|options|choices)\b",
    re.IGNORECASE,
)
_IS_NOT = re.compile(
    r"[\"'”*)]{0,4}\s(?:(?:is|are|was|does|do|did|can|would)(?:\s?not\b|n['’]t\b)|"
    r"(?:is|are) (?:wrong|incorrect|false)\b|cannot\b)",
    re.IGNORECASE,
)
_ASKS_FOR_WRONG = re.compile(
    r"\b(?:not|except|false|incorrect|wrong|least|untrue|never|cannot|isn't|doesn't)\b", re.IGNORECASE
)
_SINCE_SO = re.compile(
    r"(?<!\w)(?:so|therefore|thus|hence|consequently|which means|answer is|answer:)(?!\w)|所以|因此|答案", re.IGNORECASE
)
_CLAUSE = re.compile(r",?\s(?:and|but|while|whereas|not)\s|;\s|,\s(?:unlike|which)\s", re.IGNORECASE)
_LINE_CHOICE = re.compile(r"^[\s*_`>#-]{0,8}[(\[]?([A-Z])[)\].:](?=\s|$|\*|_)[*_]*", re.MULTILINE)
_AFTER_WORD = re.compile(r"[ \t]+([A-Za-z]+)")
_GOES_WITH_A = set(
    "is are because since and or as seems looks was would must has should which but not if for ist est".split()
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+|(?<=[。！？])")
_CONCLUDES = re.compile(
    r"(?<!\w)(?:so|therefore|thus|hence|answer|consequently|in conclusion|conclusion|correct|must be|"
    r"right)(?!\w)|所以|因此|答案",
    re.IGNORECASE,
)
_TEXT_NOT = re.compile(
    r"(?:\b(?:not|never|neither|nor|isn't|rather than|instead of|unlike|except|nicht)|n't|n’t|"
    r"不是)\s+(?:\w+\s){0,2}?[\"'“*(]*\Z",
    re.IGNORECASE,
)
_ENDS_THERE = re.compile(r"[\"'”*]*(?:[.!;]|,\s(?:because|since|as|not|which)|\s?\n|\s[-–—]\s|\sbecause\b)")
_MARKUP = re.compile(r"\*\*|__|`|\\(?:text\w{0,4}|math\w{1,4}|mbox)\s?(?=\{)|\$|\\[()\[\]]")


@dataclass(frozen=True)
class _Claim:
    place: int
    letters: frozenset[str]
    rule: str
    negated: bool = False
    hedged: bool = False
    strong: bool = False
    also: bool = False


def chosen(answer: str, letters: str, texts: Mapping[str, str], question: str = "") -> Choice:
    """Return the letters that the answer chooses, with the rule that found them, tried in this order:

    `only`: the answer is the letter, whatever stands around it ("(B)."), or several letters ("A, C").
    `option text`: the answer is the text of one choice.
    `stated`: "the answer is B", "I choose B", a box, a JSON key; the last of them counts, because models change their
    mind. `predicate`: "B is correct". `conclusion`: "so B.", "it's B.".
    `line`: exactly one line begins like a choice ("B) Paris"). `brackets`: exactly one letter in brackets.
    `option named`: the text of exactly one choice stands in the answer, in its conclusion, or in the sentence that has
    the question's own words.
    """
    text = _MARKUP.sub("", normal("NFKC", without_thoughts(answer)[:_NAMED_CHARS])).strip()
    if not text:
        return NONE
    reader = _Reader(letters, texts, asked_words(question), for_wrong=bool(_ASKS_FOR_WRONG.search(question[-2_000:])))
    if only := reader.only(text):
        return only
    if whole := reader.whole_text(text):
        return whole
    return (
        reader.claimed(text)
        or reader.judged(text)
        or reader.corrected(text)
        or reader.listed(text)
        or reader.named(text)
        or NONE
    )


class _Reader:
    """Reads for one set of letters and texts."""

    def __init__(self, letters: str, texts: Mapping[str, str], asked: set[str], *, for_wrong: bool) -> None:
        self._for_wrong = for_wrong
        self._letters = letters
        self._asked = asked
        either = re.escape(letters + letters.lower())
        self._one = re.compile(rf"{_OPEN}([{either}])(?![{_LATIN}'’^]|-\w){_CLOSE}")
        self._capital = re.compile(rf"(?<![{_LATIN}'’-])([{re.escape(letters)}])(?![{_LATIN}'’^]|-\w)")
        self._only = re.compile(rf"[{_WRAP}]*([{either}])[{_WRAP}]*")
        self._bracketed = re.compile(rf"[(\[]\s?([{re.escape(letters)}])\s?[)\]]")
        self._texts = {letter: _bare(text) for letter, text in texts.items() if _bare(text)}
        # The longest first: "Guilty of Romance" before "Guilty".
        unique = sorted(set(self._texts.values()), key=len, reverse=True)
        self._any_text = re.compile("|".join(_bounded(text) for text in unique), re.IGNORECASE) if unique else None

    def only(self, text: str) -> Choice | None:
        if found := self._only.fullmatch(text[:200]) if len(text) <= 200 else None:
            return Choice(frozenset(found[1].upper()), "only")
        if len(text) > 200:
            return None
        if nth := _NTH_OPTION.fullmatch(text):
            place = _NTH.index(nth[1].lower())
            return Choice(frozenset(self._letters[place : place + 1]), "option's place")
        if (nth := _NUMBERED_OPTION.fullmatch(text)) and 0 < int(nth[1]) <= len(self._letters):
            return Choice(frozenset(self._letters[int(nth[1]) - 1]), "option's place")
        text = _INSTEAD_OF.sub("", _AFTERTHOUGHT.sub("", text)).rstrip("? ")
        begin = _FILLER.match(text)
        if found := self._only.fullmatch(text, begin.end() if begin and text[begin.end() :][:1].isupper() else 0):
            return Choice(frozenset(found[1].upper()), "only")
        alternatives = [part.strip(" ()[].*\"'") for part in re.split(r"\s(?:or|oder|ou|或)\s", text)]
        if len(alternatives) > 1 and all(len(part) == 1 and part.upper() in self._letters for part in alternatives):
            return _HEDGED
        bare = re.sub(r"\A(?:[Bb]oth|[Ee]ither)\s(?=\W?[A-Z]\W)", "", text.strip(" \n\t.*_()[]{}\"'"))
        if _bare(bare) in self._texts.values():
            return None
        if re.fullmatch(rf"[{re.escape(self._letters)}]{{2,}}", bare) and len(set(bare)) == len(bare):
            return Choice(frozenset(bare), "only")
        parts = re.split(r"\s*(?:,\s*and\b|,|;|\band\b|&|\+|、|和|/|\s)\s*", bare)
        parts = [part.strip("()[]\"'. ") for part in parts if part]
        if 1 < len(parts) == len(set(parts)) and all(
            len(part) == 1 and part.upper() in self._letters for part in parts
        ):
            return Choice(frozenset(part.upper() for part in parts), "only")
        return None

    def whole_text(self, text: str) -> Choice | None:
        said = _bare(text)
        same = [letter for letter, mine in self._texts.items() if mine == said]
        if len(same) == 1:
            return Choice(frozenset(same), "option text")
        several = self._several_texts(text) if not same else set()
        return Choice(frozenset(several), "option text") if len(several) > 1 else None

    def _several_texts(self, text: str) -> set[str]:
        """The letters of "7 and 11", where nothing but texts of choices stands; none where anything else does."""
        found: set[str] = set()
        at = 0
        for _ in range(26):
            own = self._text_at(text, at)
            if own is None:
                return set()
            found.add(own[0])
            rest = text[own[1] : own[1] + 60]
            are = _IS_WHAT.match(rest) if len(found) > 1 and not self._for_wrong else None
            if are and asked_words(are[1], whole=True) & self._asked:
                rest = rest[are.end() :]
            if not rest.strip(" .!*\n\t"):
                return found
            joint = _ALSO_NAMED.match(text, own[1])
            if joint is None:
                return set()
            at = joint.end()
        return set()

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
            corrections = [found.start() for found in CORRECTION.finditer(text, last.place)]
            later = [claim for claim in said if corrections and claim.place > corrections[-1]]
            last = later[-1] if later else last
            also = [claim for claim in said if claim.also and claim.place > last.place]
            if corrections and not later and (instead := self._instead(text, corrections[-1], last.letters)):
                return instead
            if last.hedged:
                return _HEDGED
            return Choice(last.letters.union(*(claim.letters for claim in also)), last.rule)
        predicates = [claim for claim in said if claim.rule == "predicate"]
        if predicates:
            corrections = [found.start() for found in CORRECTION.finditer(text)]
            since = [claim for claim in predicates if not corrections or claim.place > corrections[-1]] or predicates[
                -1:
            ]
            every = frozenset().union(*(claim.letters for claim in since)) - denied
            return _HEDGED if any(claim.hedged for claim in since) else Choice(every, "predicate") if every else None
        unsure = [claim for claim in said if claim.hedged]
        if unsure and len(frozenset().union(*(claim.letters for claim in said)) - denied) > 1:
            return _HEDGED
        last = said[-1]
        return Choice(last.letters, last.rule) if len(last.letters) == 1 or not last.hedged else _HEDGED

    def _instead(self, text: str, correction: int, was: frozenset[str]) -> Choice | None:
        """What stands alone after a correction: "The answer is A. Actually, no: B." """
        said = CORRECTION.match(text, correction)
        assert said is not None
        rest = text[said.end() : said.end() + 200].strip(" ,.:;-–—!\n")
        if own := self.only(rest):
            return own
        claim = self._at(rest, 0, 0, "stated", texts=True)
        if claim is None or claim.negated or claim.letters == was:
            return None
        begins = self._one.match(rest)
        if begins and not re.match(r"[.,;:!)]|\s*\Z|\s(?:because|since|as)\b", rest[begins.end() :]):
            return None
        return _HEDGED if claim.hedged else Choice(claim.letters, "corrected")

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
        for found in _STRONG.finditer(text):
            claim = self._at(text[found.end() : found.end() + 300], 0, found.start(), "stated", texts=True)
            if claim:
                negated = claim.negated or bool(
                    _NEGATED_BEFORE.search(text[max(0, found.start() - 30) : found.start()])
                )
                negated = negated or bool(re.search(r"n't|\bnot\b", found[0]))
                yield _Claim(found.start(), claim.letters, "stated", negated, claim.hedged, strong=True)
        yield from self._predicates(text)
        for found in _STARTS_NEGATED.finditer(text):
            claim = self._at(text[found.end() : found.end() + 160], 0, found.start(), "stated", texts=True)
            if claim and not claim.negated:
                yield claim
        for found in _ENDS_BUT.finditer(text):
            rest = text[found.end() : found.end() + 60]
            filler = _FILLER.match(rest)
            own = self._one.match(rest, filler.end() if filler else 0)
            if own and _ENDS_SENTENCE.match(rest, own.end()) and own[1] not in "ai":
                yield _Claim(found.start(), frozenset(own[1].upper()), "conclusion")
        for found in _ARE.finditer(text):
            claim = self._at(text[found.end() : found.end() + 60], 0, found.start(), "conclusion", texts=False)
            if claim and len(claim.letters) > 1 and not claim.hedged:
                before = text[max(0, found.start() - 60) : found.start()]
                if not _SAYS_WRONG.search(re.split(r"[.;!?\n]", before)[-1]):
                    yield claim
        for pattern in (_SO, _IT):
            for found in pattern.finditer(text):
                if _NEGATED_BEFORE.search(text[max(0, found.start() - 20) : found.start()]):
                    continue
                claim = self._at(text[found.end() : found.end() + 60], 0, found.start(), "conclusion", texts=False)
                if claim:
                    hedged = claim.hedged or bool(_UNSURE.search(found[0]))
                    yield _Claim(found.start(), claim.letters, "conclusion", claim.negated, hedged)

    def _before(self, content: str, place: int) -> _Claim | None:
        """ "Therefore A is the answer.\""""
        found = list(self._capital.finditer(content))
        if found and not content[found[-1].end() :].strip(" )]*\"'"):
            negated = bool(_NEGATED_BEFORE.search(content[: found[-1].start()]))
            return _Claim(place, frozenset(found[-1][1]), "stated", negated, strong=True)
        named = self._mentions(content)
        if len(named) == 1:
            return _Claim(place, frozenset(named), "stated", strong=True)
        return None

    def _predicates(self, text: str) -> Iterator[_Claim]:
        for found in self._capital.finditer(text):
            said = _PREDICATE.match(text, found.end() + (text[found.end() : found.end() + 1] in ")]"))
            if not said and _FITS.match(text, found.end()) and not self._part_of_a_name(text, found):
                negated = bool(_NEGATED_BEFORE.search(text[max(0, found.start() - 40) : found.start()]))
                yield _Claim(found.start(), frozenset(found[1]), "predicate", negated)
                continue
            if not said and not self._for_wrong and (is_what := _IS_WHAT.match(text, found.end())):
                # "A and C are prime" where the primes are asked for.
                if asked_words(is_what[1], whole=True) & self._asked and not self._part_of_a_name(text, found):
                    before = text[max(0, found.start() - 40) : found.start()]
                    yield _Claim(found.start(), frozenset({found[1]} | self._joined_before(before)), "predicate")
                continue
            if not said or self._part_of_a_name(text, found):
                continue
            negated = bool(said["no"]) or bool(_WRONG.match(said["what"]))
            if negated and said["no"] and _WRONG.match(said["what"]):
                negated = False  # "A is not wrong"
            before = text[max(0, found.start() - 40) : found.start()]
            negated = negated or bool(_NEGATED_BEFORE.search(before))
            group = {found[1]} | self._joined_before(before)
            hedged = bool(re.search(r"\b(?:or|either)\W{0,3}\w?\W{0,3}\Z", before))
            yield _Claim(
                found.start(), frozenset(group), "predicate", negated, hedged, also=bool(_ALSO.search(said[0]))
            )

    def _joined_before(self, before: str) -> set[str]:
        """The letters of "A, B and C are correct" before the last one."""
        found = re.search(rf"((?:[{self._letters}]\)?\s*(?:,|and|&)\s*(?:and\s+)?[(]?)+)\Z", before)
        return set(re.findall(rf"[{self._letters}]", found[1])) if found else set()

    def _part_of_a_name(self, text: str, found: re.Match[str]) -> bool:
        """ "Vitamin B is the best" names no choice; "Option B is" and "therefore B is" do."""
        before = re.search(r"([\w’'-]+)[ \t]+[(*\"']?\Z", text[max(0, found.start() - 30) : found.start()])
        if found[1] in "AI":
            after = _AFTER_WORD.match(text, found.end())
            if after and after[1].lower() not in _GOES_WITH_A:
                return True
        if not before:
            return False
        return before[1].lower() not in _LEADS and not before[1].isdigit()

    def _at(self, text: str, start: int, place: int, rule: str, *, texts: bool) -> _Claim | None:
        """Return what is chosen at the start of the text: letters, or (where `texts`) the text of one choice."""
        if _NEGATED_START.match(text, start):
            instead = _BUT.search(text[start : start + 80])
            if instead:
                return self._at(text[start + instead.end() :], 0, place, rule, texts=texts)
            named = self._capital.search(text[start : start + 40])
            return _Claim(place, frozenset(named[1]) if named else frozenset(), rule, negated=True, strong=False)
        hedged = bool(_HEDGES.match(text, start))
        if hedged:
            start = _HEDGES.match(text, start).end()  # type: ignore[union-attr]
        filler = _FILLER.match(text, start)
        at = filler.end() if filler else start
        own = self._text_at(text, at) if texts else None
        found = self._one.match(text, at)
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
            either = _JOINT_OR.match(text, end)
            joint = either or _JOINT_AND.match(text, end)
            following = self._one.match(text, joint.end()) if joint else None
            if not joint or not following or not self._is_a_letter(text, following, conclusion=False):
                break
            if joint[0].strip() == ";" and not re.match(r"[)\]*]{0,3}\s*(?:;|\.?\s*\Z)", text[following.end() :][:20]):
                break
            if either is None and _NEGATED_START.match(text, joint.end()):
                break
            # "B, A is wrong" begins another statement.
            another = _PREDICATE.match(text, following.end()) if either is None else None
            begins_anew = joint[0].strip()[:1] in (",", ";") and "and" not in joint[0]
            if another and (begins_anew or another["be"].lower() not in _PLURAL):
                break
            group.add(following[1].upper())
            hedged = hedged or either is not None
            end = self._past_text(text, following.end())
        return _Claim(place, frozenset(group), rule, hedged=hedged and len(group) > 1, strong=rule != "conclusion")

    def _claim_of_text(self, text: str, own: tuple[str, int], place: int, rule: str, *, hedged: bool) -> _Claim:
        letter, end = own
        joint = _JOINT_OR.match(text, end)
        other = self._text_at(text, joint.end()) if joint else None
        if other is not None and other[0] != letter:
            return _Claim(place, frozenset({letter, other[0]}), rule, hedged=True, strong=True)
        return _Claim(place, frozenset(letter), rule, hedged=hedged, strong=True)

    def _past_text(self, text: str, end: int) -> int:
        """Past the choice's own words: "B) Paris or C) Berlin"."""
        found = re.match(r"[)\].:]?\s{0,2}", text[end : end + 4])
        own = self._text_at(text, end + (found.end() if found else 0))
        return own[1] if own else end

    def _is_a_letter(self, text: str, found: re.Match[str], *, conclusion: bool) -> bool:
        letter, end = found[1], found.end()
        wrapped = found.start(1) > 0 and text[found.start(1) - 1] in "([{\"'“【「<"
        if (
            wrapped
            and text[found.end(1) : found.end(1) + 1] in ")]}\"'”】」>"
            and text[found.end(1) : found.end(1) + 1]
        ):
            return True
        after = _AFTER_WORD.match(text, end)
        if letter.islower() or conclusion:
            # "the answer is a monoid", "it's A good idea"
            return not after or (letter != "a" and after[1].lower() in ("because", "since", "as", "and", "or", "is"))
        if letter in "AI" and after:
            return after[1].lower() in _GOES_WITH_A or after[1][0].isupper()
        return True

    # --- without a statement ---

    def corrected(self, text: str) -> Choice | None:
        """ "A. No wait, B." """
        corrections = sorted([*CORRECTION.finditer(text), *_ACTUALLY.finditer(text)], key=lambda found: found.start())
        if not corrections:
            return None
        rest = text[corrections[-1].end() :].strip(" ,.:;-!\n")
        return self.only(rest) or self._alone(rest)

    def judged(self, text: str) -> Choice | None:
        """ "A: no, B: yes", a line each, or with ticks and crosses."""
        for pattern in (_JUDGED_LINE, _TICKED):
            found = [each for each in pattern.finditer(text) if each[1] in self._letters]
            right = {each[1] for each in found if each["yes"]}
            if len({each[1] for each in found}) > 1 and right:
                return Choice(frozenset(right), "judged")
        return None

    def _only_lines(self, text: str) -> Choice | None:
        """Several lines, each a choice, but not all the choices."""
        lines = [_WHOLE_LINE.fullmatch(line) for line in text[:4_000].split("\n") if line.strip()]
        letters = {line[1] if line else "" for line in lines}
        if not 1 < len(letters) == len(lines) < len(self._letters) or not letters <= set(self._letters):
            return None
        return Choice(frozenset(letters), "lines")

    def listed(self, text: str) -> Choice | None:
        if several := self._only_lines(text):
            return several
        lines = [found[1] for found in _LINE_CHOICE.finditer(text) if found[1] in self._letters]
        if len(set(lines)) == 1:
            return Choice(frozenset(lines[:1]), "line")
        if len(set(lines)) > 1:
            below = list(_LINE_CHOICE.finditer(text))[-1]
            rest = text[text.find("\n", below.end()) + 1 :] if "\n" in text[below.end() :] else ""
            first_is_alone = len(lines) == 1
            return None if first_is_alone or not rest.strip() else self._alone(rest)
        return self._alone(text)

    def _alone(self, text: str) -> Choice | None:
        """A letter that is a sentence of its own, or the only one in brackets."""
        sentences = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
        own = {
            found[1].upper()
            for part in sentences
            if (found := re.fullmatch(rf"[{_WRAP}]*([{re.escape(self._letters)}])[{_WRAP}]*", part[:40]))
        }
        if len(own) == 1:
            return Choice(frozenset(own), "sentence")
        bracketed = {
            found[1]
            for found in self._bracketed.finditer(text)
            if not _NEGATED_BEFORE.search(text[max(0, found.start() - 40) : found.start()])
            and not _IS_NOT.match(text, found.end())
        }
        if len(bracketed) == 1:
            return Choice(frozenset(bracketed), "brackets")
        options = {
            found[1]
            for found in re.finditer(rf"(?:[Oo]ption|[Cc]hoice|[Ll]etter|选项)\s?([{self._letters}])(?![\w'’])", text)
            if not _NEGATED_BEFORE.search(text[max(0, found.start() - 40) : found.start()])
            and not _IS_NOT.match(text, found.end())
        }
        if len(options) == 1 and not bracketed:
            return Choice(frozenset(options), "option")
        last = re.search(rf"(?:[-–—:,]|\.)\s([{self._letters}])[.!*\s]*\Z", text[-40:])
        if last and not bracketed and not own:
            return Choice(frozenset(last[1]), "last letter")
        return None

    def named(self, text: str) -> Choice | None:
        if self._any_text is None:
            return None
        first = self._text_at(text, 0)
        if first and _ENDS_THERE.match(text[first[1] : first[1] + 20]):
            return Choice(frozenset(first[0]), "option text")
        equals = text.rfind("=")
        result = self._text_at(text, equals + 1) if equals >= 0 else None
        if result and not text[result[1] : result[1] + 40].strip(" .!*)\n"):
            return Choice(frozenset(result[0]), "option named")
        everywhere = self._mentions(text)
        if len(everywhere) == 1:
            return Choice(frozenset(everywhere), "option named")
        sentences = [part for part in _SENTENCE.split(text) if part.strip()]
        for part in reversed(sentences):
            if _CONCLUDES.search(part) and (there := self._mentions(part)):
                ends = [each.end() for each in _SINCE_SO.finditer(part)]
                since = self._mentions(part[ends[-1] :]) if ends and len(there) > 1 else set()
                there = since or there
                return Choice(frozenset(there), "option named") if len(there) == 1 else None
        return self._named_where_asked(sentences) if everywhere else None

    def _named_where_asked(self, sentences: list[str]) -> Choice | None:
        if not self._asked:
            return None
        shares: dict[str, float] = {}
        for part in sentences[:500]:
            there = self._mentions(part)
            if len(there) == 1:
                share = len(self._asked & asked_words(part, whole=True)) / len(self._asked)
                letter = there.pop()
                shares[letter] = max(share, shares.get(letter, 0))
        ordered = sorted(shares, key=lambda letter: shares[letter], reverse=True)
        if not ordered or shares[ordered[0]] < 0.6 or (len(ordered) > 1 and shares[ordered[1]] == shares[ordered[0]]):
            return self._named_in_a_clause(sentences)
        return Choice(frozenset(ordered[0]), "option named")

    def _named_in_a_clause(self, sentences: list[str]) -> Choice | None:
        """ "Plants take in carbon dioxide and give off oxygen": the one clause that has the question's words."""
        shares: dict[str, float] = {}
        for part in sentences[:200]:
            for clause in _CLAUSE.split(part[:1_000]):
                there = self._mentions(clause)
                if there and len(clause.split()) < 3:
                    return None
                if len(there) == 1:
                    share = len(self._asked & asked_words(clause, whole=True)) / len(self._asked)
                    letter = there.pop()
                    shares[letter] = max(share, shares.get(letter, 0))
        ordered = sorted(shares, key=lambda letter: shares[letter], reverse=True)
        if len(ordered) < 2 or shares[ordered[0]] < 0.4 or shares[ordered[1]] * 2 > shares[ordered[0]]:
            return None
        return Choice(frozenset(ordered[0]), "option named")

    def _mentions(self, text: str) -> set[str]:
        """Return the letters of the choices whose texts stand in the text and are not negated."""
        if self._any_text is None:
            return set()
        found: set[str] = set()
        for each in self._any_text.finditer(text):
            denied = not self._for_wrong and _IS_NOT.match(text, each.end())
            if not denied and not _TEXT_NOT.search(text[max(0, each.start() - 40) : each.start()]):
                found |= self._letters_of(each[0])
        return found

    def _text_at(self, text: str, start: int) -> tuple[str, int] | None:
        if self._any_text is None:
            return None
        skipped = re.compile(r"[\s\"'“*(:-]*(?:(?:the|an?)\s(?=\S))?", re.IGNORECASE)
        # With its article first: "A monoid" is a choice's own text.
        for begin in (re.compile(r"[\s\"'“*(:-]*").match(text, start), skipped.match(text, start)):
            assert begin is not None
            found = self._any_text.match(text, begin.end())
            letters = self._letters_of(found[0]) if found else set()
            if found and len(letters) == 1:
                return letters.pop(), found.end()
        return None

    def _letters_of(self, said: str) -> set[str]:
        bare = _bare(said)
        return {letter for letter, text in self._texts.items() if text == bare}


_LEADS = set(
    "option choice letter answer therefore so thus hence and or that is only clearly statement think "
    "believe because but "
    "both then since say while as whereas however either also select choose pick not neither nor if "
    "conclude know see shows "
    "means mean yes no correct 选项 here number".split()
)


def _bare(text: str) -> str:
    text = " ".join(normal("NFKC", text).replace("$", "").casefold().split())
    return text.strip(" .,;:!*_`\"'()[]") or text


def _bounded(text: str) -> str:
    """A pattern for the text where no word goes on before or after it; not needed for Chinese."""
    body = r"\s+".join(re.escape(word) for word in text.split())
    left = r"(?<![\w])" if _wordy(text[0]) else ""
    right = r"(?![\w]|[.,]\d)" if _wordy(text[-1]) else ""
    return f"{left}{body}{right}"


def _wordy(char: str) -> bool:
    return char.isalnum() and unicodedata.east_asian_width(char) not in ("W", "F")
