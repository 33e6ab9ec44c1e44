"""Recognise paths of this platform: a sign-in must not lead to an address elsewhere (open redirect)."""

from typing import Final

HOME: Final = "/runs"


def local_path(text: str) -> str:
    r"""Return the text if it is a path of this platform, else `/runs`, the page with the list of runs.

    Browsers read a backslash as a slash, and drop tabs and line breaks, so a text with one of these counts as no path.

    >>> local_path("/compare?runs=1#end")
    '/compare?runs=1#end'
    >>> [local_path(text) for text in ("//evil.example", "/\\evil.example", "https://evil.example", "/\t/evil.example")]
    ['/runs', '/runs', '/runs', '/runs']
    """
    odd = any(each == "\\" or not each.isprintable() or each.isspace() for each in text)
    if odd or not text.startswith("/") or text.startswith("//"):
        return HOME
    return text if text.isascii() else HOME
