"""Whether columns can be compared at all, and whether a verdict may be shown yet."""

from collections.abc import Sequence
from typing import Final

from llmbench.contracts.run_words import RunStatus
from orchestrator.ports.comparison import Column

OVER: Final = (RunStatus.FINISHED, RunStatus.CANCELLED)


def going_on(columns: Sequence[Column]) -> str | None:
    """Return why there is no verdict yet; `None` where every run is over."""
    for column in columns:
        if column.run_status not in OVER:
            return (
                f"'{column.run_name}' is {column.run_status.lower()}: a verdict read before the end would "
                "often take chance for a difference. There is one when the run is over."
            )
    return None


def judges_differ(here: Column, baseline: Column) -> str | None:
    """Why the scores of the two are not to be compared; `None` where they are."""
    if here.judge is None or baseline.judge is None:
        return "No judge has been asked about the whole of both runs: there are no scores to compare."
    if here.judge.scoring == baseline.judge.scoring:
        return None
    one, other = (judge.judge_model or judge.kind for judge in (here.judge, baseline.judge))
    if here.judge.kind != baseline.judge.kind:
        judges = f"{here.judge.kind}, and {baseline.judge.kind}"
    elif one != other:
        judges = f"{one} and {other}"
    else:
        judges = f"{one}, but of another provider or with other instructions"
    return (
        f"Two different measures scored these runs ({judges}). Their scores are not comparable: "
        "have one run scored by the other's evaluators."
    )
