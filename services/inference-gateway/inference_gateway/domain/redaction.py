"""Remove a call's secrets from its provider's answers: some providers repeat a key even in a valid answer.

A secret is recognised in plain form, in Base64 (standard or URL-safe, at any alignment), URL-encoded, and escaped as in
JSON. Texts are searched after they are complete, so that the chunks of a stream cannot split a secret.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote, quote_plus

from inference_gateway.domain.draft import Draft
from llmbench.contracts.outcome import Citation

MARK: Final = "•••"
LEAST_CHARACTERS: Final = 12
"""The minimum length of a secret that is redacted in answers: a shorter one would match unrelated words."""
LEAST_IN_MESSAGES: Final = 4
"""The minimum length of a secret that is redacted in error messages: replacing an unrelated word does no harm there."""
_SCHEMES: Final = frozenset({"bearer", "basic", "token"})
_WITHIN_VALUES: Final = re.compile(r"[\s;,=:\"]+")
_PREVIEW_CHARACTERS: Final = 1000


class Redaction:
    """Replaces the secrets of one call in texts, and counts the replacements.

    Secrets of fewer than `least` characters are not replaced.
    """

    def __init__(self, secrets: Iterable[str], *, least: int = LEAST_CHARACTERS) -> None:
        self.count = 0
        self._least = least
        self._forms = _forms(tuple(secrets), least)

    def text(self, text: str) -> str:
        for form in self._forms:
            if form in text:
                self.count += text.count(form)
                text = text.replace(form, MARK)
        return self._without_halves(text) if len(text) <= _PREVIEW_CHARACTERS and "…" in text else text

    def unfinished(self, text: str) -> str:
        """Return `text`, which is still incomplete, with its secrets replaced. Its last characters are left out if they
        may begin a secret."""
        clean = self.text(text)
        held_back = max((_overlap(clean, form) for form in self._forms), default=0)
        return clean[: len(clean) - held_back]

    def json(self, value: Any) -> Any:
        """Return a JSON value with all its texts and numbers redacted. Numbers are included because a key may consist
        of digits."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(name)): self.json(part) for name, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.json(part) for part in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            written = str(value)
            return value if (clean := self.text(written)) == written else clean
        return value

    def _without_halves(self, text: str) -> str:
        """Remove the beginning of a secret whose remainder the provider replaced by an ellipsis, as in "sk-abc…"."""
        for form in self._forms:
            for size in range(len(form) - 1, max(self._least, LEAST_CHARACTERS) - 1, -1):
                if (half := f"{form[:size]}…") in text:
                    self.count += text.count(half)
                    text = text.replace(half, f"{MARK}…")
        return text


def redacted(message: str, secrets: Iterable[str]) -> str:
    """Return an error message without secrets of `LEAST_IN_MESSAGES` or more characters (a 401 often repeats the
    key)."""
    return Redaction(secrets, least=LEAST_IN_MESSAGES).text(message)


def redact(draft: Draft, redaction: Redaction) -> None:
    """Redact all parts of a finished answer that are stored or shown, in place.

    If any part contains a secret, the tokens with log-probabilities are dropped, because the secret may be spread over
    several tokens.
    """
    draft.content = _joined(draft.content, redaction)
    draft.reasoning = _joined(draft.reasoning, redaction)
    draft.refusal = _joined(draft.refusal, redaction)
    draft.calls.replace_texts(redaction.text, redaction.json)
    if draft.error is not None:
        draft.error = replace(draft.error, message=redaction.text(draft.error.message))
    draft.model = None if draft.model is None else redaction.text(draft.model)
    draft.finish_reason = None if draft.finish_reason is None else redaction.text(draft.finish_reason)
    draft.notes = [redaction.text(note) for note in draft.notes]
    draft.meta = redaction.json(draft.meta)
    if draft.citations is not None:
        draft.citations = tuple(
            Citation.model_validate(redaction.json(citation.model_dump())) for citation in draft.citations
        )
    if not redaction.count:
        for tokens in (draft.first_tokens, draft.last_tokens):
            redaction.json([[token, *top] for token, top in tokens])
            redaction.text("".join(token for token, _ in tokens))
    if redaction.count:
        # Drop all tokens: a secret may be spread over several of them, or appear among their alternatives.
        draft.first_tokens.clear()
        draft.last_tokens.clear()


def _overlap(text: str, form: str) -> int:
    """Return how many characters at the end of `text` are the beginning of `form`, an encoding of a secret.

    The complete `form` does not count.
    """
    sizes = range(min(len(text), len(form) - 1), 0, -1)
    return next((size for size in sizes if text.endswith(form[:size])), 0)


def _joined(parts: list[str], redaction: Redaction) -> list[str]:
    text = "".join(parts)
    clean = redaction.text(text)
    return parts if clean == text else [clean]


@lru_cache(maxsize=64)
def _forms(secrets: tuple[str, ...], least: int) -> tuple[str, ...]:
    """Return the texts to replace: the parts of the secrets (see `_parts`), and the encodings of each part.

    The longest comes first, so that `Bearer KEY` is replaced before `KEY`. Parts of fewer than `least` characters are
    left out. The encodings of parts of fewer than `LEAST_CHARACTERS` are left out, too.
    """
    forms: dict[str, None] = {}
    for secret in secrets:
        for part in _parts(secret):
            if len(part) >= least:
                forms[part] = None
            if len(part) >= LEAST_CHARACTERS:
                forms.update(dict.fromkeys(_encoded(part)))
    return tuple(sorted(forms, key=len, reverse=True))


def _parts(secret: str) -> Iterator[str]:
    """Yield a header's value, and each part of it that may appear alone, such as the key after `Bearer`. For Basic
    authentication, also yield the decoded credentials and the password in them."""
    yield secret
    words = secret.split()
    yield from (word for word in words if word.lower() not in _SCHEMES)
    yield from (part for part in _WITHIN_VALUES.split(secret) if len(part) >= LEAST_CHARACTERS)
    if len(words) == 2 and words[0].lower() == "basic":
        try:
            credentials = base64.b64decode(words[1], validate=True).decode()
        except ValueError:
            return
        yield credentials
        yield credentials.partition(":")[2]


def _encoded(part: str) -> Iterator[str]:
    for written in (quote(part, safe=""), quote_plus(part)):
        yield written
        yield re.sub("%..", lambda match: match[0].lower(), written)
    for escaped in (json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1]):
        yield escaped
        yield escaped.replace("/", "\\/")
    raw = part.encode(errors="replace")
    for before in range(3):
        core = base64.b64encode(bytes(before) + raw).decode()
        # Keep only the characters whose bits come from the secret alone, not from the bytes before or after it.
        core = core[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6]
        yield core
        yield core.replace("+", "-").replace("/", "_")
