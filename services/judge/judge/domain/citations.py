"""Find the citations of an answer: in fields of the reply of the answering service (such as a RAG service), or by
patterns in the answer's text.

The patterns, in this order:

1. Markdown links to a document: `[text](HR_Policy.md#time-off)`.
2. Footnotes and `<cite>` elements that name a document: `[^1]: HR_Policy.md`.
3. Brackets around a document: `[HR_Policy.md]`, `(HR_Policy.md, Time Off)`, `[HR_Policy.md: Section 3]`,
   `[doc.pdf#p4]`, `【HR_Policy.md†Time Off】`.
4. A named source, such as `Source: HR_Policy.md, Section: Time Off` or `See HR_Policy.md`.
5. A statement attributed to a document: `HR_Policy.md's section 3`, `HR_Policy.md states`.
6. Numbers in brackets, such as `[1]`, `[2, 3]`, `[1][2]` or `[source 1]`: the first, second … of the known
   documents, if there are any.

Fenced code blocks are ignored. So are numbers in brackets between backticks, or in an index such as `a[1]`. Numbers
after words of code or of a list, as in `return [1]` and "the list [1, 2]", are ignored too.

A cited document is one of the known documents, matched by name with or without folder and extension. Otherwise it is a
file name with a usual extension of documents (`.md`, `.pdf` …) that is not part of a web address.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from llmbench.contracts.outcome import Citation as Given

_FILE = r"[\w][\w./%+-]{0,150}\.(?:md|markdown|pdf|txt|html?|docx?|xlsx?|pptx?|csv|json|ya?ml|xml|rst|odt|rtf|epub)"
_LINK = re.compile(r"\[[^\[\]\n]{0,300}\]\(\s*<?([^()\s<>]{1,300})>?[^()\n]{0,100}\)")
_BRACKETS = re.compile(r"[\[(【]([^\[\]()【】\n]{1,300})[\])】]")
_FOOTNOTE = re.compile(r"^ {0,3}\[\^[\w-]{1,20}\]:[ \t]*([^\n]{1,300})|<cite>([^<>\n]{1,300})(?=</cite>)", re.MULTILINE)
_NUMBERED_SOURCE = re.compile(
    r"【(\d{1,3})(?:†[^】\n]{0,100})?】|\[(?:source|document|doc|ref)\s?(\d{1,3})\]", re.IGNORECASE
)
_SOURCE = re.compile(
    r"\b(?:sources?|see|according to|based on|"
    r"(?:stated|described|explained|noted|mentioned|specified|defined|outlined|set out) in|"
    r"references?|citations?|cited from|quelle|fuente)\b[\s:*_`\"“]{1,8}([^\n]{1,300})",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"(?<![\w\])])((?:\[\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3}){0,20}\]){1,20})(?![(\[]|\.[a-z_]|[ \t]*[=+][ \t]*\w)"
)
_CODE_BEFORE = re.compile(r"(?:\w[ \t]*[=+]=?|\d[ \t]*[*/]|\w\(|\b(?:return|print))[ \t]*\Z")
_LIST_BEFORE = re.compile(
    r"\b(?:lists?|arrays?|vectors?|tuples?|intervals?|ranges?|matrix|set|indices)[ \t]*\Z", re.IGNORECASE
)
_FENCED = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]{1,500}`")
_SAYING = re.compile(
    rf"(?<![\w/.])({_FILE})(?:['\u2019]s?(?!\w)|\s{{1,3}}(?:says|states|describes|explains|notes|lists|mentions|shows"
    r"|specifies|requires|defines|reports|confirms|indicates|gives|allows|sets out)\b)",
    re.IGNORECASE,
)
_OWN_SECTION = re.compile(r"\s{0,3}((?:section|page|chapter|§)\s{0,3}[\w.]{0,20}\w)", re.IGNORECASE)
_SECTION = re.compile(
    r"^\s*(?:[,:;#§†|\u2013\u2014-]|page|section)\s*(?:section\s*:?\s*|§\s*)?([^,;\])】\n]{1,200})", re.IGNORECASE
)
_FILE_IN_TEXT = re.compile(rf"(?<![\w/.]){_FILE}(?![\w])", re.IGNORECASE)
_MOST = 200
_MOST_PLACES = 500
"""The maximum number of places to examine for one pattern: each is compared with every known document."""


@dataclass(frozen=True)
class Citation:
    """A citation in an answer.

    `document` is the name to show: usually the answer's spelling, but the known name for a number such as `[1]`.
    `known` is the known document's own name; `None` if the answer cites no known document. `relevance`, from 0 to 1, is
    `None` unless the answering service states it.
    """

    document: str
    section: str | None
    known: str | None
    relevance: float | None = None


def citations_from_fields(fields: Sequence[Given], known: Sequence[str]) -> list[Citation]:
    """Return the citations that the answering service gave in fields of its reply, in the same order. `fields` has one
    entry per citation.

    `known` has the names of the documents that exist.
    """
    names = _names(known)
    return [
        Citation(each.document, each.section, names.get(each.document.strip().casefold()), each.relevance)
        for each in fields
    ]


def citations(text: str, known: Sequence[str]) -> list[Citation]:
    """Return the citations in the answer's text. They are in the order of the patterns that the module lists, not in
    the order of the text.

    `known` has the names of the documents that exist. Each pair of document and section is listed once. The list ends
    after `_MOST` citations.
    """
    citations: dict[tuple[str, str | None], Citation] = {}
    for citation in _all(text, known, _names(known)):
        citations.setdefault((citation.known or citation.document, citation.section), citation)
        if len(citations) == _MOST:
            break
    return list(citations.values())


def _names(known: Sequence[str]) -> dict[str, str]:
    """Return a dict that maps each spelling of a document's name, such as without folder or extension, to the document.

    The longest spelling comes first, so that no document is mistaken for one with a shorter name.
    """
    aliases = {alias: name for name in reversed(known) for alias in _aliases(name)}
    return dict(sorted(aliases.items(), key=lambda pair: -len(pair[0])))


def _all(text: str, known: Sequence[str], names: dict[str, str]) -> Iterator[Citation]:
    text = _FENCED.sub(" ", text)
    for link in _LINK.finditer(text):
        target, _, section = link[1].partition("#")
        if "://" in target and (known_name := names.get(target.rpartition("/")[2].casefold())):
            yield Citation(known_name, section or None, known_name)
        if "://" not in target and (_FILE_IN_TEXT.fullmatch(target) or target.casefold() in names):
            yield Citation(target, section or None, names.get(target.casefold()))
    rest = _NUMBERED_SOURCE.sub(lambda found: _numbered_source(found, names), _LINK.sub(" ", text))
    for line in islice(_FOOTNOTE.finditer(rest), _MOST_PLACES):
        yield from _documents(line[1] or line[2], names)
    for inside in islice(_BRACKETS.finditer(rest), _MOST_PLACES):
        yield from _documents(inside[1], names)
    for named in islice(_SOURCE.finditer(rest), _MOST_PLACES):
        yield from _documents(named[1], names)
    for saying in islice(_SAYING.finditer(rest), _MOST_PLACES):
        own = _OWN_SECTION.match(rest, saying.end())
        yield _file(rest, saying.span(1), own[1] if own else None, names)
    if known:
        yield from _numbered(_INLINE_CODE.sub(" ", rest), known)


def _numbered_source(found: re.Match[str], names: dict[str, str]) -> str:
    """Return `[1]` for `【1†…】` and `[source 1]`. If the brackets contain the name of a document, return the text
    unchanged."""
    inside = found[0][1:-1]
    named = _FILE_IN_TEXT.search(inside) or inside.casefold() in names
    return found[0] if named else f"[{found[1] or found[2]}]"


def _numbered(text: str, known: Sequence[str]) -> Iterator[Citation]:
    for group in _NUMBERS.finditer(text):
        before = max(0, group.start() - 12), group.start()
        numbers = list(_counted(group[1]))
        if _CODE_BEFORE.search(text, *before) or 0 in numbers:
            continue
        if len(numbers) > 1 and _LIST_BEFORE.search(text, *before):
            continue
        for number in numbers:
            name = known[number - 1] if 1 <= number <= len(known) else None
            yield Citation(name or f"[{number}]", None, name)


def _counted(group: str) -> Iterator[int]:
    """Yield the numbers in the text between brackets. A range such as "2-4" yields each of its numbers; a range of more
    than 21 numbers is cut."""
    for first, last in re.findall(r"(\d+)(?:\s*[\u2013-]\s*(\d+))?", group):
        yield int(first)
        yield from range(int(first) + 1, min(int(last or 0), int(first) + 20) + 1)


def _file(text: str, span: tuple[int, int], section: str | None, names: dict[str, str]) -> Citation:
    """Return the citation of the file name at `span` in `text`. `section` is the cited section of the file, if any.
    `names` has the names of the known documents by their casefolded names.

    If a known name with spaces ends with this file name, such as "Project plan.pdf", and the text has all of it, the
    citation has the entire name.
    """
    found = text[span[0] : span[1]]
    known = names.get(found.casefold())
    if known is None:
        words = text[max(0, span[0] - 300) : span[1]].casefold().split()
        longer = (" ".join(words[-count:]).lstrip("[(【\"'“*_`") for count in range(min(len(words), 20), 1, -1))
        known = next((names[name] for name in longer if name in names), None)
        found = known or found
    return Citation(found, section, known)


def _documents(text: str, names: dict[str, str]) -> Iterator[Citation]:
    """Yield the citations in a short text: the files that it names. If it names none, yield the known document with
    which it begins, if any."""
    files = [
        match for match in _FILE_IN_TEXT.finditer(text) if "://" not in text[max(0, match.start() - 8) : match.end()]
    ]
    for file in files:
        after = _SECTION.match(text[file.end() :])
        section = after[1].strip(" \"”'*_`.") if after else None
        if section and _FILE_IN_TEXT.search(section):
            section = None
        yield _file(text, file.span(), section or None, names)
    if files:
        return
    plain = text.strip(" \"“”'*_`").casefold()
    for alias, name in names.items():
        if plain.startswith(alias) and not plain[len(alias) : len(alias) + 1].isalnum():
            after = _SECTION.match(plain[len(alias) :])
            start = text.casefold().find(after[1]) if after else -1
            section = text[start : start + len(after[1])].strip(" \"”'*_`.") if after and start >= 0 else None
            yield Citation(name, section or None, name)
            return


def _aliases(name: str) -> set[str]:
    folded = name.strip().casefold()
    file = folded.rpartition("/")[2]
    return {alias for alias in (folded, file, file.rpartition(".")[0] or file) if alias}
