import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { forEachEngine } from '../support/engines.ts';
import { MailServer } from '../support/mail-server.ts';
import { inviteNewUser, makeMailsDue, queuedMails, useMailService } from '../support/mail-service.ts';
import type { TestService } from '../support/service.ts';
import { useTwoNodes } from '../support/two-nodes.ts';
import { until } from '../support/until.ts';

const setLease = statement<{ end: number }, never>(
  "UPDATE mails SET lease_holder = 'another process', lease_until = :end, due_at = 0",
);

interface Figure {
  name: string;
  values: { value: number; labels: { outcome?: string } }[];
}

/** Returns values by outcome if the metric has that label. */
async function metric({ health }: TestService, name: string): Promise<Record<string, number>> {
  const figures = (await health.metrics()).flat() as Figure[];
  const values = figures.find((figure) => figure.name === `tradepost_${name}`)?.values ?? [];
  return Object.fromEntries(values.map(({ value, labels: { outcome = 'all' } }) => [outcome, value]));
}

forEachEngine((engine) => {
  describe('two nodes', () => {
    let server: MailServer;
    before(async () => {
      server = await MailServer.start();
    });
    const nodes = useTwoNodes(engine, () => server);
    after(() => server.close());

    it('send each mail once', async () => {
      const [one, other] = nodes();
      const invited = [];
      for (let round = 0; round < 8; round += 1) invited.push((await inviteNewUser(one)).email);
      for (const email of invited) await server.mailTo(email);
      await until(async () => (await queuedMails(other)).length === 0);
      const sentTo = server.received.flatMap(({ to }) => to);
      assert.deepEqual(sentTo.toSorted(), invited.toSorted());
      const sent = [await metric(one, 'mails_total'), await metric(other, 'mails_total')];
      assert.equal(
        sent.reduce((sum, outcomes) => sum + (outcomes.sent ?? 0), 0),
        invited.length,
      );
    });
  });

  describe('a mail', () => {
    const parts = useMailService(engine);

    it('is not sent while another process has its lease, and is sent when that has ended', async () => {
      const { server, service } = parts();
      await server.stop();
      const { email } = await inviteNewUser(service);
      await until(async () => (await queuedMails(service))[0]?.failures === 1);
      const lease = (end: number): Promise<number> =>
        service.database.transaction((connection) => connection.run(setLease, { end }));
      await lease((Date.now() + 3_600_000) * 1000);
      await server.listen();
      // A later mail arrives, so this process does send.
      const later = await inviteNewUser(service);
      await server.mailTo(later.email);
      assert.equal((await queuedMails(service))[0]?.failures, 1);
      assert.deepEqual(
        server.received.filter(({ to }) => to.includes(email)),
        [],
      );
      await lease(0);
      await server.mailTo(email);
    });

    it('is counted in metrics by outcome, with the age of the oldest one', async () => {
      const { server, service } = parts();
      await until(async () => (await metric(service, 'mails_waiting')).all === 0);
      const before = await metric(service, 'mails_total');
      await server.stop();
      await inviteNewUser(service);
      await until(async () => (await metric(service, 'mails_total')).retried === (before.retried ?? 0) + 1);
      await until(async () => (await metric(service, 'mails_waiting')).all === 1);
      await until(async () => ((await metric(service, 'mail_oldest_seconds')).all ?? 0) > 1);
      await server.listen();
      await makeMailsDue(service);
      await until(async () => (await metric(service, 'mails_waiting')).all === 0);
      assert.equal((await metric(service, 'mails_total')).sent, (before.sent ?? 0) + 1);
      server.behavior = { recipientCode: () => 550 };
      await inviteNewUser(service);
      await until(async () => (await metric(service, 'mails_total')).failed === 1);
    });
  });
});
