"""Parse the rubric's verdict from a reply, or say in a sentence why the reply has none."""

from dataclasses import dataclass

from judge.domain.verdict_reading import NoVerdict, read_fields
from llmbench.contracts.rubric import VERDICT_SCHEMA


@dataclass(frozen=True)
class RubricVerdict:
    score: int
    reason: str


def read_verdict(text: str, *, cut: bool) -> RubricVerdict | NoVerdict:
    fields = read_fields(text, VERDICT_SCHEMA, decides="score", cut=cut)
    if isinstance(fields, NoVerdict):
        return fields
    return RubricVerdict(score=int(fields["score"]), reason=fields["reason"])
