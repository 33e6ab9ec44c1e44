"""The rubric: the judge model replies with an integer from 0 to 10 and a reason. The prompt describes every level.

An invalid reply gets one repair attempt. If there is no valid reply, the outcome is `unparsed`, never a score of 0.
"""

from typing import Any

from judge.domain.emptiness import reason_empty
from judge.domain.fence import nonce
from judge.domain.rubric_prompt import REPAIR as REPAIR_WORDS
from judge.domain.rubric_prompt import messages
from judge.domain.rubric_verdict import RubricVerdict, read_verdict
from judge.evaluators.base import Ask, Evaluator, Example, Reply
from judge.evaluators.question import Question, ReadVerdict, ask_verdict
from judge.evaluators.repeating import RepeatParams, repeated
from llmbench.contracts.answer_scored import Scored, Unparsed, Verdict
from llmbench.contracts.chat import ResponseSchema
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
from llmbench.thresholds import reaches

VERDICT = "verdict.1"
REPAIR = "repair.1"

_GRADES = ((9, "excellent"), (7, "good"), (5, "pass"), (0, "incorrect"))
_SCHEMA = ResponseSchema(name=SCHEMA_NAME, json_schema=VERDICT_SCHEMA)


async def score(task: JudgeAnswer, params: RepeatParams, ask: Ask) -> Verdict:
    nothing = reason_empty(task.answer, task.case)
    if nothing is not None:
        return _scored(RubricVerdict(score=SCALE_MIN, reason=nothing), by="program", repaired=False)
    first = messages(task.case, task.answer, mark=nonce(task.score_id), preamble=task.lane.params.system_prompt)

    async def once(repeat: int) -> ReadVerdict[RubricVerdict] | Unparsed:
        question = Question(
            messages=first,
            repair=REPAIR_WORDS,
            schema=_SCHEMA,
            read=lambda text, cut: read_verdict(text, cut=cut),
            temperature=params.temperature,
            turn=repeat - 1,
        )
        return await ask_verdict(task, ask, question, part=f"verdict.{repeat}", repair_part=f"repair.{repeat}")

    verdicts = await repeated(
        task,
        params,
        once,
        score_of=lambda asked_verdict: asked_verdict.verdict.score,
        mark=PASS_MARK,
        scale=SCALE_MAX - SCALE_MIN,
    )
    if isinstance(verdicts, Unparsed):
        return verdicts
    return _scored(
        verdicts.nearest.verdict,
        by="judge",
        repaired=any(verdict.repaired for verdict in verdicts.verdicts),
        mean=verdicts.mean,
        **verdicts.details,
    )


def _scored(verdict: RubricVerdict, *, by: str, repaired: bool, mean: float | None = None, **details: Any) -> Scored:
    raw = verdict.score if mean is None else mean
    return Scored(
        raw=raw,
        scale_min=SCALE_MIN,
        scale_max=SCALE_MAX,
        normalised=(raw - SCALE_MIN) / (SCALE_MAX - SCALE_MIN),
        passed=reaches(raw, PASS_MARK),
        reason=verdict.reason,
        details={
            **details,
            "grade": next(name for least, name in _GRADES if reaches(raw, least)),
            "decided_by": by,
            "repaired": repaired,
            "prompt_version": PROMPT_VERSION,
            "schema_name": SCHEMA_NAME,
            "schema_version": SCHEMA_VERSION,
        },
    )


def _replies(*scores: int) -> tuple[Reply, ...]:
    return tuple(Reply(f'{{"reason": "So it is.", "score": {score}}}') for score in scores)


EVALUATOR = Evaluator(
    kind=KIND,
    title="Rubric",
    description=(
        "A judge model grades the answer from 0 to 10 against the question and the references: excellent, good, "
        "pass, incorrect."
    ),
    params=RepeatParams,
    score=score,
    needs_judge=True,
    scale_min=SCALE_MIN,
    scale_max=SCALE_MAX,
    schema_name=SCHEMA_NAME,
    schema_version=SCHEMA_VERSION,
    prompt_hash=lambda _: PROMPT_HASHES[PROMPT_VERSION],
    pass_mark=lambda _: PASS_MARK,
    include_defaults=False,
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
            replies=(Reply('As in {"a": 1}: ```json\n{"reason": "Right.", "score": "9"}\n``` I hope it helps.'),),
            verdict={"outcome": "scored", "raw": 9.0, "reason": "Right."},
            parts=(VERDICT,),
        ),
        Example(
            name="two verdicts that differ are none",
            answer="42",
            replies=(Reply('{"reason": "Wrong.", "score": 2} No: {"reason": "Right.", "score": 9}'),) * 2,
            verdict={"outcome": "unparsed", "problem": "The reply has 2 verdicts that differ: 2, 9."},
            parts=(VERDICT, REPAIR),
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
            name="three repeats, of which one is no verdict",
            answer="42",
            params={"repeats": 3},
            replies=(
                Reply('{"reason": "Right.", "score": 9}'),
                Reply("?"),
                Reply("!"),
                Reply('{"reason": "Right, but curt.", "score": 6}'),
            ),
            verdict={
                "outcome": "scored",
                "raw": 7.5,
                "normalised": 0.75,
                "reason": "Right.",
                "details": {
                    "repeats": 3,
                    "repeats_scored": 2,
                    "scores": [9, 6],
                    "self_agreement": 0.0,
                    "grade": "good",
                },
            },
            parts=("verdict.1", "verdict.2", "repair.2", "verdict.3"),
        ),
        Example(
            name="near the mark, asked more often",
            answer="42",
            params={"repeats": 2, "extra_repeats": 2},
            replies=_replies(5, 4, 6, 7),
            verdict={
                "raw": 5.5,
                "passed": True,
                "details": {"repeats": 4, "scores": [5, 4, 6, 7], "mark": 5, "margin": 1.0, "near_mark": True},
            },
            parts=("verdict.1", "verdict.2", "verdict.3", "verdict.4"),
        ),
        Example(
            name="far from the mark, not asked more often",
            answer="42",
            params={"repeats": 2, "extra_repeats": 2, "margin": 0.5},
            replies=_replies(7, 5),
            verdict={"raw": 6.0, "details": {"repeats": 2, "near_mark": False}},
            parts=("verdict.1", "verdict.2"),
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
