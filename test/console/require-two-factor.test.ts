import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { codeOf } from '../support/totp.ts';

const CALLS = [
  ['GET', '/overview'],
  ['GET', '/activity'],
  ['GET', '/activity.csv'],
  ['GET', '/activity/products?id=x'],
  ['GET', '/products/history?identifier=P'],
  ['GET', '/v1/campaigns/history?internal_id=x'],
  ['GET', '/v1/orders/history?order_id=1'],
  ['POST', '/imports/undo', { import_id: 'x' }],
  ['GET', '/v1/performance/sales'],
  ['GET', '/v1/campaigns'],
  ['POST', '/v1/campaigns', { name: 'A', type: 'T' }],
  ['GET', '/products'],
  ['GET', '/products/counts'],
  ['GET', '/products/categories'],
  ['GET', '/v1/products/issues?identifier=P'],
  ['GET', '/v1/products/retrieve?internal_id=1'],
  ['GET', '/keys'],
  ['POST', '/keys', { name: 'ERP', expires_at: null }],
  ['POST', '/keys/1-1/rotate', { old_token_until: null }],
  ['POST', '/keys/1-1/revoke'],
  ['GET', '/shop'],
  ['POST', '/shop', { name: 'New' }],
  ['GET', '/notifications'],
  ['GET', '/views'],
  ['POST', '/views', { views: [] }],
  ['GET', '/product-columns'],
  ['POST', '/product-columns', { columns: [] }],
  ['POST', '/notifications', { keys_expiring: false }],
  ['GET', '/team'],
  ['POST', '/team', { email: 'vera@example.com', name: 'Vera', role: 'viewer' }],
  ['POST', '/team/two-factor', { required: false }],
  ['DELETE', '/team/x'],
  ['GET', '/sessions'],
  ['DELETE', '/sessions'],
  ['DELETE', '/sessions/x'],
  ['GET', '/passkeys'],
  ['POST', '/passkeys/x', { name: 'Laptop' }],
  ['DELETE', '/passkeys/x'],
  ['POST', '/auth/passkeys/options', { password: PASSWORD }],
  ['POST', '/imports?name=own', {}],
  ['GET', '/imports/x'],
  ['POST', '/auth/revoke-sessions', {}],
  ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'a new pass phrase' }],
  ['POST', '/auth/two-factor/disable', { password: PASSWORD }],
  ['POST', '/auth/two-factor/generate-backup-codes', { password: PASSWORD }],
] as const;

forEachEngine((engine) => {
  describe('a console that requires two-factor authentication', () => {
    const service = useService(engine, { environment: { REQUIRE_TWO_FACTOR: 'on' } });
    beforeEach(() => service().passTime(121_000));

    const ready = async (): Promise<{ email: string; client: ConsoleClient }> => {
      const { email } = await newUser(service(), await service().newMerchant());
      const client = new ConsoleClient(service().client);
      await client.signIn(email);
      return { email, client };
    };

    it('403: everything except setting it up and signing out, until it is set up', async () => {
      const { client } = await ready();
      for (const [method, path, json] of CALLS) {
        const response = await client.request(method, path, json === undefined ? {} : { json });
        assert.equal(response.status, 403, `${method} ${path}: ${response.text}`);
        assert.equal(
          response.message,
          'Your marketplace operator requires two-factor authentication. Set it up to continue.',
        );
      }
      assert.equal((await client.get('/session')).json<ConsoleSession>().two_factor_missing, true);
      assert.equal((await client.post('/auth/sign-out')).status, 200);
      assert.equal((await client.get('/session')).status, 401);
    });

    it('allows access once it is set up, and after each sign-in with a code', async () => {
      const { email, client } = await ready();
      const { totpURI } = (await client.post('/auth/two-factor/enable', { password: PASSWORD })).json<{
        totpURI: string;
      }>();
      assert.equal((await client.get('/overview')).status, 403);
      const verified = await client.post('/auth/two-factor/verify-totp', { code: codeOf(totpURI) });
      assert.equal(verified.status, 200, verified.text);
      assert.equal((await client.get('/session')).json<ConsoleSession>().two_factor_missing, false);
      assert.equal((await client.get('/overview')).status, 200);
      const other = new ConsoleClient(service().client);
      await other.signIn(email);
      const code = codeOf(totpURI, 1);
      assert.equal((await other.post('/auth/two-factor/verify-totp', { code })).status, 200);
      assert.equal((await other.get('/overview')).status, 200);
    });
  });
});

describe('a console that does not require two-factor authentication', () => {
  const service = useService(sqlite);

  it('does not report it as missing', async () => {
    const client = new ConsoleClient(service().client);
    await client.signIn((await newUser(service(), await service().newMerchant())).email);
    assert.equal((await client.get('/session')).json<ConsoleSession>().two_factor_missing, false);
  });
});
