"""PDF, read by a process of its own with bounded memory and time: see `pdf_pages`."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import IO, Any, Final

from config_api.documents.formats.base import BadDocument, Example, Format

PATIENCE_S: Final = 120.0
_COMMAND: Final = (sys.executable, "-m", "config_api.documents.pdf_pages")


def read(file: IO[bytes]) -> Iterator[str]:
    # Readers of PDF pass over what stands before the header, if it is not much.
    if b"%PDF-" not in file.read(1024):
        raise BadDocument("is not a PDF: it does not begin with %PDF-")
    file.seek(0)
    with _process(file) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said: dict[str, Any] = json.loads(line)
            if "bad" in said:
                raise BadDocument(said["bad"])
            yield said["page"]
        if process.wait() != 0:
            raise BadDocument(
                "cannot be read with the time and memory that a document may take: it is damaged, or made to be"
            )


@contextmanager
def _process(file: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Gone when the block is left, however that is, and killed when it takes too long."""
    with subprocess.Popen(  # noqa: S603  # this interpreter and a module of ours
        _COMMAND, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        timer = Timer(PATIENCE_S, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


def _pdf(*objects: str) -> bytes:
    """A PDF of these objects, the first of them its catalogue; a reader finds them without a table."""
    numbered = "".join(f"{number} 0 obj\n{one}\nendobj\n" for number, one in enumerate(objects, start=1))
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
    when_empty="its pages are scanned or drawn; run text recognition (OCR) over it first, and add what comes of that",
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
