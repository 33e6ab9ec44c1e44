"""What an evaluator says of a case that it has nothing to measure by."""


class CannotScore(Exception):
    """This case or answer cannot be scored so; the text says what is missing. Never a score of 0: it
    says nothing about the answer."""
