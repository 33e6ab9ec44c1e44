"""Write texts of models and of other people into Markdown in a way that leaves them inert: no markup, no link, no
mention, no HTML."""

import html
import re

from llmbench_cli.safe_text import safe, safe_line

# Marks of lists and headings have a meaning at the beginning of a line only, and GitHub links bare addresses.
_PUNCTUATION = re.compile(r"([\\`*_{}\[\]#|~>!$^]|^[-+=]|(?<=\d)[.)](?=\s|$)|:(?=//)|(?<=www)\.)", re.IGNORECASE)
_MENTION = re.compile(r"([@#])")
_BACKTICKS = re.compile(r"`+")
_JOINER = "\u2060"
"""A character without width, which GitHub and GitLab do not allow in the name of a person."""


def inert(text: str) -> str:
    r"""Return the text on one line, with every character escaped that has a meaning in Markdown or HTML.

    >>> inert("*a* <b> www.x.y | @me")
    '\\*a\\* &lt;b&gt; www\\.x.y \\| @\u2060me'
    """
    escaped = html.escape(_PUNCTUATION.sub(r"\\\1", safe_line(text)), quote=False)
    # The punctuation of an entity must stay as it is: `&gt;` was made from `\>`.
    return _MENTION.sub(rf"\1{_JOINER}", escaped.replace("\\&gt;", "&gt;"))


def fenced(text: str, *, most: int) -> str:
    r"""Return the text as a code block of its first `most` characters. The fence is longer than any in the text.

    >>> print(fenced("a\n```\n</td>", most=9))
    ````
    a
    ```
    </t …
    ````
    """
    lines = safe(text.replace("\r\n", "\n").replace("\r", "\n"))
    shown = lines if len(lines) <= most else f"{lines[:most]} …"
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown.strip(chr(10))}\n{fence}"


def in_html(text: str, *, most: int) -> str:
    """Return the first `most` characters of the text on one line, escaped for the content of an HTML element.

    >>> in_html("<b>  @me", most=20)
    '&lt;b&gt; @\u2060me'
    """
    return _MENTION.sub(rf"\1{_JOINER}", html.escape(safe_line(text, most=most), quote=False))
