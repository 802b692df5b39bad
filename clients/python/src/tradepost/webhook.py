"""Verifies messages to a webhook, which are signed as Standard Webhooks defines."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Mapping, Optional, Sequence, Union

from .errors import WebhookVerificationError
from .generated.records import Events
from .record import Event

# The seconds that the clocks may differ, and a message may be old.
TOLERANCE = 300


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    now: Optional[float] = None,
) -> Event:
    """
    Returns the event of a message.

    Raises WebhookVerificationError.

    body: exactly as it was received
    headers: their names may have any case
    secrets: `whsec_…`, or several while a secret is replaced
    now: the time in seconds since 1970, for tests
    """
    found = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not found.get(name):
            raise WebhookVerificationError(f"The header {name} is missing.")
    timestamp = found["webhook-timestamp"]
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("The header webhook-timestamp is not a number of seconds.")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE:
        raise WebhookVerificationError("The message is too old, or its time is in the future.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{found['webhook-id']}.{timestamp}.".encode() + content
    signatures = found["webhook-signature"].split(" ")
    if not _is_signed(signed, signatures, [secrets] if isinstance(secrets, str) else secrets):
        raise WebhookVerificationError("No signature of the message matches the secret.")
    try:
        values = json.loads(content)
    except ValueError:
        values = None
    if not isinstance(values, dict) or not isinstance(values.get("type"), str):
        raise WebhookVerificationError("The message is not an event.")
    return Events.read(values)


def _is_signed(content: bytes, signatures: Sequence[str], secrets: Sequence[str]) -> bool:
    for secret in secrets:
        encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
        try:
            key = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if not key:
            raise WebhookVerificationError("The secret is not valid: expected whsec_ and Base64.")
        digest = hmac.new(key, content, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        if any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
            return True
    return False
