<?php

declare(strict_types=1);

namespace Tradepost;

/** A message is not from the service, or too old. */
final class WebhookVerificationError extends \RuntimeException
{
}
