"""Bodies of requests, which are read as fast as they are sent."""

import io
import json
import os
import secrets
import time
from contextlib import contextmanager
from typing import IO, Any, Dict, Iterable, Iterator, Mapping, Optional, Tuple, Union

from .record import Record
from .request import File, Records, Request

PART_BYTES = 64 * 1024
# The service waits for lines only for a while: after these seconds, a part with at least one line is sent.
PART_SECONDS = 1.0

Body = Union[bytes, Iterable[bytes], None]


class LineStream:
    """NDJSON of records."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self.failure: Optional[BaseException] = None
        """What the records raised."""

    def __iter__(self) -> Iterator[bytes]:
        part, sent_at = b"", time.monotonic()
        try:
            for record in self._records():
                part += encode_json(record) + b"\n"
                if len(part) < PART_BYTES and time.monotonic() - sent_at < PART_SECONDS:
                    continue
                yield part
                part, sent_at = b"", time.monotonic()
        except Exception as error:
            self.failure = error
            raise
        if part:
            yield part


def encode_json(value: Any) -> bytes:
    """Raises ValueError if a number is infinite or not a number."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False, default=_values_of).encode()


def _values_of(value: Any) -> Any:
    if isinstance(value, Record):
        return value.raw
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def as_text(value: Any) -> str:
    """Returns the text of a parameter. Lists are sent in one value."""
    if isinstance(value, (list, tuple)):
        return ",".join(as_text(each) for each in value)
    return value if isinstance(value, str) else encode_json(value).decode()


def texts_of(parameters: Mapping[str, Any]) -> Dict[str, str]:
    return {name: as_text(value) for name, value in parameters.items() if value is not None}


@contextmanager
def open_multipart(request: Request) -> Iterator[Tuple[Dict[str, str], Iterable[bytes]]]:
    """Yields the headers and the parts of a multipart body: the fields, then the file."""
    assert request.file is not None
    boundary = secrets.token_hex(16)
    with _opened(request.file) as (file, name, length):
        fields = "".join(
            f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(field)}"\r\n\r\n{value}\r\n'
            for field, value in texts_of(request.query).items()
        )
        opening = (
            f"{fields}--{boundary}\r\n"
            f'Content-Disposition: form-data; name="{_quoted(request.file_field)}"; filename="{_quoted(name)}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode()
        closing = f"\r\n--{boundary}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(opening) + length + len(closing)),
        }
        yield headers, _parts(opening, file, closing)


def _parts(opening: bytes, file: IO[bytes], closing: bytes) -> Iterator[bytes]:
    yield opening
    while True:
        part = file.read(PART_BYTES)
        if not part:
            break
        yield part
    yield closing


@contextmanager
def _opened(file: File) -> Iterator[Tuple[IO[bytes], str, int]]:
    """Yields an open file, its name and its length from the beginning."""
    if isinstance(file, bytes):
        yield io.BytesIO(file), "file", len(file)
    elif isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            yield opened, os.path.basename(file), os.fstat(opened.fileno()).st_size
    else:
        length = file.seek(0, os.SEEK_END)
        file.seek(0)
        yield file, os.path.basename(str(getattr(file, "name", "file"))), length


def _quoted(name: str) -> str:
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
