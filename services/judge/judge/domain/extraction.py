"""The parts of answer and reference that an evaluator compared, and the rules by which it extracted them."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """The parts of an answer and a reference that were compared, each with the rule that found it.

    `answer` or `reference` is `None` if no part was read from that text.

    A rule has a short, stable name, such as `identical`, `marker:####`, `boxed` or `whole text`. Screens and exports
    show the name with the part.
    """

    answer: str | None
    answer_rule: str
    reference: str | None = None
    reference_rule: str | None = None

    def as_details(self) -> dict[str, str | None]:
        """Return the fields as a dict, which becomes the entry `extraction` in the details of a score."""
        return asdict(self)
