import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { removeUser } from '../../src/users/remove-user.ts';
import { ConsoleClient, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { tokenOf } from '../support/links.ts';
import { MailServer, SMTP_PASSWORD } from '../support/mail-server.ts';
import {
  inviteNewUser,
  linkIn,
  makeMailsDue,
  queuedMails,
  restart,
  setPassword,
  useMailService,
} from '../support/mail-service.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const setCreated = statement<{ age: number }, never>('UPDATE mails SET created_at = created_at - :age');

forEachEngine((engine) => {
  describe('mail', () => {
    const parts = useMailService(engine);
    const isQueueEmpty = async (): Promise<boolean> => (await queuedMails(parts().service)).length === 0;

    it('arrives with a sender, a subject, text and HTML, and a link that works', async () => {
      const { server, service } = parts();
      const { email } = await inviteNewUser(service);
      const mail = await server.mailTo(email);
      assert.deepEqual([mail.from, mail.to], ['no-reply@shop.example', [email]]);
      assert.equal(mail.headers.get('from'), 'Example Shop <no-reply@shop.example>');
      assert.equal(mail.headers.get('to'), email);
      assert.match(mail.headers.get('subject') ?? '', /^Set your password for “Merchant no\. \d+”$/);
      assert.match(mail.headers.get('message-id') ?? '', /^<[\w-]{36}@shop\.example>$/);
      assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
      assert.doesNotMatch(mail.html, /<img|<link|<style|<script|url\(/);
      const link = linkIn(mail);
      assert.equal(`${link.origin}${link.pathname}`, 'https://shop.example/console/set-password');
      assert.equal(await setPassword(service, link, PASSWORD), 200);
      assert.equal(await setPassword(service, link, PASSWORD), 400);
      await new ConsoleClient(service.client).signIn(email);
      await until(isQueueEmpty);
    });

    it('has text that cannot add headers, lines or HTML', async () => {
      const { server, service } = parts();
      const { id } = await service.newMerchant();
      const rename = statement<{ id: number; name: string }, never>(
        'UPDATE merchants SET name = :name WHERE id = :id',
      );
      const name = 'A\r\nBcc: eve@example.com\r\n\r\n<b onclick="x">&\u202e\u2028end';
      const { email } = await inviteNewUser(service);
      const first = await server.mailTo(email);
      await service.database.transaction((connection) => connection.run(rename, { id, name }));
      const response = await service.operator(
        'POST',
        `/merchants/${id}/users`,
        await service.newOperatorToken(),
        { json: { email: 'injected@example.com', name: 'Ada' } },
      );
      assert.equal(response.status, 201, response.text);
      const mail = await server.mailTo('injected@example.com');
      assert.deepEqual(mail.to, ['injected@example.com']);
      assert.deepEqual([...mail.headers.keys()].toSorted(), [...first.headers.keys()].toSorted());
      const shown = 'A Bcc: eve@example.com <b onclick="x">& end';
      // A subject has at most 40 characters of the name, counted before control characters are replaced.
      const inSubject = 'A Bcc: eve@example.com <b onclick="x…';
      assert.equal(mail.headers.get('subject'), `Set your password for “${inSubject}”`);
      assert.ok(mail.text.includes(`“${shown}”`), mail.text);
      assert.ok(mail.html.includes('&lt;b onclick=&quot;x&quot;&gt;&amp; end'), mail.html);
    });

    it('waits while the server is down, delays no request, and arrives later', async () => {
      const { server, service } = parts();
      await server.stop();
      const { email } = await inviteNewUser(service);
      await until(async () => (await queuedMails(service))[0]?.failures === 1);
      await server.listen();
      await makeMailsDue(service);
      await server.mailTo(email);
      await until(isQueueEmpty);
      assert.ok(service.log.some((line) => line.includes('"reason":"the connection was refused"')));
    });

    it('waits while the server rejects the password, which appears in no log', async () => {
      const { server, service } = parts();
      server.behavior = { rejectsUser: true };
      const { email } = await inviteNewUser(service);
      await until(async () => (await queuedMails(service))[0]?.failures === 1);
      server.behavior = {};
      await makeMailsDue(service);
      await server.mailTo(email);
      await until(() =>
        service.log.some((line) => line.includes('the server did not accept the user and the password')),
      );
    });

    it('is tried again after a temporary refusal, and only then', async () => {
      const { server, service } = parts();
      let refusals = 0;
      server.behavior = {
        recipientCode: () => {
          refusals += 1;
          return refusals === 1 ? 450 : undefined;
        },
      };
      const { email } = await inviteNewUser(service);
      await until(async () => (await queuedMails(service))[0]?.failures === 1);
      await makeMailsDue(service);
      await server.mailTo(email);
      assert.equal(refusals, 2);
    });

    it('is given up after a permanent refusal, and later mails arrive', async () => {
      const { server, service } = parts();
      const attempts: string[] = [];
      server.behavior = {
        recipientCode: (address) => {
          attempts.push(address);
          return address === 'unknown@example.com' ? 550 : undefined;
        },
      };
      await inviteNewUser(service, 'unknown@example.com');
      const { email } = await inviteNewUser(service);
      await server.mailTo(email);
      await until(isQueueEmpty);
      assert.deepEqual(attempts.toSorted(), [email, 'unknown@example.com']);
      const line = service.log.find((each) => each.includes('the server responded to RCPT TO with 550'));
      assert.match(line ?? '', /"kind":"invitation"/);
      server.behavior = {};
    });

    it('is not sent to a user who was removed', async () => {
      const { server, service } = parts();
      await server.stop();
      const { email, merchantId } = await inviteNewUser(service);
      await runVerb(service, { merchantId, who: OPERATOR }, removeUser, { email });
      await until(isQueueEmpty);
      await server.listen();
    });

    it('puts no address, token or password in a log, and no token in the queue', async () => {
      const { server, service } = parts();
      await server.stop();
      const { link, email } = await inviteNewUser(service);
      const token = tokenOf(link);
      const queued = JSON.stringify(
        await until(async () => {
          const mails = await queuedMails(service);
          return mails.length > 0 && mails;
        }),
      );
      assert.ok(queued.includes(email));
      await server.listen();
      await makeMailsDue(service);
      const mailed = tokenOf(linkIn(await server.mailTo(email)));
      const log = service.log.join('\n');
      for (const secret of [token, mailed]) {
        assert.ok(secret.length > 20 && !queued.includes(secret) && !log.includes(secret));
      }
      for (const secret of [SMTP_PASSWORD, encodeURIComponent(SMTP_PASSWORD), email])
        assert.ok(!log.includes(secret), secret);
    });
  });

  it('a server that hangs delays no request and no stop, and the mail arrives after a restart', async () => {
    await using server = await MailServer.start({ isSecure: true });
    server.behavior = { hangs: true };
    const first = await startTestService(engine, server);
    const { email } = await inviteNewUser(first);
    await until(() => server.hanging > 0);
    for (let request = 0; request < 20; request += 1)
      assert.equal((await new ConsoleClient(first.client).get('/options')).status, 200);
    const hanging = server.hanging;
    await using second = await restart(engine, first, server);
    await until(() => server.hanging > hanging);
    // The first service ended its attempt, which therefore does not count, before its time limit.
    assert.equal((await queuedMails(second))[0]?.failures, 0);
    await server.stop();
    server.behavior = {};
    await server.listen();
    await until(async () => (await queuedMails(second))[0]?.failures === 1);
    await makeMailsDue(second);
    await server.mailTo(email);
  });

  it('mails that waited for more than three days are deleted', async () => {
    await using server = await MailServer.start();
    await server.stop();
    const first = await startTestService(engine, server);
    await inviteNewUser(first);
    await until(async () => (await queuedMails(first))[0]?.failures === 1);
    await first.database.transaction((connection) =>
      connection.run(setCreated, { age: 73 * 60 * 60 * 1_000_000 }),
    );
    await using second = await restart(engine, first, server);
    await until(async () => (await queuedMails(second)).length === 0);
  });
});
