"""What a text gives as its answer where that is a number, a list, a range, a date or a time.

One chain serves answers and references: a marker ("####", a box, "the answer is", a JSON key; the last one counts), the
whole text, the result of a calculation, a conclusion, a statement that stands first and is explained after. Where two
values are left open ("16 or 18") nothing is read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from judge.domain.markers import CORRECTION, Marker, markers
from judge.domain.numbers import Number, numbers, with_words
from judge.domain.plain_text import plain, without_programs, without_thoughts
from judge.domain.question_words import asked_words, periods

Which = Literal["answer", "last", "first"]
_HEAD, _TAIL = 6_000, 24_000
"""Characters at either end of a long text in which an answer without marker is looked for."""
_LONGEST_STATEMENT = 2_500


@dataclass(frozen=True, kw_only=True)
class Reading:
    """`shape` is `none` where nothing was read. A reading is `sure` where the text leaves no other one. `rounded`
    is what the text itself gives for its fraction: "1/3 ≈ 0.333"."""

    shape: Literal["number", "list", "range", "date", "time", "none"]
    values: tuple[Number, ...] = ()
    rule: str
    sure: bool = True
    ordered: bool = False
    rounded: Number | None = None

    @property
    def text(self) -> str | None:
        if not self.values:
            return None
        joint = {"range": " to "}.get(self.shape, ", ")
        return joint.join(" ".join(number.text.split()) for number in self.values[:20])[:200]


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How a text is read: parameters of the evaluator, and the question that was asked."""

    which: Which = "answer"
    decimal_comma: bool = False
    units: Mapping[str, Fraction] | None = None
    question: str = ""


NOTHING = Reading(shape="none", rule="no number")
_CUT_OFF = Reading(shape="none", rule="cut off")
_HEDGED = Reading(shape="none", rule="several left open")

_LAST_OF_CALCULATION = re.compile(r"[=≈]\s*[^\d\n=≈]{0,12}\Z")
_OR = re.compile(r"(?<!\w)(?:or|oder|ou|o|или|或|或者|还是|または|もしくは|versus|vs)(?!\w)", re.IGNORECASE)
_OR_SO = re.compile(r"\bor (?:so|thereabouts|more|less|fewer|rather)\b", re.IGNORECASE)
_NOT = re.compile(
    r"(?:\b(?:not|isn't|rather than|instead of|no longer|never|nicht|kein|pas|unlike|≠)|≠|!=)\s"
    r"(?:(?:just|only|simply|merely|the|a|\$)\s?){0,2}\W{0,3}\Z",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(r"\bnot (?:just|only|simply|merely)\W*\Z", re.IGNORECASE)
_COPULA = re.compile(
    r"(?<!\w)(?:is|are|was|were|be|been|equals?|makes?|made|gives?|gave|gets?|got|earns?|earned|totals?|"
    r"totall?ed|costs?|"
    r"comes? (?:out )?to|becomes?|leaves?|yields?|amounts? to|adds? up to|ist|sind|beträgt|ergibt|est|es|è|"
    r"é|son|sont|"
    r"sono|是|为|為|等于|有)(?!\w)|[:：=≈→]|=>|->",
    re.IGNORECASE,
)
_REASONS = re.compile(
    r"[,;(]?\s(?:because|since|given that|as (?:he|she|it|they|there|we|the)|if|when|where|which (?:is|means)|after|"
    r"assuming|considering|weil|denn|parce que|porque|compared (?:to|with)|unlike|as opposed to|in contrast to|than|up from|down from)\s|"
    r"(?<=[^\d\s)])\s-\s(?=[^\d\s($])|;\s",
    re.IGNORECASE,
)
_SO = re.compile(
    r"(?:^|[,;]\s|\.\s|\s)(?:so|thus|therefore|hence|which makes|making|for a total of|giving|leaving|resulting in|"
    r"=>|→|∴|also|somit|donc|por lo tanto|所以|因此)(?=[\s,:])"
    r"|[,;:]\s(?:in total|altogether|in all|au total|en tout|en total|insgesamt|zusammen|in totale)(?=[\s,:])",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"(?:^|[\s,*#>])(?:so|thus|therefore|hence|in total|total|totals|altogether|in all|finally|overall|in conclusion|"
    r"to conclude|in sum|conclusion|result|final|consequently|it follows|that means|this means|we get|"
    r"we have|in the end|"
    r"all in all|together|combined|answer|somit|insgesamt|also|zusammen|ergebnis|donc|au total|ainsi|"
    r"por lo tanto|en total|"
    r"entonces|total de|quindi|in totale|portanto|итого|всего|итак|следовательно)(?!\w)|∴|⇒|所以|因此|总共|一共|共有|"
    r"合計|したがって|よって|따라서",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"^\W*(?:to (?:check|verify|see|double|confirm)|check\b|verification|because\b(?!.*,)|since\b(?!.*,)|"
    r"explanation|reason(?:ing)?\b|note\b|"
    r"proof|here'?s (?:why|how)|this is because|that'?s because|(?:for )?(?:example|instance|comparison|"
    r"reference)|half of|"
    r"in other words|by the way|remember|recall|let'?s (?:check|verify)|working|steps?\b|calculation|first\b|given\b|"
    r"originally|initially|we know|the question|why\b|details?\b|breakdown\b|explained\b|source\b|"
    r"as a (?:check|comparison))",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^()]*\)[\s.]*")
