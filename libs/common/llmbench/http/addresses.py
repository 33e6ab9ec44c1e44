"""Classify IP addresses, also those that embed another address, to protect against server-side request forgery.

A host name may resolve to any address, so callers check the resolved address before each connection.
"""

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

Address = IPv4Address | IPv6Address

# IPv6 prefixes that embed IPv4 addresses: NAT64 (RFC 6052, RFC 8215) and "IPv4-compatible" (RFC 4291, deprecated).
_NAT64: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_COMPATIBLE: Final = IPv6Network("::/96")
# All IPv6 addresses that IANA assigns to the public internet. `is_global` also accepts others, such as site-local
# addresses (fec0::/10) and IPv4 addresses that are translated to IPv6 (::ffff:0:0:0/96).
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
# Addresses of the clouds' metadata services, which reveal credentials, outside the link-local range: Alibaba, Oracle,
# Azure's wire server, Amazon and Google over IPv6.
_METADATA: Final = frozenset(
    map(ip_address, ("100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254"))
)
# If the last part of a host name looks like this, resolvers read the host as an IPv4 address
# (https://url.spec.whatwg.org/#ends-in-a-number-checker).
_NUMBER: Final = re.compile(r"(?:[0-9]+|0[xX][0-9A-Fa-f]*)")

LINK_LOCAL: Final = (
    "link-local and metadata addresses, where clouds keep a machine's credentials, are refused; "
    "LLMBENCH_LINK_LOCAL_PROVIDERS=true allows them"
)

PRIVATE: Final = (
    "addresses in private networks, and of the platform's own machine, are refused to your organisation; "
    "the operator allows them in LLMBENCH_PRIVATE_PROVIDERS"
)


def literal(host: str) -> Address | None:
    """Parse a host that is an IP address; return `None` for a host that is a name.

    Raises `ValueError` for an invalid address, and for an IPv4 address in a notation that resolvers interpret
    differently.

    >>> literal("127.0.0.1"), literal("example.com"), literal("[::1]")
    (IPv4Address('127.0.0.1'), None, IPv6Address('::1'))
    >>> for odd in ("2130706433", "0x7f000001", "0177.0.0.1", "127.1"):
    ...     try:
    ...         literal(odd)
    ...     except ValueError as error:
    ...         print(error)
    must write an IPv4 address as four decimal numbers, as in 127.0.0.1
    must write an IPv4 address as four decimal numbers, as in 127.0.0.1
    must write an IPv4 address as four decimal numbers, as in 127.0.0.1
    must write an IPv4 address as four decimal numbers, as in 127.0.0.1
    """
    bare = host.removeprefix("[").removesuffix("]").removesuffix(".")
    if ":" not in bare and not _NUMBER.fullmatch(bare.rpartition(".")[2]):
        return None
    try:
        return ip_address(bare)
    except ValueError:
        raise ValueError("must write an IPv4 address as four decimal numbers, as in 127.0.0.1") from None


def is_public(address: str) -> bool:
    """Return whether the IP address belongs to the public internet. Raises `ValueError` for a text that is no address.

    An IPv4 address mapped to IPv6 counts as the IPv4 address. Any other IPv6 address that embeds one is not public.

    >>> [is_public(text) for text in ("93.184.215.14", "127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1")]
    [True, False, False, False, False]
    >>> [is_public(text) for text in ("2606:2800:21f::1", "::1", "fe80::1%eth0", "::ffff:127.0.0.1", "64:ff9b::a00:1")]
    [True, False, False, False, False]
    >>> [is_public(text) for text in ("fec0::1", "::ffff:0:7f00:1", "4000::1")]
    [False, False, False]
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return _public(parsed.ipv4_mapped)
        # No public host needs an address that embeds another address, and routers handle such addresses differently.
        return len(carried(parsed)) == 1 and parsed in _GLOBAL_UNICAST and _public(parsed)
    return _public(parsed)


def _public(address: Address) -> bool:
    return address.is_global and not address.is_multicast and address not in _METADATA


def is_link_local(address: str) -> bool:
    """Return whether an IP address is link-local, or the address of a cloud's metadata service, or embeds such an
    address. Raises `ValueError` for a text that is no address.

    >>> [is_link_local(text) for text in ("169.254.169.254", "fe80::1%eth0", "::ffff:a9fe:a9fe", "fd00:ec2::254")]
    [True, True, True, True]
    >>> [is_link_local(text) for text in ("64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "127.0.0.1", "10.0.0.1", "::1")]
    [True, True, False, False, False]
    """
    return any(each.is_link_local or each in _METADATA for each in carried(ip_address(address)))


def carried(address: Address) -> tuple[Address, ...]:
    """Return the address itself, without a scope id, and the IPv4 addresses that it embeds."""
    if isinstance(address, IPv4Address):
        return (address,)
    if address.scope_id is not None:
        address = IPv6Address(int(address))
    inner: list[IPv4Address] = [
        embedded for embedded in (address.ipv4_mapped, address.sixtofour) if embedded is not None
    ]
    if address.teredo is not None:
        inner += address.teredo
    if address in _COMPATIBLE or any(address in network for network in _NAT64):
        inner.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return (address, *inner)


def is_loopback(host: str) -> bool:
    """Return whether the host of a URL is this machine itself.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("bench.example.org")
    (True, True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
