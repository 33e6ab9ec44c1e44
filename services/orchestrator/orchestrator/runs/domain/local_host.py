"""Name the machine of a local provider, so that no two models and no two organisations use it at the same time."""

from collections.abc import Sequence
from ipaddress import ip_address

from llmbench.http.addresses import is_public

LOOPBACK = "loopback"
UNKNOWN_HOST = "unknown"
"""The machine of a provider whose host cannot be looked up. It may be local, so it counts as local."""


def local_host(addresses: Sequence[str]) -> str | None:
    """Return the name under which a provider's machine is locked. `None` if an address of the provider is public, so
    that it is hosted, or if there is no address.

    The name leaves out the port, because all servers of a machine share its memory and its GPU.

    >>> local_host(["::1", "127.0.0.1"]), local_host(["192.168.1.7"]), local_host(["1.1.1.1"]), local_host([])
    ('loopback', '192.168.1.7', None, None)
    """
    if not addresses or any(is_public(address) for address in addresses):
        return None
    if any(ip_address(address).is_loopback for address in addresses):
        return LOOPBACK
    return min(addresses)
