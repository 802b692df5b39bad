import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { NewToken } from '../../src/console/console-api.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine, { environment: { BUDGETS: 'keys=3,key_changes_per_day=6' } });
  const create = (client: ConsoleClient) => client.post('/keys', { name: 'ERP', expires_at: null });

  it('409: more active keys than the budget, even when they are created concurrently', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    // The merchant has one key from the start.
    const responses = await Promise.all(Array.from({ length: 5 }, () => create(client)));
    const created = responses.filter(({ status }) => status === 200);
    assert.equal(created.length, 2);
    const rejected = responses.find(({ status }) => status === 409);
    assert.equal(
      rejected?.message,
      'Budget keys exceeded: at most 3 active keys. Revoke a key first, or ask your marketplace operator for more.',
    );
    const { id } = created[0]?.json<NewToken>() ?? { id: '' };
    assert.equal((await client.post(`/keys/${id}/revoke`)).status, 200);
    assert.equal((await create(client)).status, 200);
    const other = await signedIn(service(), await service().newMerchant());
    assert.equal((await create(other)).status, 200);
  });

  it('429: more keys created or rotated per day than the budget', async () => {
    const client = await signedIn(service(), await service().newMerchant());
    const { id } = (await create(client)).json<NewToken>();
    const rotate = () => client.post(`/keys/${id}/rotate`, { old_token_until: null });
    for (let time = 0; time < 5; time += 1) assert.equal((await rotate()).status, 200);
    for (const rejected of [await rotate(), await create(client)]) {
      assert.equal(rejected.status, 429);
      assert.match(
        rejected.message,
        /^Budget key_changes_per_day exceeded: at most 6 keys created or rotated per day/,
      );
      assert.ok(Number(rejected.header('retry-after')) > 0);
    }
  });
});
