<?php

declare(strict_types=1);

namespace Tradepost;

/** @internal The only object that has the token. */
final class Sender
{
    public const VERSION = '0.1.0';
    public const JSON = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;

    private readonly string $baseUrl;
    private readonly \CurlHandle $curl;

    /** @throws \InvalidArgumentException if the URL or the token is invalid */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string $token,
        private readonly ?string $erpName,
        private readonly int $tries,
        private readonly float $timeout,
        private readonly float $totalTimeout,
        private readonly ?string $caFile,
    ) {
        if (preg_match('~^https://[^/?#@\s]+(/[^?#\s]*)?$~Di', $baseUrl) !== 1) {
            // The message does not repeat the URL, which may contain a token.
            throw new \InvalidArgumentException(
                'baseUrl is invalid: expected a URL such as https://shop.example/v1',
            );
        }
        if (preg_match('/^[\x21-\x7e]+$/D', $token) !== 1) {
            throw new \InvalidArgumentException('token is invalid: expected an access token');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->curl = curl_init();
    }

    /**
     * Retries if that may help and the wait ends in time.
     *
     * @throws ApiError of the last try
     * @throws ConnectionError of the last try
     */
    public function send(Request $request): Response
    {
        $limit = $request->records === null ? $request->timeout ?? $this->timeout : INF;
        $end = $request->records === null
            ? self::now() + max($this->totalTimeout, $request->timeout ?? 0)
            : INF;
        for ($tries = 1; ; $tries++) {
            try {
                return $this->try($request, min($limit, $end - self::now()), $tries);
            } catch (TradepostError $error) {
                $wait = Retry::waitAfter($error, $tries);
                if ($wait === null || $tries >= $this->tries || self::now() + $wait >= $end) {
                    throw $error;
                }
                usleep((int) ($wait * 1e6));
            }
        }
    }

    private function try(Request $request, float $timeout, int $tries): Response
    {
        $milliseconds = $timeout === INF ? 0 : max(1, (int) ceil($timeout * 1000));
        $headers = [];
        curl_reset($this->curl);
        curl_setopt_array($this->curl, $this->options($request) + [
            CURLOPT_TIMEOUT_MS => $milliseconds,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_ENCODING => '',
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$headers): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $headers = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $headers[strtolower($name)] = trim($value);
                }
                return strlen($line);
            },
        ] + ($this->caFile === null ? [] : [CURLOPT_CAINFO => $this->caFile]));
        $text = curl_exec($this->curl);
        if (!is_string($text)) {
            $reason = curl_errno($this->curl) === CURLE_OPERATION_TIMEDOUT
                ? 'timed out after ' . $milliseconds / 1000 . ' s'
                : curl_error($this->curl);
            $message = $this->redact("No response from {$this->origin()}: $reason.");
            throw new ConnectionError($message, $tries, $request->idempotencyKey);
        }
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        $response = new Response($status, $headers, json_decode($text, true));
        $isEmpty = $status === 204;
        if ($isEmpty || (in_array($status, [200, 201, 202], true) && is_array($response->body))) {
            return $response;
        }
        throw $this->errorOf($response, $tries, $request->idempotencyKey);
    }

    /** @return array<int, mixed> */
    private function options(Request $request): array
    {
        $headers = [
            'Accept: application/json',
            // The token is in a header, so that no log of URLs contains it.
            "Authorization: Bearer $this->token",
            'Tradepost-Problems: true',
            // Otherwise curl waits for permission to send a large body.
            'Expect:',
        ];
        $optional = [
            'X-ERP-Name' => $this->erpName,
            'Idempotency-Key' => $request->idempotencyKey,
            'If-Match' => $request->ifMatch,
            'Tradepost-Simulate' => $request->simulate,
        ];
        foreach ($optional as $name => $value) {
            if ($value !== null) {
                $headers[] = "$name: " . str_replace(["\r", "\n"], ' ', $value);
            }
        }
        $query = array_map(self::text(...), array_filter($request->query, static fn ($value) => $value !== null));
        $url = $this->baseUrl . $request->path;
        $options = [
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_USERAGENT => 'tradepost-client-php/' . self::VERSION,
        ];
        if ($request->file !== null) {
            $options[CURLOPT_POSTFIELDS] = $query + [$request->fileField => self::named($request->file)];
        } elseif ($request->records !== null) {
            $stream = new LineStream(($request->records)());
            $headers[] = 'Content-Type: application/x-ndjson';
            $options[CURLOPT_UPLOAD] = true;
            $options[CURLOPT_READFUNCTION] = static fn ($curl, $file, int $length): string => $stream->read($length);
        } elseif ($request->json !== null) {
            $headers[] = 'Content-Type: application/json';
            $options[CURLOPT_POSTFIELDS] = json_encode($request->json, self::JSON);
        } elseif ($query !== []) {
            $url .= '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        }
        return $options + [CURLOPT_URL => $url, CURLOPT_HTTPHEADER => $headers];
    }

    /** Without a name, curl would send the path of the file. */
    private static function named(\CURLFile|\CURLStringFile $file): \CURLFile|\CURLStringFile
    {
        if ($file instanceof \CURLStringFile || $file->getPostFilename() !== '') {
            return $file;
        }
        $name = $file->getFilename();
        return new \CURLFile($name, $file->getMimeType() ?: 'application/octet-stream', basename($name));
    }

    /** Lists are sent in one value. */
    private static function text(mixed $value): string
    {
        return match (true) {
            is_array($value) => implode(',', array_map(self::text(...), $value)),
            is_string($value) => $value,
            default => json_encode($value, self::JSON),
        };
    }

    private function errorOf(Response $response, int $tries, ?string $idempotencyKey): ApiError
    {
        $body = is_array($response->body) ? $response->body : [];
        $message = is_string($body['message'] ?? null) ? $body['message'] : self::describe($response->status);
        $problems = array_filter(
            is_array($body['problems'] ?? null) ? $body['problems'] : [],
            static fn ($one): bool => is_string($one['field'] ?? null) && is_string($one['reason'] ?? null),
        );
        return new ApiError(
            $this->redact($message),
            $tries,
            $idempotencyKey,
            $response->status,
            $response->header('tradepost-error'),
            array_map(static fn (array $one): Problem => new Problem($one['field'], $one['reason']), array_values($problems)),
            $response->header('x-request-id'),
            Retry::readRetryAfter($response->header('retry-after'), time()),
        );
    }

    private static function describe(int $status): string
    {
        return $status >= 300 && $status < 400
            // A followed redirect would send the token to its target.
            ? 'The response is a redirect, which is not followed. Use the URL of the service itself.'
            : "Expected JSON, but got a response with status $status that is not the service’s.";
    }

    private function origin(): string
    {
        return implode('/', array_slice(explode('/', $this->baseUrl), 0, 3));
    }

    private function redact(string $text): string
    {
        return str_replace([$this->token, rawurlencode($this->token), urlencode($this->token)], '***', $text);
    }

    /** In seconds. */
    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** @return array<string, string> Without the token. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** @throws \LogicException */
    public function __serialize(): array
    {
        throw new \LogicException('A client cannot be serialized, because it has a token.');
    }
}
