import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { setStatusAsOperator } from '../../src/campaigns/change-campaign.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { auditLogOf, whoOf } from '../support/audit.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { createKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('the audit log', () => {
    const service = useService(engine);

    it('tells a key whose token the operator chose from one with a generated token', async () => {
      const { id } = await service().newMerchant();
      const key = { merchantId: id, name: 'ERP', expiresAt: null };
      await createKey(service(), { ...key, token: 'a-token-of-the-earlier-system' });
      const entries = await auditLogOf(service(), await signedIn(service(), { id }));
      const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('key.'));
      // Entries of the same millisecond have no order.
      assert.deepEqual(actions.toSorted(), ['key.created', 'key.imported']);
    });

    it('has an entry for each change of a campaign, with an API key, in the console, and by the operator', async () => {
      const merchant = await service().newMerchant();
      const { id, keyId, token } = merchant;
      const post = async (path: string, members: object): Promise<string> => {
        const json = { access_token: token, ...members };
        const response = await service().request('POST', path, { json });
        assert.equal(response.status, 200, response.text);
        return response.json<{ internal_id: string }>().internal_id;
      };
      const internal_id = await post('/campaigns', { name: 'Spring', type: 'T' });
      await post('/campaigns/update', { internal_id, name: 'Summer', bid_amount: 2 });
      await post('/campaigns/update', { internal_id, name: 'Summer' });
      for (const action of ['pause', 'pause', 'resume']) await post(`/campaigns/${action}`, { internal_id });
      const client = await signedIn(service(), { id });
      assert.equal((await client.post('/v1/campaigns/pause', { internal_id })).status, 200);
      for (const status of ['Lifetime Budget Exhausted', 'Expired'] as const) {
        const caller = { merchantId: id, who: OPERATOR };
        await runVerb(service(), caller, setStatusAsOperator, { id: internal_id, status });
      }
      const entries = await auditLogOf(service(), client);
      const user = entries.find(({ action }) => action === 'user.signed_in')?.who;
      const changes = entries
        .filter(({ action }) => action.startsWith('campaign.'))
        .map(({ action, subject, ...by }) => [whoOf(by), action, subject]);
      // Entries of the same millisecond have no order.
      assert.deepEqual(
        changes.toSorted(),
        [
          ['operator', 'campaign.ended', 'Summer'],
          ['operator', 'campaign.changed', 'Summer: status Lifetime Budget Exhausted'],
          [user, 'campaign.paused', 'Summer'],
          [`key ${keyId}`, 'campaign.resumed', 'Summer'],
          [`key ${keyId}`, 'campaign.paused', 'Summer'],
          [`key ${keyId}`, 'campaign.changed', 'Spring: name Summer, bid_amount 2'],
          [`key ${keyId}`, 'campaign.created', 'Spring'],
        ].toSorted(),
      );
    });
  });
});
