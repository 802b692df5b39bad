import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Client } from '../support/client.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { parseSamples, startHealthServer } from '../support/health.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const ADDRESSES = 80;
const ATTEMPTS_EACH = 9;
/** The networks of the addresses. Each stays below its limit of attempts. */
const NETWORKS = 16;
/** Passwords that are hashed at the same time. */
const AT_ONCE = 2;

forEachEngine((engine) => {
  let service: TestService;
  before(async () => {
    service = await startTestService(engine, {
      environment: { TLS: 'proxy', TRUST_PROXY: '127.0.0.1' },
      passwordCost: null,
    });
  });
  after(() => service?.close());

  const signInFrom = async (client: Client, address: string, email: string, password: string) =>
    await new ConsoleClient(client).request('POST', '/auth/sign-in/email', {
      json: { email, password },
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': address },
    });

  it('lets a user sign in after at most one attempt per flooding network', async (t) => {
    const { email } = await newUser(service, await service.newMerchant());
    const flood = new Client(service.client.origin.origin, null);
    t.after(() => flood.close());
    const getHealth = await startHealthServer(t, service.health);
    let responded = 0;
    let turns = 0;
    const attempts = Array.from({ length: ADDRESSES * ATTEMPTS_EACH }, async (_, index) => {
      const address = `198.51.${index % NETWORKS}.${index % ADDRESSES}`;
      const response = await signInFrom(flood, address, `user-${index}@flood.example.com`, 'wrong password');
      responded += 1;
      if (response.status === 401) turns += 1;
    });
    const flooded = Promise.allSettled(attempts);
    const waiting = async (): Promise<number> =>
      parseSamples((await getHealth('/metrics')).text).get('tradepost_passwords_waiting') ?? 0;
    await until(async () => (await waiting()) + responded >= attempts.length - AT_ONCE, {
      timeoutMs: 240_000,
    });
    const before = turns;
    const honest = await signInFrom(service.client, '192.0.2.1', email, PASSWORD);
    assert.equal(honest.status, 200, honest.text);
    const first = turns - before;
    assert.ok(first <= NETWORKS + 2 * AT_ONCE, `${first} attempts of the flood came first`);
    flood.close();
    await flooded;
  });
});
