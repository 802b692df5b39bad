"""What the service returns."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Dict, List, Mapping, Optional, Type, TypeVar

R = TypeVar("R", bound="Record")


class Record:
    """
    What the service returned. Fields that this client does not know yet are in `raw`, and a field that the
    service does not return is None.
    """

    raw: Dict[str, Any]
    """The values as they were received."""
    etag: Optional[str]
    """The version of a record that was retrieved by itself, for `if_match`."""

    # The names in JSON of fields whose names Python reserves.
    _names: ClassVar[Mapping[str, str]] = {}
    # The classes of fields that are records or lists of records.
    _records: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def read(cls: Type[R], values: Dict[str, Any], etag: Optional[str] = None) -> R:
        """Returns the record that the service sent as a JSON object."""
        record = cls.__new__(cls)
        # The fields of the record cannot be set.
        state = record.__dict__
        for field in fields(cls):  # type: ignore[arg-type]
            value = values.get(cls._names.get(field.name, field.name))
            inner = cls._records.get(field.name)
            if inner is not None and value is not None:
                value = inner.read_list(value) if isinstance(value, list) else inner.read(value)
            state[field.name] = value
        state["raw"] = values
        state["etag"] = etag
        return record

    @classmethod
    def read_list(cls: Type[R], values: List[Dict[str, Any]]) -> List[R]:
        """Returns the records that the service sent as a JSON array."""
        return [cls.read(each) for each in values]


class Event(Record):
    """Something that happened to a merchant or its data. Its class tells what its `data` is."""

    id: str
    type: str
    occurred_at: str
    merchant: Optional[str]
    test: bool
    revision: Optional[int]


@dataclass(frozen=True)
class UnknownEvent(Event):
    """An event of a type that this client does not know yet."""

    id: str
    type: str
    occurred_at: str
    merchant: Optional[str]
    test: bool
    revision: Optional[int]
    data: Dict[str, Any]
