"""Request one verdict from the judge model. If its reply is invalid, request a corrected reply once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from judge.domain.verdict_reading import NoVerdict
from judge.evaluators.base import Ask, CountedAsk, Reply
from llmbench.contracts.answer_scored import Unparsed
from llmbench.contracts.base import preview
from llmbench.contracts.chat import ChatMessage, ChatRequest, ResponseSchema
from llmbench.contracts.judge_answer import JudgeAnswer

V = TypeVar("V")

DEFAULT_MAX_TOKENS = 1024
"""The default token limit of a verdict: enough for a reason of maximum length in any script."""

REPEAT_TEMPERATURE = 0.7
"""The temperature of repeated questions if the judge's own is unset or 0. At 0 all repeats would be equal."""

_SEED_RANGE = 2**31
_QUOTE_LIMIT_CHARS = 1500


@dataclass(frozen=True, kw_only=True)
class Question(Generic[V]):
    """A question that requests one verdict from the judge model.

    `read` returns the verdict in a reply's text, or `NoVerdict`; its second argument says that the reply was cut at the
    token limit. `repair` is the message that answers an invalid reply; its placeholder is `{problem}`. `temperature`
    applies if the run sets no temperature for the judge, or sets it to 0. `turn` differs between the questions about
    one answer, so that each has its own seed.
    """

    messages: tuple[ChatMessage, ...]
    repair: str
    schema: ResponseSchema
    read: Callable[[str, bool], V | NoVerdict]
    temperature: float = 0.0
    top_logprobs: int | None = None
    turn: int = 0

    def request(self, task: JudgeAnswer, conversation: tuple[ChatMessage, ...], *, step: int = 0) -> ChatRequest:
        chosen = task.lane.params
        # Another dispatch is a retry: with the same seed it would only repeat the failure.
        seed = ((chosen.seed or 0) + 2 * task.dispatch + step + 1000 * self.turn) % _SEED_RANGE
        return ChatRequest(
            model=task.lane.model,
            messages=conversation,
            params=chosen.model_copy(
                update={
                    "temperature": chosen.temperature or self.temperature,
                    "max_tokens": chosen.max_tokens or DEFAULT_MAX_TOKENS,
                    "seed": seed,
                    # The messages already contain the system prompt.
                    "system_prompt": None,
                }
            ),
            response_schema=self.schema,
            top_logprobs=self.top_logprobs,
        )


@dataclass(frozen=True)
class ReadVerdict(Generic[V]):
    """A verdict, and the reply that contains it. `repaired` says that the first reply was invalid."""

    verdict: V
    reply: Reply
    repaired: bool


async def ask_verdict(
    task: JudgeAnswer, ask: Ask, question: Question[V], *, part: str, repair_part: str | None
) -> ReadVerdict[V] | Unparsed:
    """Request a verdict from the judge model. Return `Unparsed` if no reply has a valid one.

    If the reply is invalid, the judge model is asked once to correct it, unless `repair_part` is `None`. `part` and
    `repair_part` name the two calls (see `Ask`). If `ask` is a `CountedAsk`, the result is reported to it. The errors
    of `ask` pass through.
    """
    verdict = await _asked_verdict(task, ask, question, part=part, repair_part=repair_part)
    if isinstance(ask, CountedAsk):
        parsed = isinstance(verdict, ReadVerdict)
        ask.count(parsed=parsed, repaired=isinstance(verdict, ReadVerdict) and verdict.repaired)
    return verdict


async def _asked_verdict(
    task: JudgeAnswer, ask: Ask, question: Question[V], *, part: str, repair_part: str | None
) -> ReadVerdict[V] | Unparsed:
    reply = await ask(part, question.request(task, question.messages))
    verdict = question.read(reply.text, reply.cut)
    if not isinstance(verdict, NoVerdict):
        return ReadVerdict(verdict, reply, repaired=False)
    if repair_part is not None:
        conversation = (
            *question.messages,
            ChatMessage(role="assistant", content=reply.text[:_QUOTE_LIMIT_CHARS] or "(nothing)"),
            ChatMessage(role="user", content=question.repair.format(problem=verdict.problem)),
        )
        reply = await ask(repair_part, question.request(task, conversation, step=1))
        verdict = question.read(reply.text, reply.cut)
        if not isinstance(verdict, NoVerdict):
            return ReadVerdict(verdict, reply, repaired=True)
    return Unparsed(problem=verdict.problem, raw_text=preview(reply.text)[0])
