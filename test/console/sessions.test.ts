import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { SessionList, SessionSummary } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import { auditLogOf } from '../support/audit.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';

const MAX_SESSIONS = 50;
const HOUR_MS = 3_600_000;

const findUser = statement<{ id: string }, { user_id: string }>(
  'SELECT user_id FROM user_sessions WHERE id = :id',
);
const insertSession = statement<
  { id: string; userId: string; tokenHash: string; expiresAt: number; now: number; byProvider: 0 | 1 },
  never
>(
  `INSERT INTO user_sessions (id, user_id, token_hash, expires_at, created_at, updated_at, by_provider)
   VALUES (:id, :userId, :tokenHash, :expiresAt, :now, :now, :byProvider)`,
);

forEachEngine((engine) => {
  describe('sessions of a user', () => {
    const service = useService(engine);
    beforeEach(() => service().passTime(61_000));

    const signIn = async (email: string, userAgent: string): Promise<ConsoleClient> => {
      const client = new ConsoleClient(service().client);
      const response = await client.request('POST', '/auth/sign-in/email', {
        json: { email, password: PASSWORD },
        headers: { 'user-agent': userAgent },
      });
      assert.equal(response.status, 200, response.text);
      return client;
    };
    const sessionsOf = async (client: ConsoleClient): Promise<SessionSummary[]> =>
      (await client.get('/sessions')).json<SessionList>().sessions;
    const isOpen = async (client: ConsoleClient): Promise<boolean> =>
      (await client.get('/session')).status === 200;

    it('are listed with their browsers, without those of other users', async () => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      await signedIn(service(), merchant);
      const first = await signIn(email, 'Laptop/1.0');
      await signIn(email, 'x'.repeat(300));
      const sessions = await sessionsOf(first);
      assert.deepEqual(sessions.map(({ user_agent, current }) => [user_agent, current]).sort(), [
        ['Laptop/1.0', true],
        ['x'.repeat(200), false],
      ]);
      for (const { created_at, last_used_at } of sessions) {
        assert.ok(Date.parse(created_at) <= Date.parse(last_used_at));
      }
      assert.ok(!(await first.get('/sessions')).text.includes('token'));
    });

    for (const realm of ['console', 'operator’s screen'] as const) {
      it(`that have ended because of their age are not listed, in the ${realm}`, async () => {
        const client =
          realm === 'console'
            ? await signedIn(service(), await service().newMerchant())
            : (await signedInOperator(service())).client;
        const longestHours = realm === 'console' ? 30 * 24 : 12;
        const [current] = await sessionsOf(client);
        const found = await service().database.first(findUser, { id: current?.id ?? '' });
        const { user_id: userId } = found ?? assert.fail();
        const now = service().now();
        const begun = [
          ['young', longestHours - 1, 0],
          ['old', longestHours + 1, 0],
          ['young-by-provider', 11, 1],
          ['old-by-provider', 13, 1],
        ] as const;
        await service().database.transaction(async (connection) => {
          for (const [name, hours, byProvider] of begun)
            await connection.run(insertSession, {
              id: `${name}-${userId}`,
              userId,
              tokenHash: `${name}-${userId}`,
              expiresAt: now + HOUR_MS,
              now: now - hours * HOUR_MS,
              byProvider,
            });
        });
        const listed = (await sessionsOf(client)).map(({ id }) => id);
        assert.deepEqual(
          new Set(listed),
          new Set([current?.id, `young-${userId}`, `young-by-provider-${userId}`]),
        );
      });
    }

    it('can be ended one by one, which is recorded', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const [here, there, third] = [
        await signIn(email, 'A'),
        await signIn(email, 'B'),
        await signIn(email, 'C'),
      ];
      const id = (await sessionsOf(here)).find(({ user_agent }) => user_agent === 'B')?.id;
      const response = await here.request('DELETE', `/sessions/${id}`);
      assert.deepEqual(
        response
          .json<SessionList>()
          .sessions.map(({ user_agent }) => user_agent)
          .sort(),
        ['A', 'C'],
      );
      assert.deepEqual([await isOpen(here), await isOpen(there), await isOpen(third)], [true, false, true]);
      const entries = await auditLogOf(service(), here);
      assert.deepEqual([entries[0]?.action, entries[0]?.subject], ['user.session_ended', null]);
      assert.equal((await here.request('DELETE', `/sessions/${id}`)).status, 404);
    });

    it('can all be ended except the current one', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const [here, there, third] = [
        await signIn(email, 'A'),
        await signIn(email, 'B'),
        await signIn(email, 'C'),
      ];
      const response = await here.request('DELETE', '/sessions');
      assert.deepEqual(
        response.json<SessionList>().sessions.map(({ user_agent }) => user_agent),
        ['A'],
      );
      assert.deepEqual([await isOpen(here), await isOpen(there), await isOpen(third)], [true, false, false]);
      const entries = await auditLogOf(service(), here);
      assert.deepEqual([entries[0]?.action, entries[0]?.subject], ['user.session_ended', '2 sessions']);
    });

    it('404: another user’s session, even of the same merchant', async () => {
      const merchant = await service().newMerchant();
      const [one, other] = [await signedIn(service(), merchant), await signedIn(service(), merchant)];
      const [session] = await sessionsOf(other);
      assert.equal((await one.request('DELETE', `/sessions/${session?.id}`)).status, 404);
      assert.equal(await isOpen(other), true);
    });

    it('are limited to fifty: a new one ends the oldest', async () => {
      const { email } = await newUser(service(), await service().newMerchant());
      const oldest = await signIn(email, 'oldest');
      const [session] = await sessionsOf(oldest);
      const user = (await service().database.first(findUser, { id: session?.id ?? '' }))?.user_id;
      const now = Date.now();
      // Inserted directly, because password hashes make sign-ins slow.
      await service().database.transaction(async (connection) => {
        for (let index = 1; index < MAX_SESSIONS; index += 1) {
          await connection.run(insertSession, {
            id: `id-${index}-${user}`,
            userId: user ?? '',
            tokenHash: `hash-${index}-${user}`,
            expiresAt: now + 3_600_000_000,
            now: now + index,
            byProvider: 0,
          });
        }
      });
      assert.equal((await sessionsOf(oldest)).length, MAX_SESSIONS);
      service().passTime(1_000);
      await signIn(email, 'newest');
      assert.equal(await isOpen(oldest), false);
    });
  });
});
