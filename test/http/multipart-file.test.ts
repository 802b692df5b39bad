import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { openMultipart } from '../../src/http/parameters/multipart-file.ts';
import { multipartFile } from '../support/imports.ts';
import { fc } from '../support/seed.ts';

const BOUNDARY = 'limit';
const similar = fc.constantFrom(
  '--',
  `--${BOUNDARY}`,
  `\r\n-${BOUNDARY}`,
  `\r\n--limi`,
  '\r\n',
  '\r',
  '-',
  'x',
);
const content = fc
  .array(similar, { maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => !`\r\n${text}\r\n`.includes(`\r\n--${BOUNDARY}`));
const fields = fc.array(fc.tuple(fc.constantFrom('name', 'dry_run'), content), { maxLength: 3 });

/** The body in pieces of the given sizes, over and over. */
function inPieces(body: Buffer, sizes: readonly number[]): Readable {
  const pieces: Buffer[] = [];
  for (let from = 0; from < body.length; from += pieces.at(-1)?.length ?? 0)
    pieces.push(body.subarray(from, from + (sizes[pieces.length % sizes.length] ?? 1)));
  return Readable.from(pieces, { objectMode: false });
}

it('reads the fields and the file as they were sent, however the body is split', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fields, content, fields, sizes, async (sent, text, after, pieces) => {
      const { body, headers } = multipartFile(sent, { name: 'pots.csv', content: text }, after);
      const opened = await openMultipart(inPieces(body, pieces), headers['content-type'] ?? '');
      assert.deepEqual(
        opened.fields.map((field) => [field.name, field.text]),
        sent,
      );
      assert.equal(opened.file?.name, 'pots.csv');
      const received = await Array.fromAsync<Buffer>(opened.file?.stream ?? []);
      assert.equal(Buffer.concat(received).toString(), text);
      assert.deepEqual(
        opened.file?.fieldsAfter.map((field) => [field.name, field.text]),
        after,
      );
    }),
    { numRuns: 500 },
  );
});

it('fails if the body ends too early, wherever that is', async () => {
  const { body, headers } = multipartFile([['name', 'x']], { content: 'identifier\nP' }, [['dry_run', '1']]);
  const type = headers['content-type'] ?? '';
  for (let end = 0; end < body.length - '\r\n'.length; end += 1) {
    const cut = body.subarray(0, end);
    await assert.rejects(async () => {
      const { file } = await openMultipart(inPieces(cut, [7]), type);
      await Array.fromAsync(file?.stream ?? []);
    }, /not valid multipart/);
  }
});
