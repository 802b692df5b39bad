import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { gunzip } from '../../src/files/gunzip.ts';
import { openFile } from '../../src/files/open-file.ts';
import { UnusableFile } from '../../src/files/parsed.ts';
import { fc } from '../support/seed.ts';
import { chunked, fileWith } from './fake-file.ts';

async function read(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const noise = (bytes: number): Buffer => {
  const contents = Buffer.alloc(bytes);
  for (let index = 0, seed = 1; index < bytes; index++) {
    seed = (seed * 48271) % 2147483647;
    contents[index] = (seed % 250) + 1;
  }
  return contents;
};

describe('openFile', () => {
  it('reads a gzip file that unpacks to its limit, and none that unpacks to more', async (t) => {
    const contents = noise(3 * 1024 * 1024);
    const path = await fileWith(t, gzipSync(contents));
    const readUpTo = async (maximumBytes: number) =>
      await read((await openFile(path, { maximumBytes })).text);
    assert.ok((await readUpTo(contents.length)).equals(contents));
    await assert.rejects(readUpTo(contents.length - 1), {
      name: 'UnusableFile',
      message: `${path}: The file unpacks to more than the limit of 2 MB`,
    });
  });

  it('returns the whole text, and reports the bytes of the file as it reads them', async (t) => {
    const contents = noise(700_000);
    const reports: number[] = [];
    const file = await openFile(await fileWith(t, contents), {
      onProgress: (bytes) => reports.push(bytes),
    });
    assert.deepEqual(await read(file.text), contents);
    assert.equal(file.totalBytes, contents.length);
    assert.ok(file.start.length >= 64 * 1024 && contents.indexOf(file.start) === 0);
    assert.deepEqual(reports, [262_144, 524_288, 700_000]);
  });

  it('unpacks gzip regardless of the file name, and counts the packed bytes', async (t) => {
    const contents = Buffer.from('identifier,title\n'.repeat(50_000));
    const packed = gzipSync(contents);
    let reported = 0;
    const file = await openFile(await fileWith(t, packed, 'plain.csv'), {
      onProgress: (bytes) => {
        reported = bytes;
      },
    });
    assert.deepEqual(await read(file.text), contents);
    assert.equal(reported, packed.length);
    assert.equal(file.totalBytes, packed.length);
  });

  it('omits a UTF-8 byte order mark', async (t) => {
    const file = await openFile(await fileWith(t, '\ufeffidentifier\n'));
    assert.equal(file.start.toString(), 'identifier\n');
    assert.equal((await read(file.text)).toString(), 'identifier\n');
  });

  it('takes a file for UTF-16 only if it begins with a whole UTF-16 byte order mark', async (t) => {
    for (const bytes of [
      [0xfe, 0x61],
      [0xff, 0x61],
      [0x61, 0xff],
      [0x61, 0xfe],
      [0xef, 0xbb],
    ]) {
      const file = await openFile(await fileWith(t, Buffer.from(bytes)));
      assert.deepEqual([...(await read(file.text))], bytes);
    }
    const bigEndian = Buffer.from([0xfe, 0xff, 0, 0x61]);
    await assert.rejects(openFile(await fileWith(t, bigEndian)), /Not UTF-8 text but UTF-16/);
  });

  it('returns the text before damaged gzip data, and then reports the damage', async (t) => {
    const contents = noise(900_000);
    const packed = gzipSync(contents);
    const damaged = Buffer.from(packed);
    damaged.fill(0xff, 500_000, 500_100);
    for (const [bytes, message] of [
      [packed.subarray(0, 500_000), /The gzip data is truncated$/],
      [packed.subarray(0, -4), /The gzip data is truncated$/],
      [damaged, /The gzip data is damaged/],
    ] as const) {
      const file = await openFile(await fileWith(t, bytes));
      const got: Buffer[] = [];
      await assert.rejects(
        async () => {
          for await (const chunk of file.text) got.push(chunk);
        },
        { name: 'UnusableFile', message },
      );
      const delivered = Buffer.concat(got);
      assert.ok(delivered.length > 400_000, `${delivered.length} bytes came`);
      if (bytes !== damaged) assert.deepEqual(delivered, contents.subarray(0, delivered.length));
    }
  });

  it('reports why a file cannot be read', async (t) => {
    const cases: [string | Buffer, RegExp][] = [
      ['', /The file is empty$/],
      ['\ufeff', /The file is empty$/],
      [gzipSync(''), /The file is empty$/],
      [Buffer.from('\ufeffidentifier\n', 'utf16le'), /Not UTF-8 text but UTF-16; save the file as UTF-8$/],
      [Buffer.from('identifier\n', 'utf16le'), /Not UTF-8 text, .* NUL bytes; save the file as UTF-8$/],
      [Buffer.from('PK\x03\x04…xl/workbook.xml', 'latin1'), /The workbook is damaged or incomplete \(.*\)$/],
      [Buffer.from([0x1f, 0x8b, 0x08]), /The gzip data is truncated/],
      [Buffer.from([0x1f, 0x8b, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9]), /gzip data is damaged/],
    ];
    for (const [contents, message] of cases) {
      const path = await fileWith(t, contents);
      await assert.rejects(openFile(path), (error) => {
        assert.ok(error instanceof UnusableFile && error.message.startsWith(`${path}: `));
        assert.match(error.message, message);
        return true;
      });
    }
    await assert.rejects(
      openFile('/nowhere/at/all.csv'),
      /^UnusableFile: \/nowhere\/at\/all.csv: File not found$/,
    );
    const plain = await fileWith(t, 'identifier\n');
    await assert.rejects(openFile(`${plain}/below`), /File not found$/);
    await assert.rejects(openFile(tmpdir()), /A directory; expected a file$/);
  });
});

describe('gunzip', () => {
  it('returns the same text for any chunks of the packed bytes, even with several members', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 2000 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(400), { minLength: 1 }),
        async (texts, sizes) => {
          const packed = Buffer.concat(texts.map((one) => gzipSync(one)));
          assert.equal(
            (await read(gunzip('x', chunked(packed, sizes)))).toString(),
            Buffer.from(texts.join('')).toString(),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('passes on the output of a chunk before it reads the next, so a ratio of 1000 to 1 does no harm', async () => {
    const packed = gzipSync(Buffer.alloc(50 * 1024 * 1024, 'a'));
    let total = 0;
    let atOnce = 0;
    let most = 0;
    async function* source(): AsyncGenerator<Buffer> {
      for await (const piece of chunked(packed, [16 * 1024])) {
        atOnce = 0;
        yield piece;
      }
    }
    for await (const chunk of gunzip('x', source())) {
      total += chunk.length;
      atOnce += chunk.length;
      most = Math.max(most, atOnce);
    }
    assert.equal(total, 50 * 1024 * 1024);
    assert.ok(most <= 17 * 1024 * 1024, `${most} bytes at once`);
  });
});
