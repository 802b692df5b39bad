import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR, recordAudit } from '../../src/audit/record-audit.ts';
import { setStatusAsOperator } from '../../src/campaigns/change-campaign.ts';
import type { AuditList } from '../../src/console/console-api.ts';
import { runVerb, type WriteContext } from '../../src/database/write-context.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { createKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('the audit log', () => {
    const service = useService(engine);
    const page = async (client: ConsoleClient, query: string): Promise<AuditList> => {
      const response = await client.get(`/audit${query}`);
      assert.equal(response.status, 200, response.text);
      return response.json<AuditList>();
    };

    it('lists each entry once across pages, even while entries are added', async () => {
      const { id } = await service().newMerchant();
      const client = await signedIn(service(), { id });
      const record = (subject: string) =>
        runVerb(
          service(),
          { merchantId: id, who: OPERATOR },
          async (context: WriteContext) => recordAudit(context, { action: 'campaign.created', subject }),
          undefined,
        );
      for (let number = 1; number <= 7; number += 1) await record(String(number));
      const seen: (string | null)[] = [];
      let query = '?limit=3';
      for (let pages = 0; pages < 10; pages += 1) {
        const { entries, next } = await page(client, query);
        assert.ok(entries.length <= 3);
        seen.push(
          ...entries.map(({ subject, action }) => (action === 'campaign.created' ? subject : action)),
        );
        if (next === null) break;
        await record('later');
        query = `?limit=3&before=${next}`;
      }
      assert.deepEqual(seen.toSorted(), ['1', '2', '3', '4', '5', '6', '7', 'key.created', 'user.signed_in']);
      assert.match((await page(client, '')).entries[0]?.at ?? '', /^\d{4}-\d\d-\d\dT.*Z$/);
    });

    it('tells a key whose token the operator chose from one with a generated token', async () => {
      const { id } = await service().newMerchant();
      const key = { merchantId: id, name: 'ERP', expiresAt: null };
      await createKey(service(), { ...key, token: 'a-token-of-the-earlier-system' });
      const { entries } = await page(await signedIn(service(), { id }), '');
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
      const { entries } = await page(client, '');
      const user = entries.find(({ action }) => action === 'user.signed_in')?.who;
      const changes = entries
        .filter(({ action }) => action.startsWith('campaign.'))
        .map(({ who, action, subject }) => [who, action, subject]);
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

    it('400: invalid and unknown parameters', async () => {
      const client = await signedIn(service(), await service().newMerchant());
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'page=1']) {
        assert.equal((await client.get(`/audit?${query}`)).status, 400, query);
      }
    });
  });
});
