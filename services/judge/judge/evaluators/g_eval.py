"""G-Eval: the judge model rates an answer by one criterion from 1 to 5.

The prompt lists evaluation steps. They are part of the criterion, or the model writes them in an earlier call. The
model replies with a reason and then the score, or in the opposite order.

In the mode `auto`, the score is the mean of the levels, weighted by the probabilities of the score's token. If the
model gives no usable log-probabilities, the score is the mean of several sampled replies. In the mode `samples`, the
score is always that mean. In the mode `single`, it is the score of one reply. The score's details name the method used.
"""

import json
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

from judge.domain.criteria import SCALE_MAX, SCALE_MIN, Criterion
from judge.domain.emptiness import reason_empty
from judge.domain.fence import nonce
from judge.domain.g_eval_prompt import (
    PROMPT_VERSION,
    REPAIR,
    REPAIR_SCORE_FIRST,
    SCHEMA,
    SCHEMA_NAME,
    SCORE_FIRST_SCHEMA,
    STEPS,
    STEPS_SCHEMA,
    messages,
    prompt_hash,
)
from judge.domain.repeats import nearest_to_mean
from judge.domain.verdict_reading import NoVerdict, read_fields
from judge.domain.weighted import Weighted, weighted
from judge.evaluators.base import Ask, Evaluator, Example, Reply
from judge.evaluators.g_eval_params import GEvalParams
from judge.evaluators.question import Question, ask_verdict
from judge.evaluators.repeating import repeated
from llmbench.contracts.answer_scored import Scored, Unparsed, Verdict
from llmbench.contracts.chat import ChatMessage, ResponseSchema
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import TokenChoices
from llmbench.thresholds import reaches

ALTERNATIVES = 5
"""The number of alternatives requested per token: one for each level, which most providers allow."""

SAMPLE_TEMPERATURE = 1.0


@dataclass(frozen=True)
class _Level:
    score: int
    reason: str


@dataclass(frozen=True)
class _Measured:
    """A score with its reason; `details` name the method by which it was computed."""

    score: float
    reason: str
    details: dict[str, Any]


async def score(task: JudgeAnswer, params: GEvalParams, ask: Ask) -> Verdict:
    criterion = params.chosen()
    mark, preamble = nonce(task.score_id), task.lane.params.system_prompt
    common: dict[str, Any] = {"mark": mark, "preamble": preamble, "score_first": params.score_first}
    prompt = messages(task.case, task.answer, criterion, **common)
    nothing = reason_empty(task.answer, task.case)
    if nothing is not None:
        return _scored(criterion.empty, nothing, params, {"decided_by": "program"})
    if params.generate_steps:
        steps = await _generated_steps(task, criterion, ask)
        if isinstance(steps, Unparsed):
            return steps
        criterion = replace(criterion, steps=steps)
        prompt = messages(task.case, task.answer, criterion, **common)

    async def once(repeat: int) -> _Measured | Unparsed:
        return await _measure(task, params, ask, prompt, repeat)

    measured = await repeated(
        task, params, once, score_of=lambda each: each.score, mark=params.pass_mark, scale=SCALE_MAX - SCALE_MIN
    )
    if isinstance(measured, Unparsed):
        return measured
    details = {
        "decided_by": "judge",
        **measured.nearest.details,
        **measured.details,
        **({"steps": list(criterion.steps)} if params.generate_steps else {}),
        **({"order": params.order} if params.score_first else {}),
    }
    return _scored(measured.mean, measured.nearest.reason, params, details)


async def _measure(
    task: JudgeAnswer, params: GEvalParams, ask: Ask, prompt: tuple[ChatMessage, ...], repeat: int
) -> _Measured | Unparsed:
    if params.mode == "samples":
        return await _sampled(task, params, ask, prompt, repeat)
    question = _question(prompt, params, temperature=params.temperature, turn=100 * repeat)
    if params.mode == "auto":
        question = replace(question, top_logprobs=ALTERNATIVES)
    verdict = await ask_verdict(task, ask, question, part=f"verdict.{repeat}", repair_part=f"repair.{repeat}")
    if isinstance(verdict, Unparsed):
        return verdict
    level = verdict.verdict
    if params.mode == "single":
        return _Measured(level.score, level.reason, {"mode": "single", "repaired": verdict.repaired})
    by_tokens = None if verdict.repaired else _by_tokens(verdict.reply, params)
    if by_tokens is None:
        return await _sampled(task, params, ask, prompt, repeat)
    return _Measured(by_tokens.score, level.reason, _of_tokens(by_tokens, level.score))


async def _sampled(
    task: JudgeAnswer, params: GEvalParams, ask: Ask, prompt: tuple[ChatMessage, ...], repeat: int
) -> _Measured | Unparsed:
    """Return the mean score of the valid samples, or `Unparsed` without any. Invalid samples are not repaired."""
    levels: list[_Level] = []
    unparsed: Unparsed | None = None
    for sample in range(1, params.samples + 1):
        question = _question(prompt, params, temperature=SAMPLE_TEMPERATURE, turn=100 * repeat + sample)
        verdict = await ask_verdict(task, ask, question, part=f"sample.{repeat}.{sample}", repair_part=None)
        if isinstance(verdict, Unparsed):
            unparsed = verdict
        else:
            levels.append(verdict.verdict)
    if not levels:
        assert unparsed is not None
        return unparsed
    scores = [level.score for level in levels]
    details = {"mode": "samples", "samples": params.samples, "samples_scored": len(levels), "sampled": scores}
    return _Measured(mean(scores), levels[nearest_to_mean(scores)].reason, details)


