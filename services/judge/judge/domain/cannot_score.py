"""Define the error for a case or an answer that cannot be scored."""


class CannotScore(Exception):
    """Raised when a case or an answer cannot be scored; the message says why.

    The verdict on the answer is then `Errored`, never a score of 0.
    """
