import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invitationContent } from '../../src/console/mails/contents.ts';
import { renderMail } from '../../src/mail/render-mail.ts';
import type { Invited } from '../../src/operator/users/user-schema.ts';
import { PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { linkIn, queuedMails, setPassword, useMailService } from '../support/mail-service.ts';
import { tradepost } from '../support/process.ts';
import { startTestService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('invitations', () => {
    const parts = useMailService(engine);

    it('from the operator API are mailed, and the response says so', async () => {
      const { server, service } = parts();
      const { id } = await service.newMerchant();
      const token = await service.newOperatorToken();
      const json = { email: 'Ada@Example.com', name: 'Ada' };
      const headers = { 'idempotency-key': 'invitation-1' };
      const invite = () => service.operator('POST', `/merchants/${id}/users`, token, { json, headers });
      const invited = (await invite()).json<Invited>();
      assert.equal(invited.mailed, true);
      assert.deepEqual((await invite()).json<Invited>(), invited);
      const link = linkIn(await server.mailTo('ada@example.com'));
      assert.notEqual(link.href, invited.set_password_url);
      assert.equal(await setPassword(service, new URL(invited.set_password_url), PASSWORD), 200);
      // The two links are for one password.
      assert.equal(await setPassword(service, link, PASSWORD), 400);
      assert.equal(server.received.filter(({ to }) => to.includes('ada@example.com')).length, 1);
    });

    it('from the command line are mailed by the running service, and the output says so', async () => {
      const { server, service } = parts();
      const created = await tradepost(
        ['merchants', 'create', '--name', 'Vases', '--email', 'ann@example.com'],
        service.environment,
      );
      assert.match(created.stdout, /\nThe running service also mails a link to ann@example\.com\.\n$/);
      const invited = await tradepost(
        ['merchants', 'invite', '--merchant', 'Vases', '--email', 'bob@example.com', '--json'],
        service.environment,
      );
      assert.equal(JSON.parse(invited.stdout).mailed, true);
      for (const email of ['ann@example.com', 'bob@example.com']) {
        const mail = await server.mailTo(email, /“Vases”/);
        assert.equal(await setPassword(service, linkIn(mail), PASSWORD), 200);
      }
    });
  });

  it('the subject of an invitation has at most 40 visible characters of a name', () => {
    const brand = { name: 'Tradepost', logo: null, color: null };
    const merchantName = `Free\u200b money ${'x'.repeat(80)}\r\n`;
    const content = invitationContent({
      ...{ marketplace: 'Tradepost', merchantName },
      ...{ email: 'a@example.com', url: 'https://shop.example' },
    });
    assert.equal(
      renderMail(content, brand).subject,
      `Set your password for “Free  money ${'x'.repeat(28)}…”`,
    );
  });

  it('invitations are only returned without a mail server, and no mail is queued', async () => {
    await using service = await startTestService(engine);
    const { id } = await service.newMerchant();
    const json = { email: 'ada@example.com' };
    const token = await service.newOperatorToken();
    const response = await service.operator('POST', `/merchants/${id}/users`, token, { json });
    assert.equal(response.json<Invited>().mailed, false);
    const line = ['merchants', 'invite', '--merchant', String(id), '--email', 'bob@example.com'];
    const { stdout } = await tradepost(line, service.environment);
    assert.match(stdout, /^Created user\. Link for bob@example\.com [^\n]+\nhttps:[^\n]+\n$/);
    assert.deepEqual(await queuedMails(service), []);
  });
});
