import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { OperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import type { ScreenSession } from '../../src/operator/screen/screen-api.ts';
import type { ClientResponse } from '../support/client.ts';
import type { ConsoleClient } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { startTestService, useService } from '../support/service.ts';

const change = (client: ConsoleClient, json: object): Promise<ClientResponse> =>
  client.request('PUT', '/operator/v1/marketplace', { json });
/** The marketplace's name that pages show, and BRAND_NAME. */
const namesOf = async (client: ConsoleClient): Promise<unknown[]> => {
  const { marketplace, brand_name } = (await client.get('/session')).json<ScreenSession>();
  return [marketplace.name, brand_name];
};

forEachEngine((engine) => {
  const service = useService(engine);
  let admin: ConsoleClient;
  before(async () => {
    ({ client: admin } = await signedInOperator(service()));
  });
  const put = (json: object, client = admin): Promise<ClientResponse> => change(client, json);
  const changes = async (): Promise<(string | null)[]> =>
    (await admin.get('/audit'))
      .json<OperatorAudit>()
      .entries.filter(({ action }) => action === 'marketplace.changed')
      .map(({ subject }) => subject);

  describe('the marketplace’s settings', () => {
    it('have defaults if the first operator was invited by command, and each can be changed', async () => {
      const unnamed = { name: 'Tradepost', time_zone: 'UTC', currency: 'USD', is_set: false };
      assert.deepEqual((await admin.get('/operator/v1/marketplace')).json(), unnamed);
      const changed = await put({ name: 'Alpine Market', currency: 'EUR' });
      assert.deepEqual(changed.json(), { ...unnamed, name: 'Alpine Market', currency: 'EUR', is_set: true });
      const moved = { name: 'Alpine Market', time_zone: 'Europe/Vienna', currency: 'EUR' };
      assert.deepEqual((await put({ time_zone: 'Europe/Vienna' })).json(), { ...moved, is_set: true });
      assert.deepEqual((await admin.get('/session')).json<ScreenSession>().marketplace, {
        ...moved,
        is_set: true,
      });
      assert.equal((await put(moved)).status, 200);
      assert.deepEqual(await changes(), ['Alpine Market, Europe/Vienna, EUR', 'Alpine Market, UTC, EUR']);
    });

    it('have a name that pages show', async () => {
      await put({ name: 'Alpine Market' });
      assert.deepEqual(await namesOf(admin), ['Alpine Market', null]);
    });

    it('are left alone by a wrong value, which the response names', async () => {
      const before = (await admin.get('/operator/v1/marketplace')).text;
      const wrong = await put({ name: '42', time_zone: 'Mars/Base', currency: 'XXQ' });
      assert.equal(wrong.status, 400);
      for (const part of ['"42" looks like an id', '"Mars/Base"', '"XXQ"'])
        assert.ok(wrong.message.includes(part), wrong.message);
      assert.match((await put({ name: 'a'.repeat(100).padEnd(101, 'b') })).message, /name/);
      assert.equal((await admin.get('/operator/v1/marketplace')).text, before);
    });

    it('are read by all operators, and changed by admins', async () => {
      for (const role of ['viewer', 'support'] as const) {
        const { client } = await signedInOperator(service(), role);
        assert.equal((await client.get('/operator/v1/marketplace')).status, 200);
        assert.equal((await put({ name: 'Mine' }, client)).status, 403);
      }
    });
  });
});

it('BRAND_NAME replaces the name that pages show, which the session says', async () => {
  await using branded = await startTestService(sqlite, { environment: { BRAND_NAME: 'Vases & Co' } });
  const { client } = await signedInOperator(branded);
  const changed = await change(client, { name: 'Alpine Market' });
  assert.equal(changed.json<ScreenSession['marketplace']>().name, 'Alpine Market');
  assert.deepEqual(await namesOf(client), ['Vases & Co', 'Vases & Co']);
});
