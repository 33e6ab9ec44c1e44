"""Start and use the process that reads natural language (see `worker`).

Each process of the judge service has one such process, which starts on first use.
"""

from typing import Any

from llmbench.confined.worker import Worker

_MODULE = "judge.language.worker"
MAX_PROCESSOR_S = 20.0
"""The limit on CPU time for one text, in seconds."""


class TooLong(ValueError):
    """Raised when a text takes more CPU time or memory to read than a text may."""


def new_worker(processor_s: float = MAX_PROCESSOR_S) -> Worker:
    """Return a process that reads natural language. A text may take `processor_s` seconds of CPU time."""
    return Worker(
        _MODULE,
        processor_s=processor_s,
        unavailable="The process that reads natural language does not start: NLTK or langdetect is missing, or there "
        "is too little memory. Install the project's dependencies again.",
    )


class Language:
    """Reads natural language. All methods block, and raise `TooLong`, or `WorkerUnavailable` if the process does not
    start."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def sentences(self, text: str) -> int:
        """Return the number of English sentences, as NLTK's Punkt splits them."""
        return int(self._asked("sentences", text))

    def capital_words(self, text: str) -> int:
        """Return the number of words in capital letters, among those into which NLTK's `word_tokenize` splits."""
        return int(self._asked("capital words", text))

    def detected(self, text: str) -> str | None:
        """Return the code of the language (ISO 639-1, such as "en"; "zh-cn" and "zh-tw" for Chinese); `None` if
        langdetect finds none, as in a text without letters."""
        code: str | None = self._asked("language", text)
        return code

    def _asked(self, what: str, text: str) -> Any:
        reply = self._worker.ask({"what": what, "text": text})
        if reply is None:
            raise TooLong("The answer takes more time or memory to read than an answer may.")
        return reply["value"]


LANGUAGE = Language(new_worker())
"""The common process, which starts on first use."""
