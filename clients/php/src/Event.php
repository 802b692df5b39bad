<?php

declare(strict_types=1);

namespace Tradepost;

/**
 * Something that happened to a merchant or its data. Its class tells what its `data` is.
 *
 * @property-read string $id The same whenever and wherever the event is delivered.
 * @property-read string $type
 * @property-read string $occurred_at
 * @property-read ?string $merchant
 * @property-read bool $test
 * @property-read ?int $revision
 */
abstract class Event extends Record
{
}
