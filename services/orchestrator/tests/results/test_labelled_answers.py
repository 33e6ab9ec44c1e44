"""Test how answers of a run are chosen for labelling by people, and how they are read."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_world import World, answered, scored

from llmbench.contracts.annotation_words import AnswerPriority
from llmbench.contracts.answer_scored import Verdict
from llmbench.contracts.generate_completion import GenerateCompletion, Purpose
from llmbench.contracts.judge_answer import JudgeAnswer
from llmbench.contracts.outcome import Outcome, Refused
from llmbench.contracts.read_answers import AnswersRead, ReadAnswers
from llmbench.contracts.sample_answers import AnswersSampled, SampleAnswers
from llmbench.ids import new_id
from llmbench.messaging.publish import request
from orchestrator.results.domain.label_sample import Answer, Wanted, choose, pairs_of, singles_of

FIRST, SECOND = UUID(int=1), UUID(int=2)


def answers(count: int, target: UUID = FIRST, start: int = 100) -> list[Answer]:
    """Return `count` answers of a target. Each has a higher `urgency` than the one before it, so it is chosen for
    labelling first; every third answer has none."""
    return [
        Answer(UUID(int=start + number), target, number, None if number % 3 == 0 else float(number))
        for number in range(count)
    ]


@given(
    count=st.integers(0, 60),
    size=st.none() | st.integers(1, 80),
    share=st.floats(0, 1),
    seed=st.integers(0, 2**31 - 1),
    by_priority=st.booleans(),
)
def test_sample_has_its_size_its_audit_slice_and_nothing_twice(
    count: int, size: int | None, share: float, seed: int, by_priority: bool
) -> None:
    found = singles_of(answers(count))
    wanted = Wanted(size, share, seed, by_priority)
    chosen = choose(found, wanted)
    total = min(count, size or count)
    assert len(chosen) == len({each.item_id for each in chosen}) == total
    assert sum(each.is_audit for each in chosen) == round(share * total)
    assert choose(found[::-1], wanted) == chosen, "the same seed chooses the same answers"
    audit = {each.item_id for each in chosen if each.is_audit}
    if by_priority:
        urgency = {each.item_id: -1.0 if each.urgency is None else each.urgency for each in found}
        by_rank = [urgency[each.item_id] for each in chosen if not each.is_audit]
        left = urgency.keys() - audit - {each.item_id for each in chosen}
        assert min(by_rank, default=99) >= max((urgency[each] for each in left), default=-1)


def test_audit_slice_does_not_depend_on_the_priority() -> None:
    found = singles_of(answers(200))
    slices = [
        {each.item_id for each in choose(found, Wanted(50, 0.3, 7, by_priority)) if each.is_audit}
        for by_priority in (False, True)
    ]
    assert slices[0] == slices[1]


def test_order_within_pairs_is_drawn_and_repeatable() -> None:
    both = answers(400) + answers(399, SECOND, start=1000)
    pairs = pairs_of(both, (FIRST, SECOND), seed=3)
    assert len(pairs) == 399, "a case without an answer of the other target is left out"
    assert pairs == pairs_of(both[::-1], (FIRST, SECOND), seed=3)
    swapped = sum(each.item_id.int >= 1000 for each in pairs)
    assert 150 < swapped < 250
    assert all(each.other_item_id is not None for each in pairs)
    assert swapped != sum(each.item_id.int >= 1000 for each in pairs_of(both, (FIRST, SECOND), seed=4))


async def _answer(command: GenerateCompletion) -> Outcome:
    if command.purpose == Purpose.WARM_UP:
        return answered()
    number = int(command.request.messages[-1].content.split("What is ")[1].split()[0].strip("?+"))
    if command.request.model == "model-b" and number == 2:
        return Refused(message="The model refused.", cause="refusal")
    return answered(f"{command.request.model} says {number}")


async def _judge(command: JudgeAnswer) -> Verdict:
    return scored(RAW[command.answer])


RAW = {
    "model-a says 0": 9,
    "model-a says 1": 5,
    "model-a says 2": 0,
    "model-b says 0": 8,
    "model-b says 1": 0,
}
"""The scores on 0 to 10; the pass mark is 5. The targets differ most on case 1."""


async def _sample(world: World, run_id: UUID, **more: object) -> AnswersSampled:
    question = SampleAnswers.model_validate({"run_id": run_id, "audit_share": 0, "seed": 1} | more)
    return AnswersSampled.model_validate_json(await request(world.nats, question, service="test", timeout_s=240))


async def _read(world: World, run_id: UUID, *ids: UUID) -> AnswersRead:
    question = ReadAnswers(run_id=run_id, item_ids=ids)
    return AnswersRead.model_validate_json(await request(world.nats, question, service="test", timeout_s=240))


async def test_answers_of_a_run_are_chosen_by_priority_and_in_pairs(world: World) -> None:
    world.answer, world.judge = _answer, _judge
    run_id = await world.start("model-a", "model-b")
    early = await _sample(world, run_id)
    assert early.problem is None or "wait until it is over" in early.problem
    await world.until_status(run_id, "FINISHED")

    every = await _sample(world, run_id, audit_share=0.4)
    assert (every.total, len(every.answers)) == (5, 5), "the refused answer is left out"
    assert sum(each.is_audit for each in every.answers) == 2
    read = await _read(world, run_id, *(each.item_id for each in every.answers), new_id())
    assert sorted(answer.answer for answer in read.answers) == sorted(RAW)
    assert {(answer.target, answer.case) for answer in read.answers if answer.answer == "model-a says 1"} == {
        ("model-a", "task-1")
    }
    assert all(answer.input["prompt"].startswith("What is") for answer in read.answers)

    names = [{"case": "task-1", "target": "model-b", "epoch": 1}, {"case": "task-1"}, {"case": "task-2"}, {"case": "x"}]
    with_names = await _sample(world, run_id, named=names)
    gold, vague, only, unknown = with_names.named
    assert gold.item_id is not None
    assert only.item_id is not None
    assert [each.answer for each in (await _read(world, run_id, gold.item_id)).answers] == ["model-b says 1"]
    assert "name the target" in str(vague.problem)
    assert "no answer to a case 'x'" in str(unknown.problem)
    assert {gold.item_id, only.item_id}.isdisjoint(each.item_id for each in with_names.answers)
    assert len(with_names.answers) == 3

    async def first(**more: object) -> str:
        (chosen,) = (await _sample(world, run_id, size=1, **more)).answers
        return (await _read(world, run_id, chosen.item_id)).answers[0].answer

    assert await first(priority=AnswerPriority.PASS_MARK) == "model-a says 1"
    assert await first(priority=AnswerPriority.DISAGREEMENT) in ("model-a says 1", "model-b says 1")
    uncertain = await _sample(world, run_id, priority=AnswerPriority.CONFIDENCE)
    assert uncertain.problem is not None
    assert "confidence" in uncertain.problem

    pairs = await _sample(world, run_id, pairs=True)
    assert pairs.targets == ("model-a", "model-b")
    assert len(pairs.answers) == 2, "one case has no answer of the second target"
    for pair in pairs.answers:
        assert pair.other_item_id is not None
        both = (await _read(world, run_id, pair.item_id, pair.other_item_id)).answers
        assert {each.target for each in both} == {"model-a", "model-b"}
        assert len({each.case for each in both}) == 1
    assert not (await _sample(world, new_id())).found
    assert "no target" in str((await _sample(world, run_id, target_ids=[new_id()])).problem)


@pytest.mark.parametrize("pairs", [True, False])
def test_nothing_to_choose_from_chooses_nothing(pairs: bool) -> None:
    found = pairs_of([], (FIRST, SECOND), seed=1) if pairs else singles_of([])
    assert choose(found, Wanted(None, 0.3, 1, by_priority=False)) == []
