"""When a call is tried again."""

import random
from email.utils import parsedate_to_datetime
from typing import Optional

from .errors import ApiError, TradepostError

FIRST_BACKOFF = 0.25
MAX_BACKOFF = 8.0
# Temporary errors of the service and of proxies. A 409 is temporary if it has `Retry-After`.
TEMPORARY_STATUSES = (408, 429, 502, 503, 504)


def wait_after(error: TradepostError, tries: int) -> Optional[float]:
    """
    In seconds: `Retry-After` plus a random part of a backoff that doubles with each try, so that clients that
    failed together do not retry together. None if a retry cannot help.
    """
    backoff = random.random() * min(MAX_BACKOFF, FIRST_BACKOFF * 2.0 ** (tries - 1))
    if not isinstance(error, ApiError):
        return backoff
    is_temporary = error.status in TEMPORARY_STATUSES or (
        error.status == 409 and error.retry_after is not None
    )
    return (error.retry_after or 0.0) + backoff if is_temporary else None


def read_retry_after(value: Optional[str], now: float) -> Optional[float]:
    """RFC 9110, 10.2.3: seconds or a date, as seconds from now; None if it is neither."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError):
        return None
