import assert from 'node:assert/strict';
import { readdir, readlink } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readProducts } from '../../src/products/files/read-products.ts';
import { fileWith, flatten, itemsOf, rejectionsOf } from '../files/fake-file.ts';

/** Resolves to the path of an open file; undefined if it has been closed. */
const linkOf = (descriptor: string) => readlink(`/proc/self/fd/${descriptor}`).catch(() => undefined);

describe('readProducts', () => {
  it('detects the format from the contents, for any name and with or without compression', async (t) => {
    const files = [
      ['ndjson', '\ufeff\n {"identifier":"A"}\r\n'],
      ['csv', '\ufeffidentifier;title\r\nA;Pot\r\n'],
      ['csv', 'Title,identifier\nPot,A\n'],
      ['shopify', '"Handle","Title"\nA,Pot\n'],
    ] as const;
    for (const [format, text] of files) {
      for (const contents of [text, gzipSync(text)]) {
        const file = await readProducts(await fileWith(t, contents, 'products.txt'));
        assert.equal(file.format, format);
        assert.deepEqual(
          itemsOf(await flatten(file.products)).map(({ identifier }) => identifier),
          ['A'],
        );
        assert.deepEqual(file.ignoredColumns(), text.startsWith('Title') ? ['Title'] : []);
      }
    }
  });

  it('reads the format that is given', async (t) => {
    const path = await fileWith(t, 'Handle,Title,identifier\nA,Pot,B\n');
    const file = await readProducts(path, { format: 'csv' });
    assert.deepEqual(
      itemsOf(await flatten(file.products)).map(({ identifier }) => identifier),
      ['B'],
    );
    const lines = await readProducts(path, { format: 'ndjson' });
    assert.equal(rejectionsOf(await flatten(lines.products)).length, 2);
  });

  it('can close a file that was never read, even twice', async (t) => {
    const path = await fileWith(t, 'identifier\nA\n');
    const countOpen = async () =>
      (await Promise.all((await readdir('/proc/self/fd')).map(linkOf))).filter((file) => file === path)
        .length;
    const file = await readProducts(path);
    assert.equal(await countOpen(), 1);
    await file.close();
    assert.equal(await countOpen(), 0);
    await file.close();
  });

  it('rejects a file that cannot contain products before it reads the rest', async (t) => {
    await assert.rejects(readProducts(await fileWith(t, 'name;title\n')), /Missing column "identifier"/);
    await assert.rejects(
      readProducts(await fileWith(t, '[{"identifier":"A"}]')),
      /A JSON array; expected one JSON object per line/,
    );
    await assert.rejects(readProducts(await fileWith(t, '')), /The file is empty/);
  });

  it('returns the products before the end of a truncated gzip file', async (t) => {
    const lines = Array.from(
      { length: 50_000 },
      (_, index) => `{"identifier":"P${index}","title":"${Math.sin(index)}"}\n`,
    );
    const packed = gzipSync(lines.join(''));
    const { products, totalBytes } = await readProducts(
      await fileWith(t, packed.subarray(0, packed.length / 2)),
    );
    assert.equal(totalBytes, Math.floor(packed.length / 2));
    let count = 0;
    await assert.rejects(
      async () => {
        for await (const batch of products) count += itemsOf(batch).length;
      },
      { name: 'UnusableFile', message: /truncated$/ },
    );
    assert.ok(count > 20_000 && count < 30_000, `${count} products`);
  });

  it('returns batches of at most 500, and reports its progress up to the size of the file', async (t) => {
    const text = 'identifier\n'.concat(Array.from({ length: 100_000 }, (_, index) => `P${index}\n`).join(''));
    const reports: number[] = [];
    const file = await readProducts(await fileWith(t, text), { onProgress: (bytes) => reports.push(bytes) });
    let seen = 0;
    for await (const batch of file.products) {
      assert.ok(batch.length <= 500);
      seen += batch.length;
    }
    assert.equal(seen, 100_000);
    assert.equal(reports.at(-1), file.totalBytes);
    assert.ok(reports.length > 2);
  });

  it('can be stopped early', async (t) => {
    const file = await readProducts(await fileWith(t, '{"identifier":"A"}\n'.repeat(100_000)));
    for await (const batch of file.products) {
      assert.equal(batch.length, 500);
      break;
    }
  });
});
