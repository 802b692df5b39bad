<?php

declare(strict_types=1);

namespace Tradepost;

/** Messages to webhooks, which are signed as Standard Webhooks defines. */
final class WebhookMessage
{
    /** The seconds that the clocks may differ, and a message may be old. */
    private const TOLERANCE = 300;

    /**
     * Returns the event of a message.
     *
     * @param string $body The body exactly as it was received.
     * @param array<string, string|list<string>> $headers The names may have any case.
     * @param string|list<string> $secrets `whsec_…`, or several while a secret is replaced.
     * @param ?int $now The time in seconds since 1970, for tests.
     * @throws WebhookVerificationError
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        ?int $now = null,
    ): Event {
        $headers = array_change_key_case($headers);
        [$id, $timestamp, $signatures] = array_map(
            static function (string $name) use ($headers): string {
                $value = $headers[$name] ?? '';
                $text = is_array($value) ? ($value[0] ?? '') : $value;
                return $text !== '' ? $text : throw new WebhookVerificationError("The header $name is missing.");
            },
            ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
        );
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationError('The header webhook-timestamp is not a number of seconds.');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > self::TOLERANCE) {
            throw new WebhookVerificationError('The message is too old, or its time is in the future.');
        }
        if (!self::isSigned("$id.$timestamp.$body", explode(' ', $signatures), (array) $secrets)) {
            throw new WebhookVerificationError('No signature of the message matches the secret.');
        }
        $values = json_decode($body, true);
        if (!is_array($values) || !is_string($values['type'] ?? null)) {
            throw new WebhookVerificationError('The message is not an event.');
        }
        return Records\Events::from($values);
    }

    /**
     * @param list<string> $signatures
     * @param list<string> $secrets
     */
    private static function isSigned(string $content, array $signatures, array $secrets): bool
    {
        foreach ($secrets as $secret) {
            $encoded = str_starts_with($secret, 'whsec_') ? substr($secret, strlen('whsec_')) : $secret;
            $key = base64_decode($encoded, true);
            if ($key === false || $key === '') {
                throw new WebhookVerificationError('The secret is not valid: expected whsec_ and Base64.');
            }
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
            foreach ($signatures as $signature) {
                if (hash_equals($expected, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }
}
