"""Read PDF, in a separate process with limited memory and time (see `pdf_pages`)."""

import json
from collections.abc import Iterator
from typing import IO, Any, Final

from config_api.documents.formats.base import BadDocument, Example, Format
from llmbench.confined.bounded import BoundedProcess

PATIENCE_S: Final = 120.0
_MODULE: Final = "config_api.documents.pdf_pages"


def read(file: IO[bytes]) -> Iterator[str]:
    # PDF readers tolerate some bytes before the header.
    if b"%PDF-" not in file.read(1024):
        raise BadDocument("is not a PDF: it does not begin with %PDF-")
    file.seek(0)
    with BoundedProcess(_MODULE, stdin=file) as process:
        for line in process.lines(PATIENCE_S):
            reply: dict[str, Any] = json.loads(line)
            if "bad" in reply:
                raise BadDocument(reply["bad"])
            yield reply["page"]
        if process.end() != 0:
            raise BadDocument("cannot be read within the limits of time and memory: it is damaged, or was made so")


def _pdf(*objects: str) -> bytes:
    """Return a PDF of these objects, for the examples of the format. The first object is the catalogue.

    The cross-reference table is omitted, because PDF readers can rebuild it.
    """
    numbered = "".join(f"{number} 0 obj\n{content}\nendobj\n" for number, content in enumerate(objects, start=1))
    return f"%PDF-1.4\n{numbered}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n0\n%%EOF\n".encode(
        "latin-1"
    )


_CATALOGUE = "<< /Type /Catalog /Pages 2 0 R >>"
_FONT = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
_PAGE = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {_FONT} /Contents 4 0 R >>"
_TEXT = "BT /F1 12 Tf 72 720 Td (Two weeks ahead.) Tj ET"

FORMAT: Final = Format(
    name="pdf",
    title="PDF",
    media_type="application/pdf",
    extension="pdf",
    read=read,
    file_names=("*.pdf",),
    when_empty="its pages are scanned or drawn; run text recognition (OCR) first, and add its result",
    examples=(
        Example(
            _pdf(
                _CATALOGUE,
                "<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>",
                _PAGE,
                f"<< /Length {len(_TEXT)} >>\nstream\n{_TEXT}\nendstream",
            ),
            pages=("Two weeks ahead.", "Two weeks ahead."),
        ),
        Example(_pdf("<< /Type /Catalog >>"), bad="is no PDF that can be read"),
        Example(b"just text", bad="is not a PDF"),
    ),
)
