"""Test which JSON values can be stored."""

import pytest

from llmbench.files.values import require_storable


def test_nul_character_is_refused_and_its_notation_is_text() -> None:
    require_storable({"pattern": r"\u0000", "path": r"C:\u0000"}, most=100)
    for nul in ("\0", "\\\0", {"\0": 1}):
        with pytest.raises(ValueError, match="NUL"):
            require_storable(nul, most=100)
