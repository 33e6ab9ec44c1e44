"""Multiple choice: the answer passes if it chooses the correct option."""

import string
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from judge.domain import lm_eval_profiles as lm_eval
from judge.domain.cannot_score import CannotScore
from judge.domain.choice import chosen
from judge.domain.extraction import Extraction
from judge.domain.option_texts import Choice
from judge.domain.references import references
from judge.evaluators.base import Example, Params, by_program, scored
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.case import Case
from llmbench.contracts.judge_answer import JudgeAnswer


class MultipleChoiceParams(Params):
    profile: Literal["default", "mmlu", "mmlu-flan-cot", "mmlu-generative"] = Field(
        default="default",
        description="`mmlu`: one correct letter, A to D unless there are other options; a reference may be the "
        "option's index from 0, as in MMLU. `mmlu-flan-cot` and `mmlu-generative` score exactly like "
        "lm-eval's filters of mmlu_flan_cot_zeroshot (flexible-extract) and mmlu_generative.",
    )
    letters: str = Field(
        default="ABCDEFGHIJ",
        min_length=2,
        max_length=26,
        pattern="^[A-Z]+$",
        description="The letters of the options. If a case has options, only as many letters as options.",
    )
    options: tuple[str, ...] = Field(
        default=(),
        max_length=26,
        description="The texts of the options, in order. Without them, `choices` (or `options`) in the case's "
        "metadata are used.",
    )
    expected: str | None = Field(
        default=None,
        pattern=r"^[A-Z](?:[,;&\s]*[A-Z])*$",
        description="The correct letter, or several (`A, C`), all of which have to be chosen. Without it, the case's "
        "reference is used: a letter, letters, or the text of an option.",
    )


def score(task: JudgeAnswer, params: MultipleChoiceParams) -> Scored:
    texts = _options(task.case, params)
    letters = _letters(params, texts)
    try:
        all_correct = _correct_choices(task.case, params, letters, texts)
    except CannotScore:
        if not _is_identical(task):
            raise
        start = task.answer.strip()[:200]
        extraction = Extraction(answer=start, answer_rule="identical", reference=start, reference_rule="identical")
        reason = "The answer is the reference."
        return scored(1, passed=True, reason=reason, extraction=extraction, chosen=start, told_by="identical")
    answer = _read(task, params, letters, texts)
    correct = next((correct for correct in all_correct if correct.letters == answer.letters), all_correct[0])
    passed = answer.letters == correct.letters
    extraction = Extraction(
        answer=answer.text, answer_rule=answer.rule, reference=correct.text, reference_rule=correct.rule
    )
    if answer.letters:
        reason = f"The answer chooses {answer.text}; {correct.text} is correct."
    elif answer.rule == "several left open":
        reason = "The answer leaves open which letter it means."
    else:
        reason = "The answer chooses no letter, or more than one."
    return scored(
        float(passed), passed=passed, reason=reason, extraction=extraction, chosen=answer.text, told_by=answer.rule
    )


def _is_identical(task: JudgeAnswer) -> bool:
    try:
        known = references(task.case.model_copy(update={"excellent": None}))
    except CannotScore:
        return False
    return " ".join(task.answer.split()) in {" ".join(reference.split()) for reference in known}


def check_reference(case: Case, params: MultipleChoiceParams) -> None:
    """Raise `CannotScore` unless `params.expected`, or else a reference of the case, names an option."""
    texts = _options(case, params)
    _correct_choices(case, params, _letters(params, texts), texts)


def _read(task: JudgeAnswer, params: MultipleChoiceParams, letters: str, texts: Mapping[str, str]) -> Choice:
    if params.profile not in ("mmlu-flan-cot", "mmlu-generative"):
        return chosen(task.answer, letters, texts, task.case.question)
    if params.profile == "mmlu-flan-cot":
        extracted, rule = lm_eval.mmlu_flan_cot(task.answer, tuple(texts.values())), "lm-eval flexible-extract"
    else:
        extracted, rule = lm_eval.mmlu_generative(task.answer), "lm-eval get_response"
    # lm-eval compares the extracted texts: "b." equals B, but "B) Paris" does not.
    letter = lm_eval.mmlu_normal(extracted).upper()
    return Choice(frozenset(letter if len(letter) == 1 and letter in letters else ""), rule)


def _letters(params: MultipleChoiceParams, texts: Mapping[str, str]) -> str:
    if texts:
        return "".join(texts)
    return "ABCD" if params.profile != "default" and params.letters == "ABCDEFGHIJ" else params.letters


