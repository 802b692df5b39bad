import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { SessionList } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import type { OperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import type { OperatorLink, OperatorList, ScreenSession } from '../../src/operator/screen/screen-api.ts';
import type { OperatorRole } from '../../src/operators/role.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { invitedOperator, operatorClient, signedInOperator } from '../support/operators.ts';
import { startTestService, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { enableTwoFactor } from '../support/totp.ts';

function expectRefusal(response: ClientResponse, status: number, message: RegExp): void {
  assert.equal(response.status, status, response.text);
  assert.match(response.message, message);
}

const setBeginning = statement<{ userId: string; time: number }, never>(
  'UPDATE user_sessions SET created_at = :time WHERE user_id = :userId',
);

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
      assert.deepEqual((await client.post('/password-links/check', { token })).json(), {
        valid: true,
        joins: null,
      });
      await setPassword(token);
      assert.deepEqual((await client.post('/password-links/check', { token })).json(), {
        valid: false,
        joins: null,
      });
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

    it('ends twelve hours later, even if it is used', async () => {
      const { client } = await signedIn();
      const { user } = (await client.get('/session')).json<ScreenSession>();
      const beginAt = (time: number) =>
        service().database.transaction((connection) =>
          connection.run(setBeginning, { time, userId: user.id }),
        );
      await beginAt(service().now() - 11 * 60 * 60 * 1000);
      assert.equal((await client.get('/session')).status, 200);
      await beginAt(service().now() - 13 * 60 * 60 * 1000);
      assert.equal((await client.get('/session')).status, 401);
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
      assert.match(invited.json<OperatorLink>().set_password_url, /\/operator\/set-password#token=/);
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
      const audit = (await admin.get('/audit')).json<OperatorAudit>();
      const [removed] = audit.entries;
      assert.deepEqual([removed?.action, removed?.subject], ['user.removed', 'New <new@example.com>']);
    });

    it('an admin who is removed meanwhile changes nothing after that, and one of two admins stays', async () => {
      const idsOf = async ({ client }: { client: ConsoleClient }) => {
        const { operators } = (await client.get('/operators')).json<OperatorList>();
        return new Map(operators.map(({ email, id }) => [email, id]));
      };
      for (let round = 0; round < runs(3); round += 1) {
        service().passTime(61_000);
        const [remover, removed] = [await signedIn(), await signedIn()];
        const ids = await idsOf(remover);
        const json = { email: `meanwhile${round}@example.com`, name: 'Meanwhile', role: 'admin' };
        const [removal, invitation] = await Promise.all([
          remover.client.request('DELETE', `/operators/${ids.get(removed.email)}`),
          removed.client.post('/operators', json),
        ]);
        assert.equal(removal.status, 200, removal.text);
        const { entries } = (await remover.client.get('/audit')).json<OperatorAudit>();
        const place = (action: string, email: string): number =>
          entries.findIndex((entry) => entry.action === action && entry.subject?.includes(email));
        // The newest comes first.
        if (invitation.status === 200)
          assert.ok(place('user.invited', json.email) > place('user.removed', removed.email));
        else assert.equal(invitation.status, 401, invitation.text);

        const other = await signedIn();
        const both = await idsOf(remover);
        const removals = await Promise.all([
          remover.client.request('DELETE', `/operators/${both.get(other.email)}`),
          other.client.request('DELETE', `/operators/${both.get(remover.email)}`),
        ]);
        assert.deepEqual(removals.map(({ status }) => status).sort(), [200, 401]);
      }
    });

    it('the only admin who can sign in stays, even if another one is invited', async () => {
      const own = await startTestService(engine);
      try {
        const { client, email } = await signedInOperator(own);
        await invitedOperator(own);
        const { operators } = (await client.get('/operators')).json<OperatorList>();
        const { id } = operators.find((operator) => operator.email === email) ?? assert.fail();
        expectRefusal(await client.request('DELETE', `/operators/${id}`), 409, /only admin who can sign in/);
        expectRefusal(await client.post(`/operators/${id}`, { role: 'viewer' }), 400, /only admin who/);
        await signedInOperator(own);
        assert.equal((await client.request('DELETE', `/operators/${id}`)).status, 200);
      } finally {
        await own.stop();
      }
    });

    it('takes no token that is not a text', async () => {
      for (const token of [{ toString: 1 }, ['x'], 1, null]) {
        const client = newClient();
        const checked = await client.post('/password-links/check', { token });
        assert.deepEqual([checked.status, checked.json()], [200, { valid: false, joins: null }]);
        const setUp = await client.post('/set-up/check', { token });
        assert.deepEqual([setUp.status, setUp.json()], [200, { valid: false }]);
      }
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
      await setPassword(tokenOf(link));
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