_ADVERBIAL = re.compile(
    r"(?:\b(?:over|in|within|after|for|per|every|each|from|of|with|on|during|by|at|before|until|since|than|"
    r"step|day|week|"
    r"question|problem|case|chapter|page|figure|table|equation|version|level|grade|room|number|no\.|line|"
    r"part|example|"
    r"among|between|out of|section|item|year|round|another|other|these|those|all|both|only|next|last|first|past|than|"
    r"to (?:her|his|their|its|my|our|the)|model|type|group|phase|year|age|aged)|#|@|/|×|\*|\+|÷|(?<=\d)\sx)\s*(?:the|a|an|my|his|her|its|their|"
    r"our|those|these|"
    r"about|all|each|roughly|approximately|next|last|first|\$|another|other|just|only)?\s*\Z",
    re.IGNORECASE,
)
_TOTAL_OF = re.compile(
    r"\b(?:total|sum|profit|average|mean|result|answer|amount|maximum|minimum|cost|price|value|area|number|count|"
    r"population|salary|difference|product|distance|length|age|speed|probability|length|balance|income|"
    r"ratio|percentage) "
    r"of (?:about |approximately |roughly |around |only |exactly )?\s*\Z",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"([A-Za-z]{2,25})\s\Z")
_LABEL = re.compile(
    r"(?:total|answer|result|sum|in|on|at|by|of|only|just|about|the|final|all|altogether|together|combined|so|thus|then|and|"
    r"[A-Z]{2,4}|january|february|march|april|may|june|july|august|september|october|november|december)",
    re.IGNORECASE,
)
_GOES_ON_AS_SUBJECT = re.compile(r"\s(?:is|was|has|had|were|will|[a-z]{2,}ed)\s")
_BEFORE_OPERATOR = re.compile(
    r"\A\s?(?:[+×*÷]|/\s?[\d(]|-\s|x\s\d|-\d|\^|times\b|plus\b|minus\b|divided\b|multiplied\b|−)"
)
_AFTER_OPERATOR = re.compile(r"(?:[+×*÷/^]|(?<=[\w)\s])-|\bx|\btimes|\bplus|\bminus|\bby)\s?\(?\s?[$€£]?\Z")
_ABOUT = re.compile(
    r"\A(?:\W|_|\b(?:about|approximately|approx|around|roughly|circa|ca|nearly|almost|exactly|just|only|"
    r"it'?s|it is|they are|"
    r"i think|i believe|there are|there is|that'?s|that is|is|are|equals|sure|ok(?:ay)?|yes|etwa|ungefähr|"
    r"environ|unos|"
    r"the|a|an|total|x|y|n|answer|约|大约|约为|共|是|有|usd|eur|us|ca)\b)*\Z",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\n+|(?<=[.!?])[\"')\]*]{0,3}\s+(?=[^\s\d.,]|\d)|(?<=[！？])")
_ENUMERATOR = re.compile(r"^\s*(?:\(?\d{1,2}[.)]|[-•*+])\s+(?=\S)")
_HEADING = re.compile(r"\s*\d{1,2}[.):]\s+[^\W\d]")
_LIST_JOINT = re.compile(
    r"\A[\s\"'\])]*(?:(?:,|;|\band\b|\bor\b)\s?[a-zA-Z](?:_\d)?\s?=|[,;/|&]|\band\b|,\s*and\b|\bund\b|\bet\b|\by\b|\be\b|和|与|\n)[\s\"'\[(]*\Z",
    re.IGNORECASE,
)
_COMPOUND_JOINT = re.compile(r"\A\s*(?:,\s*)?(?:and\s*)?\Z", re.IGNORECASE)
_RANGE_JOINT = re.compile(r"\A\s*(?:-|to|until|till|bis|à|a|hasta|至|到|~|and)\s*[$€£]?\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|from|zwischen|von|entre|de|tra|从)\s*[$€£]?\Z", re.IGNORECASE)
_CHANCE = re.compile(r"\b(?:probability|chances?|odds|likelihood|how likely|fraction|proportion)\b", re.IGNORECASE)
_RESTATES = re.compile(
    r"[\s,;]*\(?\s*(?:≈|~|(?:or|i\.e\.,?|that is|which is)?\s*(?:about|approximately|roughly|approx\.?|around)\s)\s*",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:,\s|\()(?:up |down )?from\s?[$€£]?\Z", re.IGNORECASE)
_PLUS_MINUS = re.compile(r"(?<=[\w%°)])\s?±\s?\Z")
_A_TIME = re.compile(r"\A\W{0,3}(?:a|per|each|every|/)\s?(hour|day|week|month|year|minute|second)", re.IGNORECASE)
_ONLY_BOTH_SIGNS = re.compile(r"\W*(?:[a-zA-Z]\s?=\s?)?±\s?(?=\d)")
_STILL_GOES_ON = re.compile(r"\b(?:remain(?:s|ing)?|left)\b", re.IGNORECASE)
_BUT_REALLY = re.compile(r"(?:\b(?:would|could)\b|['’]d\b)[^.!?\n]{1,200},\sbut\s", re.IGNORECASE)
_COUNTED = re.compile(r"\d\s[A-Za-z]{2,30}")
_AND_CLAUSE = re.compile(r",?\s(?:and|while|whereas|but)\s(?!\W?\d)|;\s", re.IGNORECASE)
_IN_HOW_MANY = re.compile(r"(?<![\w.,/])(\d{1,9})\s(?:in|out\sof)\s(\d{1,9})(?![\w/]|[.,]\d)", re.IGNORECASE)
_ONLY_CHANCE = re.compile(r"\W*1 in \d{1,9}\W*")
_CONFIRMS = re.compile(
    r"\b(?:yes|correct|confirm\w*|matches|holds|checks out|right|verified|consistent|indeed|fine|good)\b|✓|✅",
    re.IGNORECASE,
)


def read(text: str, manner: Manner) -> Reading:
    """Return what the text gives as its answer."""
    text = _with_chances(without_programs(without_thoughts(text)), manner)
    marked = list(markers(text))
    corrected = _corrected(text, marked, manner)
    if corrected is not None:
        return corrected
    for marker in marked:
        reading = _read_marked(marker, manner)
        if reading is not None:
            return reading
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    return _read_unmarked(plain(text), manner)


def _with_chances(text: str, manner: Manner) -> str:
    """Write "1 in 4" as 1/4 where a chance is asked for or nothing else is said."""
    if _CHANCE.search(manner.question[-4_000:]) or _ONLY_CHANCE.fullmatch(text[:40].strip()):
        return _IN_HOW_MANY.sub(r"\1/\2", text)
    return text


def read_list(text: str, manner: Manner) -> Reading | None:
    """Return the last list that the text gives, for a reference that is a list; null where it has none."""
    text = without_thoughts(text)
    for marker in markers(text):
        for extent in marker.contents:
            if reading := _run(plain(extent), manner, marker.rule):
                return reading
    text = plain(text[-_TAIL:])
    if both := _both_signs(text, manner):
        return both
    if reading := _lines_of_list([(line, []) for line in text.split("\n") if line.strip()]):
        return reading
    whole = _whole(text, manner)
    if whole is not None and whole.shape == "list":
        return whole
    if reading := _lines_of_list([(part, []) for part in _sentences(text) if part.strip()]):
        return reading
    return _run(text, manner, "list")


def _both_signs(text: str, manner: Manner) -> Reading | None:
    """ "±2", which is -2 and 2."""
    found = _numbers(text[:200], manner) if _ONLY_BOTH_SIGNS.match(text[:40]) else []
    if len(found) != 1 or not _is_label(text[found[0].end :][:200]):
        return None
    return Reading(shape="list", values=(replace(found[0], value=-found[0].value), found[0]), rule="both signs")


def _run(text: str, manner: Manner, rule: str) -> Reading | None:
    """Return the last run of numbers with nothing but commas and "and" between them."""
    found: list[Number] = []
    for number in numbers(text, decimal_comma=manner.decimal_comma, units=manner.units):
        found += _apart(number)
    runs: list[list[Number]] = []
    for number in found:
        last = runs[-1][-1] if runs else None
        if last is not None and (number.start <= last.end + 1 or _LIST_JOINT.match(text[last.end : number.start])):
            runs[-1].append(number)
        else:
            runs.append([number])
    runs = [run for run in runs if len(run) > 1]
    return Reading(shape="list", values=tuple(runs[-1][:1_000]), rule=rule, sure=False) if runs else None


def _apart(number: Number) -> list[Number]:
    """ "3,5" is two members of a list where a list is expected."""
    parts = number.text.split(",")
    if len(parts) < 2 or number.unit or number.percent or not all(part.strip().isdigit() for part in parts):
        return [number]
    return [Number(value=Fraction(int(part)), text=part.strip(), start=number.start, end=number.end) for part in parts]


def all_numbers(text: str, manner: Manner) -> list[Number]:
    """Return every number of the text, in words where there are none in digits."""
    return _numbers(plain(without_thoughts(text)), manner)


def _numbers(text: str, manner: Manner) -> list[Number]:
    found = list(numbers(text, decimal_comma=manner.decimal_comma, units=manner.units))
    return _compounds(text, found or with_words(text))


def _compounds(text: str, found: list[Number]) -> list[Number]:
    """Join "3 hours and 30 minutes" into one number of its first unit."""
    joined: list[Number] = []
    for number in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.unit is not None
            and number.unit is not None
            and last.unit.kind == number.unit.kind
            and last.unit.factor > number.unit.factor
            and _COMPOUND_JOINT.match(text[last.end : min(number.start, last.end + 8)])
            and number.start <= last.end + 6
        ):
            more = number.value * number.unit.factor / last.unit.factor
            joined[-1] = replace(last, value=last.value + more, text=text[last.start : number.end], end=number.end)
        else:
            joined.append(number)
    return joined


def _corrected(text: str, marked: Sequence[Marker], manner: Manner) -> Reading | None:
    """Return what stands after "wait", where the model takes back what it had marked."""
    begin = marked[0].start if marked else 0
    corrections = list(CORRECTION.finditer(text, begin))
    if not corrections:
        return None
    last = corrections[-1]
    rest = text[last.end() : last.end() + _TAIL]
    if _CONFIRMS.search(rest[:400]):
        return None
    reading = _read_unmarked(plain(rest), manner)
    if reading.shape == "none" or not _states(plain(rest), reading):
        return None
    return Reading(
        shape=reading.shape, values=reading.values, rule="after a correction", sure=False, ordered=reading.ordered
    )


def _states(text: str, reading: Reading) -> bool:
    before = text[max(0, reading.values[0].start - 60) : reading.values[0].start]
    return bool(re.search(r"(?:is|are|'s|be|equals|=|:|makes|gives|to|\A)\s?\W{0,4}(?:about |actually )?\Z", before))


def _read_marked(marker: Marker, manner: Manner) -> Reading | None:
    """Null where the marker has no number behind it."""
    for extent in marker.contents:
        text = plain(extent)
        whole = _whole(text, manner)
        if marker.strict:
            if _HEADING.match(text):
                return None
            return whole and _named(whole, marker.rule)
        reading = whole or _statement(text, manner, first=True)
        if reading.shape != "none" or reading is _HEDGED:
            return _named(reading, marker.rule)
    return None


def _named(reading: Reading, rule: str) -> Reading:
    if reading.shape == "none":
        return reading
    return replace(reading, rule=rule, sure=True)


def _read_unmarked(text: str, manner: Manner) -> Reading:
    if whole := _whole(text, manner):
        return whole
    if manner.which != "answer":
        return _by_place(text, manner)
    sentences = [_bounded(part) for part in _sentences(text) if part.strip()]
    known: list[tuple[str, list[Number]]] = [(part, _numbers(part, manner)) for part in sentences]
    if not any(found for _, found in known):
        return NOTHING
    if known[-1][1] and _unfinished(*known[-1]):
        return _CUT_OFF
    if reading := _lines_of_list(known):
        return reading
    chosen = _statement_that_answers(known, manner)
    reading = _statement(known[chosen][0], manner, first=False)
    hedged = _hedge_between(known)
    if hedged or reading is _HEDGED:
        return _HEDGED
    if reading.shape != "number":
        return reading
    sure = _is_sure(known, reading)
    return replace(reading, sure=sure)


def _by_place(text: str, manner: Manner) -> Reading:
    found = [number for number in _numbers(text, manner) if number.kind == "number"]
    if not found:
        return NOTHING
    chosen = found[-1] if manner.which == "last" else found[0]
    sure = len({number.value for number in found}) == 1
    return Reading(shape="number", values=(chosen,), rule=f"{manner.which} number", sure=sure)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for found in _SENTENCE.finditer(text):
        yield text[start : found.start()]
        start = found.end()
    yield text[start:]


# --- a whole text, and a single statement ---------------------------------------------------------------------------


def _whole(text: str, manner: Manner) -> Reading | None:
    """Return the reading of a text that is nothing but its value, with "about" before and a few words after."""
    text = text.strip().strip("\"'`“”*_ ")
    if len(text) > 2_000 or "∞" in text:
        return None
    ordered = text[:1] in "([" and text[-1:] in ")]"
    found = _numbers(text, manner)
    if not found or not _ABOUT.match(text[: found[0].start]):
        return None
    rest = text[found[-1].end :]
    if len(found) == 1:
        if not _is_label(rest):
            return None
        return _one(found[0], "whole text")
    if len(found) > 200:
        return None
    gaps = [text[one.end : other.start] for one, other in pairwise(found)]
    if len(found) == 2 and _is_range(text, found, gaps[0]) and _is_label(rest):
        return Reading(shape="range", values=tuple(found), rule="whole text")
    if all(_LIST_JOINT.match(gap) for gap in gaps) and _is_label(rest):
        return Reading(shape="list", values=tuple(found), rule="whole text", ordered=ordered)
    return None


def _is_label(rest: str) -> bool:
    """A unit, a noun and its adjective; no second statement."""
    rest = rest.strip(" \t\n.,;:!?*_)]}\"'`")
    words = rest.split()
    return (
        len(words) <= 3
        and "\n" not in rest
        and not re.search(r"[.:;=(]|[-+×*/^±]\s*\w|\b(?:or|but|not|because)\b", rest)
    )


def _one(number: Number, rule: str, *, sure: bool = True) -> Reading:
    return Reading(shape=number.kind, values=(number,), rule=rule, sure=sure)


def _is_range(text: str, pair: Sequence[Number], gap: str) -> bool:
    low, high = pair
    if low.kind != "number" or high.kind != "number" or not _RANGE_JOINT.match(gap):
        return False
    joint = gap.strip(" $€£").lower()
    if joint == "and" and not _BETWEEN.search(text[max(0, low.start - 20) : low.start]):
        return False
    if joint == "a" and not _BETWEEN.search(text[max(0, low.start - 20) : low.start]):
        return False
    # "5 - 12" is a subtraction, "5-12" and "5 to 12" are ranges.
    return low.value < high.value and not (joint == "-" and gap.startswith(" ") and gap.endswith(" "))


def _bounded(statement: str) -> str:
    """Return both ends of what is too long for a sentence: what follows looks at pairs of its numbers."""
    if len(statement) <= _LONGEST_STATEMENT:
        return statement
    return statement[: _LONGEST_STATEMENT // 2] + " … " + statement[-_LONGEST_STATEMENT // 2 :]


def _statement(text: str, manner: Manner, *, first: bool) -> Reading:
    """Return what one statement gives. `first` says that it follows a marker, so that what comes first counts."""
    text = _bounded(text)
    found = _numbers(text, manner)
    if not found or "∞" in text:
        return NOTHING
    found = _worded_before_brackets(text, found) or found
    if any(number.worded for number in found):
        found = _without_pronouns(text, found)
    found = [number for number in found if not _is_negated(text, number)]
    found = [number for number in found if not _PLUS_MINUS.search(text[: number.start][-4:])] or found
    if not found:
        return NOTHING
    if len(found) == 1:
        return NOTHING if _unfinished(text, found) else _one(found[0], "only number")
    exact, rounded = _rounded_after(text, found)
    if rounded is not None:
        return replace(_statement_of(text, exact, manner, first=first), rounded=rounded)
    return _statement_of(text, found, manner, first=first)


def _statement_of(text: str, found: list[Number], manner: Manner, *, first: bool) -> Reading:
    if len(found) == 1:
        return _one(found[0], "only number")
    if _open_between(text, found):
        return _HEDGED
    found = _without_passed_range(text, found)
    if len(found) == 1:
        return _one(found[0], "only number")
    if reading := _series(text, found):
        return reading
    if _unfinished(text, found):
        return NOTHING
    found = _main(text, found, first=first)
    found = [number for number in found if not _names(text, number, manner)] or found
    results = _results(text, found)
    if results:
        # After a marker, "72 = 48 + 24" gives its left side.
        return _one(results[-1], "result")
    found = [number for number in found if not _is_operand(text, number)] or found
    free = [number for number in found if not _is_adverbial(text, number) and not number.ordinal] or found
    numbers_only = [number for number in free if number.kind == "number"] or free
    if len(numbers_only) == 1:
        return _one(numbers_only[0], "only number")
    if first:
        return _one(numbers_only[0], "first number")
    numbers_only = _where_asked(text, numbers_only, manner)
    for copula in _COPULA.finditer(text):
        after = [number for number in numbers_only if number.start >= copula.end()]
        between = text[copula.end() : after[0].start] if after else ""
        near = after and len(between.split()) <= 3 and not any(char.isdigit() for char in between)
        if near:
            return _one(after[0], "statement")
    return _one(numbers_only[-1], "last number")


def _without_passed_range(text: str, found: list[Number]) -> list[Number]:
    """Leave out what "It rose by 25 %, from 80 to 100" says of the way."""
    for index in range(1, len(found[:200]) - 1):
        low, high = found[index], found[index + 1]
        begins = _FROM.search(text[max(0, low.start - 12) : low.start])
        if begins and _RANGE_JOINT.match(text[low.end : high.start]):
            return found[:index] + found[index + 2 :]
    return found


def _where_asked(text: str, found: list[Number], manner: Manner) -> list[Number]:
    """Keep the numbers of the clause that has most of the question's words: "Tom will be 16 and his father 40"."""
    wanted = asked_words(manner.question)
    cuts = [0, *(each.end() for each in _AND_CLAUSE.finditer(text)), len(text)]
    if not wanted or len(cuts) < 3:
        return found
    shares = []
    for start, end in pairwise(cuts):
        here = [number for number in found if start <= number.start < end]
        if here:
            said = _COUNTED.sub(" ", text[start:end])
            shares.append((len(wanted & asked_words(said, whole=True)), here))
    shares.sort(key=lambda each: each[0], reverse=True)
    return shares[0][1] if len(shares) > 1 and shares[0][0] > shares[1][0] else found


def _rounded_after(text: str, found: list[Number]) -> tuple[list[Number], Number | None]:
    """Return the numbers without the one that restates the fraction before it, and that one."""
    for fraction, decimal in pairwise(found[:200]):
        if "/" not in fraction.text or not _RESTATES.fullmatch(text[fraction.end : decimal.start]):
            continue
        if abs(fraction.value - decimal.value) * 50 <= abs(fraction.value) and not _is_operand(text, fraction):
            return [number for number in found if number is not decimal], decimal
    return found, None


def _worded_before_brackets(text: str, found: list[Number]) -> list[Number]:
    """ "The total is seventy-two (48 plus 24)": digits in brackets only."""
    inside = _bracketed(text)
    if not inside or not all(any(start < number.start < end for start, end in inside) for number in found):
        return []
    return [
        number
        for number in with_words(text)
        if number.worded
        and not any(start < number.start < end for start, end in inside)
        and any(each.end() >= number.start - 1 for each in _COPULA.finditer(text[: number.start]))
    ]


def _without_pronouns(text: str, found: list[Number]) -> list[Number]:
    """ "one" is a number only where it stands like one."""
    kept = [
        number
        for number in found
        if number.text.lower() not in ("one", "a half", "half", "a third", "a quarter")
        or re.match(r"\W*\Z|\W*[.!,](?:\s|\Z)", text[number.end :])
        or not text[: number.start].strip(" \"'*")
    ]
    return kept


def _is_negated(text: str, number: Number) -> bool:
    before = text[max(0, number.start - 40) : number.start]
    return bool(_NOT.search(before)) and not _NOT_ONLY.search(before)


def _unfinished(text: str, found: Sequence[Number]) -> bool:
    """The text was cut off behind an equals sign or an operator."""
    return bool(re.search(r"[=+×*÷]\s*\$?\s*\Z", text[found[-1].end :]))


def _open_between(text: str, found: Sequence[Number]) -> bool:
    for one, other in pairwise(found):
        gap = text[one.end : other.start]
        if len(gap) > 80 or one.value == other.value or _OR_SO.search(gap):
            continue
        alternative = _OR.search(gap)
        same_in_other_words = one.unit is not None and other.unit is not None and one.unit != other.unit
        here, there = _A_TIME.match(gap), _A_TIME.match(text[other.end : other.end + 12])
        if here and there and here[1].lower() != there[1].lower():
            continue
        if one.percent != other.percent and (one.unit or other.unit):
            continue  # "$70,000, or about 54 %"
        if alternative and not same_in_other_words and not re.search(r"[=.?!]", gap):
            return True
    return False


def _series(text: str, found: Sequence[Number]) -> Reading | None:
    """Return a range or a list that the statement gives as its value."""
    gaps = [text[one.end : other.start] for one, other in pairwise(found)]
    for index, gap in enumerate(gaps):
        pair = found[index : index + 2]
        before = text[max(0, pair[0].start - 12) : pair[0].start]
        if _is_range(text, pair, gap) and not _AFTER_OPERATOR.search(before) and "=" not in text:
            return Reading(shape="range", values=tuple(pair), rule="range")
    if len(gaps) >= 1 and all(_LIST_JOINT.match(gap) and "/" not in gap for gap in gaps) and len(found) <= 200:
        # "3, 5 and 7": two numbers need a word between them, or brackets, to be a list.
        return Reading(
            shape="list", values=tuple(found), rule="list", ordered=text[: found[0].start].rstrip().endswith("(")
        )
    return None


def _main(text: str, found: list[Number], *, first: bool) -> list[Number]:
    """Keep the numbers of the main clause: without brackets, reasons, and what leads to a conclusion."""
    inside = _bracketed(text)
    outer = [number for number in found if not any(start < number.start < end for start, end in inside)]
    found = outer or found
    if first:
        cut = next((each.start() for each in _REASONS.finditer(text) if found[0].end <= each.start()), len(text))
        return [number for number in found if number.end <= cut] or found
    concluding = [each.end() for each in _SO.finditer(text) if found[-1].start >= each.end()]
    after = [number for number in found if concluding and number.start >= concluding[-1]]
    # "..., so the train arrives at 12:00" is no conclusion where a number is asked for.
    if after and (first or any(number.kind == "number" for number in after) or found[0].kind != "number"):
        return after
    if (only := _BUT_REALLY.search(text)) and (main := [one for one in found if one.start >= only.end()]):
        return main
    for reason in _REASONS.finditer(text):
        main = [number for number in found if number.end <= reason.start()]
        later = [number for number in found if number.start >= reason.end()]
        if reason[0] == "; " and {number.value for number in main} & {number.value for number in later[:-1]}:
            continue  # "She has 9 eggs; 9 × 2 = 18"
        if main and (len(main) > 1 or not _is_adverbial(text, main[0])):
            return main
        if main:
            break
    colon = re.search(r":\s", text)
    if colon and len(text[: colon.start()].split()) >= 3:
        main = [number for number in found if number.end <= colon.start() and not _is_adverbial(text, number)]
        if main:
            return main
    return found


def _bracketed(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"\([^()]{0,300}\)|\[[^\[\]]{0,300}\]", text)]


def _results(text: str, found: Sequence[Number]) -> list[Number]:
    """Return the right sides of calculations, without those that a later calculation uses."""
    results = []
    for index, number in enumerate(found):
        before = text[found[index - 1].end if index else 0 : number.start]
        after = text[number.end : number.end + 12]
        if (
            _LAST_OF_CALCULATION.search(before)
            and not _BEFORE_OPERATOR.match(after)
            and not re.match(r"\s?[=≈]", after)
        ):
            results.append(number)
    return results


def _is_operand(text: str, number: Number) -> bool:
    after, before = text[number.end : number.end + 12], text[max(0, number.start - 12) : number.start]
    return bool(_BEFORE_OPERATOR.match(after) or _AFTER_OPERATOR.search(before) or re.match(r"\s?=", after))


def _names(text: str, number: Number, manner: Manner) -> bool:
    """ "Apollo 11" is a name where the question has it too, or where it stands like one in the sentence."""
    if not number.text.isdigit() or len(number.text) > 3:
        return False
    before = _WORD_BEFORE.search(text[max(0, number.start - 30) : number.start])
    if before is None or not before[1][0].isupper() or _LABEL.fullmatch(before[1]):
        return False
    if f"{before[1]} {number.text}" in manner.question[-4_000:]:
        return True
    inside = text[: number.start - len(before[0])].rstrip()
    return bool(inside and inside[-1].isalnum()) or bool(_GOES_ON_AS_SUBJECT.match(text, number.end))


def _is_adverbial(text: str, number: Number) -> bool:
    before = text[max(0, number.start - 40) : number.start]
    if _TOTAL_OF.search(before):
        return False
    return bool(_ADVERBIAL.search(before)) or number.kind in ("date", "time")


# --- which of several statements ------------------------------------------------------------------------------------


def _statement_that_answers(known: Sequence[tuple[str, list[Number]]], manner: Manner) -> int:
    """Return the index of the statement whose number answers the question."""
    given = {number.value for number in numbers(plain(manner.question[-4_000:]))}
    wanted = asked_words(manner.question)
    asked_periods = periods(_last_sentence(manner.question))
    with_number = [index for index, (_, found) in enumerate(known) if found]
    used: set[Fraction] = set()
    best, best_points = with_number[-1], float("-inf")
    for index in reversed(with_number):
        text, found = known[index]
        reading = _statement(text, manner, first=False)
        points = _points(text, found, reading, given=given, wanted=wanted, used=used, asked_periods=asked_periods)
        points += 2.0 if index == with_number[-1] else 0
        points += _first_points(text, found, reading) if index == with_number[0] else 0
        if points > best_points:
            best, best_points = index, points
        used |= {number.value for number in found if _is_operand(text, number)}
    return best


def _last_sentence(question: str) -> str:
    return re.split(r"[.!]\s", question[-1_000:].strip())[-1]


def _points(
    text: str,
    found: Sequence[Number],
    reading: Reading,
    *,
    given: set[Fraction],
    wanted: set[str],
    used: set[Fraction],
    asked_periods: set[str],
) -> float:
    points = 0.0
    if reading.shape == "none":
        return -5.0
    if _CONCLUDES.search(text) and not _ASIDE.fullmatch(text):
        points += 3.0
    if reading.rule == "result":
        points += 0.5
    if _EXPLAINS.search(text) or _ASIDE.fullmatch(text):
        points -= 3.0
    value = reading.values[0].value if reading.shape == "number" else None
    if value is not None and value in given:
        points -= 1.5
    if value is not None and value in used:
        points -= 2.0
    if asked_periods and (here := periods(text)) and not here & asked_periods:
        points -= 3.0
    if wanted:
        said = asked_words(text, whole=True)
        points += 2.0 * len(wanted & said) / len(wanted)
    if reading.shape in ("date", "time") or all(_is_adverbial(text, number) for number in found):
        points -= 1.5
    if _ENUMERATOR.match(text) and not _CONCLUDES.search(text):
        points -= 0.5
    return points


def _first_points(text: str, found: Sequence[Number], reading: Reading) -> float:
    """An answer that begins with its number is explained after."""
    if reading.shape != "none" and reading.rule != "result" and found and _ABOUT.match(text[: found[0].start]):
        rest = text[found[0].end :]
        return 3.5 if len(rest.split()) <= 3 and not _STILL_GOES_ON.search(rest) else 1.0
    return 0.5


def _hedge_between(known: Sequence[tuple[str, list[Number]]]) -> bool:
    """Two statements that leave the answer open: "It could be 16. Or it could be 18." """
    told = [(text, found) for text, found in known if found]
    if len(told) < 2:
        return False
    (_, before), (text, found) = told[-2:]
    return (
        bool(re.match(r"\W*(?:or|oder|maybe|or maybe|perhaps)\b", text, re.IGNORECASE))
        and before[-1].value != found[0].value
    )


def _lines_of_list(known: Sequence[tuple[str, list[Number]]]) -> Reading | None:
    """Return the list of a text whose every line is one number."""
    if len(known) < 2 or len(known) > 200:
        return None
    values = []
    for text, _ in known:
        bare = _ENUMERATOR.sub("", text).strip(" \t.,;*")
        found = list(numbers(bare))
        if len(found) != 1 or found[0].start != 0 or found[0].end != len(bare):
            return None
        values.append(found[0])
    return Reading(shape="list", values=tuple(values), rule="list")


def _is_sure(known: Sequence[tuple[str, list[Number]]], reading: Reading) -> bool:
    """Whether a reader who does not know the question could take no other number."""
    chosen = reading.values[0].value
    results: list[Fraction] = []
    operands: set[Fraction] = set()
    free: set[Fraction] = set()
    for text, found in known:
        here = _results(text, found)
        results += [number.value for number in here]
        operands |= {number.value for number in found if _is_operand(text, number)}
        free |= {
            number.value
            for number in _main(text, found, first=False)
            if number not in here and not _is_operand(text, number) and not _is_adverbial(text, number)
        }
    unused = {value for value in results if value not in operands}
    if unused:
        return unused == {chosen} and free <= operands | set(results)
    return free <= {chosen}
