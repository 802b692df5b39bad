<?php

declare(strict_types=1);

namespace Tradepost;

/** What the clients of both APIs share. Their methods are generated from the OpenAPI documents. */
abstract class Caller
{
    protected const PER_PAGE = 200;
    /** The seconds that sending a file may take. */
    protected const FILE_TIMEOUT = 600.0;

    private readonly Sender $sender;

    /**
     * @param string $baseUrl The service's URL with the path of the API, such as `https://shop.example/v1`.
     * @param ?string $erpName The company that makes the calling software. The merchant sees it next to the key.
     * @param int $tries How many times to send a request at most.
     * @param float $timeout The seconds that one try may take.
     * @param float $totalTimeout The seconds that a call may take, with all tries and waits.
     * @param ?string $caFile A file of certificates to trust instead of the system's, such as a self-signed one.
     * @throws \InvalidArgumentException if the URL or the token is invalid
     */
    final public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string $token,
        ?string $erpName = null,
        int $tries = 5,
        float $timeout = 30.0,
        float $totalTimeout = 120.0,
        ?string $caFile = null,
    ) {
        $this->sender = new Sender($baseUrl, $token, $erpName, $tries, $timeout, $totalTimeout, $caFile);
    }

    /**
     * Retries if that may help.
     *
     * @throws ApiError
     * @throws ConnectionError
     */
    final protected function call(Request $request): Response
    {
        return $this->sender->send($request);
    }

    /** Returns a random key, as a UUID. */
    final protected static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /**
     * Yields each record of all pages once, even if it moves to a later page.
     *
     * @template R of Record
     * @param class-string<R> $record
     * @param ?string $identity The field that tells a record from all others.
     * @return \Generator<int, R>
     */
    final protected function everyItem(Request $request, string $record, ?string $identity): \Generator
    {
        $seen = [];
        for ($next = []; $next !== null; $next = $response->next()) {
            $request = $request->withQuery($next);
            $response = $this->call($request);
            foreach ($response->body as $values) {
                $id = $identity === null ? null : $values[$identity];
                if ($id === null || !isset($seen[$id])) {
                    $seen[$id ?? ''] = true;
                    yield $record::from($values);
                }
            }
        }
    }

    /**
     * Yields each record of all pages. The member `$next` of a page is the `$parameter` of the next one.
     *
     * @template R of Record
     * @param class-string<R> $record
     * @return \Generator<int, R>
     */
    final protected function everyResult(Request $request, string $record, string $parameter, string $next): \Generator
    {
        do {
            $page = $this->call($request)->body;
            foreach ($page['results'] as $values) {
                yield $record::from($values);
            }
            $request = $request->withQuery([$parameter => $page[$next]]);
        } while ($page['more'] ?? $page[$next] !== null);
    }

    /**
     * Yields the pages up to the present.
     *
     * @template R of Record
     * @param class-string<R> $record
     * @return \Generator<int, R>
     */
    final protected function everyPage(Request $request, string $record, string $parameter, string $next): \Generator
    {
        do {
            $page = $this->call($request)->body;
            yield $record::from($page);
            $request = $request->withQuery([$parameter => $page[$next]]);
        } while ($page['more']);
    }
}
