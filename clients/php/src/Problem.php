<?php

declare(strict_types=1);

namespace Tradepost;

/** What is wrong with one field of a request. */
final class Problem
{
    public function __construct(
        public readonly string $field,
        /** What was expected, for people. */
        public readonly string $reason,
    ) {
    }
}
