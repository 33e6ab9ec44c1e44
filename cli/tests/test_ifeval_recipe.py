"""Test that the recipe for IFEval expresses each instruction as a check. The recipe leaves out prompts with an
instruction that no check can express.
"""

from pathlib import Path
from typing import Any

import pytest
from published_files import Published, jsonl, passes, read

from llmbench_cli.errors import CommandFailed


@pytest.mark.parametrize(
    ("name", "given", "follows", "breaks"),
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
        ("detectable_format:constrained_response", None, "Well: My answer is no.", "My answer is never."),
        (
            "detectable_format:multiple_sections",
            {"section_spliter": "SECTION", "num_sections": 2},
            "SECTION 1\na\nSECTION 2",
            "SECTION 12\na",
        ),
        ("detectable_format:title", {}, "<<tea>>\nHot.", "<< >>\nHot."),
        ("combination:repeat_prompt", {"prompt_to_repeat": "Why (tea)?"}, "\nwhy (tea)? So.", "So. Why (tea)?"),
        ("startend:end_checker", {"end_phrase": "Any other questions?"}, 'Hm. "any other questions?" ', "Any other?"),
        ("startend:quotation", None, '\n"tea\ntea"\n', '"'),
        ("punctuation:no_comma", {}, "tea and cup", "tea, cup"),
    ],
)
async def test_instruction_is_expressed_by_checks(
    name: str, given: dict[str, Any] | None, follows: str, breaks: str, tmp_path: Path
) -> None:
    row = {"key": 1, "prompt": "Write.", "instruction_id_list": [name], "kwargs": [given]}
    (case,) = read(Published("ifeval", "own.jsonl", jsonl([row]), {}, {}), tmp_path).cases
    assert await passes({"kind": "case_checks"}, case, follows)
    assert not await passes({"kind": "case_checks"}, case, breaks)
    assert not await passes({"kind": "case_checks"}, case, "\n")


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("length_constraints:number_words", {"num_words": 1001, "relation": "at least"}),
        ("keywords:frequency", {"keyword": "tea", "frequency": 0, "relation": "less than"}),
        ("combination:repeat_prompt", {"prompt_to_repeat": "tea " * 600}),
        ("change_case:english_capital", None),
    ],
)
def test_instruction_that_no_check_expresses_is_left_out(name: str, given: Any, tmp_path: Path) -> None:
    row = {"key": 1, "prompt": "Write.", "instruction_id_list": [name], "kwargs": [given]}
    with pytest.raises(CommandFailed, match=f"1: no check expresses {name}"):
        read(Published("ifeval", "own.jsonl", jsonl([row]), {}, {}), tmp_path)
