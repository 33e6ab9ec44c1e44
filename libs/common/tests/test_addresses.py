"""Test the classification of addresses in every notation: a refused address is refused however it is written."""

import socket
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llmbench.http.addresses import is_link_local, is_public, literal

LINK_LOCAL = st.integers(0, 0xFFFF).map(lambda rest: IPv4Address(0xA9FE0000 + rest))
ANY = st.ip_addresses(v=4)


def embedded_forms(address: IPv4Address) -> list[str]:
    """Return the IPv6 addresses that embed the IPv4 address."""
    number = int(address)
    return [
        str(IPv6Address(0xFFFF << 32 | number)),
        str(IPv6Address(number)),
        str(IPv6Address(0x0064_FF9B << 96 | number)),
        str(IPv6Address(0x0064_FF9B_0001 << 80 | number)),
        str(IPv6Address(0x2002 << 112 | number << 80)),
        str(IPv6Address(0x2001_0000 << 96 | (number ^ 0xFFFF_FFFF))),
    ]


@given(LINK_LOCAL)
def test_link_local_address_is_recognised_in_every_notation(address: IPv4Address) -> None:
    for written in (str(address), *embedded_forms(address)):
        assert is_link_local(written), written
        assert not is_public(written), written


@given(ANY)
def test_private_address_is_never_public_when_embedded_in_ipv6(address: IPv4Address) -> None:
    if not is_public(str(address)):
        assert not any(is_public(written) for written in embedded_forms(address))


@given(ANY)
def test_unusual_ipv4_notations_are_no_valid_hosts(address: IPv4Address) -> None:
    number, parts = int(address), address.packed
    odd = [str(number), hex(number), f"{parts[0]}.{number & 0xFFFFFF}", ".".join(f"0{part:o}" for part in parts)]
    for host in odd:
        # Check that the system's resolver reads this notation as the same address.
        assert socket.inet_aton(host) == address.packed
        with pytest.raises(ValueError, match="four decimal numbers"):
            literal(host)
    assert literal(str(address)) == literal(f"{address}.") == address


@given(st.ip_addresses(v=6))
def test_ipv6_address_is_parsed_with_and_without_brackets(address: IPv6Address) -> None:
    assert literal(f"[{address}]") == literal(str(address)) == address


@pytest.mark.parametrize("name", ["example.com", "localhost", "a1.b2", "metadata.google.internal", "1.example", ""])
def test_host_name_is_no_address(name: str) -> None:
    assert literal(name) is None
