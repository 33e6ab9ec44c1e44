"""Store uploaded files in a folder, or in a bucket of an S3-compatible server. Callers use only `FileStore`.

The credentials of a bucket are in AWS's usual environment variables (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
`AWS_REGION`; `AWS_ENDPOINT` and `AWS_ALLOW_HTTP` for other servers). The storage library reads them itself.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Protocol

from llmbench.errors import Problem
from llmbench.room import FREE_SOME, is_disk_full

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_NO_ROOM = "No space left on device"
_PART_BYTES = 8 * 1024 * 1024


class StoreUnavailable(Problem):
    """Raised when the store is full (507), or fails in another way (503), such as by refusing the credentials."""

    def __init__(self, place: str, cause: Exception) -> None:
        if is_disk_full(cause) or _NO_ROOM in str(cause):
            super().__init__(507, "The disk is full", f"{place} has no room left for files. {FREE_SOME}")
            return
        why = (str(cause).splitlines() or [""])[0][:300] or type(cause).__name__
        super().__init__(503, "No place for files", f"{place} cannot store or return files: {why}")


class FileStore(Protocol):
    """A store of files under keys such as `org/dataset/v1/….csv`. Each stored file has a URI."""

    def spool(self) -> IO[bytes]:
        """Return a temporary file on disk, deleted when it is closed or the process dies. Raises `StoreUnavailable` if
        the disk is full or fails."""
        ...

    def uri(self, key: str) -> str:
        """Return the URI that a file has after `put` with this key."""
        ...

    def holds(self, uri: str) -> bool:
        """Return whether the URI belongs to this store. Other URIs are from an earlier configuration."""
        ...

    async def put(self, key: str, file: IO[bytes]) -> str:
        """Store `file` from its beginning to its end. Return its URI. Raises `StoreUnavailable` if the store is full or
        fails."""
        ...

    async def delete(self, uri: str) -> None:
        """Delete the file, if it exists. Raises `StoreUnavailable` if the store fails."""
        ...


class _Objects:
    """Implements `FileStore` for a folder and for a bucket, which differ only in their creation and the prefix of their
    URIs."""

    def __init__(self, make: "Callable[[], ObjectStore]", prefix: str, spool_folder: Path | None) -> None:
        self._make = make
        self._prefix = prefix
        self._spool_folder = spool_folder

    @cached_property
    def _store(self) -> "ObjectStore":
        # The storage library is large, so it is loaded at the first use: a service without files does not need it.
        return self._make()

    def spool(self) -> IO[bytes]:
        with self._told():
            if self._spool_folder:
                self._spool_folder.mkdir(parents=True, exist_ok=True)
            return TemporaryFile(dir=self._spool_folder)

    def uri(self, key: str) -> str:
        return f"{self._prefix}{key}"

    def holds(self, uri: str) -> bool:
        return uri.startswith(self._prefix)

    async def put(self, key: str, file: IO[bytes]) -> str:
        file.seek(0)
        with self._told():
            await self._store.put_async(key, file, chunk_size=_PART_BYTES, max_concurrency=1)
        return self.uri(key)

    async def delete(self, uri: str) -> None:
        from obstore.exceptions import NotFoundError

        # A URI of another store names no file in this one.
        if not self.holds(uri):
            return
        with self._told():
            try:
                await self._store.delete_async(uri.removeprefix(self._prefix))
            except (NotFoundError, FileNotFoundError):
                return

    @contextmanager
    def _told(self) -> Iterator[None]:
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:
            place = str(self._spool_folder) if self._spool_folder else self._prefix
            raise StoreUnavailable(place, error) from error


def is_bucket(place: str) -> bool:
    return place.startswith("s3://")


def open_store(place: str) -> FileStore:
    """Open the bucket `s3://bucket/prefix`, or the folder at a path. The folder is created at its first use.

    URIs of files in a folder are relative to it, so that it can be moved.
    """
    if is_bucket(place):

        def bucket() -> "ObjectStore":
            from obstore.store import S3Store

            # Compose files set unset variables to empty texts, which the library would use as an address.
            for name in [name for name, value in os.environ.items() if name.startswith("AWS_") and not value]:
                del os.environ[name]
            return S3Store.from_url(place)

        return _Objects(bucket, f"{place.rstrip('/')}/", None)
    folder = Path(place).absolute()

    def local() -> "ObjectStore":
        from obstore.store import LocalStore

        folder.mkdir(parents=True, exist_ok=True)
        return LocalStore(folder)

    # Put temporary files on the folder's disk, because /tmp may be in memory.
    return _Objects(local, "file:", folder)
