"""Event: an experiment was analysed. The analysis itself is stored, and read over HTTP."""

from typing import Any, ClassVar, Literal
from uuid import UUID

from llmbench.contracts.base import Message, UtcTime


class ExperimentAnalysed(Message):
    """An experiment was analysed. `look` is the number of the analysis.

    `state` is the state of the decision, and `sentence` explains it. `winner` is the id of the best variant, null until
    the method permits a decision. `done` counts the clusters that each variant has so far, and `planned` those that the
    plan requires. Cases that depend on each other form one cluster.
    """

    SUBJECT: ClassVar[str] = "evt.experiment.{experiment_id}.look"

    type: Literal["llmbench.experiment.analysed.v1"] = "llmbench.experiment.analysed.v1"
    experiment_id: UUID
    look: int
    round: int | None
    at: UtcTime
    state: str
    sentence: str
    winner: str | None = None
    done: int
    planned: int | None

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "type": "llmbench.experiment.analysed.v1",
            "experiment_id": "0193a000-0000-7000-8000-0000000000e1",
            "look": 3,
            "round": 3,
            "at": "2026-01-01T12:08:00.000Z",
            "state": "n_left",
            "sentence": "'short' scores 0.05 more than 'control' so far (-0.02 to 0.12), after 60 of 400 cases.",
            "winner": None,
            "done": 60,
            "planned": 400,
        },
    )
