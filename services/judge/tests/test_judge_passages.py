"""Test that a quoted passage is found however a PDF's text extraction broke it up, and that a missing passage is not
found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain.passages import LEAST_LETTERS, TooShort, find, searchable

BROKEN = {
    "line break": "two\nweeks",
    "hyphenation": "two we-\n   eks",
    "soft hyphen": "two we\u00adeks",
    "odd spaces": "t wo\u00a0 w e e k s",
    "ligature": "two weeks",
    "typographic quotes": "“two” weeks",
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_passage_is_found_despite_changes_by_pdf_extraction(broken: str) -> None:
    text = f"Leave is requested {broken} ahead, in the o\ufb03ce of S\u00e3o Jose\u0301."
    found = find('requested "two weeks" ahead', searchable(text))
    assert found is not None
    assert text[slice(*found)] == f"requested {broken} ahead"
    found = find("OFFICE of Sao Jos\u00e9", searchable(text))
    assert found is not None
    assert text[slice(*found)].startswith("o\ufb03ce of")


def test_passage_with_other_words_is_not_found() -> None:
    assert find("requested three weeks ahead", searchable("Leave is requested two weeks ahead.")) is None
    with pytest.raises(TooShort):
        find("two", searchable("two weeks"))
    with pytest.raises(TooShort):
        find("...", searchable("..."))


@given(text=st.text(max_size=200), start=st.integers(0, 200), end=st.integers(0, 200))
def test_every_part_of_a_text_is_found_in_it(text: str, start: int, end: int) -> None:
    passage = text[start:end]
    try:
        found = find(passage, searchable(text))
    except TooShort:
        assert len([character for character in passage if character.isalnum()]) < LEAST_LETTERS
        return
    assert found is not None
    assert find(text[slice(*found)], searchable(passage)) is not None
