"""Where uploaded files are kept: a folder, or a bucket of an S3-compatible server. Callers see a port.

A bucket's credentials are the usual variables of AWS (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`;
`AWS_ENDPOINT` and `AWS_ALLOW_HTTP` for other servers): the object store reads them itself.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Protocol

from llmbench.errors import Problem

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_PART_BYTES = 8 * 1024 * 1024


class StoreAway(Problem):
    """The place of the files does not answer, refuses the credentials, or has no room."""

    def __init__(self, place: str, cause: Exception) -> None:
        why = (str(cause).splitlines() or [""])[0][:300] or type(cause).__name__
        super().__init__(503, "No place for files", f"{place} does not take or give files: {why}")


class FileStore(Protocol):
    """Keeps files under keys like `org/dataset/v1/….csv`, and names each by a URI."""

    def spool(self) -> IO[bytes]:
        """A temporary file on disk, gone when it is closed or the process dies. Raises `StoreAway`."""
        ...

    def uri(self, key: str) -> str:
        """What `put` calls the file of this key."""
        ...

    def holds(self, uri: str) -> bool:
        """Whether it is of this store, not of one that was in use before."""
        ...

    async def put(self, key: str, file: IO[bytes]) -> str:
        """Keep the whole of `file`. Returns its URI. Raises `StoreAway`."""
        ...

    async def delete(self, uri: str) -> None:
        """Also when there is no such file. Raises `StoreAway`."""
        ...


class _Objects:
    """Both stores are one library's; what differs is how a store is made and what a URI begins with."""

    def __init__(self, make: "Callable[[], ObjectStore]", prefix: str, spool_folder: Path | None) -> None:
        self._make = make
        self._prefix = prefix
        self._spool_folder = spool_folder

    @cached_property
    def _store(self) -> "ObjectStore":
        # Made at the first use: the library is large, and a service that keeps no files does not need it.
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

        # A file of another store than today's is not ours to find.
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
            raise StoreAway(place, error) from error


def is_bucket(place: str) -> bool:
    return place.startswith("s3://")


def open_store(place: str) -> FileStore:
    """`s3://bucket/prefix`, or the path of a folder, which is made when it is first needed.

    A URI of the folder names the place within it, so that the folder can be moved.
    """
    if is_bucket(place):

        def bucket() -> "ObjectStore":
            from obstore.store import S3Store

            # Compose files set to nothing what the user has not set; the library would take that for an address.
            for name in [name for name, value in os.environ.items() if name.startswith("AWS_") and not value]:
                del os.environ[name]
            return S3Store.from_url(place)

        return _Objects(bucket, f"{place.rstrip('/')}/", None)
    folder = Path(place).absolute()

    def local() -> "ObjectStore":
        from obstore.store import LocalStore

        folder.mkdir(parents=True, exist_ok=True)
        return LocalStore(folder)

    # On the folder's own disk: /tmp may be memory.
    return _Objects(local, "file:", folder)
