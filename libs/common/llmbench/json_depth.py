"""How deep JSON is nested, seen before it is parsed."""

import json
import re
from itertools import accumulate

# One that does not end reaches to the end: tried again from each quotation mark in it, it would take for ever.
_STRING = re.compile(r'"(?:[^"\\]|\\(?:.|\Z))*+(?:"|\Z)', re.DOTALL)
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_OTHERS = bytes(byte for byte in range(256) if byte not in _STEP)


def nests_deeper(body: bytes, most: int) -> bool:
    """Whether lists and objects of JSON are nested more than `most` deep, in linear time whatever the body; of what
    is no JSON it means nothing."""
    if body.count(b"[") + body.count(b"{") <= most:
        return False
    try:
        text = body.decode(json.detect_encoding(body), "surrogatepass")
    except UnicodeError:
        return False
    brackets = _STRING.sub("", text).encode("utf-8", "surrogatepass").translate(None, _OTHERS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > most
