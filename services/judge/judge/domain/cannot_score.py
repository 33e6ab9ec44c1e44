"""The error that an evaluator raises when it lacks something that it needs to score a case."""


class CannotScore(Exception):
    """Raised when this case or answer cannot be scored; the text says what is missing.

    This error never becomes a score of 0, because it says nothing about the answer.
    """
