"""Measure the nesting depth of JSON before it is parsed."""

import json
import re
from itertools import accumulate

# An unterminated string matches to the end. Otherwise the search would restart at each quotation mark within the
# string, in quadratic time.
_STRING = re.compile(r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)', re.DOTALL)
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_OTHERS = bytes(byte for byte in range(256) if byte not in _STEP)


def nests_deeper(body: bytes, most: int) -> bool:
    """Return whether the lists and objects of a JSON text nest more than `most` levels deep.

    The function takes linear time for any text. If the text is no JSON, the result has no meaning.
    """
    if body.count(b"[") + body.count(b"{") <= most:
        return False
    try:
        text = body.decode(json.detect_encoding(body), "surrogatepass")
    except UnicodeError:
        return False
    brackets = _STRING.sub("", text).encode("utf-8", "surrogatepass").translate(None, _OTHERS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > most
