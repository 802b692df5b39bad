import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Import } from '../../src/imports/import-record.ts';
import { allProducts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { multipartFile, startFile, untilEnded } from '../support/imports.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
/** Files of 1 MiB that one network may have in memory. */
const MAX_HELD = 8;
const PATHS = ['/imports', '/imports.json', '/products/upload', '/products/upload.json'];
const CSV = 'identifier,title\nP-1,Pot\nP-2,Pan\n';
const TOO_LARGE =
  'The field file is larger than 1024 KiB and comes before the access_token: send the token in a field before the ' +
  'file, as a query parameter, or as “Authorization: Bearer TOKEN”.';

type Fields = [name: string, value: string][];

/** A file of this size with one product. */
const fileOf = (bytes: number): string => 'identifier,title\nP-1,Pot\n'.padEnd(bytes, '\n');

describe('fields after the file of an import', () => {
  const service = useService(sqlite, { environment: { MAX_UPLOAD: '3' } });

  interface Place {
    path?: string;
    query?: Record<string, string>;
    headers?: Record<string, string>;
    fieldsBefore?: Fields;
    name?: string;
  }

  /** Sends a file with these fields after it. */
  const send = (
    fields: Fields,
    content: string,
    { path = '/products/upload', query = {}, headers = {}, fieldsBefore = [], name = 'pots.csv' }: Place = {},
  ): Promise<ClientResponse> => {
    const file = multipartFile(fieldsBefore, { name, content }, fields);
    return service().request('POST', `${path}?${new URLSearchParams(query)}`, {
      body: file.body,
      headers: { ...file.headers, ...headers },
    });
  };
  const tokenOf = ({ token }: { token: string }): Fields[number] => ['access_token', token];
  const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
  const filesOf = (): Promise<string[]> => readdir(join(service().config.dataDirectory, 'imports'));
  const importsOf = async (merchant: TestMerchant): Promise<Import[]> =>
    (await service().get('/imports', merchant)).json<Import[]>();

  async function expectNothingStored(...merchants: TestMerchant[]): Promise<void> {
    await until(async () => (await filesOf()).length === 0);
    for (const merchant of merchants) {
      assert.deepEqual(await importsOf(merchant), []);
      assert.deepEqual(await allProducts(service(), merchant), []);
    }
  }

  /** Sends a file that does not end, and no token. */
  function startHeldFile(bytes = MIB): ClientRequest {
    const sending = startFile(
      service(),
      { token: '' },
      { 'content-type': 'multipart/form-data; boundary=limit', 'content-length': String(bytes) },
    );
    sending.write('--limit\r\nContent-Disposition: form-data; name="file"\r\n\r\nidentifier\n');
    return sending;
  }

  it('202: a published client sends the file first, then its token, template and other fields', async () => {
    for (const path of PATHS) {
      const merchant = await service().newMerchant();
      const fields: Fields = [tokenOf(merchant), ['template', 'product_upload_v2'], ['dry_run', 'false']];
      const response = await send(fields, CSV, { path });
      assert.equal(response.status, 202, response.text);
      const record = response.json<Import>();
      assert.deepEqual(
        [record.name, record.dry_run, record.bytes, record.created_by],
        ['pots.csv', false, CSV.length, `key ${merchant.keyId}`],
      );
      const { status, created } = await untilEnded(service(), merchant, record.id);
      assert.deepEqual([status, created], ['done', 2]);
    }
    await until(async () => (await filesOf()).length === 0);
  });

  it('template is ignored, whatever its value and its place', async () => {
    const merchant = await service().newMerchant();
    for (const value of ['', '0', 'Jewelry', '{"a":[1]}', 'x'.repeat(1_000)]) {
      for (const place of [
        { fieldsBefore: [tokenOf(merchant), ['template', value]] as Fields },
        { query: { access_token: merchant.token, template: value } },
      ]) {
        const response = await send([], CSV, place);
        assert.equal(response.status, 202, response.text);
        await untilEnded(service(), merchant, response.json<Import>().id);
      }
    }
  });

  it('fields after the file count, wherever the token is, and only with a late token the file is limited to 1 MiB', async () => {
    const merchant = await service().newMerchant();
    const fields: Fields = [
      ['name', 'café'],
      ['dry_run', '1'],
      ['template', ''],
    ];
    for (const [bytes, fieldsAfter, place] of [
      [2 * MIB, fields, { query: { access_token: merchant.token } }],
      [2 * MIB, fields, { headers: bearer(merchant) }],
      [2 * MIB, fields, { fieldsBefore: [tokenOf(merchant)] }],
      [2 * MIB, [...fields, tokenOf(merchant)], { headers: bearer(merchant) }],
      [MIB, [...fields, tokenOf(merchant)], {}],
      [MIB, [...fields, tokenOf(merchant)], { query: { access_token: '' } }],
    ] as [number, Fields, Place][]) {
      const response = await send(fieldsAfter, fileOf(bytes), place);
      assert.equal(response.status, 202, response.text);
      const record = response.json<Import>();
      assert.deepEqual([record.name, record.dry_run, record.bytes], ['café', true, bytes]);
      const { status, created } = await untilEnded(service(), merchant, record.id);
      assert.deepEqual([status, created], ['checked', 1]);
      await service().request('POST', `/imports/cancel?id=${record.id}`, { headers: bearer(merchant) });
    }
    assert.deepEqual(await allProducts(service(), merchant), []);
  });

  it('400: a file above 1 MiB before its token says where to send the token, announced or not', async () => {
    const merchant = await service().newMerchant();
    const content = fileOf(MIB + 1);
    expectError(await send([tokenOf(merchant)], content), 400, TOO_LARGE);
    const { body, headers } = multipartFile([], { content }, [tokenOf(merchant)]);
    const chunked = startFile(service(), { token: '' }, { ...headers, 'transfer-encoding': 'chunked' });
    chunked.end(body);
    const [response] = (await once(chunked, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 400);
    response.resume();
    await expectNothingStored(merchant);
    // A merchant that moves the token can send the file.
    assert.equal((await send([], content, { fieldsBefore: [tokenOf(merchant)] })).status, 202);
  });

  it('401: a wrong, revoked or missing token after the file, or one without the scope write, stores nothing', async () => {
    const merchant = await service().newMerchant();
    const key = { merchantId: merchant.id, name: 'reader', scopes: ['read'] as const, expiresAt: null };
    const { token: reader } = await createKey(service(), key);
    const invalid = 'The access_token is not valid: it is unknown, or it has been revoked or has expired.';
    for (const [fields, message] of [
      [[['access_token', 'wrong']], invalid],
      [[['access_token', '']], /^An access_token is required: /],
      [[['template', 'x']], /^An access_token is required: /],
      [[], /^An access_token is required: /],
      [[['access_token', reader]], /does not have the scope write/],
    ] as [Fields, string | RegExp][]) {
      expectError(await send(fields, CSV), 401, message);
      await expectNothingStored(merchant);
    }
  });

  it('400: an unknown or invalid field after the file stores nothing, wherever the token is', async () => {
    const merchant = await service().newMerchant();
    for (const [fields, message] of [
      [[['colour', 'red']], unrecognized('colour')],
      [[['dry_run', 'perhaps']], /^dry_run: expected true, false, 1 or 0, not "perhaps"/],
      [
        [
          ['name', 'a'],
          ['name', 'b'],
        ],
        /^name: given more than once, with different values/,
      ],
      [[['file', 'identifier\nP-3\n']], /field file twice/],
      [[['note', 'x'.repeat(70_000)]], /fields are larger than 64 KiB/],
      [Array.from({ length: 1_001 }, (): Fields[number] => ['name', 'a']), /more than 1,000 parameters/],
    ] as [Fields, string | RegExp][]) {
      expectError(await send([tokenOf(merchant), ...fields], CSV), 400, message);
      expectError(await send(fields, CSV, { headers: bearer(merchant) }), 400, message);
      expectError(await send(fields, CSV, { fieldsBefore: [tokenOf(merchant)] }), 400, message);
    }
    const named = { headers: bearer(merchant), fieldsBefore: [['name', 'a']] as Fields };
    expectError(await send([['name', 'b']], CSV, named), 400, /^name: given more than once/);
    const { body, headers } = multipartFile([], { content: CSV }, [tokenOf(merchant)]);
    const cut = { body: body.subarray(0, -12), headers };
    expectError(await service().request('POST', '/imports', cut), 400, /not valid multipart/);
    const epilogue = { body: Buffer.concat([body, Buffer.alloc(400 * 1024, 'x')]), headers };
    expectError(await service().request('POST', '/imports', epilogue), 400, /apart from the field file/);
    await expectNothingStored(merchant);
  });

  it('400: another merchant’s token after the file never changes whose import it is', async () => {
    const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
    const twice = /^access_token: given more than once, with different values/;
    expectError(await send([tokenOf(other)], CSV, { headers: bearer(merchant) }), 400, twice);
    expectError(await send([tokenOf(other)], CSV, { fieldsBefore: [tokenOf(merchant)] }), 400, twice);
    expectError(await send([tokenOf(other), tokenOf(merchant)], CSV), 400, twice);
    // A user of the console can send no multipart body.
    const console = await signedIn(service(), merchant);
    const sent = multipartFile([], { content: CSV }, [['template', '']]);
    assert.equal((await console.request('POST', '/v1/imports', sent)).status, 403);
    await expectNothingStored(merchant, other);
  });

  it('an Idempotency-Key stands for the same request wherever its fields are', async () => {
    const merchant = await service().newMerchant();
    const headers = { 'idempotency-key': 'A' };
    const fields: Fields = [['name', 'pots'], tokenOf(merchant)];
    const first = await send(fields, CSV, { headers });
    assert.equal(first.status, 202, first.text);
    await untilEnded(service(), merchant, first.json<Import>().id);
    assert.equal((await send(fields, CSV, { headers })).text, first.text);
    assert.equal((await send([], CSV, { headers, fieldsBefore: fields })).text, first.text);
    const inHeader = { ...headers, ...bearer(merchant) };
    assert.equal((await send([['name', 'pots']], CSV, { headers: inHeader })).text, first.text);
    const changed: Fields = [['name', 'pans'], tokenOf(merchant)];
    expectError(await send(changed, CSV, { headers }), 400, /different request/);
    assert.equal((await importsOf(merchant)).length, 1);
  });

  it('503: clients of one address without a token hold 8 MiB at most, which is free again when they disconnect', async () => {
    const merchant = await service().newMerchant();
    const statuses: (number | undefined)[] = [];
    const refused = 4;
    const sendings = Array.from({ length: MAX_HELD + refused }, () => {
      const sending = startHeldFile();
      sending.on('response', (response: IncomingMessage) => {
        statuses.push(response.statusCode);
        response.resume();
      });
      return sending;
    });
    await until(async () => statuses.length === refused);
    assert.deepEqual(statuses, Array(refused).fill(503));
    const late = await send([tokenOf(merchant)], fileOf(MIB));
    expectError(late, 503, 'The service is overloaded; try again shortly.');
    assert.equal(late.header('retry-after'), '2');
    // Whoever sends the token first needs none of this memory.
    const response = await send([], fileOf(MIB), { fieldsBefore: [tokenOf(merchant)] });
    assert.equal(response.status, 202, response.text);
    await untilEnded(service(), merchant, response.json<Import>().id);
    assert.equal(statuses.length, refused);
    for (const sending of sendings) sending.destroy();
    await until(async () => (await send([tokenOf(merchant)], fileOf(MIB))).status === 202);
    await until(async () => (await filesOf()).length === 0);
  });

  it('a small file takes as little of the memory as it needs, and gives it back with the response', async () => {
    const merchant = await service().newMerchant();
    const sendings = Array.from({ length: 100 }, () => startHeldFile(10_000));
    for (let count = 0; count < 3 * MAX_HELD; count += 1)
      expectError(await send([['access_token', 'wrong']], fileOf(MIB)), 401, /not valid/);
    for (const sending of sendings) sending.destroy();
    await expectNothingStored(merchant);
  });
});
