"""Read the answer of a service with its own JSON API. The provider's options contain the JSONPaths to the parts of the
answer."""

import math
from collections.abc import Iterator
from typing import Any

from inference_gateway.domain.draft import Draft, NotACompletion, error_of
from inference_gateway.domain.http_call import JsonPaths
from inference_gateway.domain.json_of import to_json
from inference_gateway.domain.text import one_line, storable
from llmbench.contracts.outcome import CITATIONS_KEPT, Citation
from llmbench.json_path import found

_NAMES_SHOWN = 12
_DOCUMENT_CHARACTERS = 300
_SECTION_CHARACTERS = 200
_MOST_TEXTS = 1000


class JsonAnswer:
    """Implements `reading.Reader` for providers of the type HTTP_JSON. It reads complete answers only, no streams."""

    def __init__(self, paths: JsonPaths) -> None:
        self._paths = paths

    def read_chunk(self, draft: Draft, value: Any, at_s: float) -> None:
        raise NotACompletion(
            "it streams events, and HTTP_JSON reads one JSON: have the request template ask for an answer in one piece"
        )

    def read_complete(self, draft: Draft, value: Any) -> None:
        """Add a complete answer, or the error that it reports, to `draft`. Raises `NotACompletion` if it has
        neither."""
        texts = list(found(self._paths.answer, value, most=_MOST_TEXTS))
        if not texts:
            draft.error = error_of(value.get("error")) if isinstance(value, dict) else None
            if draft.error is None:
                raise NotACompletion(f"answer_path {self._paths.answer} finds nothing in it; it {_holds(value)}")
            return
        plain = (str, int, float)  # `int` includes booleans.
        if not all(isinstance(text, plain) for text in texts):
            other = _kind(next(text for text in texts if not isinstance(text, plain)))
            raise NotACompletion(
                f"answer_path {self._paths.answer} finds {other} in it where a text should be; it {_holds(value)}"
            )
        draft.as_json = not all(isinstance(text, str) for text in texts)
        draft.add(content="\n".join(text if isinstance(text, str) else to_json(text) for text in texts), at_s=None)
        draft.has_choices = draft.finished = True
        if self._paths.citations is not None:
            self._read_citations(draft, self._paths.citations, value)

    def _read_citations(self, draft: Draft, path: str, value: Any) -> None:
        listed = list(_flat(found(path, value, most=CITATIONS_KEPT + 1)))
        if len(listed) > CITATIONS_KEPT:
            draft.notes.append(f"Only the first {CITATIONS_KEPT} citations were kept.")
        read = [self._citation(draft, each) for each in listed[:CITATIONS_KEPT]]
        draft.citations = tuple(citation for citation in read if citation is not None)
        if None in read:
            lost = f"{read.count(None)} citations were left out: {self._paths.document} finds no document in them."
            draft.notes.append(lost)

    def _citation(self, draft: Draft, value: Any) -> Citation | None:
        """Convert one citation in a service's answer. Return `None` if it names no document. A relevance that is no
        number from 0 to 1 is left out, with a note in `draft`."""
        if isinstance(value, str | int | float):
            parts = [value, None, None]
        else:
            paths = (self._paths.document, self._paths.section, self._paths.relevance)
            parts = [next(found(path, value, most=1), None) for path in paths]
        document, section, relevance = parts
        name = one_line(_text(document), _DOCUMENT_CHARACTERS)
        if not name:
            return None
        if relevance is not None and not _is_share(relevance):
            note = f"A citation's relevance was left out: {one_line(str(relevance), 40)} is no number from 0 to 1."
            if note not in draft.notes:
                draft.notes.append(note)
            relevance = None
        return Citation(
            document=name,
            section=one_line(_text(section), _SECTION_CHARACTERS) or None,
            relevance=None if relevance is None else float(relevance),
        )


def _flat(values: Iterator[Any]) -> Iterator[Any]:
    """Yield the citations in `values`, the values found by the configured JSONPath. Each value may be one citation or a
    list of them. Null is skipped, and a long list is cut."""
    for value in values:
        if isinstance(value, list):
            yield from value[: CITATIONS_KEPT + 1]
        elif value is not None:
            yield value


def _text(value: Any) -> str:
    """Return a text or a number as a text, and any other value as an empty text. Numbers are accepted, because a
    section may be given as a page number."""
    if isinstance(value, str):
        return storable(value).strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1


def _holds(value: Any) -> str:
    """Describe a JSON value for an error message: the field names of an object, or the kind of any other value."""
    if isinstance(value, dict):
        names = ", ".join(one_line(name, 40) for name in list(value)[:_NAMES_SHOWN])
        return f"has {names}" if names else "is an empty object"
    return f"is {_kind(value)}"


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
    return "an object"
