<?php

declare(strict_types=1);

namespace Tradepost;

/** @internal */
final class Response
{
    /** @param array<string, string> $headers Their names are in lower case. */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly mixed $body,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    /**
     * Returns the parameter with which the next page begins: `after` if the list has positions, else `page`.
     *
     * @return ?array<string, string> Null on the last page.
     */
    public function next(): ?array
    {
        if (preg_match('/<[^>?]*\?([^>]*)>; rel="next"/', $this->header('link') ?? '', $link) !== 1) {
            return null;
        }
        parse_str($link[1], $query);
        $name = isset($query['after']) ? 'after' : 'page';
        return [$name => $query[$name]];
    }
}
