"""Name the faults that prevent a usable HTTP answer, and describe each in a sentence."""

from dataclasses import dataclass
from enum import StrEnum

from inference_gateway.domain.text import one_line
from inference_gateway.domain.urls import is_local, shown


class FaultKind(StrEnum):
    REFUSED = "refused"
    DNS = "dns"
    TLS = "tls"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    LOST = "lost"
    NOT_HTTP = "not_http"
    TOO_LARGE = "too_large"
    NO_COMPLETION = "no_completion"
    NOT_SENT = "not_sent"


@dataclass(frozen=True)
class Fault:
    """The reason why a request got no usable HTTP answer: its kind, and perhaps a detail in words."""

    kind: FaultKind
    detail: str = ""


def sentence(fault: Fault, url: str, *, in_container: bool = False) -> str:
    """Return one line for the user: what happened, at which URL, and, for some faults, what to do."""
    where = shown(url)
    detail = f" ({fault.detail})" if fault.detail else ""
    match fault.kind:
        case FaultKind.REFUSED:
            text = f"Nothing listens at {where}: the connection was refused. Start the provider or correct its URL."
        case FaultKind.DNS:
            text = f"The host name of {where} does not resolve. Correct the provider's URL{detail}."
        case FaultKind.TLS:
            text = (
                f"No secure connection to {where}: {fault.detail or 'the TLS handshake failed'}. Check https or http."
            )
        case FaultKind.UNREACHABLE:
            text = f"{where} cannot be reached{detail}. Check its URL and the network."
        case FaultKind.TIMEOUT:
            text = f"{where} did not answer in time{detail}."
        case FaultKind.LOST:
            text = f"The connection to {where} was lost before the answer was complete{detail}."
        case FaultKind.NOT_HTTP:
            text = f"What listens at {where} does not speak HTTP{detail}. Correct the provider's URL."
        case FaultKind.TOO_LARGE:
            text = f"The answer of {where} is too large{detail}."
        case FaultKind.NO_COMPLETION:
            text = f"{where} answered, but not with a completion: {fault.detail}."
        case FaultKind.NOT_SENT:
            text = f"No request was sent to {where}: {fault.detail}."
    # Only a refused connection gets this hint. With any other fault the host was reached, or another name would not
    # help.
    if in_container and fault.kind is FaultKind.REFUSED and is_local(url):
        text += " From inside a container, localhost is the container: use host.docker.internal instead."
    return one_line(text)
