import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { testSideOf } from '../../src/database/sides.ts';
import type { Import } from '../../src/imports/import-record.ts';
import { findImport } from '../../src/imports/queries.ts';
import { lockActiveMerchant } from '../../src/merchants/suspension.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser } from '../support/console.ts';
import { IMPORT_TIMEOUT_MS } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { postFile } from '../support/imports.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MESSAGE = 'Your marketplace operator has suspended the account.';
const CALLS = [
  ['GET', '/overview'],
  ['GET', '/products'],
  ['GET', '/v1/products/retrieve?internal_id=1'],
  ['GET', '/v1/campaigns'],
  ['POST', '/v1/campaigns', { name: 'A', type: 'T' }],
  ['GET', '/v1/performance/sales'],
  ['GET', '/keys'],
  ['POST', '/keys', { name: 'ERP', expires_at: null }],
  ['GET', '/activity'],
  ['GET', '/products/history?identifier=P'],
  ['GET', '/v1/campaigns/history?internal_id=x'],
  ['GET', '/imports'],
  ['POST', '/imports/undo', { import_id: 'x' }],
  ['POST', '/imports?name=own', {}],
  ['GET', '/sessions'],
] as const;

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });
  const setState = async ({ id }: TestMerchant, state: string): Promise<void> => {
    const response = await service().operator('PUT', `/merchants/${id}`, token, { json: { state } });
    assert.equal(response.status, 200, response.text);
  };

  describe('a suspended merchant', () => {
    it('cannot be written on either side, and another merchant’s suspension changes nothing', async () => {
      const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
      await service().newTestKey(merchant);
      const check = async (id: number, isSuspended: boolean): Promise<void> => {
        const locked = service().database.transaction((connection) => lockActiveMerchant(connection, id));
        await (isSuspended ? assert.rejects(locked, { code: 'account_suspended' }) : locked);
      };
      for (const [state, expected] of [
        ['suspended', true],
        ['active', false],
      ] as const) {
        await setState(merchant, state);
        await check(merchant.id, expected);
        await check(testSideOf(merchant.id), expected);
        await check(other.id, false);
      }
    });

    it('403: its console, which says why, until it is active again; users can sign in and out', async () => {
      service().passTime(61_000);
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const client = new ConsoleClient(service().client);
      await client.signIn(email);
      assert.equal((await client.get('/session')).json<ConsoleSession>().suspended, false);
      await setState(merchant, 'suspended');
      for (const [method, path, json] of CALLS) {
        const response: ClientResponse = await client.request(
          method,
          path,
          json === undefined ? {} : { json },
        );
        assert.deepEqual([response.status, response.message], [403, MESSAGE], `${method} ${path}`);
      }
      assert.equal((await client.get('/session')).json<ConsoleSession>().suspended, true);
      assert.equal((await client.post('/auth/sign-out')).status, 200);
      await client.signIn(email);
      assert.equal((await client.get('/session')).json<ConsoleSession>().suspended, true);
      await setState(merchant, 'active');
      assert.equal((await client.get('/overview')).status, 200);
    });

    it('has no import in progress: it stops, keeps what it has imported, and says why', async () => {
      const merchant = await service().newMerchant();
      const rows = Array.from({ length: 60_000 }, (_, index) => `P-${index}`).join('\n');
      const posted = await postFile(service(), merchant, `identifier\n${rows}\n`);
      assert.equal(posted.status, 202, posted.text);
      const { id } = posted.json<Import>();
      const count = async (): Promise<number> =>
        (await service().get('/products', merchant, { pagination: 'true', per_page: '1' })).json<{
          total_entries: number;
        }>().total_entries;
      await until(async () => (await count()) > 0, { timeoutMs: IMPORT_TIMEOUT_MS, intervalMs: 20 });
      await setState(merchant, 'suspended');
      const ended = await until(
        async () => {
          const row = await service().database.first(findImport, { merchantId: merchant.id, id });
          return row?.state !== 'importing' && row;
        },
        { timeoutMs: IMPORT_TIMEOUT_MS },
      );
      assert.deepEqual(
        [ended.state, ended.failure],
        ['failed', `${MESSAGE} The rows before that are in the catalog.`],
      );
      assert.equal((await postFile(service(), merchant, 'identifier\nP-1\n')).status, 401);
      await setState(merchant, 'active');
      const imported = await count();
      assert.ok(imported > 0 && imported < 60_000, String(imported));
      assert.equal((await postFile(service(), merchant, 'identifier\nP-1\n')).status, 202);
    });
  });
});
