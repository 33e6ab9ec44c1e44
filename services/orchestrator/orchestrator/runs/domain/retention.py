"""Name the reasons for which retention keeps a run, and explain them to the user."""

from enum import StrEnum


class Kept(StrEnum):
    """The reasons to keep a run. They are checked in this order, and the first one that holds is shown.

    `BASELINE`: the run is the baseline of another run. `PROMOTED`: the runs of a preset or suite are compared with it,
    because it is the baseline or the anchor there. `COMPARED`: the run itself has a baseline run.
    """

    NOT_OVER = "not_over"
    BASELINE = "baseline"
    PROMOTED = "promoted"
    COMPARED = "compared"
    TOO_YOUNG = "too_young"


def why_kept(reason: Kept, *, baseline_of: int) -> str:
    """Explain to the user why the run is kept, and what would allow its removal. `baseline_of` is the number of runs
    whose baseline it is.

    >>> why_kept(Kept.BASELINE, baseline_of=2)
    'It is the baseline of 2 runs. Give those another baseline, or none, so that it can be removed.'
    """
    match reason:
        case Kept.NOT_OVER:
            return "It is not over: only finished or cancelled runs are removed."
        case Kept.BASELINE:
            runs = "a run" if baseline_of == 1 else f"{baseline_of} runs"
            those_runs = "that one" if baseline_of == 1 else "those"
            return (
                f"It is the baseline of {runs}. Give {those_runs} another baseline, or none, so that it can be removed."
            )
        case Kept.PROMOTED:
            return (
                "It was promoted to a baseline, and is still the baseline or the anchor. Promote another run there, so "
                "that it can be removed."
            )
        case Kept.COMPARED:
            return "Its comparison with its baseline is kept. Clear its baseline so that it can be removed."
        case Kept.TOO_YOUNG:
            return "It is not old enough."
