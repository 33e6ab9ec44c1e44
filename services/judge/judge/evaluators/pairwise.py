"""Pairwise: the judge model compares the answer with another text, once in each order.

Many judge models favour the first or the second text, whatever it says. So if the verdicts of the two orders differ,
the result is a tie.
"""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from judge.domain.emptiness import reason_empty
from judge.domain.fence import nonce
from judge.domain.pairwise_prompt import (
    PROMPT_VERSION,
    REPAIR,
    SCHEMA,
    SCHEMA_NAME,
    messages,
    prompt_hash,
)
from judge.domain.references import references
from judge.domain.verdict_reading import NoVerdict, read_fields
from judge.evaluators.base import Ask, Evaluator, Example, Params, Reply
from judge.evaluators.question import Question, ask_verdict
from llmbench.contracts.answer_scored import Scored, Unparsed, Verdict
from llmbench.contracts.chat import ResponseSchema
from llmbench.contracts.judge_answer import JudgeAnswer

Winner = Literal["answer", "opponent", "tie"]

_SCORES: dict[Winner, float] = {"answer": 1, "opponent": 0, "tie": 0.5}
_ORDERS: tuple[tuple[str, dict[str, Winner]], ...] = (
    ("ab", {"A": "answer", "B": "opponent", "tie": "tie"}),
    ("ba", {"A": "opponent", "B": "answer", "tie": "tie"}),
)


class PairwiseParams(Params):
    opponent: str | None = Field(
        default=None,
        min_length=1,
        max_length=20_000,
        description="The text to compare every answer with. Without it, the case's first reference is used.",
    )
    criterion: str | None = Field(
        default=None,
        min_length=1,
        max_length=2000,
        description='The meaning of "better", for example "the one that a child understands". Without it: more '
        "correct, complete and helpful.",
    )
    tie_passes: bool = Field(default=True, description="Whether a tie passes.")


@dataclass(frozen=True)
class _Comparison:
    winner: str
    reason: str


async def score(task: JudgeAnswer, params: PairwiseParams, ask: Ask) -> Verdict:
    opponent = references(task.case, (params.opponent,) if params.opponent else ())[0]
    nothing = reason_empty(task.answer, task.case)
    if nothing is not None:
        return _scored("opponent", nothing, params, {"decided_by": "program"})
    if task.answer.strip() == opponent.strip():
        return _scored("tie", "Both texts are the same.", params, {"decided_by": "program"})
    winners: list[Winner] = []
    reasons: list[str] = []
    for turn, (order, names) in enumerate(_ORDERS):
        pair = (task.answer, opponent) if order == "ab" else (opponent, task.answer)
        question = Question(
            messages=messages(
                task.case,
                *pair,
                criterion=params.criterion,
                mark=nonce(task.score_id),
                preamble=task.lane.params.system_prompt,
            ),
            repair=REPAIR,
            schema=ResponseSchema(name=SCHEMA_NAME, json_schema=SCHEMA),
            read=_read,
            turn=turn,
        )
        verdict = await ask_verdict(task, ask, question, part=f"{order}.1", repair_part=f"{order}_repair.1")
        if isinstance(verdict, Unparsed):
            return verdict
        winners.append(names[verdict.verdict.winner])
        reasons.append(verdict.verdict.reason)
    consistent = winners[0] == winners[1]
    winner = winners[0] if consistent else "tie"
    reason = reasons[0] if consistent else "The judge decided differently when the texts changed places."
    details = {"decided_by": "judge", "verdicts": winners, "reasons": reasons, "swap_consistent": consistent}
    return _scored(winner, reason, params, details)


def _read(text: str, cut: bool) -> _Comparison | NoVerdict:
    fields = read_fields(text, SCHEMA, decides="winner", cut=cut)
    return fields if isinstance(fields, NoVerdict) else _Comparison(fields["winner"], fields["reason"])


def _scored(winner: Winner, reason: str, params: PairwiseParams, details: dict[str, Any]) -> Scored:
    value = _SCORES[winner]
    return Scored(
        raw=value,
        scale_min=0,
        scale_max=1,
        normalised=value,
        passed=winner == "answer" or (winner == "tie" and params.tie_passes),
        reason=reason,
        details={**details, "winner": winner, "prompt_version": PROMPT_VERSION},
    )


def _reply(winner: str) -> Reply:
    return Reply(f'{{"reason": "So it seems.", "winner": "{winner}"}}')


_BOTH = ("ab.1", "ba.1")

EVALUATOR = Evaluator(
    kind="pairwise",
    title="Pairwise comparison",
    description="A judge model compares the answer with the reference answer, or with your text, in both orders. The "
    "score is 1 if the answer wins, 0 if it loses, 0.5 for a tie. Contradicting orders count as a tie.",
    params=PairwiseParams,
    score=score,
    needs_judge=True,
    schema_name=SCHEMA_NAME,
    prompt_hash=lambda params: prompt_hash(params.criterion),
    pass_mark=lambda params: _SCORES["tie" if params.tie_passes else "answer"],
    examples=(
        Example(
            name="wins in both orders",
            answer="It is 42.",
            case={"excellent": "43"},
            replies=(_reply("A"), _reply("B")),
            verdict={"outcome": "scored", "raw": 1.0, "passed": True, "details": {"swap_consistent": True}},
            parts=_BOTH,
        ),
        Example(
            name="the first place wins twice: a tie",
            answer="It is 42.",
            case={"excellent": "43"},
            params={"tie_passes": False},
            replies=(_reply("A"), _reply("A")),
            verdict={
                "raw": 0.5,
                "passed": False,
                "details": {"swap_consistent": False, "verdicts": ["answer", "opponent"], "winner": "tie"},
            },
            parts=_BOTH,
        ),
        Example(
            name="loses against a text of the parameters",
            answer="It is 43.",
            params={"opponent": "42"},
            replies=(_reply("B"), _reply("A")),
            verdict={"raw": 0.0, "passed": False},
            parts=_BOTH,
        ),
        Example(
            name="an order without a verdict is no score",
            answer="It is 42.",
            case={"excellent": "43"},
            replies=(_reply("A"), _reply("C"), Reply("Both.")),
            verdict={"outcome": "unparsed", "problem": "The reply has no JSON object."},
            parts=("ab.1", "ba.1", "ba_repair.1"),
        ),
        Example(
            name="the same text costs no call",
            answer="42 ",
            case={"excellent": "42"},
            verdict={"raw": 0.5, "passed": True},
        ),
        Example(
            name="an empty answer loses without a call",
            answer="",
            case={"excellent": "42"},
            verdict={"raw": 0.0, "reason": "The answer is empty."},
        ),
        Example(name="nothing to compare with is no score", answer="42", verdict={"outcome": "errored"}),
    ),
)
