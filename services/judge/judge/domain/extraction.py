"""The parts of an answer and of its reference that an evaluator compared, with the rules that found them."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """`answer` and `reference` are null where nothing could be read. A rule is a short stable word, such as
    `identical`, `marker:####`, `boxed`, `last number` or `whole text`, which screens and exports show beside it."""

    answer: str | None
    answer_rule: str
    reference: str | None = None
    reference_rule: str | None = None

    def as_details(self) -> dict[str, str | None]:
        """Return the fields as they stand under `extraction` in a score's details."""
        return asdict(self)
