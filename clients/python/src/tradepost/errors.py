"""Why a call can fail. No error contains the token."""

from dataclasses import dataclass
from typing import List, Optional


class TradepostError(Exception):
    """A call has failed."""

    tries: int
    idempotency_key: Optional[str]
    """The key of a request that writes. A retry with the same key is safe."""

    def __init__(self, message: str, tries: int, idempotency_key: Optional[str]) -> None:
        super().__init__(message)
        self.message = message
        self.tries = tries
        self.idempotency_key = idempotency_key


@dataclass(frozen=True)
class Problem:
    """What is wrong with one field of a request."""

    field: str
    reason: str
    """What was expected, for people."""


class ApiError(TradepostError):
    """The service responded with an error, whose message this is."""

    status: int
    code: Optional[str]
    """Such as `invalid_parameters`; None if the response is not the service's."""
    problems: List[Problem]
    """What is wrong with each field; empty for other errors."""
    request_id: Optional[str]
    """The operator can find the request by it; None if the response has none."""
    retry_after: Optional[float]
    """The seconds to wait before a retry; None if the service did not specify it."""

    def __init__(
        self,
        message: str,
        tries: int,
        idempotency_key: Optional[str],
        *,
        status: int,
        code: Optional[str],
        problems: List[Problem],
        request_id: Optional[str],
        retry_after: Optional[float],
    ) -> None:
        super().__init__(message, tries, idempotency_key)
        self.status = status
        self.code = code
        self.problems = problems
        self.request_id = request_id
        self.retry_after = retry_after


class ConnectionError(TradepostError):  # noqa: A001 (the same name in each of the clients)
    """No complete response: the connection failed, was closed, or timed out."""


class WebhookVerificationError(Exception):
    """A message is not from the service, or too old."""
