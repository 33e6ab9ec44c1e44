"""Convert the PDF on standard input to JSON lines, one per page, in a separate process.

An untrusted PDF is read only here: it may loop, expand to gigabytes, or occupy its reader for hours. The process is
confined (`llmbench.confined.confinement`), so a fault in the reader affects no other process.

Each line is `{"page": text}` or, as the last line, `{"bad": message}`.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from config_api.documents.formats.base import MAX_CHARACTERS, MAX_PAGES
from llmbench.confined.confinement import confine

MAX_MEMORY_BYTES = 512 * 1024 * 1024
"""The address space that the process may use in addition to what the loaded reader uses."""
MAX_PROCESSOR_S = 90
# Fonts without a proper encoding yield control characters, and PostgreSQL cannot store NUL.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class _Bad(Exception):
    pass


def main() -> None:
    # Import the reader before `confine`, whose memory limit excludes what is loaded by then.
    import pypdf

    confine(memory_bytes=MAX_MEMORY_BYTES, processor_s=MAX_PROCESSOR_S)
    say = sys.stdout.write
    try:
        for text in _pages(pypdf):
            say(json.dumps({"page": text}) + "\n")
    except _Bad as error:
        say(json.dumps({"bad": str(error)}) + "\n")
    except MemoryError:
        say(json.dumps({"bad": "takes more memory to read than a document may"}) + "\n")
    except Exception as error:  # noqa: BLE001  # a damaged file may raise any error in the library
        why = str(error).partition("\n")[0][:200] or type(error).__name__
        say(json.dumps({"bad": f"is no PDF that can be read: {why}"}) + "\n")


def _pages(pypdf: Any) -> Iterator[str]:
    reader = pypdf.PdfReader(sys.stdin.buffer)
    if reader.is_encrypted:
        raise _Bad("is encrypted: save a copy without password and restrictions, and add that")
    count = len(reader.pages)
    if count > MAX_PAGES:
        raise _Bad(f"has {count:,} pages; there may be {MAX_PAGES:,}: add it in parts")
    size = 0
    for number, page in enumerate(reader.pages, start=1):
        try:
            text = _encodable(page.extract_text())
        except MemoryError:
            raise
        except Exception as error:
            raise _Bad(f"page {number} cannot be read: {str(error).partition(chr(10))[0][:200]}") from error
        size += len(text)
        if size > MAX_CHARACTERS:
            raise _Bad(f"has more than {MAX_CHARACTERS:,} characters; add it in parts")
        yield text


def _encodable(text: str) -> str:
    clean = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return clean.encode("utf-8", "replace").decode()


if __name__ == "__main__":
    main()
