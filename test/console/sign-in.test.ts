import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('signing in to the console', () => {
    const service = useService(engine);

    it('opens a session that tells who it is and whose', async () => {
      const merchant = await service().newMerchant('Europe/Vienna');
      const { email } = await newUser(service(), merchant);
      const client = new ConsoleClient(service().client);
      assert.equal((await client.get('/session')).status, 401);
      const answer = await client.post('/auth/sign-in/email', { email: email.toUpperCase(), password: PASSWORD });
      assert.equal(answer.status, 200, answer.text);
      const session = (await client.get('/session')).json<ConsoleSession>();
      assert.equal(session.user.email, email);
      assert.equal(session.merchant.id, merchant.id);
      assert.equal(session.api_url, service().baseUrl);
    });
  });
});
