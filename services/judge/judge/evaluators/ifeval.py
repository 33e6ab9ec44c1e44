"""IFEval: the answer follows an instruction that a program can check.

Zhou et al. 2023, "Instruction-Following Evaluation for Large Language Models" (arXiv:2311.07911).
"""

from typing import Any, Final

from pydantic import Field, model_validator

from judge.domain.cannot_score import CannotScore
from judge.domain.instructions import RULES, Followed, follows, read_arguments
from judge.evaluators.base import Example, Params, by_program, scored
from judge.language.process import LANGUAGE, TooLong
from llmbench.confined.worker import WorkerUnavailable
from llmbench.contracts.answer_scored import Scored
from llmbench.contracts.judge_answer import JudgeAnswer


class IFEvalParams(Params):
    instruction: str = Field(
        description="The id of the instruction, as the published file has it in `instruction_id_list`.",
        json_schema_extra={"enum": [*sorted(RULES)]},
    )
    arguments: dict[str, Any] = Field(
        default_factory=dict,
        description="The arguments of the instruction, as the published file has them in `kwargs`, such as "
        '`{"num_words": 100, "relation": "at least"}`. Members that are null do not count.',
    )

    @model_validator(mode="after")
    def _possible(self) -> "IFEvalParams":
        if self.instruction not in RULES:
            raise ValueError(f"instruction: {self.instruction[:60]!r} is none of {', '.join(sorted(RULES))}")
        try:
            read_arguments(self.instruction, self.arguments)
        except ValueError as error:
            raise ValueError(f"arguments: {error}") from None
        return self


def score(task: JudgeAnswer, params: IFEvalParams) -> Scored:
    given = read_arguments(params.instruction, params.arguments)
    try:
        followed = follows(params.instruction, task.answer, given, LANGUAGE)
    except TooLong as error:
        # The model wrote what cannot be read within the limits.
        followed = Followed(False, str(error))
    except WorkerUnavailable as error:
        raise CannotScore(str(error)) from None
    return scored(float(followed.right), passed=followed.right, reason=followed.reason, instruction=params.instruction)


_AT_LEAST: Final = {"relation": "at least"}
_FEWER: Final = {"relation": "less than"}
_GIVEN: Final[dict[str, tuple[dict[str, Any], str, str]]] = {
    # For each instruction its arguments, an answer that follows it, and one that does not.
    "keywords:existence": ({"keywords": ["tea", "pot"]}, "A teapot.", "A cup of tea."),
    "keywords:frequency": ({"keyword": "tea", "frequency": 2, **_FEWER}, "Tea!", "Tea and tea."),
    "keywords:forbidden_words": ({"forbidden_words": ["tea"]}, "A teapot, a té.", "No TEA!"),
    "keywords:letter_frequency": ({"letter": "t", "let_frequency": 2, "let_relation": "at least"}, "Tart", "Tea"),
    "language:response_language": ({"language": "de"}, "Der Tee ist heiß und gut.", "The tea is hot and good."),
    "length_constraints:number_sentences": ({"num_sentences": 2, **_FEWER}, "Mr. Hill has tea.", "Tea. It is hot."),
    "length_constraints:number_paragraphs": ({"num_paragraphs": 2}, "Tea\n***\nCoffee\n***", "Tea\n\nCoffee"),
    "length_constraints:number_words": ({"num_words": 3, **_AT_LEAST}, "Tea is hot.", "Tea, hot."),
    "length_constraints:nth_paragraph_first_word": (
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "then"},
        "Tea.\n\nThen, coffee.",
        "Tea.\n\nCoffee then.",
    ),
    "detectable_content:number_placeholders": ({"num_placeholders": 2}, "Dear [name] of [town]", "Dear [name]"),
    "detectable_content:postscript": ({"postscript_marker": "P.S."}, "Tea.\n\nP. S. It is hot.", "Tea. PS: hot"),
    "detectable_format:number_bullet_lists": ({"num_bullets": 2}, "* tea\n- coffee", "* tea\n** hot\n1. coffee"),
    "detectable_format:constrained_response": ({}, "Well: My answer is no.", "No."),
    "detectable_format:number_highlighted_sections": ({"num_highlights": 2}, "*tea* and *milk*", "*tea* and * *"),
    "detectable_format:multiple_sections": (
        {"section_spliter": "Part", "num_sections": 2},
        "Part 1\ntea\nPart 2\nmilk",
        "Part one\ntea\nPart 2\nmilk",
    ),
    "detectable_format:json_format": ({}, '```json\n{"tea": true}\n```', "{tea: true}"),
    "detectable_format:title": ({}, "<<Tea>>\nIt is hot.", "<< >>\n<Tea>"),
    "combination:two_responses": ({}, "Tea.\n******\nMilk.", "Tea.\n******\nTea."),
    "combination:repeat_prompt": ({"prompt_to_repeat": "What is tea? "}, " what is tea?\nA drink.", "Tea is a drink."),
    "startend:end_checker": ({"end_phrase": "Is that all?"}, 'Tea. Is that all?"', "Is that all? Yes."),
    "startend:quotation": ({}, ' "Tea." ', '"Tea".'),
    "change_case:capital_word_frequency": (
        {"capital_frequency": 2, "capital_relation": "at least"},
        "HOT tea, GOOD tea.",
        "HOT Tea.",
    ),
    "change_case:english_capital": ({}, "THE TEA IS HOT AND GOOD.", "The tea is hot and good."),
    "change_case:english_lowercase": ({}, "the tea is hot and good.", "The tea is hot and good."),
    "punctuation:no_comma": ({}, "Tea is hot; it is good.", "Tea, milk, sugar."),
}

EVALUATOR = by_program(
    kind="ifeval",
    title="Instruction of IFEval",
    description="The answer follows an instruction of IFEval: words, sentences, paragraphs, formats, languages and "
    "more, counted as the authors' program does. As a check of its case, each case has instructions of its own.",
    params=IFEvalParams,
    score=score,
    examples=(
        *(
            Example(
                name=f"{instruction}, {'followed' if right else 'not followed'}",
                answer=answers[not right],
                params={"instruction": instruction, "arguments": arguments},
                verdict={"outcome": "scored", "raw": float(right), "passed": right},
            )
            for instruction, (arguments, *answers) in _GIVEN.items()
            for right in (True, False)
        ),
        Example(
            name="the reason has the count",
            answer="Tea is hot.",
            params={
                "instruction": "length_constraints:number_words",
                "arguments": {"num_words": 4, "relation": "at least", "keywords": None},
            },
            verdict={"passed": False, "reason": "Words: 3. The instruction asks for at least 4."},
        ),
    ),
)
