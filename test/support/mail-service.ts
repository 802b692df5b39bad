import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { invitationNeeds, inviteUser } from '../../src/users/invite-user.ts';
import type { ClientResponse } from './client.ts';
import { ConsoleClient } from './console.ts';
import type { Engine } from './engines.ts';
import { tokenOf } from './links.ts';
import { MailServer, type ReceivedMail } from './mail-server.ts';
import { type Settings, startTestService, type TestService } from './service.ts';

const listMails = statement<
  unknown,
  { id: string; kind: string; address: string; failures: number; data: string }
>('SELECT id, kind, address, failures, data FROM mails ORDER BY id');
const makeDue = statement<unknown, never>('UPDATE mails SET due_at = 0');

export interface MailParts {
  server: MailServer;
  service: TestService;
}

export function useMailService(
  engine: Engine,
  { environment, ...settings }: Settings = {},
  options: { isSecure?: boolean } = {},
): () => MailParts {
  let parts: MailParts | undefined;
  before(async () => {
    const server = await MailServer.start(options);
    const all = { ...server.environment, ...environment };
    parts = { server, service: await startTestService(engine, { ...settings, environment: all }) };
  });
  afterEach(() => parts?.service.checkStatuses());
  after(async () => {
    await parts?.service.close();
    await parts?.server.close();
  });
  return () => parts ?? assert.fail('the service runs only while the suite runs');
}

let invited = 0;

export async function inviteNewUser(
  service: TestService,
  email = `invited${++invited}@example.com`,
): Promise<{ email: string; merchantId: number; link: string }> {
  const { id: merchantId } = await service.newMerchant();
  const { config } = service;
  const operator = { merchantId, who: OPERATOR, ...invitationNeeds(config) };
  const { link } = await runVerb(service, operator, inviteUser, { email, name: 'Ada' });
  return { email, merchantId, link };
}

export async function queuedMails({ database }: TestService) {
  return await database.all(listMails);
}

/** Makes mails due now that wait for another attempt. */
export async function makeMailsDue({ database }: TestService): Promise<void> {
  await database.transaction((connection) => connection.run(makeDue));
}

/** Checks that both forms of the mail contain it. */
export function linkIn({ text, html }: Pick<ReceivedMail, 'text' | 'html'>): URL {
  const [link] = /^https:\/\/\S+$/m.exec(text) ?? assert.fail(`no link in ${text}`);
  assert.ok(html.includes(`<a href="${link}"`), html);
  return new URL(link);
}

/** Requests without an email address do not count. */
export async function assertEmailsRefused(
  requestLink: (email: unknown) => Promise<ClientResponse>,
): Promise<void> {
  for (const email of [
    undefined,
    '',
    'ada',
    7,
    ['a@b.example'],
    'a@b.example\r\nBcc: eve@example.com',
    'a@b.example, c@d.example',
  ]) {
    const response = await requestLink(email);
    assert.equal(response.status, 400);
    const { fields } = response.json<{ fields: { name: string }[] }>();
    assert.deepEqual(
      fields.map(({ name }) => name),
      ['email'],
    );
  }
}

/** Sets a password as the mail's page does. Resolves to the status. */
export async function setPassword({ client }: TestService, link: URL, newPassword: string): Promise<number> {
  const token = tokenOf(link);
  return (await new ConsoleClient(client).post('/auth/reset-password', { token, newPassword })).status;
}

export async function restart(
  engine: Engine,
  service: TestService,
  server: MailServer,
): Promise<TestService> {
  const { environment } = service;
  await service.stop();
  return await startTestService({ ...engine, environment: async () => environment }, server);
}
