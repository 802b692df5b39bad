<?php

declare(strict_types=1);

namespace Tradepost;

/**
 * What the service returned. Its fields are properties that cannot be changed. Fields that this client does
 * not know yet are there too, and `json_encode` returns the record as it was received.
 */
abstract class Record implements \JsonSerializable
{
    /** The names of the fields that this client knows. */
    protected const FIELDS = [];
    /** The classes of the fields that are records or lists of records. */
    protected const RECORDS = [];

    /** @param array<string, mixed> $values */
    final protected function __construct(private readonly array $values, private readonly ?string $etag)
    {
    }

    /** @param array<string, mixed> $values */
    public static function from(array $values, ?string $etag = null): static
    {
        return new static($values, $etag);
    }

    /** @return list<static> */
    final public static function listFrom(Response $response): array
    {
        return array_map(static fn (array $values): static => static::from($values), $response->body);
    }

    /** Null if the service does not return the field. */
    final public function __get(string $name): mixed
    {
        $value = $this->values[$name] ?? null;
        if ($value === null && !$this->has($name)) {
            throw new \OutOfRangeException(static::class . " has no field $name.");
        }
        $class = static::RECORDS[$name] ?? null;
        if ($class === null || $value === null) {
            return $value;
        }
        return array_is_list($value) ? array_map([$class, 'from'], $value) : $class::from($value);
    }

    final public function __isset(string $name): bool
    {
        return isset($this->values[$name]);
    }

    final public function __set(string $name, mixed $value): never
    {
        throw new \LogicException("The field $name cannot be set: a record is what the service returned.");
    }

    /** The version of a record that was retrieved by itself, for `ifMatch`. */
    final public function etag(): ?string
    {
        return $this->etag;
    }

    /** @return array<string, mixed> The values as they were received. */
    final public function toArray(): array
    {
        return $this->values;
    }

    final public function jsonSerialize(): mixed
    {
        return $this->values;
    }

    final public function __debugInfo(): array
    {
        return $this->values;
    }

    private function has(string $name): bool
    {
        return array_key_exists($name, $this->values) || in_array($name, static::FIELDS, true);
    }
}
