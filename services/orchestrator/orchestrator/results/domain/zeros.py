"""Count the answers that the model itself failed to give. A run's mean leaves them out; a comparison counts them as
0."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Zeros:
    """The numbers of a target's answers that a comparison counts as 0, by reason.

    `later_turns` counts the turns that were never asked, because the answer to an earlier turn of the conversation was
    refused or malformed.
    """

    refused: int = 0
    malformed: int = 0
    later_turns: int = 0

    def __add__(self, other: "Zeros") -> "Zeros":
        return Zeros(
            self.refused + other.refused, self.malformed + other.malformed, self.later_turns + other.later_turns
        )

    @property
    def count(self) -> int:
        return self.refused + self.malformed + self.later_turns

    @property
    def note(self) -> str | None:
        """Return a sentence that explains the mean to its reader; `None` if no answer counts as 0 in comparisons.

        >>> Zeros(refused=3).note
        '3 answers were refused; they count as 0 when this run is compared, and are left out of this mean.'
        >>> Zeros(malformed=1).note
        '1 answer was malformed; it counts as 0 when this run is compared, and is left out of this mean.'
        >>> Zeros(refused=1, malformed=2, later_turns=2).note.partition(";")[0]
        '1 answer was refused, 2 were malformed, and 2 later turns could not be asked'
        >>> Zeros().note
        """
        parts: list[str] = []
        for count, word in ((self.refused, "refused"), (self.malformed, "malformed")):
            if count:
                noun = "" if parts else " answer" if count == 1 else " answers"
                parts.append(f"{count}{noun} {'was' if count == 1 else 'were'} {word}")
        if self.later_turns:
            parts.append(f"{self.later_turns} later turn{'' if self.later_turns == 1 else 's'} could not be asked")
        if not parts:
            return None
        *before, last = parts
        joined = f"{', '.join(before)}{',' if len(before) > 1 else ''} and {last}" if before else last
        them = (
            "it counts as 0 when this run is compared, and is"
            if self.count == 1
            else ("they count as 0 when this run is compared, and are")
        )
        return f"{joined}; {them} left out of this mean."
