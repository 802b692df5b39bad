import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { AuditList, SessionList } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/database.ts';
import type { OperatorLink, OperatorList, ScreenSession } from '../../src/operator/screen/screen-api.ts';
import type { OperatorRole } from '../../src/operators/role.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { invitedOperator, operatorClient, signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { enableTwoFactor } from '../support/totp.ts';

function expectRefusal(response: ClientResponse, status: number, message: RegExp): void {
  assert.equal(response.status, status, response.text);
  assert.match(response.message, message);
}

forEachEngine((engine) => {
  describe('sign-in to the operator’s screen', () => {
    const service = useService(engine);
    // Keeps the sign-ins of all tests together below the limit of attempts.
    beforeEach(() => service().passTime(61_000));

    const newClient = (): ConsoleClient => operatorClient(service());
    const invite = (role?: OperatorRole) => invitedOperator(service(), role);
    const signedIn = (role?: OperatorRole) => signedInOperator(service(), role);
    async function setPassword(token: string): Promise<void> {
      const response = await newClient().post('/auth/reset-password', { token, newPassword: PASSWORD });
      assert.equal(response.status, 200, response.text);
    }

    it('is by a link that sets a password once, and needs two-factor authentication', async () => {
      const { email, token } = await invite();
      const client = newClient();
      assert.deepEqual((await client.post('/password-links/check', { token })).json(), { valid: true });
      await setPassword(token);
      assert.deepEqual((await client.post('/password-links/check', { token })).json(), { valid: false });
      await client.signIn(email, PASSWORD);
      const session = (await client.get('/session')).json<ScreenSession>();
      assert.deepEqual([session.two_factor_missing, session.user.role], [true, 'admin']);
      expectRefusal(await client.get('/operators'), 403, /requires two-factor authentication/);
      await enableTwoFactor(client);
      assert.equal((await client.get('/session')).json<ScreenSession>().two_factor_missing, false);
      assert.equal((await client.get('/operators')).status, 200);
    });

    it('sets a cookie for the screen alone, that scripts and plain HTTP never get', async () => {
      const { email, token } = await invite();
      await setPassword(token);
      const response = await newClient().post('/auth/sign-in/email', { email, password: PASSWORD });
      const [cookie = ''] = response.headers['set-cookie'] ?? [];
      const [pair = '', ...attributes] = cookie.split('; ');
      assert.ok(pair.startsWith('__Secure-tradepost-operator.session_token='), pair);
      assert.deepEqual(attributes.toSorted(), [
        'HttpOnly',
        'Max-Age=43200',
        'Path=/operator',
        'SameSite=Lax',
        'Secure',
      ]);
      assert.equal(response.header('cache-control'), 'no-store');
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    });

    it('is apart from the console: neither the passwords, the links nor the sessions of one work in the other', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      expectRefusal(
        await newClient().post('/auth/sign-in/email', { email, password: PASSWORD }),
        401,
        /Incorrect/,
      );
      const { client, email: operator } = await signedIn();
      const atConsole = new ConsoleClient(service().client);
      const wrong = await atConsole.post('/auth/sign-in/email', { email: operator, password: PASSWORD });
      expectRefusal(wrong, 401, /Incorrect/);
      for (const [name, value] of client.cookies) {
        atConsole.cookies.set(name, value);
        atConsole.cookies.set(name.replace('__Secure-tradepost-operator', '__Host-tradepost'), value);
      }
      assert.equal((await atConsole.get('/session')).status, 401);
      assert.equal((await atConsole.get('/v1/products')).status, 401);
      const user = new ConsoleClient(service().client);
      await user.signIn(email);
      const atScreen = newClient();
      for (const [name, value] of user.cookies)
        atScreen.cookies.set(name.replace('__Host-tradepost', '__Secure-tradepost-operator'), value);
      assert.equal((await atScreen.get('/session')).status, 401);
      const { token } = await invite();
      const reset = await atConsole.post('/auth/reset-password', { token, newPassword: PASSWORD });
      assert.equal(reset.status, 400, reset.text);
    });

    it('lets viewers and support read operators, and admins change them', async () => {
      const { client: admin } = await signedIn();
      const json = { email: 'new@example.com', name: 'New', role: 'support' };
      for (const role of ['viewer', 'support'] as const) {
        const { client } = await signedIn(role);
        assert.equal((await client.get('/operators')).status, 200);
        expectRefusal(await client.post('/operators', json), 403, /^Only admins can do this\. You are /);
      }
      const invited = await admin.post('/operators', json);
      assert.equal(invited.status, 200, invited.text);
      assert.match(invited.json<OperatorLink>().set_password_url, /\/operator\/set-password\?token=/);
      const find = async (email: string) => {
        const { operators: all } = (await admin.get('/operators')).json<OperatorList>();
        return all.find((operator) => operator.email === email);
      };
      const { id, role } = (await find(json.email)) ?? assert.fail();
      assert.equal(role, 'support');
      assert.equal((await admin.post(`/operators/${id}`, { role: 'viewer' })).status, 200);
      assert.equal((await find(json.email))?.role, 'viewer');
      assert.equal((await admin.request('DELETE', `/operators/${id}`)).status, 200);
      assert.equal(await find(json.email), undefined);
      const audit = (await admin.get('/audit')).json<AuditList>();
      const [removed] = audit.entries;
      assert.deepEqual([removed?.action, removed?.subject], ['user.removed', 'New <new@example.com>']);
    });

    it('ends with the removal of the operator, and with a reset of two-factor authentication', async () => {
      const { client: admin } = await signedIn();
      const { client, email } = await signedIn('support');
      const { sessions } = (await client.get('/sessions')).json<SessionList>();
      assert.equal(sessions.length, 1);
      const { operators: all } = (await admin.get('/operators')).json<OperatorList>();
      const { id } = all.find((operator) => operator.email === email) ?? assert.fail();
      const reset = await admin.post(`/operators/${id}/reset`);
      assert.equal(reset.status, 200, reset.text);
      assert.equal((await client.get('/operators')).status, 401);
      assert.equal((await admin.request('DELETE', `/operators/${id}`)).status, 200);
      assert.equal((await client.get('/session')).status, 401);
    });

    it('a reset ends with the password: only the new link leads back', async () => {
      const { client: admin } = await signedIn();
      const { client, email } = await signedIn('support');
      const { operators: all } = (await admin.get('/operators')).json<OperatorList>();
      const { id } = all.find((operator) => operator.email === email) ?? assert.fail();
      const link = (await admin.post(`/operators/${id}/reset`)).json<OperatorLink>().set_password_url;
      assert.equal((await client.get('/session')).status, 401);
      const again = newClient();
      const refused = await again.post('/auth/sign-in/email', { email, password: PASSWORD });
      expectRefusal(refused, 401, /Incorrect/);
      await setPassword(new URL(link).searchParams.get('token') ?? '');
      await again.signIn(email);
    });

    it('a sign-in with the password alone begins no session once there is a second factor', async () => {
      const { email, token } = await invite();
      await setPassword(token);
      const client = newClient();
      const signingIn = client.post('/auth/sign-in/email', { email, password: PASSWORD });
      await service().database.transaction(async (connection) => {
        await connection.run(statement('UPDATE operators SET two_factor = 1 WHERE email = :email'), {
          email,
        });
      });
      await signingIn;
      assert.equal((await client.get('/session')).status, 401);
    });

    it('refuses requests of other sites', async () => {
      const { client } = await signedIn();
      const json = { email: 'other@example.com', name: 'Other', role: 'viewer' };
      const response = await client.request('POST', '/operators', { json, site: 'cross-site' });
      expectRefusal(response, 403, /own pages only/);
    });
  });
});
