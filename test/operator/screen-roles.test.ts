import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { OperatorScope } from '../../src/api-keys/scopes.ts';
import { merchantUser } from '../../src/audit/record-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { OperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import type { OperatorRole } from '../../src/operators/role.ts';
import { changeWebhook, createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { operatorEndpoints } from './operator-endpoints.ts';

const roles = ['viewer', 'support', 'admin'] as const satisfies OperatorRole[];
const ofSupport: readonly OperatorScope[] = ['merchants', 'catalog', 'orders'];

forEachEngine((engine) => {
  describe('an operator with a session calls the operator API', () => {
    const service = useService(engine);
    const clients = new Map<OperatorRole, ConsoleClient>();
    const clientOf = (role: OperatorRole): ConsoleClient => clients.get(role) ?? assert.fail(role);

    before(async () => {
      // The first operator must be an admin.
      for (const role of roles.toReversed())
        clients.set(role, (await signedInOperator(service(), role)).client);
    });

    it('and is named in the audit logs of the operator and of the merchant', async () => {
      const { client, email, name } = await signedInOperator(service());
      const who = `${name} <${email}>`;
      const put = await client.request('PUT', '/operator/v1/merchants/named', { json: { name: 'Named' } });
      assert.equal(put.status, 201, put.text);
      const invited = await client.post('/operator/v1/merchants/named/users', { email: 'owner@example.com' });
      assert.equal(invited.status, 201, invited.text);
      const set = await client.request('PUT', '/operator/v1/metadata/colors', {
        json: { entries: ['Teal'] },
      });
      assert.equal(set.status, 200, set.text);
      const read = async (filter: Record<string, string>): Promise<OperatorAudit> => {
        const response = await client.get(`/audit?${new URLSearchParams(filter)}`);
        assert.equal(response.status, 200, response.text);
        return response.json<OperatorAudit>();
      };
      const named = { external_id: 'named', name: 'Named' };
      const expected = [
        ['metadata.changed', null],
        ['user.invited', named],
        ['merchant.created', named],
      ] as const;
      const own = await read({ who, limit: '3' });
      assert.deepEqual(
        own.entries.map(({ action, merchant }) => [action, merchant]),
        expected,
      );
      const older = await read({ who, limit: '3', before: own.next ?? assert.fail('no more entries') });
      const isOwn = (entry: OperatorAudit['entries'][number]) =>
        entry.who_kind === 'operator' && entry.who === who;
      assert.ok(older.entries.every((entry) => isOwn(entry) && entry.id < (own.next ?? '')));
      assert.deepEqual((await read({ limit: '3' })).entries, own.entries);
      const invitations = await read({ who, action: 'user.invited' });
      assert.deepEqual(invitations, { entries: own.entries.slice(1, 2), next: null });
      const [created] = (await read({ action: 'merchant.created' })).entries;
      assert.deepEqual(created, own.entries[2]);
      const token = await service().newOperatorToken();
      await service().operator('PUT', '/merchants/by-key', token, { json: { name: 'By key' } });
      const keys = await read({ kind: 'operator_key' });
      assert.equal(keys.entries[0]?.merchant?.external_id, 'by-key');
      assert.ok(keys.entries.every(({ who }) => /^op-\d+$/.test(who)));
      const made = await read({ kind: 'operator_key', action: 'merchant.created' });
      assert.ok(made.entries.every((entry) => entry.action === 'merchant.created'));
      assert.ok(!made.entries.some((entry) => entry.merchant?.external_id === 'named'));
      assert.equal((await read({ kind: 'command', who })).entries.length, 0);
    });

    it('with the authority of the operator: also campaigns that have expired', async () => {
      const merchant = await service().newMerchant();
      const json = { access_token: merchant.token, name: 'Spring', type: 'T' };
      const created = await service().request('POST', '/campaigns.json', { json });
      const { internal_id: id } = created.json<Campaign>();
      for (const state of ['Expired', 'Active']) {
        const path = `/operator/v1/merchants/${merchant.id}/campaigns/${id}/state`;
        const response = await clientOf('admin').request('PUT', path, { json: { state } });
        assert.equal(response.status, 200, response.text);
      }
    });

    it('which a merchant’s user does not have by name', async () => {
      const { id: merchantId } = await service().newMerchant();
      const who = merchantUser({ name: 'operator Ada', email: 'ada@example.com' });
      const caller = { ...service().webhooksOf(merchantId), who };
      const { id } = await runVerb(service(), caller, createWebhook, { url: 'https://shop.example/' });
      const row = await runVerb(service(), caller, changeWebhook, { id, enabled: false });
      assert.equal(row.disabled_reason, 'owner');
    });

    it('403: from another site, and 401: with the session of a merchant’s user, and in v1', async () => {
      const admin = clientOf('admin');
      const json = { name: 'Other' };
      const other = await admin.request('PUT', '/operator/v1/merchants/other', { json, site: 'cross-site' });
      assert.equal(other.status, 403, other.text);
      const user = await signedIn(service(), await service().newMerchant());
      assert.equal((await user.get('/operator/v1/merchants')).status, 401);
      assert.equal((await admin.get('/v1/products')).status, 401);
    });

    it('a token in the header counts instead of the session', async () => {
      const headers = { authorization: `Bearer ${await service().newOperatorToken(['events'])}` };
      const { status, message } = await clientOf('admin').request('GET', '/operator/v1/merchants', {
        headers,
      });
      assert.equal(status, 403);
      assert.match(message, /does not have the scope merchants/);
    });

    // What a role may call depends on no engine.
    if (engine !== sqlite) return;

    for (const { method, template, path, scope, sent = {} } of operatorEndpoints) {
      const reader = scope === 'orders' ? 'support' : 'viewer';
      const least = method === 'GET' ? reader : ofSupport.includes(scope) ? 'support' : 'admin';
      // Pages of other sites cannot send JSON either, but streams are for the back end.
      const isStream = sent.body !== undefined;

      it(`${method} ${template}: ${isStream ? 'not at all' : `from the role ${least} on`}`, async () => {
        for (const role of roles) {
          const { status, text } = await clientOf(role).request(method, `/operator/v1${path}`, sent);
          const isAllowed = !isStream && roles.indexOf(role) >= roles.indexOf(least);
          assert.equal(status === 403, !isAllowed, `${role}: ${status} ${text}`);
          assert.notEqual(status, 401, text);
        }
      });
    }
  });
});
