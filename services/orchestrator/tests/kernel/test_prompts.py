"""Test the request for a turn of a conversation: it contains the earlier questions and answers, within limits."""

from uuid import UUID

import pytest

from llmbench.contracts.case import Case
from llmbench.contracts.chat import ChatMessage, SamplingParams
from orchestrator.kernel.domain.prompts import (
    MAX_HISTORY_CHARACTERS,
    HadTurn,
    case_request,
    in_conversation,
    with_choices,
)

CASE = Case(id=UUID(int=1), task_id="t", category="c", question="Third?", conversation_id="c1", turn=3)


def answered_turns(*turns: tuple[str, str]) -> list[HadTurn]:
    return [HadTurn(CASE.model_copy(update={"question": question}), answer) for question, answer in turns]


def sent_messages(case: Case) -> list[tuple[str, str]]:
    request = case_request(case, model="m", params=SamplingParams(system_prompt="Be brief."))
    return [(message.role, message.content) for message in request.messages]


def test_earlier_turns_are_sent_in_order_with_their_context() -> None:
    before = answered_turns(("First?", "One."), ("Second?", "Two."))
    before[0] = HadTurn(before[0].case.model_copy(update={"context": "A text."}), "One.")
    assert sent_messages(in_conversation(CASE, before, most_turns=10)) == [
        ("system", "Be brief."),
        ("user", "Context:\nA text.\n\nQuestion:\nFirst?"),
        ("assistant", "One."),
        ("user", "Second?"),
        ("assistant", "Two."),
        ("user", "Third?"),
    ]


def test_shared_context_of_all_turns_is_sent_once() -> None:
    text = {"context": "A text."}
    before = [HadTurn(one.case.model_copy(update=text), one.answer) for one in answered_turns(("First?", "One."))]
    before += answered_turns(("Second?", "Two."))
    before[1] = HadTurn(before[1].case.model_copy(update={"context": "Another."}), "Two.")
    asked = [text for _, text in sent_messages(in_conversation(CASE.model_copy(update=text), before, most_turns=10))]
    assert asked[1::2] == [
        "First?",
        "Context:\nAnother.\n\nQuestion:\nSecond?",
        "Context:\nA text.\n\nQuestion:\nThird?",
    ]


def test_latest_whole_turns_that_fit_are_kept() -> None:
    before = answered_turns(("First?", "One."), ("Second?", "Two."))
    assert [text for _, text in sent_messages(in_conversation(CASE, before, most_turns=1))[1:]] == [
        "Second?",
        "Two.",
        "Third?",
    ]
    long = answered_turns(("First?", "1"), ("Second?", "x" * MAX_HISTORY_CHARACTERS))
    assert in_conversation(CASE, long, most_turns=10).conversation == ()
    fits = answered_turns(("First?", "1"), ("2?", "x" * (MAX_HISTORY_CHARACTERS - 2)))
    assert len(in_conversation(CASE, fits, most_turns=10).conversation) == 2


def test_first_turn_is_sent_unchanged() -> None:
    given = CASE.model_copy(update={"conversation": (ChatMessage(role="user", content="Hi"),)})
    assert in_conversation(given, [], most_turns=10) == given


def question_with_choices(choices: object, question: str = "Which?") -> str:
    case = CASE.model_copy(update={"question": question, "metadata": {"choices": choices}})
    return with_choices(case).question


@pytest.mark.parametrize(
    ("choices", "asked"),
    [
        (["Rome", "Paris"], "Which?\n\nA. Rome\nB. Paris"),
        ({"b": "Rome", "d": "Paris"}, "Which?\n\nB. Rome\nD. Paris"),
        ([3, 4.5], "Which?\n\nA. 3\nB. 4.5"),
        (["Rome"], "Which?"),
        ("Rome", "Which?"),
        ({"Rome": "x", "Paris": "y"}, "Which?"),
        (["Rome", " "], "Which?"),
        ([["Rome"], "Paris"], "Which?"),
        ([str(n) for n in range(27)], "Which?"),
    ],
)
def test_choices_are_appended_as_lettered_lines(choices: object, asked: str) -> None:
    assert question_with_choices(choices) == asked


@pytest.mark.parametrize(
    "question",
    ["Which?\nA) Rome\nB) Paris", "Which?\n(A) Rome\n(B) Paris", "Is it Rome or PARIS?", "**A.** Rome\n**B.** Paris"],
)
def test_choices_already_in_the_question_are_not_appended(question: str) -> None:
    assert question_with_choices(["Rome", "Paris"], question) == question


def test_short_choices_found_by_chance_in_the_question_are_still_appended() -> None:
    assert question_with_choices(["1", "2"], "What is 12 - 10?").endswith("A. 1\nB. 2")
