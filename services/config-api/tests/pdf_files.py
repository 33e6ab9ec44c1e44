"""Make valid and hostile PDF files, written by hand, because no library would write most of the hostile ones."""

import io
import zlib
from collections.abc import Sequence

FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
_BOX = "/MediaBox [0 0 612 792]"


def raw(*objects: str | bytes, more: str = "") -> bytes:
    """Return a PDF with the given objects and a cross-reference table. The first object is the catalogue; `more` is
    added to the trailer."""
    out = io.BytesIO(b"%PDF-1.7\n")
    out.seek(0, 2)
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(out.tell())
        body = one.encode("cp1252") if isinstance(one, str) else one
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R {more} >>\nstartxref\n{table}\n%%EOF\n"
    out.write(trailer.encode())
    return out.getvalue()


def stream(content: bytes, extra: str = "") -> bytes:
    return f"<< /Length {len(content)} {extra} >>\nstream\n".encode() + content + b"\nendstream"


def pdf(*pages: str, more: str = "") -> bytes:
    """Return a PDF with one page per text. Each line of a text stands below the previous one. `more` is added to the
    trailer."""
    kids = [4 + 2 * number for number in range(len(pages))]
    tree = f"<< /Type /Pages /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] /Count {len(pages)} >>"
    objects: list[str | bytes] = ["<< /Type /Catalog /Pages 2 0 R >>", tree, FONT]
    for kid, text in zip(kids, pages, strict=True):
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {_BOX} {resources} /Contents {kid + 1} 0 R >>")
        objects.append(stream(_drawn(text.split("\n"))))
    return raw(*objects, more=more)


def with_content(content: bytes, extra: str = "", resources: str = "/Font << /F1 3 0 R >>") -> bytes:
    """Return a PDF with one page, which draws `content` with `resources`. `extra` is added to the dictionary of the
    content's stream."""
    return raw(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        FONT,
        f"<< /Type /Page /Parent 2 0 R {_BOX} /Resources << {resources} >> /Contents 5 0 R >>",
        stream(content, extra),
    )


def bomb(megabytes: int) -> bytes:
    """Return a PDF whose page content unpacks to this number of megabytes."""
    packer = zlib.compressobj(9)
    block = b"BT (x) Tj ET " * 80_000
    packed = b"".join(packer.compress(block) for _ in range(megabytes)) + packer.flush()
    return with_content(packed, "/Filter /FlateDecode")


def nested_bomb() -> bytes:
    """Return a PDF whose page content is packed three times: 214 bytes unpack to 64 MiB."""
    packed = b"\0" * (64 * 1024 * 1024)
    for _ in range(3):
        packed = zlib.compress(packed, 9)
    return with_content(packed, "/Filter [/FlateDecode /FlateDecode /FlateDecode]")


def loop_of_pages() -> bytes:
    """Return a PDF whose tree of pages contains itself, so that reading the pages never ends."""
    return raw("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>")


def loop_of_forms() -> bytes:
    """Return a PDF with a drawing that contains itself twice, so that drawing it never ends."""
    resources = "/Resources << /XObject << /F 5 0 R >> >>"
    form = stream(b"/F Do /F Do", f"/Type /XObject /Subtype /Form /BBox [0 0 9 9] {resources}")
    return raw(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {_BOX} /Resources << /XObject << /F 5 0 R >> >> /Contents 4 0 R >>",
        stream(b"/F Do"),
        form,
    )


def many_pages(count: int) -> bytes:
    """Return a small PDF with `count` pages, which are all one and the same object."""
    return raw(
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{'4 0 R ' * count}] /Count {count} >>",
        FONT,
        f"<< /Type /Page /Parent 2 0 R {_BOX} /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
        stream(_drawn(["Text"])),
    )


def encrypted(password: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Secret text"))))
    writer.encrypt(password, owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _drawn(lines: Sequence[str]) -> bytes:
    shown = " ".join(f"({_escaped(line)}) Tj T*" for line in lines)
    return f"BT /F1 12 Tf 72 720 Td 14 TL {shown} ET".encode("cp1252")


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
