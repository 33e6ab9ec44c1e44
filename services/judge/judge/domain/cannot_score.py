"""The error of an evaluator that lacks what it needs to score a case."""


class CannotScore(Exception):
    """This case or answer cannot be scored; the text says what is missing.

    It never becomes a score of 0, because it says nothing about the answer.
    """
