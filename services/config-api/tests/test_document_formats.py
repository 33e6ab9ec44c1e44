"""Test that every format of documents reads its examples, and that chunks lose no text, stay small and list their
pages."""

from tempfile import TemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config_api.documents.formats.base import BadDocument, Example, Format
from config_api.documents.formats.registry import formats, recognised
from config_api.transfer.chunking import chunks

CASES = [
    pytest.param(format_, example, id=f"{format_.name}-{number}")
    for format_ in formats().values()
    for number, example in enumerate(format_.examples, start=1)
]


@pytest.mark.parametrize(("format_", "example"), CASES)
def test_example_of_a_document_format_is_read_as_documented(format_: Format, example: Example) -> None:
    with TemporaryFile() as file:
        file.write(example.content)
        file.seek(0)
        if example.bad is None:
            assert tuple(format_.read(file)) == example.pages
            return
        with pytest.raises(BadDocument) as raised:
            list(format_.read(file))
        assert example.bad in str(raised.value)


def test_every_document_format_is_recognised_by_file_name() -> None:
    assert set(formats()) == {"pdf", "text"}
    for format_ in formats().values():
        assert recognised(f"my.{format_.extension}") is format_
        assert all(recognised(pattern.replace("*", "MY").upper()) is format_ for pattern in format_.file_names)
    assert recognised("my.docx") is None


_WORDS = st.text("ab .\n。", max_size=400)


@given(pages=st.lists(_WORDS, min_size=1, max_size=6), characters=st.integers(50, 300))
def test_chunks_are_ordered_limited_and_know_their_pages(pages: list[str], characters: int) -> None:
    whole = "\n".join(pages)
    starts = [sum(len(page) + 1 for page in pages[:at]) for at in range(len(pages))]
    at = 0
    for chunk in chunks(list(enumerate(pages, start=1)), characters=characters):
        place = whole.index(chunk.text, at)
        # Only pieces with almost no letters are left out.
        assert sum(map(str.isalnum, whole[at:place])) < 40 * (1 + (place - at) // (characters // 2))
        at = place + len(chunk.text)
        assert 40 <= len(chunk.text) <= characters * 5 // 4
        (first, zero), *rest = chunk.pages
        assert zero == 0
        assert starts[first - 1] <= place
        assert first == len(pages) or starts[first] > place
        assert [(page, start + place) for page, start in rest] == [
            (number, start) for number, start in enumerate(starts, start=1) if place < start < at
        ]
