"""Sends requests. The only object that has the token is here."""

import gzip
import http.client
import json
import math
import re
import socket
import ssl
import time
import zlib
from contextlib import ExitStack
from typing import Any, Dict, List, Optional
from urllib.parse import quote, quote_plus, urlencode, urlsplit

from .body import Body, LineStream, encode_json, open_multipart, texts_of
from .connection import Connection
from .errors import ApiError, ConnectionError, Problem, TradepostError
from .request import Request, Response
from .retry import read_retry_after, wait_after

VERSION = "0.1.0"
# The service closes connections that are idle for longer.
IDLE_SECONDS = 30.0


class Sender:
    """Can be used by several threads at a time."""

    def __init__(
        self,
        base_url: str,
        token: str,
        erp_name: Optional[str],
        tries: int,
        timeout: float,
        total_timeout: float,
        ca_file: Optional[str],
    ) -> None:
        if not re.fullmatch(r"(?i)https://[^/?#@\s]+(/[^?#\s]*)?", base_url):
            # The message does not repeat the URL, which may contain a token.
            raise ValueError("base_url is invalid: expected a URL such as https://shop.example/v1")
        if not re.fullmatch(r"[\x21-\x7e]+", token):
            raise ValueError("token is invalid: expected an access token")
        self._url = urlsplit(base_url.rstrip("/"))
        self._token = token
        self._erp_name = erp_name
        self._tries = tries
        self._timeout = timeout
        self._total_timeout = total_timeout
        self._tls = ssl.create_default_context()
        if ca_file is not None:
            self._tls.load_verify_locations(ca_file)
        self._idle: List[Connection] = []

    def send(self, request: Request) -> Response:
        """
        Retries if that may help and the wait ends in time.

        Raises ApiError or ConnectionError of the last try.
        """
        limit, end = math.inf, math.inf
        if request.records is None:
            limit = self._timeout if request.timeout is None else request.timeout
            end = time.monotonic() + max(self._total_timeout, request.timeout or 0.0)
        tries = 1
        while True:
            try:
                return self._try(request, min(limit, max(0.001, end - time.monotonic())), tries)
            except TradepostError as error:
                wait = wait_after(error, tries)
                if wait is None or tries >= self._tries or time.monotonic() + wait >= end:
                    raise
            time.sleep(wait)
            tries += 1

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _try(self, request: Request, timeout: float, tries: int) -> Response:
        with ExitStack() as opened:
            headers = self._headers(request)
            target = self._url.path + request.path
            stream = LineStream(request.records) if request.records is not None else None
            body: Body = stream
            if stream is not None:
                headers.update({"Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"})
            elif request.file is not None:
                more, body = opened.enter_context(open_multipart(request))
                headers.update(more)
            elif request.json is not None:
                headers["Content-Type"] = "application/json"
                body = encode_json(request.json)
            elif request.query:
                target += f"?{urlencode(texts_of(request.query))}"
            connection = self._connection(timeout)
            try:
                raw, text = connection.exchange(request.method, target, body, headers)
            except BaseException as error:
                connection.close()
                if stream is not None and stream.failure is not None:
                    raise stream.failure
                if not isinstance(error, (OSError, http.client.HTTPException)):
                    raise
                timed_out = isinstance(error, socket.timeout)
                reason = f"timed out after {timeout:.3g} s" if timed_out else str(error) or "it was closed"
                message = self._redact(f"No response from https://{self._url.netloc}: {reason}.")
                raise ConnectionError(message, tries, request.idempotency_key) from None
        connection.used_at = time.monotonic()
        self._idle.append(connection)
        return self._read(raw, text, request, tries)

    def _connection(self, timeout: float) -> Connection:
        """Returns a connection that no other thread uses."""
        connection: Optional[Connection] = None
        while connection is None:
            try:
                connection = self._idle.pop()
            except IndexError:
                # Another thread may just have taken the last one.
                break
            if time.monotonic() - connection.used_at > IDLE_SECONDS:
                connection.close()
                connection = None
        if connection is None:
            connection = Connection(self._url.hostname or "", self._url.port, self._tls)
        connection.deadline = None if timeout == math.inf else time.monotonic() + timeout
        return connection

    def _headers(self, request: Request) -> Dict[str, Any]:
        optional = {
            "X-ERP-Name": self._erp_name,
            "Idempotency-Key": request.idempotency_key,
            "If-Match": request.if_match,
            "Tradepost-Simulate": request.simulate,
        }
        return {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            # The token is in a header, so that no log of URLs contains it.
            "Authorization": f"Bearer {self._token}",
            "Tradepost-Problems": "true",
            "User-Agent": f"tradepost-client-python/{VERSION}",
            **{name: value.encode() for name, value in optional.items() if value is not None},
        }

    def _read(self, raw: http.client.HTTPResponse, text: bytes, request: Request, tries: int) -> Response:
        headers = {name.lower(): value for name, value in raw.getheaders()}
        try:
            plain = gzip.decompress(text) if headers.get("content-encoding") == "gzip" else text
            body = json.loads(plain)
        except (ValueError, OSError, EOFError, zlib.error):
            body = None
        response = Response(raw.status, headers, body)
        if raw.status == 204 or (raw.status in (200, 201, 202) and body is not None):
            return response
        raise self._error(response, tries, request.idempotency_key)

    def _error(self, response: Response, tries: int, idempotency_key: Optional[str]) -> ApiError:
        body = response.body if isinstance(response.body, dict) else {}
        message = body.get("message")
        return ApiError(
            self._redact(message if isinstance(message, str) else _describe(response.status)),
            tries,
            idempotency_key,
            status=response.status,
            code=response.headers.get("tradepost-error"),
            problems=[
                Problem(one["field"], one["reason"])
                for one in body.get("problems") or []
                if isinstance(one, dict) and one.keys() >= {"field", "reason"}
            ],
            request_id=response.headers.get("x-request-id"),
            retry_after=read_retry_after(response.headers.get("retry-after"), time.time()),
        )

    def _redact(self, text: str) -> str:
        for secret in (self._token, quote(self._token, safe=""), quote_plus(self._token)):
            text = text.replace(secret, "***")
        return text


def _describe(status: int) -> str:
    if 300 <= status < 400:
        # A followed redirect would send the token to its target.
        return "The response is a redirect, which is not followed. Use the URL of the service itself."
    return f"Expected JSON, but got a response with status {status} that is not the service’s."
