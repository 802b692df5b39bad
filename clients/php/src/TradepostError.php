<?php

declare(strict_types=1);

namespace Tradepost;

/** A call has failed. Never contains the token. */
abstract class TradepostError extends \RuntimeException
{
    /** @param ?string $idempotencyKey The key of a request that writes. A retry with the same key is safe. */
    public function __construct(
        string $message,
        public readonly int $tries,
        public readonly ?string $idempotencyKey,
    ) {
        parent::__construct($message);
    }
}
