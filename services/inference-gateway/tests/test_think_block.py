"""Test that a `<think>` block is separated from the answer, however the stream splits the text into pieces."""

import pytest

from inference_gateway.domain.draft import Draft
from inference_gateway.domain.think_block import ThinkBlock


def split(text: str, size: int) -> tuple[str, str]:
    block = ThinkBlock()
    parts = [block.feed(text[start : start + size]) for start in range(0, len(text), size)]
    parts.append(block.close())
    return "".join(reasoning for reasoning, _ in parts), "".join(answer for _, answer in parts)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think>Hm, 1 < 2.\n</think>\n\n42", "Hm, 1 < 2.\n", "42"),
        ("\n<think></think>42", "", "42"),
        ("<think>cut by the limit </th", "cut by the limit </th", ""),
        ("42 is <think>not</think> a block", "", "42 is <think>not</think> a block"),
        ("<thin ice", "", "<thin ice"),
        ("<thi", "", "<thi"),
        ("  spaces are the answer's", "", "  spaces are the answer's"),
        ("<think>a</think>b<think>c</think>", "a", "b<think>c</think>"),
        ("", "", ""),
    ],
)
def test_think_block_at_the_beginning_is_reasoning(text: str, reasoning: str, answer: str, size: int) -> None:
    assert split(text, size) == (reasoning, answer)


def test_first_content_token_comes_after_the_think_block() -> None:
    draft = Draft()
    for at_s, piece in enumerate(["<think>", "Hm.", "</think>", "\n\n", "42"]):
        draft.add(content=piece, at_s=float(at_s))
    draft.close()
    assert ("".join(draft.reasoning), "".join(draft.content)) == ("Hm.", "42")
    assert (draft.first_token_s, draft.first_content_s, draft.last_token_s) == (0.0, 4.0, 4.0)
