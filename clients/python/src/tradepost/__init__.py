"""A client of the Tradepost merchant API (`Client`) and operator API (`OperatorClient`)."""

from .errors import ApiError, ConnectionError, Problem, TradepostError, WebhookVerificationError
from .generated import parameters, records
from .generated.merchant import Client
from .generated.operator import OperatorClient
from .record import Event, Record, UnknownEvent
from .webhook import verify_webhook

__all__ = [
    "ApiError",
    "Client",
    "ConnectionError",
    "Event",
    "OperatorClient",
    "Problem",
    "Record",
    "TradepostError",
    "UnknownEvent",
    "WebhookVerificationError",
    "parameters",
    "records",
    "verify_webhook",
]