def _options(case: Case, params: MultipleChoiceParams) -> dict[str, str]:
    """Return the texts of the options by letter, from the parameters or the case's metadata; empty if there are none.

    In the metadata, the options are the field `choices` or `options`. Its value is a list of texts, an object that maps
    letters to texts, or an object whose member `text` is the list.
    """
    choices: Any = params.options or case.metadata.get("choices") or case.metadata.get("options")
    if isinstance(choices, dict) and isinstance(choices.get("text"), list):
        choices = choices["text"]
    if isinstance(choices, list | tuple):
        return {letter: str(text) for letter, text in zip(string.ascii_uppercase, choices, strict=False)}
    if isinstance(choices, dict):
        named = {str(name).strip().upper(): str(text) for name, text in choices.items()}
        return {name: text for name, text in named.items() if len(name) == 1 and name in string.ascii_uppercase}
    return {}


def _correct_choices(case: Case, params: MultipleChoiceParams, letters: str, texts: Mapping[str, str]) -> list[Choice]:
    if params.expected is not None:
        return [Choice(frozenset(char for char in params.expected if char.isalpha()), "expected")]
    try:
        known = references(case.model_copy(update={"excellent": None}))
    except CannotScore:
        known = references(case)
    all_correct = [_correct_choice(reference, params, letters, texts) for reference in known]
    sure = [
        choice for choice in all_correct if choice.letters and (params.profile == "default" or len(choice.letters) == 1)
    ]
    if sure:
        return sure
    shown = " ".join(known[0].split())[:120]
    raise CannotScore(
        f"ambiguous reference: no reference of the case {case.task_id!r} names one of the letters {letters} "
        f"({shown!r}). Write the letter, or the text of one of the case's choices, or set `expected`."
    )


def _correct_choice(reference: str, params: MultipleChoiceParams, letters: str, texts: Mapping[str, str]) -> Choice:
    bare = reference.strip()
    if params.profile != "default" and bare.isdecimal() and len(bare) <= 2 and int(bare) < len(letters):
        by_index = Choice(frozenset(letters[int(bare)]), "index")
        by_text = chosen(reference, letters, texts)
        # The number is ambiguous if it is an index and also the text of another option.
        return by_index if not by_text.letters or by_text.letters == by_index.letters else Choice(frozenset(), "none")
    return chosen(reference, letters, texts)


EVALUATOR = by_program(
    kind="multiple_choice",
    title="Multiple choice",
    description="The answer chooses the correct option, by letter or by its text. An answer that chooses none, "
    "leaves several open, or negates one is wrong.",
    params=MultipleChoiceParams,
    score=score,
    check_reference=check_reference,
    schema_version="3",
    examples=(
        Example(
            name="just the letter",
            answer="(b).",
            case={"expected_output": "B"},
            verdict={
                "outcome": "scored",
                "raw": 1.0,
                "details": {
                    "chosen": "B",
                    "told_by": "only",
                    "extraction": {"answer": "B", "answer_rule": "only", "reference": "B", "reference_rule": "only"},
                },
            },
        ),
        Example(
            name="the last statement counts",
            answer="The answer is A... no wait, the answer is **C**.",
            case={"expected_output": "C) Rome"},
            verdict={"raw": 1.0, "details": {"chosen": "C", "told_by": "stated"}},
        ),
        Example(
            name="A is a word here",
            answer="A good question! I choose D, because it fits.",
            case={"expected_output": "D"},
            verdict={"raw": 1.0, "details": {"chosen": "D", "told_by": "stated"}},
        ),
        Example(
            name="A is a letter here",
            answer="Therefore A is the answer. B is wrong.",
            case={"expected_output": "A"},
            verdict={"raw": 1.0, "details": {"chosen": "A"}},
        ),
        Example(
            name="negated letters and names are no choices",
            answer="The answer is not B. Vitamin B would be too simple.",
            case={"expected_output": "B"},
            verdict={"raw": 0.0, "details": {"chosen": None}},
        ),
        Example(
            name="the text of a choice",
            answer="That would be paris.",
            case={"expected_output": "Paris", "metadata": {"choices": ["Rome", "Paris"]}},
            verdict={"raw": 1.0, "details": {"chosen": "B", "told_by": "option named"}},
        ),
        Example(
            name="several letters where one is right",
            answer="B or C",
            case={"expected_output": "B"},
            verdict={"raw": 0.0, "passed": False, "details": {"chosen": None}},
        ),
        Example(
            name="several right letters compare as sets",
            answer="C and A",
            case={"expected_output": "A, C"},
            verdict={"raw": 1.0, "details": {"chosen": "A, C"}},
        ),
        Example(
            name="MMLU has the index of the right option",
            answer="答案是B",
            params={"profile": "mmlu", "options": ["Rome", "Paris", "Berlin", "Madrid"]},
            case={"expected_output": "1"},
            verdict={"raw": 1.0, "details": {"chosen": "B"}},
        ),
        Example(
            name="a reference without a letter is no score",
            answer="B",
            case={"expected_output": "Paris"},
            verdict={"outcome": "errored"},
        ),
    ),
)
