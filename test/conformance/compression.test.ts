import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  zstd: (bytes) => zstdDecompressSync(bytes),
};

/** The encodings that the service may choose for each Accept-Encoding header. */
const negotiations: [header: string | undefined, best: string[]][] = [
  [undefined, ['identity']],
  ['', ['identity']],
  ['identity', ['identity']],
  ['gzip', ['gzip']],
  ['br', ['br']],
  ['zstd', ['zstd']],
  ['GZIP', ['gzip']],
  ['deflate', ['identity']],
  ['compress, x-unknown', ['identity']],
  ['gzip, deflate, br, zstd', ['zstd', 'br', 'gzip']],
  ['gzip, deflate, br', ['br', 'gzip']],
  ['gzip;q=1.0, br;q=0.5', ['gzip']],
  ['gzip;q=0.2,br;q=0.9, zstd;q=0.8', ['br']],
  ['gzip ; q=0.5 , zstd ; Q=0.1', ['gzip']],
  ['gzip;q=0', ['identity']],
  ['gzip;q=0, br;q=0.001', ['br']],
  ['identity, gzip;q=0.5', ['identity']],
  ['identity;q=0.5, gzip;q=0.4', ['identity']],
  ['identity;q=0.5, gzip;q=0.6', ['gzip']],
  ['identity;q=0, gzip', ['gzip']],
  ['*', ['zstd', 'br', 'gzip', 'identity']],
  ['*;q=0', ['identity']],
  ['gzip, *;q=0', ['gzip']],
  ['zstd;q=0, *', ['br', 'gzip', 'identity']],
  ['zstd;q=0, br;q=0, *;q=0.1', ['gzip', 'identity']],
  ['gzip;q=nonsense', ['identity', 'gzip']],
];

describe('compression', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
    const products = Array.from({ length: 60 }, (_, index) =>
      draft(`P${index}`, { title: `Töpfchen ${index}` }),
    );
    await importDrafts(service(), merchant, [products]);
  });
  const list = (
    acceptEncoding: string | undefined,
    method = 'GET',
    per_page = '50',
  ): Promise<ClientResponse> => {
    const headers: Record<string, string> =
      acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
    return service().request(method, `/products.json?access_token=${merchant.token}&per_page=${per_page}`, {
      headers,
    });
  };
  const encodingOf = ({ headers }: ClientResponse): string => headers['content-encoding'] ?? 'identity';
  const decoded = (response: ClientResponse): string =>
    String(decoders[encodingOf(response)]?.(response.bytes));

  for (const [header, best] of negotiations) {
    it(`200: Accept-Encoding ${header === undefined ? '(missing)' : `"${header}"`} gets ${best.join(' or ')}`, async () => {
      const plain = (await list(undefined)).text;
      // The third response comes from memory.
      for (let time = 0; time < 3; time += 1) {
        const response = await list(header);
        assert.ok(best.includes(encodingOf(response)), encodingOf(response));
        assert.equal(decoded(response), plain);
        assert.equal(Number(response.headers['content-length']), response.bytes.length);
        assert.equal(response.headers.vary, 'Accept-Encoding, Tradepost-Fields');
      }
    });
  }

  it('200: all encodings of a page share its weak ETag, and each gets 304', async () => {
    const etags = new Set<string>();
    for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
      const { headers } = await list(encoding);
      etags.add(String(headers.etag));
      const again = await service().request(
        'GET',
        `/products.json?access_token=${merchant.token}&per_page=50`,
        {
          headers: { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) },
        },
      );
      assert.equal(again.status, 304);
      assert.equal(again.headers['content-encoding'], undefined);
    }
    assert.equal(etags.size, 1);
  });

  it('200: HEAD reports the encoding and the length of the GET response', async () => {
    const [get, head] = [await list('br'), await list('br', 'HEAD')];
    assert.equal(head.bytes.length, 0);
    for (const header of ['content-encoding', 'content-length', 'vary', 'etag']) {
      assert.equal(head.headers[header], get.headers[header]);
    }
  });

  it('200: compresses only bodies larger than 1 KB, and sends Vary with all', async () => {
    const own = await service().newMerchant();
    const lengths = new Map<boolean, number[]>([
      [true, []],
      [false, []],
    ]);
    for (let length = 0; length < 400; length += 20) {
      await importDrafts(service(), own, [[draft('A', { title: 'a'.repeat(length) })]]);
      const url = `/products.json?access_token=${own.token}`;
      const plain = await service().request('GET', url);
      const response = await service().request('GET', url, { headers: { 'accept-encoding': 'gzip' } });
      assert.equal(response.headers.vary, 'Accept-Encoding, Tradepost-Fields');
      lengths.get(encodingOf(response) === 'gzip')?.push(plain.bytes.length);
    }
    const [compressed = [], plain = []] = [lengths.get(true), lengths.get(false)];
    assert.ok(plain.length > 0 && Math.max(...plain) <= 1024);
    assert.ok(compressed.length > 0 && Math.min(...compressed) > 1024);
  });

  it('400: compresses a long error too', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `unrecognized_parameter_${index}=1`).join('&');
    const response = await service().request(
      'GET',
      `/products.json?access_token=${merchant.token}&${names}`,
      {
        headers: { 'accept-encoding': 'gzip' },
      },
    );
    assert.equal(response.status, 400);
    assert.equal(response.headers['content-encoding'], 'gzip');
    assert.equal(response.headers.vary, 'Accept-Encoding');
    assert.match(decoded(response), /unrecognized_parameter_99/);
  });
});
