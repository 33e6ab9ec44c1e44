"""Name the machine of a local provider. A lock of this name keeps two models, or two organisations, from using the
machine at the same time."""

from collections.abc import Sequence
from ipaddress import ip_address

from llmbench.http.addresses import is_public

LOOPBACK = "loopback"
UNKNOWN_HOST = "unknown"
"""The machine of a provider whose host cannot be looked up. It may be local, so it counts as local."""


def local_host(addresses: Sequence[str]) -> str | None:
    """Return the name of the machine that has these addresses. The machine is locked under this name. Return `None` if
    an address is public, because the provider is then hosted, or if there is no address.

    The name leaves out the port, because all servers of a machine share its memory and its GPU.

    >>> local_host(["::1", "127.0.0.1"]), local_host(["192.168.1.7"]), local_host(["1.1.1.1"]), local_host([])
    ('loopback', '192.168.1.7', None, None)
    """
    if not addresses or any(is_public(address) for address in addresses):
        return None
    if any(ip_address(address).is_loopback for address in addresses):
        return LOOPBACK
    return min(addresses)
