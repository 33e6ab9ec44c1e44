"""Parse the destinations that clients may subscribe to."""

import re
from dataclasses import dataclass
from uuid import UUID

from llmbench.access import Resource
from llmbench.contracts.answer_streamed import AnswerStreamed
from llmbench.contracts.experiment_analysed import ExperimentAnalysed
from llmbench.contracts.experiment_round_changed import ExperimentRoundChanged
from llmbench.contracts.experiment_status_changed import ExperimentStatusChanged
from llmbench.contracts.run_event import RUN_TOPICS, topic_of
from llmbench.contracts.run_progressed import RunProgressed
from llmbench.contracts.run_status_changed import RunStatusChanged

ANSWER = AnswerStreamed.SUBJECT.split(".")[1]
"""The kind of messages about answers that are still arriving. They have no sequence number and are not replayed."""
KINDS = (*RUN_TOPICS.values(), ANSWER)
ALL_RUNS = "/topic/runs"
RUN_TOPIC = "/topic/run/{run_id}/{kind}"
ALL_EXPERIMENTS = "/topic/experiments"
ALL_RUNS_KINDS = frozenset({topic_of(RunStatusChanged), topic_of(RunProgressed)})
EXPERIMENT_KINDS = frozenset(
    topic_of(message) for message in (ExperimentStatusChanged, ExperimentRoundChanged, ExperimentAnalysed)
)

_RUN_TOPIC = re.compile(
    rf"/topic/run/([0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f]{{12}})/({'|'.join(KINDS)})",
    re.IGNORECASE | re.ASCII,
)


class UnknownDestination(ValueError):
    pass


@dataclass(frozen=True)
class Destination:
    """A parsed destination. `run_id` is `None` for the topics of all runs and of all experiments; `kinds` are the kinds
    of its events. Only a client that may read the `resource` may subscribe."""

    run_id: UUID | None
    kinds: frozenset[str]
    resource: Resource = Resource.RUNS

    @property
    def is_answers(self) -> bool:
        return self.kinds == {ANSWER}


def parse_destination(text: str) -> Destination:
    """Parse a destination. Raises `UnknownDestination`, which names the destination and the valid ones."""
    if text == ALL_RUNS:
        return Destination(run_id=None, kinds=ALL_RUNS_KINDS)
    if text == ALL_EXPERIMENTS:
        return Destination(run_id=None, kinds=EXPERIMENT_KINDS, resource=Resource.EXPERIMENTS)
    match = _RUN_TOPIC.fullmatch(text)
    if match is None:
        raise UnknownDestination(
            f"There is no destination {text[:200]!r}. There are {ALL_RUNS}, {ALL_EXPERIMENTS} and "
            f"/topic/run/<run id>/{'|'.join(KINDS)}."
        )
    return Destination(run_id=UUID(match[1]), kinds=frozenset({match[2].lower()}))
