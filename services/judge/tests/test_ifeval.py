"""Test the instructions of IFEval: what follows them and what does not, the arguments, and hostile answers."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from judge_world import score_of
from langdetect.detector_factory import PROFILES_DIRECTORY  # type: ignore[import-untyped]

from judge.domain.instructions import RULES, follows, read_arguments
from judge.evaluators.base import UnfitParams
from judge.evaluators.ifeval import EVALUATOR
from judge.evaluators.registry import evaluators
from judge.language.process import LANGUAGE, Language, TooLong, new_worker

NTH = "length_constraints:nth_paragraph_first_word"
BY_MODEL = {
    "language:response_language",
    "length_constraints:number_sentences",
    "change_case:capital_word_frequency",
    "change_case:english_capital",
    "change_case:english_lowercase",
}
"""The instructions for which NLTK or langdetect reads the answer."""


def test_examples_have_every_instruction() -> None:
    assert len(RULES) == 25
    assert {example.params["instruction"] for example in EVALUATOR.examples} == set(RULES)


@pytest.mark.parametrize(
    ("name", "given", "followed", "broken"),
    [
        ("keywords:existence", {"keywords": ["tea", "cup"]}, "A teacup.", "Tea."),
        ("keywords:frequency", {"keyword": "tea", "frequency": 2, "relation": "at least"}, "Tea\ntea", "tea"),
        ("keywords:frequency", {"keyword": "tea", "frequency": 2, "relation": "less than"}, "one tea", "tea tea"),
        ("keywords:frequency", {"keyword": "tea", "frequency": 0, "relation": "at least"}, "none", " "),
        ("keywords:forbidden_words", {"forbidden_words": ["art", "cup"]}, "A party.", "Art."),
        ("keywords:letter_frequency", {"letter": "e", "let_frequency": 3, "let_relation": "at least"}, "tEe e", "te e"),
        ("keywords:letter_frequency", {"letter": "#", "let_frequency": 1, "let_relation": "less than"}, "a", "#a"),
        (
            "length_constraints:number_words",
            {"num_words": 800, "relation": "at least"},
            " ".join(["tea"] * 800),
            " ".join(["don\u2019t"] * 399),
        ),
        ("length_constraints:number_words", {"num_words": 3, "relation": "less than"}, "Née naïve.", "one two three"),
        ("length_constraints:number_words", {"num_words": 2, "relation": "at least"}, "don\u2019t", "café"),
        ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[a [b] and [c]", "[a [b]\n[c"),
        ("detectable_content:postscript", {"postscript_marker": "P.S."}, "Bye.\np. s. tea", "Bye. PS tea"),
        ("detectable_content:postscript", {"postscript_marker": "P.P.S"}, "Bye. P.P.S tea", "Bye. P.S. tea"),
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "List:\n* a\n - b\n", "* a"),
        ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "* a\n\n* b", "* a\n* b\n- c"),
        ("detectable_format:number_bullet_lists", {"num_bullets": 1}, "**bold** - no\n- b", "**bold**"),
        ("detectable_format:constrained_response", {}, "Well: My answer is no.", "My answer is never."),
        (
            "detectable_format:multiple_sections",
            {"section_spliter": "SECTION", "num_sections": 2},
            "SECTION 1\na\nSECTION 2",
            "SECTION 12\na",
        ),
        ("detectable_format:title", {}, "<<tea>>\nHot.", "<< >>\nHot."),
        ("combination:repeat_prompt", {"prompt_to_repeat": "Why (tea)?"}, "\nwhy (tea)? So.", "So. Why (tea)?"),
        ("startend:end_checker", {"end_phrase": "Any other questions?"}, 'Hm. "any other questions?" ', "Any other?"),
        ("startend:quotation", {}, '\n"tea\ntea"\n', '"'),
        ("punctuation:no_comma", {}, "tea and cup", "tea, cup"),
        (
            "keywords:frequency",
            {"keyword": "tea", "frequency": 5000, "relation": "at least"},
            "tea " * 5000,
            "tea " * 4999,
        ),
        ("keywords:frequency", {"keyword": "tea", "frequency": 1, "relation": "less than"}, "cup", "Tea"),
        ("keywords:existence", {"keywords": ["t.a", "c[uo]p"]}, "A toa cop.", "A tea pot."),
        ("keywords:forbidden_words", {"forbidden_words": ["thé"]}, "Thés.", "Un thé, merci."),
        ("keywords:forbidden_words", {"forbidden_words": ["tea"]}, "téatea", "Tea"),
        ("keywords:letter_frequency", {"letter": "T", "let_frequency": 2, "let_relation": "at least"}, "tT", "t"),
        ("language:response_language", {"language": "fr"}, "Le thé est une boisson chaude.", "Tea is a hot drink."),
        ("language:response_language", {"language": "fr"}, "1234 5678", "Tea is a hot drink."),
        (
            "length_constraints:number_sentences",
            {"num_sentences": 2, "relation": "at least"},
            "Dr. Hill drinks tea. He likes it.",
            "Dr. Hill, of the U.S. navy, drinks tea at 5 p.m. daily.",
        ),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "***\na\n***\nb\n***", "a***\n***b"),
        ("length_constraints:number_paragraphs", {"num_paragraphs": 1}, "only one\n\nreally", "one *** two"),
        (NTH, {"num_paragraphs": 2, "nth_paragraph": 1, "first_word": "Tea"}, "'\"tea,time\n\nb", "tea\nb"),
        (NTH, {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "b"}, "a\n\nb", "a\n\n\n\nb"),
        (NTH, {"num_paragraphs": 1, "nth_paragraph": 3, "first_word": "b"}, None, "a\n\nb"),
        ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "**tea**", "*tea\n*"),
        ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "* a*", "** ** and **"),
        ("detectable_format:json_format", {}, "```JSON\n[1, NaN]```", "```json\n{}\n``` done"),
        ("detectable_format:json_format", {}, '"tea"', "[" * 100_000),
        ("detectable_format:title", {}, "<< <a >>", "<<<>>>"),
        ("combination:two_responses", {}, "******\na\n******\nb\n******", "a******\n******b"),
        ("combination:two_responses", {}, "a******b", "a******b******c"),
        (
            "change_case:capital_word_frequency",
            {"capital_frequency": 3, "capital_relation": "less than"},
            "I drink U.S. tea.",
            "HOT-TEA, I say, IS good.",
        ),
        (
            "change_case:english_capital",
            {},
            "TEA IS HOT AND GOOD, THEY SAY.",
            "TEA IS HOT and good.",
        ),
        ("change_case:english_lowercase", {}, "tea is a hot drink, and it is good.", "le thé est une boisson chaude."),
    ],
)
async def test_instruction_is_decided_as_its_authors_do(
    name: str, given: dict[str, Any], followed: str | None, broken: str
) -> None:
    params = {"instruction": name, "arguments": given}
    if followed is not None:
        verdict = await score_of("ifeval", followed, [], **params)
        assert verdict.passed, verdict.reason
    verdict = await score_of("ifeval", broken, [], **params)
    assert not verdict.passed, verdict.reason
    assert verdict.reason.endswith(".")


@pytest.mark.parametrize("name", RULES)
def test_blank_answer_follows_nothing(name: str) -> None:
    assert not follows(name, " \n", {}, LANGUAGE).right


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("no:instruction", {}, "instruction: 'no:instruction' is none of"),
        ("punctuation:no_comma", {"num_words": 1}, "has no argument 'num_words'; its arguments are: none"),
        ("keywords:existence", {}, "keywords:existence needs the argument 'keywords'"),
        ("keywords:existence", {"keywords": None}, "keywords:existence needs the argument 'keywords'"),
        ("keywords:existence", {"keywords": []}, "'keywords' has to be a list of 1 to 100 texts, and is '\\[\\]'"),
        ("keywords:existence", {"keywords": ["(?=a)"]}, "'keywords' has to be a pattern"),
        ("keywords:existence", {"keywords": ["a"] * 101}, "'keywords' has to be a list of 1 to 100 texts"),
        (
            "length_constraints:number_words",
            {"num_words": True, "relation": "at least"},
            "'num_words' has to be a whole number from 0 to 1,000,000, and is 'True'",
        ),
        (
            "length_constraints:number_words",
            {"num_words": 3, "relation": "around"},
            "'relation' has to be 'less than' or 'at least', and is 'around'",
        ),
        (
            "keywords:letter_frequency",
            {"letter": "ab", "let_frequency": 1, "let_relation": "at least"},
            "'letter' has to be one character, and is 'ab'",
        ),
        ("startend:end_checker", {"end_phrase": " "}, "'end_phrase' has to be a text"),
        # A rule adds to the pattern, and the result has to be a pattern, too.
        ("keywords:forbidden_words", {"forbidden_words": [r"\Qtea"]}, "'forbidden_words' has to be a pattern"),
        ("detectable_content:postscript", {"postscript_marker": r"\pL"}, "'postscript_marker' has to be a pattern"),
        ("language:response_language", {"language": "klingon"}, "'language' has to be one of af, .*, zh-tw, and is"),
        ("language:response_language", {"language": ["de"]}, "'language' has to be one of af, "),
    ],
)
def test_arguments_that_do_not_fit_are_named(name: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(UnfitParams, match=message):
        EVALUATOR.read({"instruction": name, "arguments": given})


def test_languages_of_instructions_are_those_of_langdetect() -> None:
    for profile in Path(PROFILES_DIRECTORY).iterdir():
        assert read_arguments("language:response_language", {"language": profile.name}) == {"language": profile.name}


def test_whole_numbers_may_be_written_with_a_decimal_point() -> None:
    """JSON made from a table often has 3.0 for 3."""
    assert read_arguments("detectable_format:number_bullet_lists", {"num_bullets": 3.0}) == {"num_bullets": 3}


HOSTILE = ["\n" * 150_000, "<<" * 75_000, "[" * 150_000, "*" * 150_000, " *" * 75_000, "\"' " * 50_000, "#1 " * 50_000]
LIMIT_S = 10
"""The limit on CPU time in this process for one instruction. A quadratic search takes minutes."""


@pytest.mark.parametrize("name", sorted(set(RULES) - BY_MODEL))
def test_hostile_answers_take_linear_time(name: str) -> None:
    given = next(example.params for example in EVALUATOR.examples if example.params["instruction"] == name)
    arguments = read_arguments(name, given["arguments"])
    began = time.process_time()
    for answer in HOSTILE:
        follows(name, answer, arguments, LANGUAGE)
    assert time.process_time() - began < LIMIT_S


@pytest.fixture
def hasty() -> Iterator[Language]:
    """Yield a process that reads natural language, and may use only 0.2 s of CPU time for a text."""
    worker = new_worker(processor_s=0.2)
    yield Language(worker)
    worker.close()


def test_text_that_takes_too_long_is_given_up_and_the_next_one_read(hasty: Language) -> None:
    with pytest.raises(TooLong, match="more time or memory to read"):
        hasty.capital_words("a. B! " * 33_000)
    assert hasty.capital_words("It is HOT.") == 1
    assert hasty.detected("Der Tee ist heiß.") == "de"


async def test_instructions_are_checks_of_a_case() -> None:
    checks = [
        {"kind": "ifeval", "params": {"instruction": "punctuation:no_comma", "arguments": {}}},
        {"kind": "ifeval", "params": {"instruction": "detectable_format:title"}},
    ]
    verdict = await score_of("case_checks", "<<Tea>> is hot, indeed.", [], checks=checks)
    assert (verdict.passed, verdict.raw) == (False, 0.5)
    assert verdict.reason == "1 of 2 checks pass. ifeval: Commas: 1. The instruction asks for none."
    assert "ifeval" in evaluators()
