<?php

declare(strict_types=1);

namespace Tradepost;

/** The service responded with an error, whose message this is. */
final class ApiError extends TradepostError
{
    /**
     * @param ?string $errorCode Such as `invalid_parameters`; null if the response is not the service's.
     * @param list<Problem> $problems What is wrong with each field; empty for other errors.
     * @param ?string $requestId The operator can find the request by it; null if the response has none.
     * @param ?float $retryAfter The seconds to wait before a retry; null if the service did not specify it.
     */
    public function __construct(
        string $message,
        int $tries,
        ?string $idempotencyKey,
        public readonly int $status,
        public readonly ?string $errorCode,
        public readonly array $problems,
        public readonly ?string $requestId,
        public readonly ?float $retryAfter,
    ) {
        parent::__construct($message, $tries, $idempotencyKey);
    }
}
