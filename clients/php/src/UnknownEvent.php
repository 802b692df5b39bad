<?php

declare(strict_types=1);

namespace Tradepost;

/**
 * An event of a type that this client does not know yet.
 *
 * @property-read array<string, mixed> $data
 */
final class UnknownEvent extends Event
{
    protected const FIELDS = ['id', 'type', 'occurred_at', 'merchant', 'test', 'revision', 'data'];
}
