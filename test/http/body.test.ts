import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { acceptBodies } from '../../src/http/body.ts';
import { HttpError } from '../../src/http/errors.ts';
import type { Given } from '../../src/http/given.ts';
import { multipartBody } from '../support/client.ts';

let app: FastifyInstance;
let refused: unknown;
before(async () => {
  app = Fastify();
  acceptBodies(app);
  app.setErrorHandler(async (error, _request, reply) => {
    refused = error;
    return await reply.code(400).send('');
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: async (request) => JSON.stringify(request.body ?? []),
  });
  await app.ready();
});
after(() => app.close());

/** What is read of post data; undefined where it was refused. */
async function read(
  method: 'GET' | 'POST',
  contentType: string,
  payload: Buffer | string,
): Promise<Given[] | undefined> {
  const answer = await app.inject({ method, url: '/', headers: { 'content-type': contentType }, payload });
  return answer.statusCode === 200 ? JSON.parse(answer.payload) : undefined;
}

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'&=+%"\\;\'<>', 'é', '漢', '🏺', ' ', '--'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''));
const pairs = fc.array(fc.tuple(text, text), { maxLength: 5 });
const method = fc.constantFrom('GET', 'POST');

it('the same parameters come out of a form, of JSON and of multipart, on GET and on POST', async () => {
  await fc.assert(
    fc.asyncProperty(method, pairs, async (verb, sent) => {
      const form = await read(verb, 'application/x-www-form-urlencoded', String(new URLSearchParams(sent)));
      assert.deepEqual(
        form,
        sent.map(([name, value]) => ({ name, kind: 'text', text: value })),
      );
      const members = sent.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      const json = await read(verb, 'application/json', `{${members}}`);
      assert.deepEqual(
        json,
        sent.map(([name, value]) => ({ name, kind: 'string', text: value })),
      );
      const { body, contentType } = multipartBody(sent);
      assert.deepEqual(await read(verb, contentType, body), form);
    }),
    { numRuns: 200 },
  );
});

it('arbitrary bytes of whatever type are read or refused with a reason, and nothing else', async () => {
  const { contentType } = multipartBody([]);
  const types = fc.constantFrom(
    'application/x-www-form-urlencoded',
    'application/json',
    contentType,
    'multipart/form-data; boundary=a',
    'text/plain',
    'application/json; charset=',
    ';;;',
  );
  const start = fc.constantFrom(
    '',
    '{"a":',
    '--a\r\nContent-Disposition: form-data; name="b"\r\n\r\n',
    '--a--',
    '[',
  );
  await fc.assert(
    fc.asyncProperty(
      method,
      types,
      start,
      fc.uint8Array({ maxLength: 60 }),
      async (verb, type, head, bytes) => {
        refused = undefined;
        const given = await read(verb, type, Buffer.concat([Buffer.from(head), bytes]));
        if (given !== undefined) {
          assert.ok(Array.isArray(given));
          return;
        }
        const isOwn = refused instanceof HttpError && refused.status === 400;
        const isMediaType =
          refused instanceof Error && 'code' in refused && refused.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
        assert.ok(isOwn || isMediaType, String(refused));
      },
    ),
    { numRuns: 500 },
  );
});
