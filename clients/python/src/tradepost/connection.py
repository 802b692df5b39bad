"""Connections whose tries end in time, however slowly bytes arrive."""

import http.client
import io
import socket
import ssl
import time
from typing import Any, Callable, Dict, Optional, Tuple


class Connection(http.client.HTTPSConnection):
    """Can be used for one request after another. `deadline` is in seconds of `time.monotonic`."""

    def __init__(self, host: str, port: Optional[int], context: ssl.SSLContext) -> None:
        super().__init__(host, port, context=context)
        self.deadline: Optional[float] = None
        self.used_at = 0.0

    def connect(self) -> None:
        self.timeout = self._remaining()
        super().connect()
        self.sock: Any = _DeadlineSocket(self.sock, self._remaining)

    def exchange(
        self, method: str, target: str, body: Any, headers: Dict[str, Any]
    ) -> Tuple[http.client.HTTPResponse, bytes]:
        """Returns a response and its body. After an error, the connection has to be closed."""
        is_sent = True
        try:
            self.request(method, target, body, headers, encode_chunked="Transfer-Encoding" in headers)
        except (BrokenPipeError, ConnectionResetError):
            # The service may have responded before it read the whole body.
            is_sent = False
        response = self.getresponse()
        text = response.read()
        if not is_sent:
            self.close()
        return response, text

    def _remaining(self) -> Optional[float]:
        if self.deadline is None:
            return None
        remaining = self.deadline - time.monotonic()
        if remaining <= 0:
            raise socket.timeout("timed out")
        return remaining


class _DeadlineSocket:
    def __init__(self, sock: socket.socket, remaining: Callable[[], Optional[float]]) -> None:
        self._sock = sock
        self._remaining = remaining

    def sendall(self, data: Any) -> None:
        self._sock.settimeout(self._remaining())
        self._sock.sendall(data)

    def makefile(self, *_: Any) -> io.BufferedReader:
        return io.BufferedReader(_DeadlineFile(self._sock, self._remaining))

    def close(self) -> None:
        self._sock.close()


class _DeadlineFile(io.RawIOBase):
    def __init__(self, sock: socket.socket, remaining: Callable[[], Optional[float]]) -> None:
        self._sock = sock
        # Keeps the socket open until the response is read.
        self._file = sock.makefile("rb", buffering=0)
        self._remaining = remaining

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._remaining())
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()
