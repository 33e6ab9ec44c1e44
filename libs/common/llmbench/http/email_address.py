"""Check e-mail addresses in requests, and bring each to its normal form."""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

_ADDRESS = re.compile(r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+")


def normalised_email(text: str) -> str:
    """Return the normal form of an e-mail address: NFKC, then case-folded. Raises `ValueError` if the text is no
    address.

    Letters beyond ASCII are refused, because some look like others: the addresses of two people could look the same.

    >>> normalised_email("Ada@Example.org")
    'ada@example.org'
    """
    address = unicodedata.normalize("NFKC", text.strip()).casefold()
    if not _ADDRESS.fullmatch(address):
        raise ValueError("is no e-mail address like ada@example.org, in ASCII letters (write a domain in Punycode)")
    return address


Email = Annotated[str, Field(min_length=3, max_length=254), AfterValidator(normalised_email)]
