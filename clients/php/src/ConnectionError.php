<?php

declare(strict_types=1);

namespace Tradepost;

/** No complete response: the connection failed, was closed, or timed out. */
final class ConnectionError extends TradepostError
{
}
