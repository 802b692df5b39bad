import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { useService } from '../support/service.ts';

describe('the console while its database is unavailable', () => {
  const failing = new FailingDatabase();
  const service = useService(sqlite, { wrap: (database) => failing.wrap(database) });

  it('503: for every request, and sessions work again afterward', async () => {
    const { email } = await newUser(service(), await service().newMerchant());
    const client = new ConsoleClient(service().client);
    await client.signIn(email);
    failing.failure = new DatabaseUnavailable('unavailable for a test', { cause: new Error('cause') });
    const cookies = new Map(client.cookies);
    for (const [method, path, json] of [
      ['GET', '/session', undefined],
      ['GET', '/activity', undefined],
      ['POST', '/auth/sign-in/email', { email, password: PASSWORD }],
      ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD }],
      ['POST', '/auth/two-factor/verify-totp', { code: '123456' }],
      ['POST', '/auth/reset-password', { token: 'x', newPassword: PASSWORD }],
      ['POST', '/auth/sign-out', undefined],
    ] as const) {
      const response = await client.request(method, path, json === undefined ? {} : { json });
      assert.equal(response.status, 503, `${path} ${response.text}`);
      assert.match(response.message, /try again shortly/);
    }
    failing.failure = undefined;
    assert.deepEqual(client.cookies, cookies);
    assert.equal((await client.get('/session')).status, 200);
  });
});
