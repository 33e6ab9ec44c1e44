"""Define answers that attack the program that displays them.

A program is safe if it executes no part of these answers. Nor may an answer lead to another page, or hide or move other
content.
"""

import json

LONG_LINE_BYTES = 2_000_000

# Every script among the attacks sets the same page title, which tests look for.
ACTIVE = (
    "<script>document.title = 'hacked'</script>",
    """<img src="x" onerror="document.title = 'hacked'">""",
    """<svg onload="document.title = 'hacked'"><a xlink:href="javascript:document.title='hacked'">svg</a></svg>""",
    """<iframe srcdoc="<script>parent.document.title = 'hacked'</script>"></iframe>""",
    """<style>body { display: none }</style><div style="position:fixed;inset:0;z-index:9999">over everything</div>""",
    """<form action="https://attacker.invalid"><button>Session expired, sign in</button></form>""",
    "[a link](javascript:document.title='hacked') ![a beacon](https://attacker.invalid/beacon.png)",
    """<meta http-equiv="refresh" content="0;url=https://attacker.invalid">""",
)
BIDI = "right to left: \u202egnp.exe\u202c isolated: \u2067evil\u2069 unclosed: \u202e\u2066txt"
TERMINAL = "\x1b[31mred\x1b[0m \x1b]8;;https://attacker.invalid\x07link\x1b]8;;\x07 \x1b[2J\x1b]0;owned\x07 \x9b31m"
# Control characters as invisible as NUL: SOH, BS, VT, FF, DEL, NEL; then zero-width characters and tags.
CONTROLS = "\x01\x02\x08\x0b\x0c\x7f\x85 \u200b\u2060\ufeff \U000e0041 line\u2028paragraph\u2029end"
EXPLODED = "Z" + "\u0335\u0321\u035c" * 200

TEXT = "\n".join((*ACTIVE, BIDI, TERMINAL, CONTROLS, EXPLODED))
# The attacks that are short enough for a judge's verdict.
REASON = "\n".join((ACTIVE[0], ACTIVE[1], ACTIVE[6], BIDI, TERMINAL, CONTROLS))


def long_line() -> str:
    """Return a line of 2 MB without a place to break it."""
    return "<b>" + "W" * (LONG_LINE_BYTES - 3)


def verdict_of(sound: str) -> str:
    """Return the valid verdict `sound`, a JSON text, with its reason replaced by an attack."""
    return json.dumps({**json.loads(sound), "reason": REASON})
