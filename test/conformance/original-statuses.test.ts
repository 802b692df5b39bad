import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { everyEndpoint, takesLines } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { expectReplacedReset, HeldDatabase } from '../support/held-database.ts';
import { multipartFile, startFile } from '../support/imports.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const CSV = 'identifier,title\nP-1,Pot\n';

/** The token is a field of a form, where clients of the original API have it. */
const sendForm = (
  service: TestService,
  path: string,
  token: string,
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<ClientResponse> =>
  service.request('POST', path, { form: { access_token: token, ...form }, headers });

/** The token is in the header, and in the query too if `inBoth`. */
const sendBearer = (
  service: TestService,
  path: string,
  token: string,
  { inBoth = false, headers = {}, ...sent }: RequestOptions & { inBoth?: boolean } = {},
): Promise<ClientResponse> =>
  service.request('POST', `${path}?${new URLSearchParams(inBoth ? { access_token: token } : {})}`, {
    ...sent,
    headers: { ...headers, authorization: `Bearer ${token}` },
  });

forEachEngine((engine) => {
  const held = new HeldDatabase();
  const service = useService(engine, { wrap: (database) => held.wrap(database) });

  async function newReader({ id }: TestMerchant): Promise<string> {
    const key = { merchantId: id, name: 'reader', scopes: ['read'] as const, expiresAt: null };
    return (await createKey(service(), key)).token;
  }

  it('401: a key that may only read loses no write without a word; 403 with Authorization: Bearer', async () => {
    const token = await newReader(await service().newMerchant());
    const message =
      /^The key of this access_token does not have the scope (write|write or stock|campaigns|fulfillment|webhooks): /;
    for (const { method, path, query } of everyEndpoint) {
      if (method !== 'POST') continue;
      const fields: [string, string][] = Object.entries({ access_token: token, ...query });
      const isBatch = takesLines({ path });
      if (!isBatch) {
        expectError(await sendForm(service(), path, token, query), 401, message);
        expectError(await service().request('POST', path, { multipart: fields }), 401, message);
        expectError(await sendBearer(service(), path, token, { form: query }), 403, message);
      }
      expectError(
        await service().request('POST', `${path}?${new URLSearchParams(fields)}`, {
          json: isBatch ? [] : {},
        }),
        401,
        message,
      );
      expectError(
        await sendBearer(service(), path, token, { inBoth: true, json: isBatch ? [] : {} }),
        403,
        message,
      );
    }
    const upload = multipartFile([['access_token', token]], { name: 'p.csv', content: CSV });
    expectError(await service().request('POST', '/products/upload', upload), 401, message);
    const file = multipartFile([], { name: 'p.csv', content: CSV });
    expectError(await sendBearer(service(), '/products/upload', token, file), 403, message);
  });

  it('401: a live key cannot reset the test side; 403 with Authorization: Bearer', async () => {
    const { token } = await service().newMerchant();
    const message = /requires a test key/;
    expectError(await sendForm(service(), '/test/reset', token), 401, message);
    expectError(await sendBearer(service(), '/test/reset', token), 403, message);
  });

  it('400: a key whose first request is in progress; 409 with Authorization: Bearer', async () => {
    const { id, token } = await service().newMerchant();
    const form = { name: 'Spring', type: 'AuctionCampaign' };
    const headers = { 'idempotency-key': 'spring' };
    using hold = held.hold(id);
    const first = sendForm(service(), '/campaigns', token, form, headers);
    await held.reached;
    const message = /^Idempotency-Key: .* still in progress/;
    const refused = await sendForm(service(), '/campaigns', token, form, headers);
    expectError(refused, 400, message);
    assert.equal(refused.headers['retry-after'], '1');
    expectError(await sendBearer(service(), '/campaigns', token, { form, headers }), 409, message);
    hold.release();
    assert.equal((await first).status, 200);
  });

  it('400: a file while another one of the merchant arrives; 409 with Authorization: Bearer', async () => {
    const merchant = await service().newMerchant();
    const { token } = merchant;
    const file = multipartFile([], { name: 'p.csv', content: CSV });
    const message = /^Another file is being uploaded/;
    const sending = startFile(service(), merchant);
    sending.write('identifier,title\n');
    const uploads = join(service().config.dataDirectory, 'imports');
    await until(async () => (await readdir(uploads)).length > 0);
    const upload = multipartFile([['access_token', token]], { name: 'p.csv', content: CSV });
    const refused = await service().request('POST', '/products/upload', upload);
    expectError(refused, 400, message);
    assert.equal(refused.headers['retry-after'], '5');
    expectError(await sendBearer(service(), '/products/upload', token, file), 409, message);
    sending.destroy();
  });

  it('400: a reset that a later one replaces; 409 with Authorization: Bearer', async () => {
    for (const [status, send] of [
      [400, sendForm],
      [409, sendBearer],
    ] as const) {
      const merchant = await service().newMerchant();
      const { token } = await service().newTestKey(merchant);
      await expectReplacedReset(held, merchant, status, () => send(service(), '/test/reset', token));
    }
  });

  it('404: other statuses do not depend on where the token is', async () => {
    const { token } = await service().newMerchant();
    const form = { identifier: 'NONE' };
    assert.equal((await sendForm(service(), '/products/enable', token, form)).status, 404);
    assert.equal((await sendBearer(service(), '/products/enable', token, { form })).status, 404);
  });

  describe('with BUDGETS=import_bytes=10', () => {
    const limited = useService(engine, { environment: { BUDGETS: 'import_bytes=10' } });

    it('400: a file beyond a budget that does not renew; 409 with Authorization: Bearer', async () => {
      const { token } = await limited().newMerchant();
      const upload = multipartFile([['access_token', token]], { name: 'p.csv', content: CSV });
      const file = multipartFile([], { name: 'p.csv', content: CSV });
      const message = /^Budget import_bytes exceeded: /;
      expectError(await limited().request('POST', '/products/upload', upload), 400, message);
      expectError(await sendBearer(limited(), '/products/upload', token, file), 409, message);
    });
  });
});
