"""Grounded questions: check an answer that lists conversations about a document, as JSON.

The score is the share of valid conversations. Every passage that a conversation quotes must be in the case's context.
"""

import re
from itertools import takewhile
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from judge.domain.cannot_score import CannotScore
from judge.domain.json_object import objects
from judge.domain.passages import Searchable, TooShort, find, searchable
from judge.domain.schema_check import NoJson, read_json
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.grounded_questions import (
    KIND,
    MAX_CHARACTERS,
    MAX_CONVERSATIONS,
    MAX_TURNS,
    GroundedConversation,
    GroundedQuestions,
    GroundedTurn,
    PageStart,
    RefusedConversation,
)
from llmbench.contracts.judge_answer import JudgeAnswer

_LONGEST_CONTEXT = 1_000_000
# Joins a word that is hyphenated at a line's end. Before a capital or a digit, the hyphen belongs to the word.
_HYPHENATION = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\s*\n\s*(?=[a-z\u00df-\u00f6\u00f8-\u00ff])")
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_CHARACTERS)]


class GroundedQuestionsParams(Params):
    max_turns: int = Field(default=MAX_TURNS, ge=1, le=MAX_TURNS, description="The most turns of one conversation.")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Turn(_Part):
    question: _Text
    ground_truth: _Text
    passage: _Text


class _Conversation(_Part):
    turns: list[_Turn] = Field(min_length=1)


class _Refused(Exception):
    pass


def score(task: JudgeAnswer, params: GroundedQuestionsParams) -> Scored:
    if not task.case.context:
        raise CannotScore(f"The case {task.case.task_id!r} has no context that passages could be quoted from.")
    if len(task.case.context) > _LONGEST_CONTEXT:
        raise CannotScore(f"The context has more than {_LONGEST_CONTEXT:,} characters.")
    try:
        _require_one(task.answer)
        values = [each.value for each in read_json(task.answer, strict=False)]
        conversations = _conversations(next((value for value in values if _lists_conversations(value)), values[0]))
    except (NoJson, _Refused) as error:
        return _scored(GroundedQuestions(), f"{str(error)[0].upper()}{str(error)[1:]}.")
    context, pages = searchable(task.case.context), _pages(task.case.metadata)
    accepted: list[GroundedConversation] = []
    refused: list[RefusedConversation] = []
    seen_questions: set[tuple[str, ...]] = set()
    for number, each in enumerate(conversations, start=1):
        try:
            conversation = _checked(each, context, pages, max_turns=params.max_turns)
            questions = tuple(turn.question.casefold() for turn in conversation.turns)
            if questions in seen_questions:
                raise _Refused("asks the same as one before it")
            seen_questions.add(questions)
            accepted.append(conversation)
        except _Refused as error:
            refused.append(RefusedConversation(number=number, reason=str(error)))
    held = GroundedQuestions(accepted=tuple(accepted), refused=tuple(refused))
    if not refused:
        return _scored(held, f"All {len(accepted)} conversations are valid.")
    first = refused[0]
    return _scored(
        held, f"{len(accepted)} of {len(conversations)} conversations are valid. Number {first.number} {first.reason}."
    )


def _scored(held: GroundedQuestions, reason: str) -> Scored:
    every = len(held.accepted) + len(held.refused)
    share = len(held.accepted) / every if every else 0
    return scored(share, passed=share == 1, reason=reason, **held.model_dump(mode="json"))


def _require_one(answer: str) -> None:
    """Raise `_Refused` if the answer has two different lists of conversations: one may be a draft, and it is unknown
    which list counts."""
    lists = [candidate["conversations"] for candidate in objects(answer) if "conversations" in candidate]
    if len(lists) > 1 and any(conversations != lists[0] for conversations in lists):
        raise _Refused(f"the answer has {len(lists)} lists of conversations that differ, and may have one")


def _lists_conversations(value: Any) -> bool:
    return isinstance(value, dict) and "conversations" in value


def _conversations(value: Any) -> list[Any]:
    conversations = value.get("conversations") if isinstance(value, dict) else None
    if not isinstance(conversations, list) or not conversations:
        raise _Refused("the answer is not an object with a list of `conversations`")
    if len(conversations) > MAX_CONVERSATIONS:
        raise _Refused(f"the answer has {len(conversations):,} conversations; there may be {MAX_CONVERSATIONS}")
    return conversations


def _checked(value: Any, context: Searchable, pages: tuple[PageStart, ...], *, max_turns: int) -> GroundedConversation:
    """Validate one conversation and locate its passages in the context. Raises `_Refused` if the conversation is
    invalid, or if a passage is missing."""
    try:
        turns = _Conversation.model_validate(value).turns
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, fault["loc"]))[:100]
        raise _Refused(f"does not fit the schema: {where or 'the answer'}: {fault['msg']}") from None
    if len(turns) > max_turns:
        raise _Refused(f"has {len(turns)} turns; there may be {max_turns}")
    return GroundedConversation(
        turns=tuple(_grounded(turn, number, context, pages) for number, turn in enumerate(turns, start=1))
    )


