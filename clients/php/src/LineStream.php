<?php

declare(strict_types=1);

namespace Tradepost;

/** @internal NDJSON that is produced as fast as it is sent. */
final class LineStream
{
    /** The service waits for lines only for a while: after this time, what there is gets sent. */
    private const PART_SECONDS = 1.0;

    private readonly \Generator $records;
    private string $buffer = '';

    /** @param iterable<mixed> $records */
    public function __construct(iterable $records)
    {
        $this->records = (static fn (): \Generator => yield from $records)();
    }

    /** Returns up to a number of bytes, and an empty string at the end. */
    public function read(int $length): string
    {
        $start = microtime(true);
        while (strlen($this->buffer) < $length && $this->records->valid()) {
            $this->buffer .= json_encode($this->records->current(), Sender::JSON) . "\n";
            $this->records->next();
            if (microtime(true) - $start >= self::PART_SECONDS) {
                break;
            }
        }
        $part = substr($this->buffer, 0, $length);
        $this->buffer = substr($this->buffer, $length);
        return $part;
    }
}
