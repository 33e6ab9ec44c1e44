"""Allow the judge to run code in these tests. A test of the refusal forbids it for itself."""

import pytest

from judge.python_code.permission import permit


@pytest.fixture(autouse=True)
def code_may_run() -> None:
    """Allow code before each test, because each application that a test creates sets the permission."""
    permit(allowed=True)
