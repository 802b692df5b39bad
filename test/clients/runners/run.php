<?php

// Runs the calls that it reads as lines of JSON, with the PHP client, and prints what happened.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $path = str_replace('\\', '/', substr($class, strlen('Tradepost\\'))) . '.php';
    foreach (['src', 'generated'] as $folder) {
        $file = __DIR__ . "/../../../clients/php/$folder/$path";
        if (is_file($file)) {
            require $file;
        }
    }
});

/** Files and streams are the only arguments that JSON cannot express. */
function prepare(mixed $value): mixed
{
    if (is_array($value) && isset($value['$file'])) {
        return new CURLFile($value['$file']);
    }
    if (is_array($value) && isset($value['$records'])) {
        return static fn (): Generator => records(...$value['$records']);
    }
    return $value;
}

function records(array $record, int $count, ?string $failure = null): Generator
{
    for ($number = 1; $number <= $count; $number++) {
        yield json_decode(str_replace('{n}', (string) $number, json_encode($record)), true);
    }
    if ($failure !== null) {
        throw new RuntimeException($failure);
    }
}

/** Reads the properties of records. */
function plain(mixed $value): mixed
{
    if ($value instanceof Tradepost\Record) {
        $names = (new ReflectionClassConstant($value, 'FIELDS'))->getValue();
        return array_combine($names, array_map(static fn (string $name) => plain($value->$name), $names));
    }
    return is_array($value) ? array_map(plain(...), $value) : $value;
}

function run(array $command): array
{
    if ($command['call'] === 'verifyWebhook') {
        $value = Tradepost\WebhookMessage::verify(...$command['args'], ...$command['options']);
        return ['value' => plain($value), 'class' => (new ReflectionClass($value))->getShortName()];
    }
    $classes = ['merchant' => Tradepost\Client::class, 'operator' => Tradepost\OperatorClient::class];
    $client = new $classes[$command['api']](...$command['client']);
    $value = $client->{$command['call']}(...array_map(prepare(...), $command['args']), ...$command['options']);
    if ($value instanceof Generator) {
        $take = $command['take'] ?? PHP_INT_MAX;
        $items = [];
        while (count($items) < $take && $value->valid()) {
            $items[] = plain($value->current());
            // Without this condition, the iterator would request a page that nobody reads.
            if (count($items) < $take) {
                $value->next();
            }
        }
        return ['value' => $items];
    }
    $record = $value instanceof Tradepost\Record ? $value : null;
    return ['value' => plain($value), 'etag' => $record?->etag(), 'raw' => $record?->toArray()];
}

function failure(Throwable $error): array
{
    $described = ['kind' => (new ReflectionClass($error))->getShortName(), 'message' => $error->getMessage()];
    if ($error instanceof Tradepost\TradepostError) {
        $described += ['tries' => $error->tries, 'idempotencyKey' => $error->idempotencyKey];
    }
    if ($error instanceof Tradepost\ApiError) {
        $described += [
            'status' => $error->status,
            'code' => $error->errorCode,
            'problems' => $error->problems,
            'requestId' => $error->requestId,
            'retryAfter' => $error->retryAfter,
        ];
    }
    return $described;
}

while (($line = fgets(STDIN)) !== false) {
    try {
        $outcome = run(json_decode($line, true, flags: JSON_THROW_ON_ERROR));
    } catch (Throwable $error) {
        $outcome = ['error' => failure($error)];
    }
    echo json_encode($outcome, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}
