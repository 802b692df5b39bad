import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createCompressor } from '../../src/shared/compression.ts';
import { RenderedJson } from '../../src/shared/rendered-json.ts';
import { fc } from '../support/seed.ts';

const encodings = {
  identity: (bytes: Buffer) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
} as const;

describe('rendered JSON', () => {
  it('is the same in every encoding', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const rendered = RenderedJson.of(value);
        const expected = JSON.stringify(value);
        for (const [encoding, decompress] of Object.entries(encodings)) {
          const bytes = await rendered.encoded(encoding as keyof typeof encodings);
          assert.equal(String(decompress(bytes)), expected, encoding);
        }
        assert.equal(rendered.length, Buffer.byteLength(expected));
      }),
      { numRuns: 30 },
    );
  });

  it('is compressed once', async () => {
    const rendered = RenderedJson.of({ name: 'Desk' });
    assert.equal(await rendered.encoded('gzip'), await rendered.encoded('gzip'));
  });

  it('has a weak ETag that differs if the bytes differ', () => {
    const one = RenderedJson.of({ stock: 1 });
    assert.match(one.etag, /^W\/"[\w-]{27}"$/);
    assert.equal(one.etag, RenderedJson.of({ stock: 1 }).etag);
    assert.notEqual(one.etag, RenderedJson.of({ stock: 2 }).etag);
    assert.equal(new RenderedJson(Buffer.from('{}'), 'W/"given"').etag, 'W/"given"');
  });
});

it('a stream is compressed into what the same decompressor reads', async () => {
  const text = 'stock and prices, '.repeat(10_000);
  for (const encoding of ['gzip', 'br', 'zstd'] as const) {
    const compressed = await buffer(Readable.from([text]).pipe(createCompressor(encoding)));
    assert.equal(String(encodings[encoding](compressed)), text, encoding);
  }
});
