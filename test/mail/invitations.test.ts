import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { invitationContent, shopInvitationContent } from '../../src/console/mails/contents.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { queueMail } from '../../src/mail/new-mail.ts';
import { renderMail } from '../../src/mail/render-mail.ts';
import type { Invited } from '../../src/operator/users/user-schema.ts';
import { invitationNeeds, inviteUser } from '../../src/users/invite-user.ts';
import { runCommand } from '../commands/run-command.ts';
import { newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { inviteNewUser, linkIn, queuedMails, setPassword, useMailService } from '../support/mail-service.ts';
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
      const created = await runCommand(
        ['merchants', 'create', '--name', 'Vases', '--email', 'ann@example.com'],
        service.environment,
      );
      assert.match(created.stdout, /\nThe running service also mails a link to ann@example\.com\.\n$/);
      const invited = await runCommand(
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
});

describe('mails if passwords are off', () => {
  const parts = useMailService(sqlite, {
    environment: {
      MERCHANT_OIDC_ISSUER: 'https://login.example',
      MERCHANT_OIDC_CLIENT_ID: 'tradepost',
      MERCHANT_OIDC_CLIENT_SECRET: 'hidden',
      MERCHANT_OIDC_NAME: 'Alpine ID',
      MERCHANT_OIDC_ONLY: 'on',
    },
  });
  const mailTo = async (email: string, subject: RegExp): Promise<URL> => {
    const mail = await parts().server.mailTo(email, subject);
    assert.doesNotMatch(`${mail.headers.get('subject')} ${mail.text} ${mail.html}`, /password/i);
    assert.ok(mail.text.includes(`Sign in with Alpine ID, where your email must be ${email}.`), mail.text);
    return linkIn(mail);
  };

  it('invite to a page on which the person signs in with the identity provider', async () => {
    const { email } = await inviteNewUser(parts().service);
    const link = await mailTo(email, /^Join /);
    assert.equal(link.pathname, '/console/join');
    assert.match(link.hash, /^#token=/);
  });

  it('lead a user to the sign-in who is invited again, or has asked for a password before', async () => {
    const { service } = parts();
    const { id: merchantId } = await service.newMerchant();
    const context = { merchantId, who: OPERATOR, ...invitationNeeds(service.config) };
    const [again, asked] = [
      await newUser(service, { id: merchantId }),
      await newUser(service, { id: merchantId }),
    ];
    await runVerb(service, context, inviteUser, { email: again.email, name: 'Ada' });
    const address = asked.email;
    await service.database.transaction((connection) =>
      queueMail(connection, { kind: 'password_reset', merchantId: null, userId: null, address, data: {} }),
    );
    for (const { email } of [again, asked]) {
      const link = await mailTo(email, /^Sign in to /);
      assert.deepEqual([link.pathname, link.hash], ['/console/sign-in', '']);
    }
  });
});

it('invitations say how the person signs in: by password, by the identity provider, or either', () => {
  const mail = {
    marketplace: 'Tradepost',
    merchantName: 'Vases',
    email: 'a@example.com',
    url: 'https://x',
  };
  const wayOf = (provider: { name: string; only: boolean } | null, isKnown: boolean) =>
    shopInvitationContent({ ...mail, provider, isKnown }).after[0]?.replace(/^.*hours\. /, '');
  const name = 'Alpine ID';
  assert.deepEqual(
    [
      wayOf(null, true),
      wayOf({ name, only: false }, true),
      wayOf({ name, only: true }, true),
      wayOf({ name, only: true }, false),
    ],
    [
      'Sign in with a@example.com and your password, as for your other shops.',
      'Sign in as a@example.com, with Alpine ID or your password, as for your other shops.',
      'Sign in with Alpine ID, where your email must be a@example.com, as for your other shops.',
      'Sign in with Alpine ID, where your email must be a@example.com.',
    ],
  );
  const newPerson = (provider: { name: string } | null) => invitationContent({ ...mail, provider }).after;
  const byPassword =
    'The link works once, within 72 hours. Then sign in with a@example.com and your password.';
  assert.deepEqual(newPerson(null), [byPassword]);
  assert.deepEqual(newPerson({ name }), [
    byPassword,
    'You don’t need a password if you sign in with Alpine ID, where your email must be a@example.com.',
  ]);
});

it('the subject of an invitation has at most 40 visible characters of a name', () => {
  const brand = { name: 'Tradepost', logo: null, color: null };
  const merchantName = `Free\u200b money ${'x'.repeat(80)}\r\n`;
  const content = invitationContent({
    ...{ marketplace: 'Tradepost', merchantName },
    ...{ email: 'a@example.com', url: 'https://shop.example', provider: null },
  });
  assert.equal(renderMail(content, brand).subject, `Set your password for “Free  money ${'x'.repeat(28)}…”`);
});

it('invitations are only returned without a mail server, and no mail is queued', async () => {
  await using service = await startTestService(sqlite);
  const { id } = await service.newMerchant();
  const json = { email: 'ada@example.com' };
  const token = await service.newOperatorToken();
  const response = await service.operator('POST', `/merchants/${id}/users`, token, { json });
  assert.equal(response.json<Invited>().mailed, false);
  const line = ['merchants', 'invite', '--merchant', String(id), '--email', 'bob@example.com'];
  const { stdout } = await runCommand(line, service.environment);
  assert.match(stdout, /^Created user\. Link for bob@example\.com [^\n]+\nhttps:[^\n]+\n$/);
  assert.deepEqual(await queuedMails(service), []);
});
