import assert from 'node:assert/strict';
import { PassThrough, type Readable } from 'node:stream';
import { it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { type FileRequest, openFileRequest } from '../../src/http/parameters/incoming-file.ts';
import { multipartFile } from '../support/imports.ts';

const CONTENT = 'identifier\nP-1\n';
const { body, headers } = multipartFile([['name', 'pots']], { content: CONTENT }, [['dry_run', '1']]);
const end = body.indexOf('\r\n--limit\r\nContent-Disposition: form-data; name="dry_run"');

async function open(stream: Readable): Promise<NonNullable<FileRequest['hold']>> {
  const { hold } = await openFileRequest({ body: stream, headers } as unknown as FastifyRequest);
  assert.ok(hold);
  return hold;
}

it('holds a file that arrives byte by byte in the given memory, with the fields around it', async () => {
  const stream = new PassThrough();
  for (const byte of body) stream.write(Buffer.of(byte));
  stream.end();
  const memory = Buffer.alloc(CONTENT.length);
  const { fields, file } = await (await open(stream))(memory, new AbortController().signal);
  assert.deepEqual(
    fields.map(({ name, text }) => [name, text]),
    [
      ['name', 'pots'],
      ['dry_run', '1'],
    ],
  );
  const received = await Array.fromAsync<Buffer>(file?.stream ?? []);
  assert.ok(received.every((chunk) => chunk.buffer === memory.buffer));
  assert.equal(Buffer.concat(received).toString(), CONTENT);
});

it('refuses a file that is larger than the memory before it has arrived', async () => {
  const stream = new PassThrough();
  stream.write(body.subarray(0, end - 1));
  const hold = await open(stream);
  const held = hold(Buffer.alloc(1), new AbortController().signal);
  await assert.rejects(held, { code: 'token_after_large_file' });
  assert.equal(stream.destroyed, false);
});

for (const when of ['before', 'while'] as const) {
  it(`refuses a file whose memory is withdrawn ${when} it arrives, and leaves the request open`, async () => {
    const stream = new PassThrough();
    stream.write(body.subarray(0, end - 1));
    const hold = await open(stream);
    const withdrawal = new AbortController();
    if (when === 'before') withdrawal.abort();
    const held = hold(Buffer.alloc(CONTENT.length), withdrawal.signal);
    withdrawal.abort();
    await assert.rejects(held, { code: 'overloaded' });
    assert.equal(stream.destroyed, false);
  });
}
