"""Count sentences and words with NLTK, and detect languages with langdetect, in a confined process.

A request is `{"what": name, "text": text}`, where `name` is "sentences", "capital words" or "language". The reply is
`{"value": value}`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from llmbench.confined.worker import serve

MAX_MEMORY_BYTES = 512 * 1024 * 1024
"""The limit on address space in bytes, in addition to what the loaded libraries use."""
_MODEL = Path(__file__).parent / "punkt_english"


def main() -> None:
    serve(_loaded, memory_bytes=MAX_MEMORY_BYTES)


def _loaded() -> Callable[[Any], dict[str, Any]]:
    splitter, tokenizer, detect = _splitter(), _tokenizer(), _detector()

    def capital_words(text: str) -> int:
        # As NLTK's word_tokenize: sentence by sentence.
        words = (word for sentence in splitter.tokenize(text) for word in tokenizer.tokenize(sentence))
        return sum(1 for word in words if word.isupper())

    answers: dict[str, Callable[[str], Any]] = {
        "sentences": lambda text: len(splitter.tokenize(text)),
        "capital words": capital_words,
        "language": detect,
    }
    return lambda request: {"value": answers[request["what"]](request["text"])}


def _splitter() -> Any:
    """Return Punkt with its model of English. Its parameters have the types that NLTK gives them."""
    from nltk.tabdata import PunktDecoder  # type: ignore[import-untyped]
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer  # type: ignore[import-untyped]

    decoder, params = PunktDecoder(), PunktParameters()

    def opened(name: str) -> Any:
        return (_MODEL / name).open(encoding="utf-8")

    with opened("collocations.tab") as file:
        params.collocations = set(decoder.tab2tups(file))
    with opened("sent_starters.txt") as file:
        params.sent_starters = decoder.txt2set(file)
    with opened("abbrev_types.txt") as file:
        params.abbrev_types = decoder.txt2set(file)
    with opened("ortho_context.tab") as file:
        params.ortho_context = decoder.tab2intdict(file)
    splitter = PunktSentenceTokenizer()
    splitter._params = params
    return splitter


def _tokenizer() -> Any:
    from nltk.tokenize.destructive import NLTKWordTokenizer  # type: ignore[import-untyped]

    return NLTKWordTokenizer()


def _detector() -> Callable[[str], str | None]:
    from langdetect import DetectorFactory, LangDetectException, detect  # type: ignore[import-untyped]

    # Without a seed, langdetect gives a short text another language each time.
    DetectorFactory.seed = 0
    detect("This loads the profiles of all languages.")

    def detected(text: str) -> str | None:
        try:
            code: str = detect(text)
        except LangDetectException:
            return None
        return code

    return detected


if __name__ == "__main__":
    main()
