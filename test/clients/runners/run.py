"""Runs the calls that it reads as lines of JSON, with the Python client, and prints what happened."""

import dataclasses
import itertools
import json
import re
import sys
from collections.abc import Iterator

import tradepost

CLIENTS = {"merchant": tradepost.Client, "operator": tradepost.OperatorClient}


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def camel_values(error, names):
    camel = lambda name: re.sub("_([a-z])", lambda letter: letter.group(1).upper(), name)
    return {camel(name): getattr(error, name) for name in names}


def prepare(value):
    """Files and streams are the only arguments that JSON cannot express."""
    if not isinstance(value, dict):
        return value
    if "$file" in value:
        return value["$file"]
    if "$records" in value:
        return lambda: records(**value["$records"])
    return value


def records(record, count, failure=None):
    for number in range(1, count + 1):
        yield json.loads(json.dumps(record).replace("{n}", str(number)))
    if failure is not None:
        raise RuntimeError(failure)


def plain(value):
    if isinstance(value, tradepost.Record):
        names = {field.name: value._names.get(field.name, field.name) for field in dataclasses.fields(value)}
        return {name: plain(getattr(value, field)) for field, name in names.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def run(command):
    options = {snake(name): value for name, value in command["options"].items()}
    if command["call"] == "verifyWebhook":
        value = tradepost.verify_webhook(*command["args"], **options)
        return {"value": plain(value), "class": type(value).__name__}
    settings = {snake(name): value for name, value in command["client"].items()}
    with CLIENTS[command["api"]](**settings) as client:
        value = getattr(client, snake(command["call"]))(*map(prepare, command["args"]), **options)
        if isinstance(value, Iterator):
            return {"value": [plain(each) for each in itertools.islice(value, command.get("take"))]}
    return {"value": plain(value), "etag": getattr(value, "etag", None), "raw": getattr(value, "raw", None)}


def failure(error):
    described = {"kind": type(error).__name__, "message": str(error)}
    if isinstance(error, tradepost.TradepostError):
        described.update(camel_values(error, ["tries", "idempotency_key"]))
    if isinstance(error, tradepost.ApiError):
        described.update(camel_values(error, ["status", "code", "request_id", "retry_after"]))
        described["problems"] = [dataclasses.asdict(problem) for problem in error.problems]
    return described


for line in sys.stdin:
    try:
        outcome = run(json.loads(line))
    except Exception as error:
        outcome = {"error": failure(error)}
    print(json.dumps(outcome), flush=True)
