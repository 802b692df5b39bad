"""What the clients of both APIs share. Their methods are generated from the OpenAPI documents."""

from typing import Any, Iterator, Optional, Type, TypeVar

from .record import Record
from .request import Request, Response
from .sender import Sender

PER_PAGE = 200
# The seconds that sending a file may take.
FILE_TIMEOUT = 600.0

R = TypeVar("R", bound=Record)
C = TypeVar("C", bound="Caller")


class Caller:
    """Sends calls, and reads lists page by page."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        erp_name: Optional[str] = None,
        tries: int = 5,
        timeout: float = 30.0,
        total_timeout: float = 120.0,
        ca_file: Optional[str] = None,
    ) -> None:
        """
        Raises ValueError if the URL or the token is invalid.

        base_url: the service's URL with the path of the API, such as `https://shop.example/v1`
        erp_name: the company that makes the calling software. The merchant sees it next to the key
        tries: how many times to send a request at most
        timeout: the seconds that one try may take
        total_timeout: the seconds that a call may take, with all tries and waits
        ca_file: a file of certificates to trust next to the system's, such as a self-signed one
        """
        self._sender = Sender(base_url, token, erp_name, tries, timeout, total_timeout, ca_file)

    def close(self) -> None:
        """Closes connections that are kept for further calls."""
        self._sender.close()

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, request: Request) -> Response:
        """Retries if that may help. Raises ApiError or ConnectionError."""
        return self._sender.send(request)

    def _every_item(self, request: Request, record: Type[R], identity: Optional[str]) -> Iterator[R]:
        """
        Yields each record of all pages once, even if it moves to a later page. The identity is the field that
        tells a record from all others.
        """
        seen = set()
        while True:
            response = self._call(request)
            for values in response.body:
                found = None if identity is None else values[identity]
                if found is None or found not in seen:
                    seen.add(found)
                    yield record.read(values)
            if response.next is None:
                return
            request = request.with_query(response.next)

    def _every_result(self, request: Request, record: Type[R], parameter: str, member: str) -> Iterator[R]:
        """Yields each record of all pages. The member of a page is the parameter of the next one."""
        while True:
            page = self._call(request).body
            yield from record.read_list(page["results"])
            if not page.get("more", page[member] is not None):
                return
            request = request.with_query({parameter: page[member]})

    def _every_page(self, request: Request, record: Type[R], parameter: str, member: str) -> Iterator[R]:
        """Yields the pages up to the present."""
        while True:
            page: Any = self._call(request).body
            yield record.read(page)
            if not page["more"]:
                return
            request = request.with_query({parameter: page[member]})
