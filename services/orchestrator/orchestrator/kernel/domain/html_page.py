"""Build the HTML pages that people read, send or print: one file without scripts, links or anything else to load.

Texts from models and users are hostile. They are escaped, and characters that change how others are shown become
visible. A Content-Security-Policy in the file forbids everything but its styles.
"""

import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from typing import Final

_UNSAFE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
NONE: Final = "none"
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --good: #1a7f37; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --good: #57c776; --bad: #ff8a80 } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1.5rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .5rem; text-align: left; vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .75rem 1rem }
h2 { margin-top: 2rem } h3 { margin: 0; font-size: 1rem } h4 { margin: .75rem 0 .15rem; font-size: .8rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0 }
.lead { font-size: 1.1rem; font-weight: 600 }
.wide { overflow-x: auto } .good { color: var(--good) } .bad { color: var(--bad) } .small { font-size: .85rem }
@page { margin: 15mm }
@media print {
  :root { color-scheme: light; --good: #1a7f37; --bad: #b3261e }
  body { max-width: none; padding: 0; font-size: 10pt }
  .wide { overflow: visible } table { font-size: 8.5pt } td.n, th.n { padding: .25rem .3rem }
  article, tr { break-inside: avoid-page } thead { display: table-header-group }
  h2, h3, h4 { break-after: avoid }
}
"""


END: Final = "</body>\n</html>\n"


def head(title: str) -> str:
    """Return the beginning of a page, up to and including its title as a heading."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{safe(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{safe(title)}</h1>\n"
    )


def safe(value: object) -> str:
    """Return the value as text that a browser shows and never executes."""
    return escape(_UNSAFE.sub("\ufffd", str(value).replace("\r\n", "\n")))


def lines(parts: Iterator[str]) -> str:
    """Return the parts, each on a line of its own."""
    return "".join(f"{part}\n" for part in parts)


def part(name: str, text: str) -> str:
    """Return the HTML of one text of a case, such as its question, with its name above it."""
    return f"<h4>{safe(name)}</h4><pre>{safe(text)}</pre>"


def minute(at: datetime) -> str:
    """Return a time to the minute, such as `2026-03-01 12:00 UTC`."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def dollars(usd: float) -> str:
    """Return a cost with two decimals, below a dollar with two significant digits.

    >>> dollars(12.3456), dollars(0.081112), dollars(0.0000123)
    ('$12.35', '$0.081', '$0.000012')
    """
    if usd == 0 or usd >= 1:
        return f"${usd:,.2f}"
    return f"${usd:.{1 - math.floor(math.log10(usd))}f}"


def percent(share: float | None) -> str:
    return NONE if share is None else f"{share * 100:.1f}%"


def interval(low: float, high: float) -> str:
    """Return an interval of shares in percent, such as `49.6 to 61.2`."""
    return f"{low * 100:.1f} to {high * 100:.1f}"


def seconds(ms: float | None) -> str:
    return NONE if ms is None else f"{ms / 1000:.2f} s"
