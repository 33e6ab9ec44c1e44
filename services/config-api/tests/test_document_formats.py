"""Every format of documents reads its examples."""

from tempfile import TemporaryFile

import pytest

from config_api.documents.formats.base import BadDocument, Example, Format
from config_api.documents.formats.registry import formats, recognised

CASES = [
    pytest.param(format_, example, id=f"{format_.name}-{number}")
    for format_ in formats().values()
    for number, example in enumerate(format_.examples, start=1)
]


@pytest.mark.parametrize(("format_", "example"), CASES)
def test_an_example_is_read_as_it_says(format_: Format, example: Example) -> None:
    with TemporaryFile() as file:
        file.write(example.content)
        file.seek(0)
        if example.bad is None:
            assert tuple(format_.read(file)) == example.pages
            return
        with pytest.raises(BadDocument) as raised:
            list(format_.read(file))
        assert example.bad in str(raised.value)


def test_every_format_is_recognised_by_its_name() -> None:
    assert set(formats()) == {"pdf", "text"}
    for format_ in formats().values():
        assert recognised(f"my.{format_.extension}") is format_
        assert all(recognised(pattern.replace("*", "MY").upper()) is format_ for pattern in format_.file_names)
    assert recognised("my.docx") is None
