"""A provider that refuses to stream is asked again without: nothing was answered, nothing paid."""

import re

from inference_gateway.domain.http_call import Exchange, Streaming

_STREAM = re.compile(rb"\bstream(ing|ed)?\b", re.IGNORECASE)


def lower_streaming(tried: Streaming, exchange: Exchange) -> Streaming | None:
    """What to ask for instead, or `None` when the refusal is not about streaming."""
    if tried is Streaming.OFF or exchange.status not in (400, 422, 501):
        return None
    if b"stream_options" in exchange.body or b"include_usage" in exchange.body:
        return Streaming.ON if tried is Streaming.WITH_USAGE else Streaming.OFF
    if _STREAM.search(exchange.body):
        return Streaming.OFF
    return None
