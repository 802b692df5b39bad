"""What the generated methods send, and what they get."""

import re
import uuid
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import IO, Any, Callable, Dict, Iterable, List, Mapping, Optional, TypedDict, Union
from urllib.parse import parse_qs

File = Union[str, "PathLike[str]", bytes, IO[bytes]]
"""The path of a file, its contents, or a file that is open for reading in binary mode and can be rewound."""

Records = Callable[[], Iterable[Mapping[str, Any]]]
"""Returns records to stream. It is called for each try."""


def new_key() -> str:
    """Returns a random key, as a UUID."""
    return str(uuid.uuid4())


@dataclass(frozen=True)
class Request:
    """One call. Next to a file, `query` is the fields of the multipart body."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Union[Mapping[str, Any], List[Any], None] = None
    file: Optional[File] = None
    file_field: str = ""
    records: Optional[Records] = None
    idempotency_key: Optional[str] = None
    """Makes a write safe to retry; None for a read, which always is."""
    if_match: Optional[str] = None
    """The ETag of the record that the write is based on."""
    simulate: Optional[str] = None
    """The header `Tradepost-Simulate`."""
    timeout: Optional[float] = None
    """The seconds that one try may take, if not the client's timeout."""

    def with_query(self, changed: Mapping[str, Any]) -> "Request":
        return replace(self, query={**self.query, **changed})


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("etag")

    @property
    def next(self) -> Optional[Dict[str, str]]:
        """
        The parameter with which the next page begins: `after` if the list has positions, else `page`. None on
        the last page.
        """
        link = re.search(r'<[^>?]*\?([^>]*)>; rel="next"', self.headers.get("link", ""))
        if link is None:
            return None
        query = parse_qs(link.group(1))
        name = "after" if "after" in query else "page"
        return {name: query[name][0]}


class _ChangesRequired(TypedDict):
    changed_since: str
    """The `cursor` of the previous page, or `start`."""


class ChangesParameters(_ChangesRequired, total=False):
    """Which changes to list."""

    per_page: int
    """The maximum number of records."""
