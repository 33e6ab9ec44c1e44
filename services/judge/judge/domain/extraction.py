"""The parts of answer and reference that an evaluator compared, and the rules by which it extracted them."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True)
class Extraction:
    """The compared parts. `answer` or `reference` is `None` if no part could be read from it.

    A rule is a short stable word, such as `identical`, `marker:####`, `boxed`, `last number` or `whole text`. Screens
    and exports show it with the part.
    """

    answer: str | None
    answer_rule: str
    reference: str | None = None
    reference_rule: str | None = None

    def as_details(self) -> dict[str, str | None]:
        """Return the fields as they are stored under `extraction` in a score's details."""
        return asdict(self)