async def _generated_steps(task: JudgeAnswer, criterion: Criterion, ask: Ask) -> tuple[str, ...] | Unparsed:
    words = STEPS.format(name=criterion.name, description=criterion.description)
    question: Question[tuple[str, ...]] = Question(
        messages=(ChatMessage(role="user", content=words),),
        repair="",
        schema=ResponseSchema(name="g_eval_steps", json_schema=STEPS_SCHEMA),
        read=_read_steps,
    )
    # Keep seed and preamble fixed: the question is the same for every case, so its stored answer can be reused.
    same = task.model_copy(update={"dispatch": 0})
    reply = await ask("steps.1", question.request(same, question.messages), reuse=True)
    steps = _read_steps(reply.text, reply.cut)
    if isinstance(steps, NoVerdict):
        return Unparsed(problem=f"The steps were not understood. {steps.problem}", raw_text=reply.text[:4000])
    return steps


def _by_tokens(reply: Reply, params: GEvalParams) -> Weighted | None:
    tokens = reply.first_tokens if params.score_first else reply.last_tokens
    return weighted(tokens, least=SCALE_MIN, most=SCALE_MAX, at_the_beginning=params.score_first)


def _question(
    prompt: tuple[ChatMessage, ...], params: GEvalParams, *, temperature: float, turn: int
) -> Question[_Level]:
    schema = SCORE_FIRST_SCHEMA if params.score_first else SCHEMA
    return Question(
        messages=prompt,
        repair=REPAIR_SCORE_FIRST if params.score_first else REPAIR,
        schema=ResponseSchema(name=SCHEMA_NAME, json_schema=schema),
        read=_read_level,
        temperature=temperature,
        turn=turn,
    )


def _read_level(text: str, cut: bool) -> _Level | NoVerdict:
    fields = read_fields(text, SCHEMA, decides="score", cut=cut)
    return fields if isinstance(fields, NoVerdict) else _Level(int(fields["score"]), fields["reason"])


def _read_steps(text: str, cut: bool) -> tuple[str, ...] | NoVerdict:
    fields = read_fields(text, STEPS_SCHEMA, decides="steps", cut=cut)
    return fields if isinstance(fields, NoVerdict) else tuple(fields["steps"])


def _of_tokens(weighted: Weighted, argmax: int) -> dict[str, Any]:
    return {
        "mode": "logprobs",
        "verdict": argmax,
        "valid_mass": weighted.mass,
        "entropy_nats": weighted.entropy,
        "shares": {str(level): share for level, share in weighted.shares.items()},
    }


def _scored(value: float, reason: str, params: GEvalParams, details: dict[str, Any]) -> Scored:
    value = min(float(SCALE_MAX), max(float(SCALE_MIN), value))
    return Scored(
        raw=value,
        scale_min=SCALE_MIN,
        scale_max=SCALE_MAX,
        normalised=(value - SCALE_MIN) / (SCALE_MAX - SCALE_MIN),
        passed=reaches(value, params.pass_mark),
        reason=reason,
        details={**details, "criterion": params.chosen().name, "prompt_version": PROMPT_VERSION},
    )


def _reply(level: int, *top: tuple[str, float], reason: str = "Because.") -> Reply:
    """Return a judge model's reply with the score `level`, for the examples below. If `top` is given, the reply has
    log-probabilities."""
    text = f'{{"reason": "{reason}", "score": {level}}}'
    if not top:
        return Reply(text)
    certain = [(part, {part: 0.0}) for part in ('"score', '": ', "}")]
    tokens = [*certain[:2], (str(level), dict(top)), *certain[2:]]
    return Reply(text, last_tokens=tuple(TokenChoices(token=part, top=likely) for part, likely in tokens))


def _score_first(level: int, *top: tuple[str, float]) -> Reply:
    # The reason contains a second score, which must not be read.
    reason = 'As if "score": 1.'
    text = json.dumps({"score": level, "reason": reason})
    certain = [("{", {"{": 0.0}), ('"score', {'"score': 0.0}), ('": ', {'": ': 0.0})]
    tokens = [*certain, (str(level), dict(top)), (', "reason": "As if ', {}), ('"score": ', {}), ("1", {"1": 0.0})]
    return Reply(text, first_tokens=tuple(TokenChoices(token=part, top=likely) for part, likely in tokens))


def _replies(*levels: int) -> tuple[Reply, ...]:
    return tuple(_reply(level) for level in levels)


_KIND = {"criterion": "custom", "name": "kindness", "description": "It is kind.", "anchors": ["a", "b", "c", "d", "e"]}

