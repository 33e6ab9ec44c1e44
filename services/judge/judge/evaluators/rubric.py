"""The rubric: an integer from 0 to 10 with a reason, anchored at every level, in one call.

A reply that is no verdict gets one repair attempt; then the score is `unparsed`, never 0.
"""

from judge.domain.emptiness import says_nothing
from judge.domain.fence import nonce
from judge.domain.rubric_prompt import messages, repair
from judge.domain.rubric_verdict import NoVerdict, RubricVerdict, read_verdict
from judge.evaluators.base import Ask, Evaluator, Example, Params, Reply
from llmbench.contracts.answer_scored import Scored, Unparsed, Verdict
from llmbench.contracts.base import preview
from llmbench.contracts.chat import ChatMessage, ChatRequest, ResponseSchema
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.rubric import (
    KIND,
    PASS_MARK,
    PROMPT_HASHES,
    PROMPT_VERSION,
    SCALE_MAX,
    SCALE_MIN,
    SCHEMA_NAME,
    SCHEMA_VERSION,
    VERDICT_SCHEMA,
)

VERDICT = "verdict.1"
REPAIR = "repair.1"

DEFAULT_MAX_TOKENS = 1024
"""Enough for a reason at its limit in any script."""

_SEED_RANGE = 2**31
_GRADES = ((9, "excellent"), (7, "good"), (5, "pass"), (0, "incorrect"))


class RubricParams(Params):
    """None yet: the judge's own parameters are the judge's."""


async def score(task: JudgeAnswer, params: RubricParams, ask: Ask) -> Verdict:
    nothing = says_nothing(task.answer, task.case)
    if nothing is not None:
        return _scored(RubricVerdict(score=SCALE_MIN, reason=nothing), by="program")
    first = messages(task.case, task.answer, mark=nonce(task.score_id), preamble=task.lane.params.system_prompt)
    reply = await ask(VERDICT, _request(task, first, step=0))
    verdict = read_verdict(reply.text, cut=reply.cut)
    if isinstance(verdict, RubricVerdict):
        return _scored(verdict, by="judge")
    second = repair(first, reply.text, verdict.problem)
    reply = await ask(REPAIR, _request(task, second, step=1))
    verdict = read_verdict(reply.text, cut=reply.cut)
    if isinstance(verdict, NoVerdict):
        return Unparsed(problem=verdict.problem, raw_text=preview(reply.text)[0])
    return _scored(verdict, by="judge", repaired=True)


def _request(task: JudgeAnswer, conversation: tuple[ChatMessage, ...], *, step: int) -> ChatRequest:
    chosen = task.lane.params
    # Another dispatch is another attempt: the same seed would only repeat the failure.
    seed = ((chosen.seed or 0) + 2 * task.dispatch + step) % _SEED_RANGE
    return ChatRequest(
        model=task.lane.model,
        messages=conversation,
        params=chosen.model_copy(
            update={
                "temperature": 0.0 if chosen.temperature is None else chosen.temperature,
                "max_tokens": chosen.max_tokens or DEFAULT_MAX_TOKENS,
                "seed": seed,
                # Part of the messages already.
                "system_prompt": None,
            }
        ),
        response_schema=ResponseSchema(name=SCHEMA_NAME, json_schema=VERDICT_SCHEMA),
    )


def _scored(verdict: RubricVerdict, *, by: str, repaired: bool = False) -> Scored:
    return Scored(
        raw=verdict.score,
        scale_min=SCALE_MIN,
        scale_max=SCALE_MAX,
        normalised=(verdict.score - SCALE_MIN) / (SCALE_MAX - SCALE_MIN),
        passed=verdict.score >= PASS_MARK,
        reason=verdict.reason,
        details={
            "grade": next(name for least, name in _GRADES if verdict.score >= least),
            "decided_by": by,
            "repaired": repaired,
            "prompt_version": PROMPT_VERSION,
            "schema_name": SCHEMA_NAME,
            "schema_version": SCHEMA_VERSION,
        },
    )


EVALUATOR = Evaluator(
    kind=KIND,
    title="Rubric",
    description=(
        "A judge model grades the answer from 0 to 10 against the question and the references: excellent, good, "
        "pass, incorrect."
    ),
    params=RubricParams,
    score=score,
    needs_judge=True,
    scale_min=SCALE_MIN,
    scale_max=SCALE_MAX,
    schema_name=SCHEMA_NAME,
    schema_version=SCHEMA_VERSION,
    prompt_hash=lambda _: PROMPT_HASHES[PROMPT_VERSION],
    whole_params=False,
    examples=(
        Example(
            name="a verdict",
            answer="42",
            replies=(Reply('{"reason": "The sum is right.", "score": 10}'),),
            verdict={"outcome": "scored", "raw": 10.0, "normalised": 1.0, "passed": True},
            parts=(VERDICT,),
        ),
        Example(
            name="just passed",
            answer="about 42",
            replies=(Reply('{"reason": "Vague.", "score": 5}'),),
            verdict={"outcome": "scored", "raw": 5.0, "passed": True},
            parts=(VERDICT,),
        ),
        Example(
            name="just failed",
            answer="43",
            replies=(Reply('{"reason": "Off by one.", "score": 4}'),),
            verdict={"outcome": "scored", "raw": 4.0, "passed": False},
            parts=(VERDICT,),
        ),
        Example(
            name="prose around it, an example before it",
            answer="42",
            replies=(Reply('As in {"score": 1}: ```json\n{"reason": "Right.", "score": 9}\n``` I hope it helps.'),),
            verdict={"outcome": "scored", "raw": 9.0, "reason": "Right."},
            parts=(VERDICT,),
        ),
        Example(
            name="out of range, repaired",
            answer="42",
            replies=(Reply('{"reason": "Great!", "score": 11}'), Reply('{"reason": "Right.", "score": 10}')),
            verdict={"outcome": "scored", "raw": 10.0},
            parts=(VERDICT, REPAIR),
        ),
        Example(
            name="never a verdict",
            answer="42",
            replies=(Reply("Looks fine to me."), Reply('{"reason": "Fine.", "score": 100}')),
            verdict={"outcome": "unparsed", "problem": "The score 100 is outside 0 to 10."},
            parts=(VERDICT, REPAIR),
        ),
        Example(
            name="cut twice",
            answer="42",
            replies=(Reply('{"reason": "It is', cut=True), Reply('{"reason": "The sum', cut=True)),
            verdict={"outcome": "unparsed", "problem": "The verdict was cut by the token limit."},
            parts=(VERDICT, REPAIR),
        ),
        Example(
            name="an empty answer costs no call",
            answer=" \n\u200b<|im_end|>",
            replies=(),
            verdict={"outcome": "scored", "raw": 0.0, "passed": False, "reason": "The answer is empty."},
            parts=(),
        ),
    ),
)
