"""Answer config-api's requests on `req.run.answers.>`: choose answers of a run for people to label, and read these
answers."""

import logging
from uuid import UUID

from faststream.nats import NatsBroker, NatsMessage
from pydantic import ValidationError

from llmbench.contracts.read_answers import ReadAnswers
from llmbench.contracts.run_words import RunStatus
from llmbench.contracts.sample_answers import AnswersSampled, ChosenAnswer, NamedAnswer, SampleAnswers
from orchestrator.results.domain.label_sample import Wanted, answer_called, choose, pairs_of, singles_of
from orchestrator.results.ports.labels import MOST_CANDIDATES, AnswerReader

_log = logging.getLogger(__name__)
_OVER = (RunStatus.FINISHED, RunStatus.CANCELLED)


def subscribe(broker: NatsBroker, answers: AnswerReader) -> None:
    @broker.subscriber(SampleAnswers.SUBJECT, queue="orchestrator")
    async def sample_answers(message: NatsMessage) -> bytes:
        try:
            request = SampleAnswers.model_validate_json(message.body)
        except ValidationError as error:
            _log.warning("a request for a sample of answers cannot be read: %s", error)
            return b""
        return (await sample(answers, request)).model_dump_json(exclude_none=True).encode()

    @broker.subscriber(ReadAnswers.SUBJECT, queue="orchestrator")
    async def read_answers(message: NatsMessage) -> bytes:
        try:
            request = ReadAnswers.model_validate_json(message.body)
        except ValidationError as error:
            _log.warning("a request for answers cannot be read: %s", error)
            return b""
        return (await answers.read(request.run_id, request.item_ids)).model_dump_json(exclude_none=True).encode()


async def sample(answers: AnswerReader, request: SampleAnswers) -> AnswersSampled:
    """Return the chosen answers, or the reason why none can be chosen."""
    about = await answers.about(request.run_id)
    if about is None:
        return AnswersSampled(found=False)
    name, status, labels = about
    wanted = [id_ for id_ in labels if not request.target_ids or id_ in request.target_ids]

    def refused(problem: str) -> AnswersSampled:
        return AnswersSampled(run_name=name, problem=problem)

    if unknown := [id_ for id_ in request.target_ids if id_ not in labels]:
        return refused(f"the run '{name}' has no target {unknown[0]}")
    if status not in _OVER:
        return refused(f"the run '{name}' is {status}: wait until it is over, or cancel it")
    if request.pairs and len(wanted) != 2:
        return refused(f"pairs need two targets, and {len(wanted)} are chosen")
    found = await answers.candidates(request.run_id, wanted, request.priority)
    if len(found) > MOST_CANDIDATES:
        return refused(f"the run has more than {MOST_CANDIDATES:,} answers of these targets: name fewer targets")
    by_priority = request.priority is not None
    if found and by_priority and all(each.urgency is None for each in found):
        return refused(f"no score of the run '{name}' has what the priority {request.priority} looks at")
    named = await _named(answers, request, wanted)
    apart = {each.item_id for each in named if each.item_id is not None}
    found = [each for each in found if each.item_id not in apart]
    candidates = pairs_of(found, (wanted[0], wanted[1]), seed=request.seed) if request.pairs else singles_of(found)
    chosen = choose(candidates, Wanted(request.size, request.audit_share, request.seed, by_priority))
    if not chosen:
        return refused(f"the run '{name}' has no such answers")
    return AnswersSampled(
        run_name=name,
        targets=tuple(labels[id_] for id_ in wanted),
        answers=tuple(
            ChosenAnswer(item_id=each.item_id, other_item_id=each.other_item_id, is_audit=each.is_audit)
            for each in chosen
        ),
        total=len(candidates),
        named=named,
    )


async def _named(answers: AnswerReader, request: SampleAnswers, wanted: list[UUID]) -> tuple[NamedAnswer, ...]:
    if not request.named:
        return ()
    called = await answers.called(request.run_id, wanted, [each.case for each in request.named])
    found = (answer_called(each.case, each.target, each.epoch, called) for each in request.named)
    return tuple(
        NamedAnswer(problem=each) if isinstance(each, str) else NamedAnswer(item_id=each.item_id) for each in found
    )
