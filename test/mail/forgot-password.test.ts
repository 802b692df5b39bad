import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ConsoleOptions } from '../../src/console/console-api.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import {
  assertEmailsRefused,
  inviteNewUser,
  linkIn,
  type MailParts,
  queuedMails,
  setPassword,
  useMailService,
} from '../support/mail-service.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'another horse entirely';

async function mailedLink({ server }: MailParts, email: string): Promise<URL> {
  const mail = await server.mailTo(email, /^Set a new password$/);
  server.received.splice(server.received.indexOf(mail), 1);
  return linkIn(mail);
}

forEachEngine((engine) => {
  describe('a forgotten password', () => {
    const parts = useMailService(engine);
    beforeEach(() => parts().service.passTime(61 * MINUTE_MS));
    const newClient = (): ConsoleClient => new ConsoleClient(parts().service.client);
    const requestLink = (email: unknown): Promise<ClientResponse> =>
      newClient().post('/password-links', { email });
    it('is replaced with a link that works once, and all sessions end', async () => {
      const { service } = parts();
      assert.equal((await newClient().get('/options')).json<ConsoleOptions>().mail, true);
      const { email } = await newUser(service, await service.newMerchant());
      const client = newClient();
      await client.signIn(email);
      assert.equal((await requestLink(` ${email.toUpperCase()} `)).status, 202);
      const link = await mailedLink(parts(), email);
      assert.equal(await setPassword(service, link, NEW_PASSWORD), 200);
      assert.equal(await setPassword(service, link, NEW_PASSWORD), 400);
      assert.equal((await client.get('/session')).status, 401);
      await newClient().signIn(email, NEW_PASSWORD);
    });

    it('has the same response whether or not there is a user, and only a user gets a mail', async () => {
      const { server, service } = parts();
      const { email } = await newUser(service, await service.newMerchant());
      const shapes = [];
      for (const address of ['unknown@example.com', email]) {
        const { status, text, headers } = await requestLink(address);
        shapes.push({ status, text, names: Object.keys(headers).toSorted() });
      }
      assert.equal(shapes[0]?.status, 202);
      assert.deepEqual(shapes[1], shapes[0]);
      await mailedLink(parts(), email);
      await until(async () => (await queuedMails(service)).length === 0);
      assert.deepEqual(
        server.received.filter(({ to }) => to.includes('unknown@example.com')),
        [],
      );
    });

    it('has a working link after others have requested many, and one mail in 20 minutes, with the same response', async () => {
      const { server, service } = parts();
      const { email } = await newUser(service, await service.newMerchant());
      const responses = async (address: string): Promise<string[]> => {
        const texts: string[] = [];
        for (let request = 0; request < 4; request += 1) {
          const { status, text } = await requestLink(address);
          texts.push(`${status} ${text}`);
        }
        return texts;
      };
      const ofUser = await responses(email);
      assert.deepEqual(new Set(ofUser), new Set(['202 {"status":true}']));
      assert.deepEqual(await responses('limited@example.com'), ofUser);
      const link = await mailedLink(parts(), email);
      await until(async () => (await queuedMails(service)).length === 0);
      assert.deepEqual(
        server.received.filter(({ to }) => to.includes(email)),
        [],
      );
      service.passTime(20 * MINUTE_MS);
      assert.equal((await requestLink(email)).status, 202);
      const second = await mailedLink(parts(), email);
      // The owner can use any of them, until a password is set.
      assert.notEqual(second.href, link.href);
      assert.equal(await setPassword(service, link, NEW_PASSWORD), 200);
    });

    it('429: is limited to ten requests per hour from one network', async () => {
      const statuses = new Set<number>();
      for (let number = 1; number <= 10; number += 1)
        statuses.add((await requestLink(`other${number}@example.com`)).status);
      assert.deepEqual(statuses, new Set([202]));
      assert.equal((await requestLink('other11@example.com')).status, 429);
    });

    it('400: without an email address', async () => {
      await assertEmailsRefused(requestLink);
    });
  });

  describe('a forgotten password', () => {
    const parts = useMailService(engine);

    it('has a link that expires after an hour, and leaves other links valid until a password is set', async () => {
      const { service } = parts();
      // Links expire by the machine's clock.
      const requestedBefore = async (minutes: number, email: string): Promise<URL> => {
        service.passTime(Date.now() - minutes * MINUTE_MS - service.now());
        await new ConsoleClient(service.client).post('/password-links', { email });
        return await mailedLink(parts(), email);
      };
      const { email, link: invitation } = await inviteNewUser(service);
      assert.equal(await setPassword(service, await requestedBefore(61, email), NEW_PASSWORD), 400);
      const valid = await requestedBefore(40, email);
      const other = await requestedBefore(20, email);
      assert.equal(await setPassword(service, valid, NEW_PASSWORD), 200);
      for (const link of [other, new URL(invitation)])
        assert.equal(await setPassword(service, link, NEW_PASSWORD), 400);
      const second = await inviteNewUser(service);
      await requestedBefore(1, second.email);
      assert.equal(await setPassword(service, new URL(second.link), NEW_PASSWORD), 200);
    });
  });
});

it('403: a link is not mailed without a mail server', async () => {
  await using service = await startTestService(sqlite);
  const client = new ConsoleClient(service.client);
  assert.equal((await client.get('/options')).json<ConsoleOptions>().mail, false);
  const { email } = await newUser(service, await service.newMerchant());
  const response = await client.post('/password-links', { email });
  assert.equal(response.status, 403);
  assert.match(response.message, /^Ask your marketplace operator for a new link/);
  assert.deepEqual(await queuedMails(service), []);
});