EVALUATOR = Evaluator(
    kind="g_eval",
    title="G-Eval",
    description="A judge model scores the answer from 1 to 5 by one criterion: faithfulness, groundedness, "
    "relevance, coherence, fluency, safety, or your own. The score is weighted by its log-probabilities "
    "if the model gives them (one call per answer), else it is the mean of several samples (one call "
    "more than samples).",
    params=GEvalParams,
    score=score,
    needs_judge=True,
    scale_min=SCALE_MIN,
    scale_max=SCALE_MAX,
    pass_mark=lambda params: params.pass_mark,
    schema_name=SCHEMA_NAME,
    prompt_hash=lambda params: prompt_hash(
        params.chosen(), generated_steps=params.generate_steps, score_first=params.score_first
    ),
    called=lambda params: f"G-Eval: {params.chosen().name}{', score first' if params.score_first else ''}",
    examples=(
        Example(
            name="weighted by log-probabilities",
            answer="42",
            replies=(_reply(5, ("5", -0.45), ("4", -1.35), ("3", -3.2), (" 4", -4.0), ("Score", -6.0), ("2", -5.5)),),
            verdict={"outcome": "scored", "passed": True, "details": {"mode": "logprobs", "criterion": "relevance"}},
            parts=("verdict.1",),
        ),
        Example(
            name="too little of the mass is on scores: sampled",
            answer="42",
            params={"samples": 2},
            replies=(_reply(5, ("5", -1.5), ("great", -0.4)), *_replies(4, 5)),
            verdict={"raw": 4.5, "normalised": 0.875, "details": {"mode": "samples", "sampled": [4, 5]}},
            parts=("verdict.1", "sample.1.1", "sample.1.2"),
        ),
        Example(
            name="sampled, one of them no verdict",
            answer="42",
            params={"mode": "samples", "samples": 3, "criterion": "fluency", "pass_mark": 4},
            replies=(*_replies(3), Reply("Fine!"), *_replies(4)),
            verdict={"raw": 3.5, "passed": False, "details": {"samples": 3, "samples_scored": 2}},
            parts=("sample.1.1", "sample.1.2", "sample.1.3"),
        ),
        Example(
            name="one verdict, repaired",
            answer="42",
            params={"mode": "single"},
            replies=(Reply('{"reason": "Great.", "score": 6}'), *_replies(5)),
            verdict={"raw": 5.0, "normalised": 1.0, "details": {"mode": "single", "repaired": True}},
            parts=("verdict.1", "repair.1"),
        ),
        Example(
            name="score first: weighted at the beginning of the reply",
            answer="42",
            params={"order": "score_first"},
            replies=(_score_first(4, ("4", -0.7), ("5", -0.7)),),
            verdict={
                "outcome": "scored",
                "raw": 4.5,
                "details": {"mode": "logprobs", "order": "score_first", "verdict": 4},
            },
            parts=("verdict.1",),
        ),
        Example(
            name="never a verdict",
            answer="42",
            params={"mode": "single"},
            replies=(Reply("Fine."), Reply('{"reason": "Fine.", "score": 0}')),
            verdict={"outcome": "unparsed", "problem": "The score 0 is outside 1 to 5."},
            parts=("verdict.1", "repair.1"),
        ),
        Example(
            name="repeats",
            answer="42",
            params={"mode": "single", "repeats": 3},
            replies=_replies(4, 4, 1),
            verdict={"raw": 3.0, "details": {"scores": [4, 4, 1], "self_agreement": 1 / 3}},
            parts=("verdict.1", "verdict.2", "verdict.3"),
        ),
        Example(
            name="near the mark, asked more often",
            answer="42",
            params={"mode": "single", "extra_repeats": 2, "margin": 1},
            replies=_replies(4, 2, 2),
            verdict={"raw": 8 / 3, "passed": False, "details": {"near_mark": True, "repeats_scored": 3}},
            parts=("verdict.1", "verdict.2", "verdict.3"),
        ),
        Example(
            name="a criterion of one's own, whose steps the judge writes",
            answer="42",
            params={**_KIND, "generate_steps": True, "mode": "single"},
            replies=(Reply('{"steps": ["Read it.", "Feel it."]}'), *_replies(2)),
            verdict={"raw": 2.0, "details": {"criterion": "kindness", "steps": ["Read it.", "Feel it."]}},
            parts=("steps.1", "verdict.1"),
        ),
        Example(
            name="grounded in the expected answer where there is no context",
            answer="42",
            case={"expected_output": "42"},
            params={"criterion": "groundedness", "mode": "single"},
            replies=_replies(5),
            verdict={"raw": 5.0},
            parts=("verdict.1",),
        ),
        Example(
            name="faithful to nothing is no score",
            answer="42",
            params={"criterion": "faithfulness"},
            verdict={"outcome": "errored"},
        ),
        Example(
            name="an empty answer costs no call",
            answer=" \n",
            verdict={"outcome": "scored", "raw": 1.0, "normalised": 0.0, "details": {"decided_by": "program"}},
        ),
        Example(name="and does no harm", answer="", params={"criterion": "safety"}, verdict={"raw": 5.0}),
    ),
)
