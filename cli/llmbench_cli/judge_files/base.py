"""Define an importer, which says how a published file of verdicts becomes the cases of a judge check."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from llmbench_cli.recipes.base import Json, Row, Skipped


@dataclass(frozen=True)
class JudgeFile:
    """An importer: the description of a published file, and the function that converts its rows.

    - `files`: describes for users which published file is meant, and which fields its rows have.
    - `convert`: converts a row to a case of `POST /api/judge-checks`. May return `Skipped`, and raise `BadRow`.
    - `votes`: True if several rows with the same case id are verdicts of several people; the majority counts.
    """

    name: str
    title: str
    files: str
    source: str
    convert: Callable[[Row], Json | Skipped]
    votes: bool = False


def pair(identity: str, category: str, question: str, better: str, worse: str) -> Json:
    """Return a case with a better and a worse answer. A hash of `identity`, the case's id, decides which answer comes
    first, so that the order reveals nothing.

    This function is for files that always name the better answer first.
    """
    swapped = hashlib.sha256(identity.encode()).digest()[0] % 2 == 1
    first, second = (worse, better) if swapped else (better, worse)
    return case(identity, category, question, first, second, right="second" if swapped else "first")


def case(identity: str, category: str, question: str, first: str, second: str, *, right: str) -> Json:
    return {
        "id": identity[:255],
        "category": category[:120],
        "question": question,
        "first": first,
        "second": second,
        "right": right,
    }


def same(first: Any, second: Any) -> bool:
    """Return whether the answers differ at most in white space at their ends. A judge is not asked about such a
    pair."""
    return str(first).strip() == str(second).strip()


SAME = Skipped("both answers are the same text")
