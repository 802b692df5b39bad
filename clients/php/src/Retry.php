<?php

declare(strict_types=1);

namespace Tradepost;

/** @internal */
final class Retry
{
    private const FIRST_BACKOFF = 0.25;
    private const MAX_BACKOFF = 8.0;
    /** Temporary errors of the service and of proxies. A 409 is temporary if it has `Retry-After`. */
    private const TEMPORARY_STATUSES = [408, 429, 502, 503, 504];

    /**
     * In seconds: `Retry-After` plus a random part of a backoff that doubles with each try, so that clients
     * that failed together do not retry together. Null if a retry cannot help.
     */
    public static function waitAfter(TradepostError $error, int $tries): ?float
    {
        $random = random_int(0, PHP_INT_MAX) / PHP_INT_MAX;
        $backoff = $random * min(self::MAX_BACKOFF, self::FIRST_BACKOFF * 2 ** ($tries - 1));
        if (!$error instanceof ApiError) {
            return $backoff;
        }
        $isTemporary = in_array($error->status, self::TEMPORARY_STATUSES, true)
            || ($error->status === 409 && $error->retryAfter !== null);
        return $isTemporary ? ($error->retryAfter ?? 0.0) + $backoff : null;
    }

    /** RFC 9110, 10.2.3: seconds or a date, as seconds from now; null if it is neither. */
    public static function readRetryAfter(?string $value, int $now): ?float
    {
        if ($value === null) {
            return null;
        }
        if (preg_match('/^\d+$/D', $value) === 1) {
            return (float) $value;
        }
        $date = $value === '' ? false : strtotime($value);
        return $date === false ? null : (float) max(0, $date - $now);
    }
}
