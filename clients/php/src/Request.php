<?php

declare(strict_types=1);

namespace Tradepost;

/** @internal */
final class Request
{
    /**
     * @param array<string, mixed> $query Next to a file, the fields of the multipart body.
     * @param array<mixed>|object|null $json The body.
     * @param ?\Closure(): iterable<mixed> $records Returns what to stream as the body, for each try.
     * @param ?string $idempotencyKey Makes a write safe to retry; null for a read, which always is.
     * @param ?string $ifMatch The ETag of the record that the write is based on.
     * @param ?string $simulate The header `Tradepost-Simulate`.
     * @param ?float $timeout The seconds that one try may take, if not the client's timeout.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $query = [],
        public readonly array|object|null $json = null,
        public readonly \CURLFile|\CURLStringFile|null $file = null,
        public readonly string $fileField = '',
        public readonly ?\Closure $records = null,
        public readonly ?string $idempotencyKey = null,
        public readonly ?string $ifMatch = null,
        public readonly ?string $simulate = null,
        public readonly ?float $timeout = null,
    ) {
    }

    /** @param array<string, mixed> $changed */
    public function withQuery(array $changed): self
    {
        $query = array_merge($this->query, $changed);
        return new self($this->method, $this->path, $query, simulate: $this->simulate);
    }
}