def _grounded(turn: _Turn, number: int, context: Searchable, pages: tuple[PageStart, ...]) -> GroundedTurn:
    """Return the turn with its passage as the document spells it, on one line. Raises `_Refused` if the document does
    not contain the passage, or if the passage is too short or too long."""
    try:
        place = find(turn.passage, context)
    except TooShort as error:
        raise _Refused(f"turn {number}: {error}") from None
    if place is None:
        raise _Refused(f"turn {number} quotes what does not stand in the document: {turn.passage[:100]!r}")
    start, end = place
    passage = " ".join(_HYPHENATION.sub("", context.text[start:end]).split())
    if len(passage) > MAX_CHARACTERS:
        raise _Refused(f"turn {number}: its passage is longer than {MAX_CHARACTERS:,} characters")
    before = list(takewhile(lambda page: page.start <= start, pages))
    return GroundedTurn(
        question=turn.question,
        ground_truth=turn.ground_truth,
        passage=passage,
        page=before[-1].page if before else None,
    )


def _pages(metadata: dict[str, Any]) -> tuple[PageStart, ...]:
    """Return where each page of the document begins in the case's context, in order.

    The result is empty if `metadata`, the case's metadata, has no valid list of pages.
    """
    try:
        return tuple(sorted(map(PageStart.model_validate, metadata.get("pages", ())), key=lambda page: page.start))
    except (ValidationError, TypeError):
        return ()


_CONTEXT = "Leave has to be re-\nquested two weeks ahead.\nThe of\ufb01ce answers within three days."
_GOOD = (
    '{"question": "When?", "ground_truth": "Two weeks ahead.", "passage": "Leave has to be requested two weeks ahead"}'
)
_NEXT = (
    '{"question": "And then?", "ground_truth": "An answer within three days.", '
    '"passage": "the office answers within three days."}'
)
_INVENTED = '{"question": "How much?", "ground_truth": "30 days.", "passage": "Everybody has 30 days of leave."}'
_CASE = {"context": _CONTEXT, "metadata": {"pages": [{"page": 7, "start": 0}, {"page": 8, "start": 45}]}}

EVALUATOR = by_program(
    kind=KIND,
    title="Questions from a document",
    description="The answer is JSON of conversations with questions, answers and quoted passages, and each passage "
    "is found in the case's context. The score is the share of valid conversations.",
    params=GroundedQuestionsParams,
    score=score,
    schema_version="2",
    examples=(
        Example(
            name="hyphenation, ligatures and case are no difference; pages are told",
            answer=f'{{"conversations": [{{"turns": [{_GOOD}, {_NEXT}]}}]}}',
            case=_CASE,
            verdict={
                "outcome": "scored",
                "raw": 1.0,
                "passed": True,
                "details": {
                    "accepted": [
                        {
                            "turns": [
                                {
                                    "question": "When?",
                                    "ground_truth": "Two weeks ahead.",
                                    "passage": "Leave has to be requested two weeks ahead",
                                    "page": 7,
                                },
                                {
                                    "question": "And then?",
                                    "ground_truth": "An answer within three days.",
                                    "passage": "The of\ufb01ce answers within three days",
                                    "page": 8,
                                },
                            ]
                        }
                    ],
                    "refused": [],
                },
            },
        ),
        Example(
            name="an invented passage",
            answer=f'{{"conversations": [{{"turns": [{_GOOD}]}}, {{"turns": [{_INVENTED}]}}]}}',
            case=_CASE,
            verdict={
                "raw": 0.5,
                "passed": False,
                "reason": "1 of 2 conversations are valid. Number 2 turn 1 quotes what does not stand in the document: "
                "'Everybody has 30 days of leave.'.",
            },
        ),
        Example(
            name="what does not fit the schema, and the same again",
            answer=f'{{"conversations": [{{"turns": []}}, {{"turns": [{_GOOD}]}}, {{"turns": [{_GOOD}]}}]}}',
            case=_CASE,
            verdict={
                "raw": 1 / 3,
                "details": {
                    "accepted": [
                        {
                            "turns": [
                                {
                                    "question": "When?",
                                    "ground_truth": "Two weeks ahead.",
                                    "passage": "Leave has to be requested two weeks ahead",
                                    "page": 7,
                                }
                            ]
                        }
                    ],
                    "refused": [
                        {
                            "number": 1,
                            "reason": "does not fit the schema: turns: List should have at least 1 item after "
                            "validation, not 0",
                        },
                        {"number": 3, "reason": "asks the same as one before it"},
                    ],
                },
            },
        ),
        Example(
            name="two lists that differ are none",
            answer=f'{{"conversations": [{{"turns": [{_NEXT}]}}]}} or {{"conversations": [{{"turns": [{_GOOD}]}}]}}',
            case=_CASE,
            verdict={
                "raw": 0.0,
                "reason": "The answer has 2 lists of conversations that differ, and may have one.",
                "details": {"accepted": [], "refused": []},
            },
        ),
        Example(
            name="no JSON",
            answer="Here are some questions!",
            case=_CASE,
            verdict={"raw": 0.0, "passed": False, "details": {"accepted": [], "refused": []}},
        ),
        Example(name="no context", answer="{}", verdict={"outcome": "errored"}),
    ),
)
